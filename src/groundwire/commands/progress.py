"""What a person sees of work that takes long, on a terminal only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from groundwire.report.prose import one_line

Item = TypeVar("Item")


def with_progress(
    items: Iterable[Item],
    paths: Sequence[Path],
    label: str,
    *,
    sizes: Sequence[int] = (),
    note: Callable[[], str] = str,
    hidden: bool = False,
) -> Iterator[Item]:
    """Yield ``items``, what becomes of ``paths``, and show on standard error how far they are.

    ``sizes`` are those of the files, where they differ; ``note`` stands behind the name of the one
    that is at work; ``hidden`` shows nothing.
    """
    console = Console(stderr=True)
    if hidden or not console.is_terminal:
        yield from items
        return
    columns = (
        TextColumn(label),
        BarColumn(),
        TextColumn("{task.fields[done]}/{task.fields[files]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[name]}", markup=False),
    )
    weights, waiting = sizes or [1] * len(paths), iter(items)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task("", total=sum(weights), done=0, files=len(paths), name="")
        for number, (path, weight) in enumerate(zip(paths, weights, strict=True)):
            progress.update(task, done=number, name=f"{one_line(path.name, 40)}{note()}")
            yield next(waiting)
            progress.advance(task, weight)


@contextmanager
def at_work(label: str) -> Iterator[None]:
    """Show on standard error that one piece of work goes on, and for how long."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        progress.add_task(label, total=None)
        yield
