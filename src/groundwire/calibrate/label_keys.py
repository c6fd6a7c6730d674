"""Reading single keys: from a terminal as they are pressed, from a pipe as they come."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

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
