"""What of a session the reinforced confidence has taken into account, so that nothing counts twice.

A turn that was sent back ends a second time with the same calls before the new ones, and two copies
of the hook see the same turn.

read, fetch, search with a hit   visit, evidence 0.5
    claim that a call supports       confirm, just before that call
    test run that passed             test, evidence 1
    other check that passed          evidence 1
    check that failed                evidence 0: the confidence decays
    commit or merge that passed      merge
    data read past its review        decay_warning, its age in months

Observation is 1, and 0.5 for a check of a part only. One source counts once in a turn.
"""

from __future__ import annotations

from groundwire.base.digest import digest
from groundwire.base.errors import ConfidenceError
from groundwire.base.model import SUPPORTED
from groundwire.base.record import Record
from groundwire.turn.records import (
    BUILD,
    EDIT_TOOLS,
    FAILED,
    LINT,
    PASSED,
    SHELL_TOOLS,
    TEST,
    TYPES,
    argument,
)
from groundwire_confidence.reinforcement.ageing import NONE, Age, data_age, read_date
from groundwire_confidence.reinforcement.session import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from groundwire.base.model import Match, ToolCall
    from groundwire.turn.records import Run
    from groundwire.turn.timeline import Timeline
    from groundwire_confidence.reinforcement.ageing import Date


#: Marks of files that are kept, and of confirmed calls of one prompt.
MOST_FILES = 200
MOST_CONFIRMED = 100


class Counted(Record):
    """What was counted.

    Of the turn of ``prompt`` the calls up to the one with the id ``last``, and the claims that the
    calls ``confirmed`` support. ``files`` are marks of files of the whole session.
    """

    prompt: str = ""
    last: str = ""
    confirmed: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def first_new(self, prompt: str, calls: tuple[ToolCall, ...]) -> int:
        """Return the position of the first of a turn's calls that was not counted.

        Where the last one counted is not among them, all are new: the same words were said again,
        or the beginning of a long turn was not read.
        """
        if self.prompt != prompt or not self.last:
            return 0
        for at in range(len(calls) - 1, -1, -1):
            if calls[at].id == self.last:
                return at + 1
        return 0

    def after(
        self,
        prompt: str,
        calls: tuple[ToolCall, ...],
        confirmed: Iterable[str],
        files: Iterable[str],
    ) -> Counted:
        """Return what is counted when the turn is."""
        known = (*self.confirmed_of(prompt), *confirmed)
        last = calls[-1].id if calls else ""
        return Counted(prompt, last, known[-MOST_CONFIRMED:], tuple(files)[-MOST_FILES:])

    def confirmed_of(self, prompt: str) -> tuple[str, ...]:
        """Return the calls whose claims were counted for this prompt."""
        return self.confirmed if self.prompt == prompt else ()


def counted_fields(counted: Counted) -> dict[str, Any]:
    """Return what was counted as JSON-safe fields."""
    fields = {name: getattr(counted, name) for name in Counted._fields}
    return {**fields, "confirmed": list(counted.confirmed), "files": list(counted.files)}


def read_counted(value: object) -> Counted:
    """Return what decoded JSON says was counted; nothing when it has another shape."""
    if not isinstance(value, dict):
        return Counted()
    texts = [value.get(name) for name in ("prompt", "last")]
    lists = [value.get(name) for name in ("confirmed", "files")]
    if not all(isinstance(one, list) for one in lists):
        return Counted()
    if not all(isinstance(text, str) for one in (texts, *lists) for text in one or ()):
        return Counted()
    prompt, last = texts
    confirmed, files = (tuple(one or ()) for one in lists)
    return Counted(str(prompt), str(last), confirmed, files)


_SOURCE = 0.5
_WHOLE, _PART = 1.0, 0.5
_CHECKS = (TEST, BUILD, LINT, TYPES)
_MERGES = ("git commit", "git merge")
_READS = ("Read", "NotebookRead", "LS")
_CREATED = "File created successfully"
_DATA_FOLDER = "/_data/"
#: What stands before the date of a validation, in front matter and in JSON; the first one counts.
_VALIDATED = ("validated:", '"validated":', "created:", '"created":')
_LONGEST_HEAD = 4_000
_MARK = 12


class Circumstances(Record):
    """What the events need besides the ledger.

    ``prompt`` tells turns apart, ``today`` is (year, month, day), ``matched`` tells whether a text
    holds a file pattern; new files with other suffixes than ``content_suffixes`` lose confidence.
    """

    prompt: str
    today: Date
    content_suffixes: tuple[str, ...]
    matched: Callable[[str], bool]


def turn_events(
    turn: Timeline, matches: Iterable[Match], before: Counted, seen: Circumstances
) -> tuple[tuple[Event, ...], Counted]:
    """Return the events of a turn that were not counted ``before``, and what is counted after it.

    Linear in the calls of the turn.
    """
    first = before.first_new(seen.prompt, turn.calls)
    known_ids = before.confirmed_of(seen.prompt)
    confirmed = [call_id for call_id in _confirming_calls(matches) if call_id not in known_ids]
    places = {call.id: at for at, call in enumerate(turn.calls)}
    events = [Event("confirm") for call_id in confirmed if places.get(call_id, first) < first]
    reader = _Reader(turn, seen.today)
    for at, call in enumerate(turn.calls):
        happened = list(reader.events(call, at))  # sources before the new calls are known ones
        if at >= first:
            events += [Event("confirm")] if call.id in confirmed else []
            events += happened
    events += [Event("confirm") for call_id in confirmed if call_id not in places]
    files = _Files(before.files)
    created = files.count("new", _created_files(turn, first, seen.content_suffixes))
    refactored = files.count("edited", refactored_files(turn))
    texts = filter(None, map(_written_text, turn.calls[first:]))
    counts = Event(refactored=refactored, created=created, matched=any(map(seen.matched, texts)))
    if counts != Event():
        events.append(counts)
    return tuple(events), before.after(seen.prompt, turn.calls, confirmed, files.marks)


