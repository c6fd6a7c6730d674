"""One sentence to label as lines for a terminal, and reading single keys."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.text import Text

from groundwire.base.model import Verdict
from groundwire.report.explain import WIDTH, excerpt
from groundwire.report.prose import one_line, quote
from groundwire.report.text import band
from groundwire_lab.label_items import Item

_LEAVE = ("\x03", "\x04")  # Ctrl-C, Ctrl-D
Reader = Callable[[], str]


@contextmanager
def key_reader() -> Iterator[Reader]:
    """Give a function that returns the next key in lower case, "" at the end or on an interrupt.

    The terminal stays in single-key mode in between, so that no key typed ahead is lost. Ctrl-C is
    a key like any other there: it never interrupts the writing of an answer.
    """
    if not sys.stdin.isatty():
        yield _key_or_end(_pipe_key)
        return
    try:
        import termios
    except ImportError:  # pragma: no cover - Windows
        yield _key_or_end(typer.getchar)
        return
    terminal = sys.stdin.fileno()
    old_mode = termios.tcgetattr(terminal)
    mode = termios.tcgetattr(terminal)
    mode[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG)
    mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
    termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
    try:
        yield _key_or_end(lambda: sys.stdin.read(1))
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, old_mode)


def _pipe_key() -> str:
    while (key := sys.stdin.read(1)).isspace():
        pass
    return key


def _key_or_end(read: Reader) -> Reader:
    def next_key() -> str:
        try:
            key = read().lower()
        except (EOFError, KeyboardInterrupt):
            return ""
        return "" if key in _LEAVE else key

    return next_key


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
