"""The columns of what a fleet job writes, and the rows of one transcript."""

from __future__ import annotations

import gzip
import resource
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote

from groundwire.base.model import Match, Turn
from groundwire.base.settings import Settings
from groundwire.inputs.transcript import (
    blocks_of,
    is_human_prompt,
    is_on_chain,
    message_of,
    parse_line,
)
from groundwire.inputs.turns import LINE_CAP
from groundwire.language.secrets import masked
from groundwire.runs.replay import examined_turns, is_agent_transcript
from groundwire.settings.runtime import Runtime
from groundwire.verdict.decision import blockable, blocking, exemption, without_faint_companions
from groundwire.verdict.examine import Examined

#: Changes when a column changes its name, type or meaning; a folder holds one version.
VERSION = 1
#: By table, column and type, as ``rows.toml`` explains them.
COLUMNS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
TABLES = tuple(COLUMNS)
#: Date of rows whose time is not known.
UNDATED = "1970-01-01"


def ddl(table: str) -> str:
    """Return the columns of a table in Spark's words."""
    return ", ".join(f"`{name}` {kind}" for name, kind in COLUMNS[table].items())


def rows_ddl() -> str:
    """Return the schema of what a task yields: one of the tables' rows in a column of its name."""
    structs = (
        f"`{table}` struct<{', '.join(f'`{n}`:{k}' for n, k in COLUMNS[table].items())}>"
        for table in TABLES
    )
    return ", ".join(("`kind` string", "`date` string", *structs))


Row = dict[str, Any]
Entry = dict[str, Any]
#: Length in bytes and text of a line; None where its text was not read.
Line = tuple[int, bytes | None]

HOST = "claude-code"
_MOST_ERRORS = 100  # rows of one file
_HOMES = ("home", "Users")
_BUFFER, _GZIP = 2**20, b"\x1f\x8b"
_EVERY = 101  # a threshold that no confidence reaches
_MIB = 2**20 if sys.platform == "darwin" else 2**10  # units of ru_maxrss in a MiB


class Options(NamedTuple):
    """What is asked of every transcript; ``salt`` goes into the hashes."""

    salt: bytes
    analyser: str
    keep_text: bool = False

    def hashed(self, text: str) -> str:
        """Return a salted hash of a name, 32 hexadecimal characters."""
        data = text.encode("utf-8", "surrogatepass")
        return blake2b(data, digest_size=16, key=self.salt).hexdigest()


def rows_of(
    path: str, lines: Iterable[Line], runtime: Runtime, options: Options
) -> Iterator[tuple[str, str, Row]]:
    """Yield table, date and row of all that one transcript gives, holding one turn at a time.

    What fails is a row of ``errors`` and ends the file; the last row is that of ``files``. Raises
    MemoryError.
    """
    reader = _Reader(path, lines, options)
    begun, turns = time.process_time(), 0
    agent = is_agent_transcript(Path(unquote(path)))
    try:
        for turn, check in examined_turns(reader.entries(agent), runtime, agent, on_disk=False):
            yield from reader.told()
            facts = reader.facts(turn)
            if not turn.message:
                continue
            turns += 1
            yield from _turn_rows(turn, check, runtime.settings, facts | {"number": turns}, options)
    except MemoryError:
        raise
    except Exception as error:  # one file must not end the job
        reader.problem(reader.bytes, f"{type(error).__name__}: {error}")
    yield from reader.told()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // _MIB
    row = {"path": path, "bytes": reader.bytes, "lines": reader.lines, "turns": turns}
    row |= {"cpu_seconds": time.process_time() - begun, "peak_mib": peak}
    yield "files", reader.date, row | {"source": reader.source}


def lines_of(file: BufferedReader[Any]) -> Iterator[Line]:
    """Yield the lines of a stream, packed or not, holding one at a time, and close it."""
    with file, gzip.open(file) if file.peek(2)[:2] == _GZIP else file as plain:
        while line := plain.readline(LINE_CAP + 1):
            size = len(line) - line.endswith(b"\n")
            if size <= LINE_CAP:
                yield size, line
                continue
            while line and not line.endswith(b"\n"):
                line = plain.readline(_BUFFER)
                size += len(line) - line.endswith(b"\n")
            yield size, None


