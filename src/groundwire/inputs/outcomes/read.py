"""What the output of a tool says about its result, by the rows of ``outcomes/*.toml``.

A row names texts that a line holds and what such a line means; ``settings/patterns/outcomes.py``
documents the columns. The meanings of all lines make one outcome: what is fatal outranks all, then
counts with failures, a failure, what is unclear, counts, a success, a hint of a failure, and last
that nothing was to be done. A count is None when it is not printed. A run that found nothing to do
is ``unknown`` with ``total`` 0.
"""

from __future__ import annotations

from groundwire.base.model import FAILED, PASSED, UNKNOWN, Outcome
from groundwire.base.rules.outcomes import TOOLS
from groundwire.inputs.outcomes.clean import brief, clean, tail_after_cut
from groundwire.inputs.outcomes.rows import Text, combine, fields_of, holds, is_where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.base.rules.outcomes import Row, Tool

_MOST_KEPT, _LONGEST_KEPT = 16, 50_000
_NEAR = 12  # lines below a summary that can still belong to it
_BAD = ("bad", "failed", "errors", "broken")
#: Of these lines the last is shown, of the others the first.
_LAST = ("passed", "unclear")
_BY_NAME = {name: tool for tool in TOOLS for name in tool[0]}
#: Tools that can be found by their output, with the rows that others do not print as well.
_SIGNS = tuple(
    (tool, tuple(row for row in tool[6] if "common" not in row[9]))
    for tool in TOOLS
    if "unnamed" not in tool[5]
)
_KEYS = tuple(row[0] for _, signs in _SIGNS for row in signs)
_TEXTS: dict[str, Text] = {}


def kinds_of(tool: str) -> tuple[str, ...]:
    """Return the kinds that a run of ``tool`` can have; empty for an unknown one."""
    return _BY_NAME[tool][1] if tool in _BY_NAME else ()


def parse_output(tool: str, output: str) -> Outcome | None:
    """Read the raw ``output`` of a run of ``tool``; None when it says nothing about the result."""
    entry = _BY_NAME.get(tool)
    if entry is None:
        return None
    text = _text_of(output)
    outcome = _read(entry, text) or _missing_tool_outcome(tool, text)
    if outcome is None:
        return _read(_BY_NAME[entry[3]], text) if entry[3] else None
    behind = tail_after_cut(output) if outcome.status == PASSED else None
    if behind is None:
        return outcome
    reread = _read(entry, _text_of(behind))  # only a success behind the cut is sure
    return reread if reread and reread.status == PASSED else outcome.replace(status=UNKNOWN)


def recognise(output: str, kind: str = "") -> tuple[str, Outcome] | None:
    """Find the tool behind a script, a make target or ``npm run x`` by its raw ``output``.

    Returns the tool, one of ``kind`` when that is given, and the outcome of the first failure,
    else of the first success in the order of ``TOOLS``, else what is left; None when no known
    tool shows.
    """
    text = _text_of(output)
    text.search(_KEYS)
    results = []
    for tool, signs in _SIGNS:
        if (not kind or kind in tool[1]) and _shows_tool(signs, text):
            outcome = parse_output(tool[0][0], output)
            if outcome is not None:
                results.append((tool[0][0], outcome))
    for status in (FAILED, PASSED):
        for pair in results:
            if pair[1].status == status:
                return pair
    return results[0] if results else None


