"""What is fuzzed: each target takes the bytes of one input, checks what has to hold for any, and
returns what kind of outcome it was. Nothing here starts a process, so thousands run in a second.

An oracle that does not hold raises AssertionError; any other exception is a fault as well.
"""

import atexit
import json
import os
import random
import shutil
from collections.abc import Callable, Hashable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple
from unittest import mock

from benchmarks.growing import CLAIMS
from benchmarks.messages import message as report
from groundwire.config.convert import from_settings
from groundwire.config.load import resolve
from groundwire.config.schema import SettingsTable
from groundwire.config.trust import leaves, loosenings
from groundwire.decision import Memory
from groundwire.errors import EventError, LexiconError
from groundwire.event import Event, decode_event
from groundwire.evidence.timeline import timeline_of
from groundwire.lexicon import load
from groundwire.lexicon.check import check_lexicon
from groundwire.lexicon.load import load_lexicon
from groundwire.model import BLOCK, CONTRADICTED, KINDS, ToolCall, Turn
from groundwire.render.hook_json import stop_json
from groundwire.render.prose import JOINERS
from groundwire.render.reason import reason_text
from groundwire.rules import shipped_rules
from groundwire.rules.weights import FEATURES
from groundwire.scan.automaton import Scanner
from groundwire.server.connection import Begun, serve_connection
from groundwire.server.handler import HookHandler
from groundwire.service import hook
from groundwire.service.examine import Examined, examine
from groundwire.settings import SHIPPED
from groundwire.state.compiled import Compiled
from groundwire.state.compiled_file import decode, encode
from groundwire.state.sources import PROJECT, USER, Source
from groundwire.transcript import read
from groundwire.transcript.turn import build_turn
from tests.config.place import PACK, some_names
from tests.fuzz.admin import guarded
from tests.support.transcripts import Session, dump

