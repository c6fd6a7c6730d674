"""One sentence to label as lines for a terminal or a pipe."""

from __future__ import annotations

import os

from rich.text import Text

from groundwire.calibrate.label_items import Item
from groundwire.model import Verdict
from groundwire.render.band import band
from groundwire.render.excerpt import WIDTH, excerpt
from groundwire.render.prose import one_line, quote

KEYS = "y flagged  n not  ? unsure  u undo  s skip message  q quit"
LAST_KEYS = "that was the last one: u undo  q quit"
_INDENT = "    "
_VALUE_WIDTH = 400


def screen(item: Item, number: int, count: int) -> Text:
    """Return where the sentence stands, what was asked, the sentence, and what groundwire says."""
    text = Text()
    place = f"{os.path.basename(item.message.transcript)}, turn {item.message.turn}"
    text.append(f"[{number}/{count}] {one_line(place)}\n", style="bold")
    text.append(f"asked: {one_line(item.prompt, WIDTH - 7)}\n\n", style="dim")
    best = item.best
    marked = (best.offset, best.offset + len(best.evidence))
    unit = item.message.units[item.unit - 1]
    for row in excerpt(item.message.text, unit, marked, WIDTH - len(_INDENT)):
        is_mark = bool(row.strip()) and not row.strip(" ~")
        text.append(f"{_INDENT}{row}\n", style="bold red" if is_mark else "")
    text.append(f"\n{best.kind}  {best.confidence} {band(best.confidence)}  {best.marker.id}\n")
    for name, value in _verdict(best.verdict):
        text.append(f"{name:<9} {one_line(value, _VALUE_WIDTH)}\n")
    for other in item.matches:
        if other is not best:
            text.append(f"also      {other.kind}  {other.confidence}  {quote(other.evidence)}\n")
    return text


def _verdict(verdict: Verdict | None) -> list[tuple[str, str]]:
    if verdict is None:
        return [("verdict", "none; the words alone decide")]
    why = f"{verdict.status}: {verdict.why}" if verdict.why else verdict.status
    call = f"{verdict.command}  ({verdict.call_id})" if verdict.command else verdict.call_id
    fields = [("verdict", why), ("tool call", call), ("output", verdict.line)]
    return [(name, value) for name, value in fields if value]