class _Reading:
    """What the lines of one output meant so far."""

    __slots__ = ("heading", "shown", "summaries", "text")

    def __init__(self, text: Text) -> None:
        self.text = text
        self.shown: dict[str, str] = {}  # meaning -> the line that is shown for it
        self.heading: dict[str, int] = {}  # counts above the next summary
        self.summaries: list[dict[str, int]] = []  # counts; "" is the number of the line

    def take(self, row: Row, number: int) -> None:
        """Take into account that ``row`` means a line."""
        meaning, flags = row[3], row[9]
        fields = fields_of(row, self.text.lines[number])
        if "settles" in flags:
            for earlier in ("failed", "hint", "nothing"):
                self.shown.pop(earlier, None)
        if meaning == "heading":
            self.heading.update({"idle": 0, **fields})
            if any(map(fields.get, _BAD)):
                self.heading[""] = number
        elif row[4]:
            self._count(fields, number, flags)
        elif meaning in _LAST or meaning not in self.shown:
            self.shown[meaning] = brief(self.text.below(number, row[8]))

    def _count(self, fields: dict[str, int], number: int, flags: str) -> None:
        """Take the counts of a line as a new summary, or into the last one."""
        last = self.summaries[-1] if self.summaries else {"": -_NEAR}
        is_bad = any(map(fields.get, _BAD))
        is_worse = is_bad and not any(map(last.get, _BAD))
        if "once" in flags and self.summaries:
            return
        if "tally" in flags and self.summaries:
            last.update({name: last.get(name, 0) + value for name, value in fields.items()})
        elif "joins" in flags and number - last[""] < _NEAR and not fields.keys() & last.keys():
            last.update(fields)
        elif is_bad or "joins" not in flags:  # of a part alone only a failure is sure
            shown = number if is_bad else self.heading.get("", number)
            self.summaries.append({**self.heading, **fields, "": shown})
            self.heading = {}
            return
        if is_worse:
            last[""] = number

    def outcome(self, others: list[Outcome]) -> Outcome | None:
        """Make one outcome of all meanings, and of what has been read elsewhere."""
        if any(map(self.heading.get, _BAD)):  # its summary is cut off
            self.summaries.append(self.heading)
        counted = combine([*map(self._outcome, self.summaries), *others])
        base = counted or Outcome(total=self.heading.get("total"))
        if base.status == FAILED and (base.failed or "failed" not in self.shown):
            return counted
        for meaning in ("failed", "fatal"):  # both are failures: the first tells more
            if meaning in self.shown:
                return base.replace(status=FAILED, line=self.shown[meaning])
        if "unclear" in self.shown:
            return base.replace(status=UNKNOWN, line=self.shown["unclear"])
        if base.status == PASSED:
            return counted
        if "passed" in self.shown and counted is None:
            return Outcome(PASSED, total=self.heading.get("total"), line=self.shown["passed"])
        if "hint" in self.shown:
            return base.replace(status=FAILED, line=self.shown["hint"])
        if counted is None and "nothing" in self.shown:
            return Outcome(total=0, line=self.shown["nothing"])
        return counted

    def _outcome(self, summary: dict[str, int]) -> Outcome:
        """Return the outcome of one summary."""
        failed, total = summary.get("failed"), summary.get("total")
        if any(map(summary.get, _BAD)):
            status = FAILED
        elif "passed" in summary or "ran" in summary:
            status = PASSED if summary.get("passed") or summary.get("ran") else UNKNOWN
            total = 0 if status == UNKNOWN and total is None else total
        elif total is not None:
            ran = total - summary.get("skipped", 0) - summary.get("idle", 0)
            status = PASSED if ran > 0 else UNKNOWN
        else:
            is_good = summary.get("good") or 0 in map(summary.get, _BAD)
            status = PASSED if is_good else UNKNOWN
        return Outcome(
            status,
            summary.get("passed"),
            failed,
            summary.get("skipped"),
            summary.get("errors", None if failed else summary.get("broken")),
            total,
            brief(self.text.lines[summary[""]]),
        )


def _read(tool: Tool, text: Text) -> Outcome | None:
    reading = _Reading(text)
    counted_line = -1
    for number, row in _hits(tool, text):
        if (row[7] == "heading" and not reading.heading) or (row[4] and number == counted_line):
            continue  # a line is counted once
        counted_line = number if row[4] else counted_line
        if row[3] in ("end", "void"):
            if row[3] == "void":
                reading.shown.pop("passed", None)
            break
        reading.take(row, number)
        if "ends" in row[9]:
            break
    others = []
    if tool[4]:
        outcome = _reader(tool[4])(text.lines)
        others = [outcome] if outcome else []
    return reading.outcome(others)


def _reader(name: str) -> Callable[[list[str]], Outcome | None]:
    """Return a reader by the name in the table; loaded when an output is of its tool."""
    from groundwire.inputs.outcomes.summaries import CRASHES

    if name in CRASHES:
        return CRASHES[name]
    from groundwire.inputs.outcomes.summaries import SUMMARIES

    return SUMMARIES[name]


def _hits(tool: Tool, text: Text) -> list[tuple[int, Row]]:
    """Return the lines with the rows that mean them, in order."""
    rows = [*tool[6], *(row for name in tool[2] for row in _BY_NAME[name][6])]
    failures = (row for name in tool[7] for row in _BY_NAME[name][6])
    rows += [row for row in failures if row[3] in ("fatal", "failed", "hint") and not row[4]]
    hits = [
        (number, order)
        for order, row in enumerate(rows)
        for number in text.places(row[0])
        if is_where(row[7], number, text) and holds(row, text, number)
    ]
    return [(number, rows[order]) for number, order in sorted(hits)]


def _shows_tool(signs: tuple[Row, ...], text: Text) -> bool:
    """Tell whether a line is one that only the tool of these rows prints."""
    return any(
        is_where(row[7], number, text) and holds(row, text, number)
        for row in signs
        for number in text.places(row[0])
    )


def _missing_tool_outcome(tool: str, text: Text) -> Outcome | None:
    """The shell or the interpreter has no such tool: it did not run."""
    endings = (
        f"{tool}: command not found",
        f"command not found: {tool}",
        f"{tool}: not found",
        f"No module named {tool}",
    )
    lines = text.lines if any(ending in text.text for ending in endings) else []
    line = next((line for line in lines if line.rstrip().endswith(endings)), "")
    return Outcome(FAILED, line=brief(line)) if line else None


def _text_of(output: str) -> Text:
    text = _TEXTS.get(output)
    if text is None:
        text = Text(clean(output))
        if len(output) <= _LONGEST_KEPT:
            if len(_TEXTS) >= _MOST_KEPT:
                _TEXTS.clear()
            _TEXTS[output] = text
    return text
