"""``groundwire annotate``: score headers and validation records in files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from groundwire.base.errors import FileError
from groundwire.base.files import Skipped
from groundwire.commands.flags import runtime_for
from groundwire.commands.options import Patterns, Set, refuse_given
from groundwire.commands.progress import with_progress
from groundwire.language.file_patterns import FileScanner
from groundwire.report.prose import one_line
from groundwire.settings.runtime import Runtime
from groundwire_confidence.assessment import unit
from groundwire_confidence.commands.file_options import (
    Paths,
    Today,
    all_files,
    day,
    file_scanner,
    tell,
)
from groundwire_confidence.file_facts import FileFacts, recorded_facts
from groundwire_confidence.headers.annotate import LINK, SUFFIXES, Options, check, plan
from groundwire_confidence.headers.score import Score
from groundwire_confidence.reinforcement.ageing import Date, data_age
from groundwire_confidence.reinforcement.formulas import per_source_evidence
from groundwire_confidence.reinforcement.milestones import milestone as milestone_of

#: The options that the turns of the log answer, and all that make a score.
_OF_LOG = (
    *("--evidence", "--observation", "--validation", "--integration", "--refactored"),
    "--created",
)
_OF_SCORES = ("--base", *_OF_LOG, "--from-log", "--milestone", "--validated")


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
    evidence: Annotated[
        list[float] | None,
        typer.Option(help="Evidence of a source, 0 to 1; may be repeated, and is summed."),
    ] = None,
    observation: Annotated[float, typer.Option(help="Its observation, 0 to 1.")] = 0.0,
    validation: Annotated[bool, typer.Option("--validation", help="The content is verified.")] = (
        False
    ),
    integration: Annotated[bool, typer.Option("--integration", help="The tests passed.")] = False,
    refactored: Annotated[int, typer.Option(min=0, help="How many files were refactored.")] = 0,
    created: Annotated[
        bool,
        typer.Option(
            "--created",
            help="The files are new: data begins at 1, others that are no .md lose 0.01.",
        ),
    ] = False,
    from_log: Annotated[
        bool,
        typer.Option(
            "--from-log",
            help="Take evidence, operations and checks of each file from the turns that edited it.",
        ),
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

        groundwire annotate docs --from-log

        groundwire annotate . --check
    """
    if check_ and write:
        raise typer.BadParameter("--check and --write exclude each other")
    if check_:
        refuse_given(ctx, _OF_SCORES, "a check does not use it")
    if from_log:
        refuse_given(ctx, _OF_LOG, "--from-log takes it from the turns")
    if not write:
        refuse_given(ctx, ("--follow",), "only with --write")
    for path in paths:
        if write and not follow and path.is_symlink():
            raise FileError(f"{path}: {LINK}")
    now = day("--today", today)
    runtime = runtime_for(set_, None, patterns)
    settings = runtime.settings
    summed = min(1.0, sum(unit("evidence", one) for one in evidence or ()))
    options = Options(
        today=now,
        base=base,
        evidence=summed,
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
    Score(base, summed, observation).value()  # tells numbers out of range before any file is read
    files = [one for one in all_files(paths) if isinstance(one, Skipped) or _is_wanted(one, paths)]
    scanner = file_scanner(settings.pattern_folders)
    counts: Counter[str] = Counter()
    known = _Known(options, _told_facts(runtime, now) if from_log else None)
    for item in with_progress(files, "reading"):
        if isinstance(item, Skipped):
            tell(item)
            counts["passed over"] += 1
        elif check_:
            _check(item, options, counts)
        else:
            _annotate(item, known.options_of(item), counts, scanner, write=write, follow=follow)
    parts = ", ".join(f"{count} {name}" for name, count in counts.items())
    typer.echo(parts or "no files for a header")
    raise typer.Exit(int(bool(counts["failed"] or counts["with problems"])))


def _told_facts(runtime: Runtime, today: Date) -> dict[str, FileFacts]:
    facts, problems = recorded_facts(os.environ, runtime, today)
    for problem in problems:
        typer.echo(one_line(f"groundwire: {problem}"), err=True)
    return facts


class _Known:
    """What is known of each file: from the options, or from the turns that edited it."""

    def __init__(self, options: Options, facts: dict[str, FileFacts] | None) -> None:
        self._options = options
        self._facts = facts

    def options_of(self, path: Path) -> Options | None:
        """Return the options of a file, with 0.05 for each source; None when no turn edited it."""
        if self._facts is None:
            return self._options
        facts = self._facts.get(os.path.realpath(path))
        if facts is None:
            return None
        return self._options.replace(
            evidence=min(1.0, facts.sources * per_source_evidence(1, 1)),
            observation=1.0,
            validation=facts.validation,
            integration=facts.integration,
            refactored=facts.refactored,
            created=facts.created,
        )


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
    options: Options | None,
    counts: Counter[str],
    scanner: FileScanner,
    *,
    write: bool,
    follow: bool,
) -> None:
    unknown = Skipped(path, "no turn in the decision log edited it")
    planned = plan(path, options, scanner) if options else unknown
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
