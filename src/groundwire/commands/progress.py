"""What a person sees of work that takes long, on a terminal only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from groundwire.base.files import Skipped
from groundwire.report.prose import one_line


def with_progress(
    items: Sequence[Path | Skipped], label: str, *, hidden: bool = False
) -> Iterator[Path | Skipped]:
    """Yield ``items`` and show on standard error how far they are; ``hidden`` shows nothing."""
    console = Console(stderr=True)
    if hidden or not console.is_terminal:
        yield from items
        return
    columns = (
        TextColumn(label),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[name]}", markup=False),
    )
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as progress:
        task = progress.add_task(label, total=len(items), name="")
        for item in items:
            path = item.path if isinstance(item, Skipped) else item
            progress.update(task, name=one_line(path.name, 40))
            yield item
            progress.advance(task)


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
