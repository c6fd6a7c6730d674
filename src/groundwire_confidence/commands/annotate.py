"""``groundwire annotate``: score headers and validation records in files."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from groundwire.base.errors import FileError
from groundwire.base.files import Skipped
from groundwire.commands.options import Patterns, Set, refuse_given, runtime_for
from groundwire.report.prose import one_line
from groundwire.settings.runtime import Runtime
from groundwire_confidence.assessment import unit
from groundwire_confidence.commands.file_options import (
    all_files,
    day,
    each_file,
    file_scanner,
    tell,
)
from groundwire_confidence.file_facts import FileFacts, recorded_facts
from groundwire_confidence.headers.annotate import LINK, SUFFIXES, Options, Plan, check, plan
from groundwire_confidence.headers.score import Score
from groundwire_confidence.reinforcement.ageing import Date, data_age
from groundwire_confidence.reinforcement.formulas import per_source_evidence
from groundwire_confidence.reinforcement.milestones import milestone as milestone_of

#: The options that the turns of the log answer, and all that make a score.
_OF_LOG = (
    *("--evidence", "--observation", "--validation", "--integration", "--refactored"),
    "--created",
)
_UNEDITED = "no turn in the decision log edited it"
_OF_SCORES = ("--base", *_OF_LOG, "--from-log", "--milestone", "--validated")


def annotate(  # noqa: PLR0913, PLR0917
    ctx: typer.Context,
    paths: list[Path],
    check_: bool = False,
    write: bool = False,
    follow: bool = False,
    base: float | None = None,
    evidence: list[float] | None = None,
    observation: float = 0.0,
    validation: bool = False,
    integration: bool = False,
    refactored: Annotated[int, typer.Option(min=0)] = 0,
    created: bool = False,
    from_log: bool = False,
    milestone: str = "",
    validated: str = "",
    today: str = "",
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

    Options:
        paths: Files or folders.
        --check: Only check what is there; exit with 1 on a problem.
        --write: Write the headers.
        --follow: Write through a named link to what it leads to.
        --base: Base of the score; 0.5 to 0.707107.
        --evidence: Evidence of a source, 0 to 1; may be repeated, and is summed.
        --observation: Its observation, 0 to 1.
        --validation: The content is verified.
        --integration: The tests passed.
        --refactored: How many files were refactored.
        --created: The files are new: data begins at 1, others that are no .md lose 0.01.
        --from-log: Take evidence, operations and checks of each file from the turns that edited it.
        --milestone: M1 to M4; the highest one found in the file when not given.
        --validated DATE: A person validated the data files on this day.
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
    options = Options(
        today=now,
        base=base,
        evidence=min(1.0, sum(unit("evidence", one) for one in evidence or ())),
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
    Score(base, options.evidence, observation).value()  # the same for numbers out of range
    files = all_files(paths, lambda path: path.suffix.lower() in SUFFIXES)
    scanner = file_scanner(settings.pattern_folders)
    facts = _recorded_facts(runtime, now) if from_log else None

    def act(path: Path) -> str | Skipped:
        if check_:
            return _check(path, options)
        own = options if facts is None else _by_facts(options, facts.get(os.path.realpath(path)))
        planned = plan(path, own, scanner) if own else Skipped(path, _UNEDITED)
        return planned if isinstance(planned, Skipped) else _carry_out(planned, write, follow)

    counts = Counter(done or "passed over" for done in each_file(files, "reading", act))
    parts = ", ".join(f"{count} {name}" for name, count in counts.items())
    typer.echo(parts or "no files for a header")
    raise typer.Exit(int(bool(counts["failed"] or counts["with problems"])))


def _recorded_facts(runtime: Runtime, today: Date) -> dict[str, FileFacts]:
    facts, problems = recorded_facts(os.environ, runtime, today)
    for problem in problems:
        typer.echo(one_line(f"groundwire: {problem}"), err=True)
    return facts


def _by_facts(options: Options, facts: FileFacts | None) -> Options | None:
    """Return the options of a file by its turns, 0.05 for each source; None when none edited it."""
    if facts is None:
        return None
    return options.replace(
        evidence=min(1.0, facts.sources * per_source_evidence(1, 1)),
        observation=1.0,
        validation=facts.validation,
        integration=facts.integration,
        refactored=facts.refactored,
        created=facts.created,
    )


def _check(path: Path, options: Options) -> str | Skipped:
    problems = check(path, options.today)
    if isinstance(problems, Skipped):
        return problems
    for problem in problems:
        typer.echo(one_line(f"{path}: {problem}"))
    return "with problems" if problems else "in order"


def _carry_out(planned: Plan, write: bool, follow: bool) -> str:
    """Write a header, or say that it would be written; return what became of the file."""
    if not planned.changes:
        return "unchanged"
    if not write:
        typer.echo(one_line(f"would write {planned.target}"))
        return "to write with --write"
    try:
        planned.write(follow)
    except FileError as error:
        tell(error)
        return "failed"
    typer.echo(one_line(f"wrote {planned.target}"))
    return "written"