class _Reader:
    """Reads lines, and keeps their errors and what turns leave out: models, tokens, times."""

    def __init__(self, path: str, lines: Iterable[Line], options: Options) -> None:
        self.source = options.hashed(path)
        self.bytes = self.lines = self._wrong = 0
        self.date = UNDATED
        self._path, self._input, self._options = path, lines, options
        self._errors: list[Row] = []
        self._notes: list[tuple[str, Entry, frozenset[str]]] = []  # key, entry, ids of its calls
        self._folder = self._version = ""

    def entries(self, agent: bool) -> Iterator[Entry]:
        """Yield the lines of the conversation."""
        for size, line in self._input:
            at = self.bytes
            self.lines += 1
            self.bytes += size + 1
            if size > LINE_CAP:
                self.problem(at, f"a line of {size} bytes; at most {LINE_CAP} are read")
            if line is None or size > LINE_CAP:
                continue
            entry = parse_line(line)
            if entry is None:
                self.problem(at, "no JSON object")
            elif entry:
                self._note(entry, agent)
                yield entry

    def problem(self, offset: int, error: str) -> None:
        """Keep what is wrong with a line, up to a number for each file."""
        self._wrong += 1
        if self._wrong > _MOST_ERRORS:
            return
        error = error if self._wrong < _MOST_ERRORS else f"{error}; further lines are not listed"
        row = {"path": self._path, "offset": offset, "error": clean(error)}
        self._errors.append(row | {"source": self.source})

    def told(self) -> Iterator[tuple[str, str, Row]]:
        """Yield the rows of what was wrong since the last time."""
        for row in self._errors:
            yield "errors", self.date, row
        self._errors = []

    def _note(self, entry: Entry, agent: bool) -> None:
        self._folder = self._folder or _string(entry, "cwd")
        self._version = _string(entry, "version") or self._version
        self.date = date_of(_string(entry, "timestamp")) or self.date
        if not is_on_chain(entry, agent):
            return
        slim = {"timestamp": entry.get("timestamp")}
        if entry.get("type") == "assistant":
            message = message_of(entry)
            calls = [block.get("id") for block in blocks_of(entry)]
            slim |= {"model": message.get("model"), "usage": message.get("usage")}
            key = _string(message, "id") or _string(entry, "uuid")
            self._notes.append((key, slim, frozenset(it for it in calls if isinstance(it, str))))
        elif is_human_prompt(entry, None, agent):
            self._notes.append(("", slim, frozenset()))

    def facts(self, turn: Turn) -> Row:
        """Return what the lines of ``turn`` say besides it, and forget them.

        The turn goes up to the last line of its final message, or of its last tool call.
        """
        last = turn.calls[-1].id if turn.calls else ""
        ends = [
            at
            for at, (key, _, calls) in enumerate(self._notes, 1)
            if (key and key == turn.message_id) or last in calls
        ]
        notes, self._notes = (
            self._notes[: max(ends, default=0)],
            self._notes[max(ends, default=0) :],
        )
        prompts = [it for key, it, _ in notes if not key]
        models = [it["model"] for key, it, _ in notes if key and isinstance(it["model"], str)]
        usage = {key: it["usage"] for key, it, _ in notes if key and isinstance(it["usage"], dict)}
        began = moment(_string(prompts[-1], "timestamp")) if prompts else None
        ended = moment(turn.timestamp)
        names = PurePosixPath(self._folder.replace("\\", "/")).parts
        homes = [names[at + 1] for at, it in enumerate(names[:-1]) if it in _HOMES]
        hashed = self._options.hashed
        return {
            "session": hashed(turn.session_id) if turn.session_id else None,
            "user": hashed(homes[0]) if homes else None,
            "host": HOST,
            "host_version": clean(self._version),
            "model": clean(models[-1]) if models else None,
            "repository": clean(names[-1]) if names else None,
            "time": ended,
            "seconds": (ended - began).total_seconds() if began and ended else None,
            "tokens_in": sum(_count(it, "input") for it in usage.values()),
            "tokens_out": sum(_count(it, "output_tokens") for it in usage.values()),
            "source": self.source,
        }


