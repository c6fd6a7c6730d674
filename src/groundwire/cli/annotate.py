"""``groundwire annotate``: score headers and validation records in files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli.file_options import (
    Paths,
    Today,
    all_files,
    day,
    file_scanner,
    tell,
)
from groundwire.cli.flags import runtime_for
from groundwire.cli.options import Patterns, Set, refuse_given
from groundwire.cli.progress import with_progress
from groundwire.confidence.reinforcement.ageing import data_age
from groundwire.confidence.reinforcement.milestones import milestone as milestone_of
from groundwire.errors import FileError
from groundwire.files.annotate import LINK, SUFFIXES, Options, check, plan
from groundwire.files.score import Score
from groundwire.files.text_file import Skipped
from groundwire.render.prose import one_line
from groundwire.scan.file_patterns import FileScanner

#: The options that make a score.
_OF_SCORES = (
    *("--base", "--evidence", "--observation", "--validation", "--integration", "--refactored"),
    *("--created", "--milestone", "--validated"),
)


def annotate(  # noqa: PLR0913, PLR0917
    ctx: typer.Context,
    paths: Paths,
    check_: Annotated[
        bool, typer.Option("--check", help="Only check what is there; exit with 1 on a problem.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="Write the headers.")] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Write through a named link to what it leads to.")
    ] = False,
    base: Annotated[float | None, typer.Option(help="Base of the score; 0.5 to 0.707107.")] = None,
    evidence: Annotated[float, typer.Option(help="Evidence, 0 to 1.")] = 0.0,
    observation: Annotated[float, typer.Option(help="Its observation, 0 to 1.")] = 0.0,
    validation: Annotated[bool, typer.Option("--validation", help="The content is verified.")] = (
        False
    ),
    integration: Annotated[bool, typer.Option("--integration", help="The tests passed.")] = False,
    refactored: Annotated[int, typer.Option(min=0, help="How many files were refactored.")] = 0,
    created: Annotated[
        bool, typer.Option("--created", help="The files are new: those that are no .md lose 0.01.")
    ] = False,
    milestone: Annotated[
        str, typer.Option(help="M1 to M4; the highest one found in the file when not given.")
    ] = "",
    validated: Annotated[
        str, typer.Option(metavar="DATE", help="A person validated the data files on this day.")
    ] = "",
    today: Today = "",
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Show which files would get a score header, write the headers, or check existing ones.

    Markdown, text, YAML, Python, Ruby, shell, JavaScript and TypeScript get comments, JSON objects
    the key _confidence, other JSON and CSV a sidecar. In _data folders it is the validation record.
    Nothing else in a file changes, and writing again changes nothing.

    Examples:

        groundwire annotate docs --base 0.707 --evidence 0.08 --observation 0.05 --validation

        groundwire annotate docs --write

        groundwire annotate . --check
    """
    if check_ and write:
        raise typer.BadParameter("--check and --write exclude each other")
    if check_:
        refuse_given(ctx, _OF_SCORES, "a check does not use it")
    if not write:
        refuse_given(ctx, ("--follow",), "only with --write")
    for path in paths:
        if write and not follow and path.is_symlink():
            raise FileError(f"{path}: {LINK}")
    now = day("--today", today)
    settings = runtime_for(set_, None, patterns).settings
    options = Options(
        today=now,
        base=base,
        evidence=evidence,
        observation=observation,
        validation=validation,
        integration=integration,
        refactored=refactored,
        created=created,
        milestone=milestone_of(milestone).name if milestone else "",
        validated=day("--validated", validated) if validated else None,
        content_suffixes=settings.reinforcement.content_suffixes,
    )
    if options.validated:
        data_age(options.validated, now)  # tells a day that has not come yet
    Score(base, evidence, observation).value()  # tells numbers out of range before any file is read
    files = [one for one in all_files(paths) if isinstance(one, Skipped) or _is_wanted(one, paths)]
    scanner = file_scanner(settings.pattern_folders)
    counts: Counter[str] = Counter()
    for item in with_progress(files, "reading"):
        if isinstance(item, Skipped):
            tell(item)
            counts["passed over"] += 1
        elif check_:
            _check(item, options, counts)
        else:
            _annotate(item, options, counts, scanner, write=write, follow=follow)
    parts = ", ".join(f"{count} {name}" for name, count in counts.items())
    typer.echo(parts or "no files for a header")
    raise typer.Exit(int(bool(counts["failed"] or counts["with problems"])))


def _is_wanted(path: Path, named: Sequence[Path]) -> bool:
    return path in named or (path.suffix.lower() in SUFFIXES)


def _check(path: Path, options: Options, counts: Counter[str]) -> None:
    problems = check(path, options.today)
    if isinstance(problems, Skipped):
        tell(problems)
        counts["passed over"] += 1
        return
    for problem in problems:
        typer.echo(one_line(f"{path}: {problem}"))
    counts["with problems" if problems else "in order"] += 1


def _annotate(
    path: Path,
    options: Options,
    counts: Counter[str],
    scanner: FileScanner,
    *,
    write: bool,
    follow: bool,
) -> None:
    planned = plan(path, options, scanner)
    if isinstance(planned, Skipped):
        tell(planned)
        counts["passed over"] += 1
        return
    if not planned.changes:
        counts["unchanged"] += 1
        return
    if not write:
        typer.echo(one_line(f"would write {planned.target}"))
        counts["to write with --write"] += 1
        return
    try:
        planned.write(follow)
    except FileError as error:
        tell(error)
        counts["failed"] += 1
        return
    typer.echo(one_line(f"wrote {planned.target}"))
    counts["written"] += 1