class _Reader:
    """Says what happened in each call, the calls given in their order."""

    def __init__(self, turn: Timeline, today: Date) -> None:
        self._today = today
        self._sources: set[str] = set()
        self._hits = {search.index: search.hits for search in turn.searches}
        shells = (at for at, call in enumerate(turn.calls) if call.name in SHELL_TOOLS)
        self._looks = {*turn.looks, *turn.opaque, *shells}
        self._looks -= {edit.index for edit in turn.edits}
        self._runs: dict[int, list[Run]] = {}
        for run in turn.runs:
            self._runs.setdefault(run.index, []).append(run)

    def events(self, call: ToolCall, at: int) -> Iterator[Event]:
        runs = self._runs.get(at, ())
        yield from filter(None, map(_run_event, runs))
        source = "" if runs else self._source(call, at)
        if source and source not in self._sources:
            self._sources.add(source)
            yield Event("visit", _SOURCE, _WHOLE)
            age = _age(call, source, self._today)
            if age:
                yield Event("" if age.action == NONE else "decay_warning", decay_months=age.months)

    def _source(self, call: ToolCall, at: int) -> str:
        """Return what a call looked at; "" when it looked at nothing or found nothing."""
        if not _succeeded(call) or not (call.result or "").strip():
            return ""
        if at in self._hits:
            return _call_key(call) if self._hits[at] else ""
        if call.name in _READS:
            return _path(call) or _call_key(call)
        return _call_key(call) if at in self._looks else ""


class _Files:
    """Marks of files that were counted, each once."""

    def __init__(self, before: Iterable[str]) -> None:
        self.marks = dict.fromkeys(before)

    def count(self, sort: str, paths: Iterable[str]) -> int:
        """Mark ``paths`` and return how many of them were not marked before."""
        marks = {digest(f"{sort}\n{path}".encode("utf-8", "replace"))[:_MARK] for path in paths}
        new = sorted(marks - self.marks.keys())
        self.marks.update(dict.fromkeys(new))
        return len(new)


def _confirming_calls(matches: Iterable[Match]) -> list[str]:
    """Return the calls that support a claim; "" stands for all that no single call decides."""
    verdicts = [match.verdict for match in matches if match.verdict]
    call_ids = [verdict.call_id for verdict in verdicts if verdict.status == SUPPORTED]
    return list(dict.fromkeys(call_ids))


def _run_event(run: Run) -> Event | None:
    status = run.outcome.status
    if run.kind in _CHECKS and status in (PASSED, FAILED):
        symbol = "test" if run.kind == TEST and status == PASSED else ""
        return Event(symbol, float(status == PASSED), _PART if run.narrow else _WHOLE)
    return Event("merge") if run.tool in _MERGES and status == PASSED else None


def _call_key(call: ToolCall) -> str:
    return f"{call.name} {sorted(map(str, call.input.values()))!r:.400}"


def _age(call: ToolCall, path: str, today: Date) -> Age | None:
    """Return the age of validated data that was read; None for other files and without a date."""
    if call.name != "Read" or not _is_data(path):
        return None
    head = (call.result or "")[:_LONGEST_HEAD]
    for sign in _VALIDATED:
        date = head.partition(sign)[2].lstrip(" \t'\"")[:10]
        try:
            return data_age(read_date("validated", date), today)
        except ConfidenceError:
            continue
    return None


def _created_files(turn: Timeline, first: int, content: tuple[str, ...]) -> list[str]:
    """Return the new files among the new calls that are no content and no data."""
    made = (_path(call) for call in turn.calls[first:] if creates(call))
    return [path for path in made if not path.lower().endswith(content) and not _is_data(path)]


def refactored_files(turn: Timeline) -> list[str]:
    """Return the source files that were edited, not created, before a test run that passed."""
    tests = [run for run in turn.runs if run.kind == TEST and run.outcome.status == PASSED]
    last = tests[-1].index if tests else -1
    made = {edit.path for edit in turn.edits if creates(turn.calls[edit.index])}
    edited = {edit.path: edit.index for edit in turn.edits if edit.is_source}
    return [path for path, at in edited.items() if at < last and path not in made]


def creates(call: ToolCall) -> bool:
    return call.name == "Write" and _succeeded(call) and (call.result or "").startswith(_CREATED)


def _is_data(path: str) -> bool:
    return _DATA_FOLDER in f"/{path}".replace("\\", "/")


def _written_text(call: ToolCall) -> str:
    """Return the text that a call wrote into a file."""
    if call.name not in EDIT_TOOLS or not _succeeded(call):
        return ""
    texts = (call.input.get(name) for name in ("content", "new_string", "new_source"))
    return next((text for text in texts if isinstance(text, str)), "")


def _path(call: ToolCall) -> str:
    return argument(call, "file_path", "notebook_path", "path")


def _succeeded(call: ToolCall) -> bool:
    return call.result is not None and not call.is_error