def _turn_rows(
    turn: Turn, examined: Examined, settings: Settings, facts: Row, options: Options
) -> Iterator[tuple[str, str, Row]]:
    decision, matches = examined.decision, examined.analysis.matches
    date = date_of(turn.timestamp) or UNDATED
    agent = examined.situation is not None and examined.situation.event.name == "SubagentStop"
    # a session that was resumed under another name begins with a copy of its earlier lines
    key = f"{turn.message_id}\n{turn.timestamp}\n{turn.message}"
    common = {"turn": blake2b(key.encode("utf-8", "replace"), digest_size=16).hexdigest()}
    shared = ("session", "user", "model", "repository", "time", "source")
    common |= {name: facts[name] for name in shared}
    shown = {*decision.matches, *decision.blocking}
    kept = [it for it in matches if it.confidence >= settings.thresholds.doubt or it in shown]
    row = facts | common
    row |= {
        "agent": "sub-agent" if agent else "main",
        "calls": len(turn.calls),
        "decision": decision.action,
        "confidence": max((it.confidence for it in matches), default=0),
        "stops_at": stops_at(examined, settings),
        "matches": len(kept),
        "analyser": options.analyser,
        "schema_version": VERSION,
    }
    yield "decisions", date, row
    for match in kept:
        more = _match_row(match, turn.message, options.keep_text)
        yield "matches", date, common | more | {"stopping": match in decision.blocking}


def _match_row(match: Match, message: str, keep_text: bool) -> Row:
    sentence = message[slice(*match.sentence)] if keep_text else None
    return {
        "kind": match.kind,
        "marker": match.marker.id,
        "confidence": match.confidence,
        "verdict": match.verdict.status if match.verdict else None,
        "features": [(factor.name, float(factor.value)) for factor in match.factors],
        "points": [(factor.name, factor.points) for factor in match.factors],
        "call_id": clean(match.verdict.call_id) if match.verdict else None,
        "offset": match.offset,
        "length": len(match.evidence),
        "sentence": clean(masked(sentence)) if sentence is not None else None,
    }


def stops_at(examined: Examined, settings: Settings) -> int:
    """Return the highest ``thresholds.stop_from`` at which the turn is stopped; 0: at none.

    All other settings stay as they are, so that a turn is stopped when this is at least as high.
    """
    situation = examined.situation
    if situation is None or exemption(situation, settings):
        return 0
    matches = blockable(without_faint_companions(examined.analysis.matches), situation)
    if blocking(matches, settings.thresholds.replace(stop_from=_EVERY)):
        return 100
    return max((match.confidence for match in matches if match.verdict), default=0)


def moment(text: str) -> datetime | None:
    """Return an ISO timestamp as a time in UTC; None when it is none."""
    try:
        time = datetime.fromisoformat(text)
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def date_of(text: str) -> str:
    """Return the date in UTC of an ISO timestamp; "" when it is none."""
    if len(text) == 24 and text[23] == "Z":  # as Claude Code writes it; the others take longer
        try:
            datetime.fromisoformat(text)
        except ValueError:
            return ""
        return text[:10]
    time = moment(text)
    return f"{time:%Y-%m-%d}" if time else ""


def clean(text: str) -> str:
    """Return ``text`` with what UTF-8 cannot say, such as half a surrogate pair, as "?"."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _string(entry: Entry, key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _count(usage: Entry, what: str) -> int:
    names = [name for name in usage if name.endswith("_tokens")]
    wanted = [name for name in names if (name == what if what != "input" else "input" in name)]
    return sum(usage[name] for name in wanted if type(usage[name]) is int)
