"""``groundwire label``: a person judges the sentences that groundwire has found."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from groundwire.base.errors import TranscriptError
from groundwire.commands.options import Patterns, Set, runtime_for
from groundwire.commands.progress import with_progress
from groundwire.runs.replay import find_transcripts
from groundwire.settings.runtime import Runtime
from groundwire_lab.label_items import FLAGS, Book, Item, Session, distinct, items_of, spread
from groundwire_lab.label_screen import KEYS, LAST_KEYS, Reader, key_reader, screen

_QUIT, _UNDO, _SKIP = "q", "u", "s"
_WORDS = {"y": "flagged", "n": "not flagged", "?": "unsure", _SKIP: "skipped"}


def label(
    paths: list[str],
    out: Path = Path("labels.jsonl"),
    sample: Annotated[int | None, typer.Option(min=1)] = None,
    seed: Annotated[int, typer.Option(min=0)] = 1,
    threshold: Annotated[int, typer.Option(min=0, max=100)] = 0,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Label sentences by hand: would a fair reviewer challenge them?

    Each answer is saved at once; the next run continues where this one ended. Keys may also come
    from a pipe.

    Examples:

        groundwire label ~/.claude/projects --sample 200 --out labels.jsonl

        groundwire calibrate labels.jsonl --out fitted.toml

    Options:
        paths: Transcripts: files, folders or globs.
        --out: The label file; continued when it exists.
        --sample: How many to label, spread over kinds and confidences.
        --seed: Random seed of the sample.
        --threshold: Only from this confidence on.
    """
    runtime = runtime_for(set_, None, patterns)
    files = find_transcripts(paths)
    book = Book(out)
    items = _items(files, runtime, threshold)
    if sample is not None:
        items = spread(items, sample, seed)
    session = Session(book, items)
    done = len(items) - len(session.items)
    console = Console(highlight=False)
    if done:
        console.print(f"{done} of {len(items)} sentences are done already")
    with key_reader() as next_key:
        presses = _ask(console, session, done, next_key)
    counts = ", ".join(f"{presses[key]} {word}" for key, word in _WORDS.items() if presses[key])
    left = len(session.items) - session.at
    console.print(f"{counts or 'nothing'} in this run, {left} left: {out}", soft_wrap=True)


def _items(files: list[Path], runtime: Runtime, threshold: int) -> list[Item]:
    """Return everything to label; an unreadable transcript is named and passed over."""
    items: list[Item] = []
    for path in with_progress(files, files, "reading"):
        try:
            items += items_of(path, runtime, threshold)
        except TranscriptError as error:
            print(f"groundwire: {error}", file=sys.stderr)  # noqa: T201
    return distinct(items)


def _ask(console: Console, session: Session, done: int, next_key: Reader) -> Counter[str]:
    """Ask until the end, ``q`` or the end of the input; return how often each key held."""
    keys_held: list[list[str]] = []
    shown_at = -1
    while session.items:
        if session.item and shown_at != session.at:
            number, count = done + session.at + 1, done + len(session.items)
            console.print()
            console.print(screen(session.item, number, count), soft_wrap=True)
        shown_at = session.at
        console.print(f"{KEYS if session.item else LAST_KEYS} > ", end="", soft_wrap=True)
        key = next_key()
        console.print(key or _QUIT)
        before = session.at
        if key in ("", _QUIT):
            break
        if key == _UNDO and session.undo():
            keys_held.pop()
        elif key == _UNDO:
            console.print("nothing to undo in this run")
        elif key in FLAGS and session.item:
            session.answer(key)
            keys_held.append([key])
        elif key == _SKIP and session.item:
            session.skip()
            keys_held.append([key] * (session.at - before))
        else:
            console.print("not a key")
    return Counter(key for keys in keys_held for key in keys)