#: A file system in memory, where there is one.
SCRATCH = Path(
    mkdtemp(prefix="groundwire-fuzz-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
)
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
CORPUS = Path(__file__).with_name("corpus")
NOW = 1_800_000_000.0
TOKEN = "T" * 43
PORT = 8765
#: Sessions are forgotten after so many events, lest the folder fill up.
_EVENTS = 3_000
#: What a line of a reason may begin with; anything else would speak with our voice.
OURS = ("groundwire: ", '- "', "- and ", "Give ", "(User: groundwire why ", "...")
INNOCENT = "\n\nNext: `notes.md`, in two parts.\n"

SCANNER = Scanner(shipped_rules())


class Target(NamedTuple):
    """``shape`` says how inputs are changed, ``words`` what is put into them, ``benign`` gives an
    innocent input of a size, beside which the time of others is held."""

    run: Callable[[bytes], Hashable]
    shape: str
    words: tuple[str, ...]
    benign: Callable[[int], bytes]


def messages(data: bytes) -> Hashable:
    """A final message without a turn."""
    text = data.decode("utf-8", "surrogateescape")
    found = check(text, Turn())
    if "\r" not in text:
        other = check(text.replace("\n", "\r\n"), Turn())
        assert found.decision.action == other.decision.action, "CRLF decides"
    return kind_of(found)


def turns(data: bytes) -> Hashable:
    """A message and its turn, ``{"message": "", "calls": [[tool, input, result]]}``."""
    try:
        raw = json.loads(data)
        rows = raw["calls"] if isinstance(raw["calls"], list) else []
        text = str(raw["message"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    calls = tuple(call for number, row in enumerate(rows) if (call := _call(number, row)))
    turn = Turn(str(raw.get("prompt", "")), text, calls=calls, cwd="/home/dev/shop")
    found = check(text, turn)
    odd = tuple(call.replace(input={"odd": [1], **call.input}) for call in calls)
    same(found, check(text, turn.replace(calls=odd)), "an unknown key of a tool's input")
    if "\r" not in data.decode():
        crlf = tuple(
            call.replace(result=call.result and call.result.replace("\n", "\r\n")) for call in calls
        )
        same(found, check(text, turn.replace(calls=crlf)), "CRLF in results")
    more = check(text + INNOCENT, turn.replace(message=text + INNOCENT))
    assert denied(found) == denied(more), "an innocent paragraph counts as proof"
    return kind_of(found)


def transcripts(data: bytes) -> Hashable:
    """The lines of a session file."""
    turn = _turn_of(data)
    found = check(turn.message, turn)
    lines = [line for line in data.split(b"\n") if line.strip()]
    odd = [BOOKKEEPING[0]]
    for number, line in enumerate(lines):
        odd += [_with_unknown_key(line), BOOKKEEPING[number % len(BOOKKEEPING)]]
    again = _turn_of(b"\r\n".join(odd) + b"\r\n")
    same(found, check(again.message, again), "bookkeeping, unknown keys, CRLF")
    if len(data) % 16 == 0:
        path = SCRATCH / "transcript.jsonl"
        path.write_bytes(data)
        tail = read.tail_entries(str(path))
        assert build_turn(tail.entries, tail.partial) == turn, "the tail is another turn"
    return kind_of(found)


class _Events:
    """Two homes with the same history: one gets the events as they are, the other with changes that
    do not matter. Both have to answer alike, however their memories grow."""

    def __init__(self) -> None:
        self.homes = [SCRATCH / "plain", SCRATCH / "changed"]
        self.count = 0
        self.paths = _write_transcripts()

    def __call__(self, data: bytes) -> Hashable:
        hook.LAG_WAIT = hook.MESSAGE_WAIT = 0.0  # nobody writes to these files
        if self.count % _EVENTS == 0:
            for home in self.homes:
                shutil.rmtree(home, ignore_errors=True)
        self.count += 1
        for number, path in enumerate(self.paths):
            data = data.replace(b"TRANSCRIPT%d" % number, path)
        again, self.count = self.count, 0  # a fault leaves the homes with different histories
        with mock.patch("os.posix_spawn", side_effect=AssertionError("nothing is to be compiled")):
            answers = [
                _answer(one, home)
                for one, home in zip((data, _changed_event(data)), self.homes, strict=True)
            ]
        assert answers[0] == answers[1], f"an unknown key decides: {answers}"
        self.count = again
        fields = json.loads(answers[0]) if answers[0].startswith("{") else {}
        kinds = [match["kind"] for match in fields.get("matches", ())]
        return tuple(fields), fields.get("reason"), str(kinds[:3]), answers[0][:12]


def commands(data: bytes) -> Hashable:
    """A shell command, in the first line, and what it printed."""
    text = data.decode("utf-8", "surrogateescape")
    command, _, printed = text.partition("\n")
    bad = printed.startswith("Exit code")
    call = ToolCall("t", "Bash", {"command": command.replace("\x1f", "\n")}, printed, bad)
    found = _read_runs(call)
    if "\r" not in printed:
        crlf = _read_runs(call.replace(result=printed.replace("\n", "\r\n")))
        assert found == crlf, f"CRLF: {found} became {crlf}"
    return tuple((kind, tool, status) for kind, tool, status, _ in found)


def settings(data: bytes) -> Hashable:
    """A settings file: of a project that nobody trusts, or of the user."""
    layer = PROJECT if len(data) % 2 else USER
    path = f"/home/dev/shop/{layer}.toml"
    loaded = resolve([Source(layer, path, data)], {"HOME": "/home/dev"}, "/", None, some_names)
    for line in (*loaded.errors, *loaded.warnings):
        plain(line)
        assert line.startswith(path), line
    if layer == PROJECT:
        loosened = loosenings(from_settings(SHIPPED), loaded.document)
        assert not loosened, f"nobody trusts this project, and it loosens: {loosened}"
    compiled = Compiled(loaded.settings, None, "", loaded.warnings, loaded.folders)
    assert decode(encode(compiled, "key"), "key") == compiled, "not the same when read again"
    changed = leaves(loaded.document), [line.split(": ")[2:] for line in loaded.errors]
    return layer, str(changed)


def packs(data: bytes) -> Hashable:
    """A pattern file of one's own."""
    folder = SCRATCH / "packs"
    folder.mkdir(exist_ok=True)
    folder.with_name("no-packs").mkdir(exist_ok=True)  # the shipped ones take a second
    (folder / "own.toml").write_bytes(data)
    try:
        with mock.patch.object(load, "shipped_folder", return_value=folder.with_name("no-packs")):
            lexicon = load_lexicon([folder])
            return len(check_lexicon(lexicon))
    except LexiconError as error:
        for line in str(error).split("\n"):
            plain(line)
            assert line.startswith(str(folder)), line
        return str([line.split(": ")[2:3] for line in str(error).split("\n")][:2])


def requests(data: bytes) -> Hashable:
    """The bytes of a request to the resident server; TOKEN stands for the token."""
    wire = _Wire(data.replace(b"TOKEN", TOKEN.encode()))
    handler = _handler()
    begun = Begun(wire, ("127.0.0.1", 9))  # type: ignore[arg-type]
    while not begun.is_whole():
        continue
    try:
        serve_connection(begun, handler)
    except OSError:
        return "gone"
    head, end, body = wire.sent.removeprefix(CONTINUE).partition(b"\r\n\r\n")
    lines = head.decode("ascii").split("\r\n")
    assert end, "no head"
    assert lines[0].startswith("HTTP/1.1 "), lines[0]
    assert f"Content-Length: {len(body)}" in lines, "another length"
    status = int(lines[0].split(" ")[1])
    known = b"bearer " + TOKEN.lower().encode() in wire.whole.lower()
    assert status in (200, 400, 403, 404, 405, 408, 411, 413, 431) or (status == 401), status
    fields = json.loads(body) if body.strip() else {}
    assert status != 200 or known or "version" in fields, "answered without the token"
    assert isinstance(fields, dict)
    for value in (fields.get("error", ""), fields.get("reason", "")):
        for line in value.split("\n"):
            plain(line)
    return status, tuple(fields)


def admin(data: bytes) -> Hashable:
    """The same for the admin server, up to what is behind its checks."""
    return guarded(data.replace(b"TOKEN", TOKEN.encode()), _handler(), PORT, TOKEN)


# --- what is checked -------------------------------------------------------------------------


def check(text: str, turn: Turn) -> Examined:
    """Examine a message and check all that has to hold of what comes out."""
    event = Event("Stop", "s", message=text, cwd="/home/dev/shop")
    found = examine(event, turn, SCANNER, SHIPPED, Memory())
    for note in found.notes:
        assert " failed: " not in note, note
    analysis, decision = found.analysis, found.decision
    at = (-1, 0)
    for match in analysis.matches:
        end = match.offset + len(match.evidence)
        assert match.evidence, match
        assert analysis.text[match.offset : end] == match.evidence, match
        assert match.sentence[0] <= match.offset, match
        assert match.sentence[1] > match.offset, match
        assert 0 <= match.confidence <= 100, match
        assert at <= (match.offset, -end), "not in order"
        at = match.offset, -end
    for dropped in analysis.suppressed:
        end = dropped.offset + len(dropped.evidence)
        assert analysis.text[dropped.offset : end] == dropped.evidence, dropped
    reason = ""
    if decision.action == BLOCK:
        reason = reason_text(text, decision, interactive=bool(len(text) % 2))
        for line in reason.split("\n"):
            plain(line)
            assert line.startswith(OURS), line
    answer = stop_json(decision, reason, (), strict_host=False)
    assert answer.isascii(), answer
    assert "\n" not in answer
    assert not answer or isinstance(json.loads(answer), dict)
    return found


def plain(line: str) -> None:
    """Check that a line shows what it is, and does nothing to a terminal."""
    assert all(one.isprintable() or one in JOINERS for one in line), f"control characters: {line!r}"


def same(found: Examined, other: Examined, what: str) -> None:
    """Check that what does not matter changed no finding."""
    assert said(found) == said(other), f"{what} decides: {said(found)} became {said(other)}"


def said(found: Examined) -> tuple[str, list[tuple[str, int]]]:
    """Return the decision and each finding with its confidence."""
    return found.decision.action, [(m.marker.id, m.confidence) for m in found.analysis.matches]


def denied(found: Examined) -> list[str]:
    """Return the findings that the turn itself denies."""
    matches = found.analysis.matches
    return [m.marker.id for m in matches if m.verdict and m.verdict.status == CONTRADICTED]


def kind_of(found: Examined) -> Hashable:
    """Return what makes an input another kind of input than those before it."""
    analysis = found.analysis
    return (
        found.decision.action,
        found.decision.why,
        frozenset(m.marker.id for m in analysis.matches[:3]),
        frozenset(s.filter for s in analysis.suppressed[:3]),
        frozenset(f.name for m in analysis.matches[:3] for f in m.factors if f.value),
    )


# --- what it takes -----------------------------------------------------------------------------


def _call(number: int, row: Any) -> ToolCall | None:
    if not isinstance(row, list) or len(row) < 2 or not isinstance(row[0], str):
        return None
    given = row[1] if isinstance(row[1], dict) else {"command": row[1], "file_path": row[1]}
    result = row[2] if len(row) > 2 and isinstance(row[2], str) else None
    return ToolCall(f"t-{number}", row[0], given, result, row[-1] is True)


def _read_runs(call: ToolCall) -> list[tuple[str, str, str, str]]:
    timeline = timeline_of(Turn("do it", "Done.", calls=(call,), cwd="/home/dev/shop"))
    return [(run.kind, run.tool, run.outcome.status, run.outcome.line) for run in timeline.runs]


def _turn_of(data: bytes) -> Turn:
    entries = [entry for line in data.split(b"\n") if (entry := read.parse_line(line))]
    return build_turn(entries)


def _with_unknown_key(line: bytes) -> bytes:
    end = line.rstrip()
    try:
        known = isinstance(json.loads(end), dict) and end not in (b"{}", b"")
    except (ValueError, RecursionError):
        return line
    return end[:-1] + b',"zz_unknown":{"type":"user","deep":[1,{}]}}' if known else line


def _changed_event(data: bytes) -> bytes:
    try:
        raw = json.loads(data)
    except (ValueError, RecursionError):
        return data
    if not isinstance(raw, dict):
        return data
    changed = {"zz_unknown": [1, {"a": None}], **dict(reversed(raw.items()))}
    return json.dumps(changed, indent=1).encode()


def _answer(data: bytes, home: Path) -> str:
    env = {"HOME": str(home), "PATH": os.defpath}
    try:
        reply = hook.handle_event(decode_event(data), env, NOW, lambda _: SCANNER)
    except EventError as error:
        plain(str(error))
        return str(error).split(" at ")[0][:30]
    assert hook.log_reply(reply, env) == ""
    assert reply.output.isascii(), reply.output
    assert "\n" not in reply.output
    fields = json.loads(reply.output or "{}")
    assert isinstance(fields, dict)
    for key in ("reason", "systemMessage"):
        for line in fields.get(key, "").split("\n"):
            plain(line)
    return reply.output


CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class _Wire:
    """A socket whose other side sends ``data`` in pieces and takes all that comes."""

    def __init__(self, data: bytes) -> None:
        self.whole = self.left = data
        self.sent = b""
        self._pieces = random.Random(len(data))

    def setblocking(self, _is: bool) -> None:
        pass

    def settimeout(self, _seconds: float) -> None:
        pass

    def recv(self, size: int) -> bytes:
        piece = self.left[: min(size, self._pieces.choice((1, 7, 300, 1 << 20)))]
        self.left = self.left[len(piece) :]
        return piece

    def sendall(self, data: bytes) -> None:
        self.sent += data

    def shutdown(self, _how: int) -> None:
        pass


@cache
def _handler() -> HookHandler:
    handler = HookHandler({"HOME": str(SCRATCH / "server"), "PATH": os.defpath}, PORT, TOKEN)
    handler._scanners = [(shipped_rules(), SCANNER)]
    return handler


def corpus(name: str) -> list[bytes]:
    """Return the inputs that are kept for a target, each a line of JSON in its file."""
    lines = (CORPUS / f"{name}.jsonl").read_text("ascii").splitlines()
    return [json.loads(line).encode("utf-8", "surrogateescape") for line in lines]


def _write_transcripts() -> list[bytes]:
    paths = [SCRATCH / f"session-{number}.jsonl" for number in range(3)]
    for data, path in zip(corpus("transcripts"), paths, strict=False):
        path.write_bytes(data)
    return [bytes(path) for path in paths]


_HOSTILE = tuple(
    json.loads((Path(__file__).parents[2] / "benchmarks" / "hostile.json").read_text("utf-8"))
)
_MARKERS = tuple(sorted({form for form, _ in shipped_rules().forms()}))
_SAID = (*_MARKERS, *_HOSTILE, *CLAIMS.split(". "))
_WORDS = json.loads(Path(__file__).with_name("words.json").read_text("ascii"))
BOOKKEEPING = tuple(dump(line).strip() for line in _WORDS["bookkeeping"])
_SHOWN = tuple(_WORDS["shown"])
_TABLES = tuple(SettingsTable.model_fields)
_KEYS = (*_TABLES, *(".".join(map(str, path)) for path, _ in leaves(from_settings(SHIPPED))))
_SETTINGS = (
    *(f"{key} = " for key in _KEYS),
    *(f"[{table}]\n" for table in _TABLES),
    *(f"kinds.{kind} = false" for kind in KINDS),
    *(f"features.{name} = -3" for name in FEATURES),
    *_WORDS["values"],
)


def _benign_turn(size: int) -> bytes:
    calls = [["Bash", "git log", report(size // 4, finding=False)]] * 2
    return json.dumps({"message": report(size // 2, finding=False), "calls": calls}).encode()


def _benign_lines(size: int) -> bytes:
    session = Session().play([["prompt", "go on"], ["bash", "git log", report(size // 2, False)]])
    session.say(report(size // 2, finding=False))
    return session.data()


def _benign_command(size: int) -> bytes:
    command = "cd src && pytest -q tests/test_pool.py; git status && make lint -j 2 | tail -5; "
    return (command * (size // 160)).encode() + b"\n" + report(size // 2, finding=False).encode()


def _said(size: int) -> bytes:
    return report(size, finding=False).encode()


def _event(size: int) -> bytes:
    fields = {"hook_event_name": "Stop", "last_assistant_message": report(size, finding=False)}
    return json.dumps(fields).encode()


def _comment(size: int) -> bytes:
    return b"# a line of a comment\n" * (size // 22)


_PACK = (*PACK.splitlines(keepends=True), "|", "\\t", "~")
_HTTP = tuple(_WORDS["http"])
TARGETS = {
    "messages": Target(messages, "text", _SAID, _said),
    "turns": Target(turns, "json", (*_SAID, *_SHOWN * 8), _benign_turn),
    "transcripts": Target(transcripts, "lines", (*_SAID, *_SHOWN * 8), _benign_lines),
    "events": Target(_Events(), "json", _SAID, _event),
    "commands": Target(commands, "text", _SHOWN, _benign_command),
    "settings": Target(settings, "text", _SETTINGS, _comment),
    "packs": Target(packs, "text", _PACK, lambda size: PACK.encode() + _comment(size)),
    "admin": Target(admin, "text", _HTTP, _said),
    "requests": Target(requests, "text", _HTTP, _said),
}
