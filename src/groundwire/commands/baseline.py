"""``groundwire baseline``: the findings that are there now, so that CI fails on new ones only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import typer

from groundwire.base.errors import FileError, NoTranscriptError
from groundwire.base.files import Skipped, walk
from groundwire.base.model import Match
from groundwire.base.process import collect_rarely
from groundwire.commands.options import Patterns, Set, runtime_for
from groundwire.commands.sources import STDIN, read_text
from groundwire.report.prose import counted
from groundwire.runs.baseline import baseline_text, fingerprint
from groundwire.runs.replay import replay_transcript
from groundwire.runs.scan import reported
from groundwire.settings.runtime import Runtime
from groundwire.verdict.analysis import analyse

NAME = ".groundwire-baseline.json"
_SESSION = ".jsonl"
#: Files below a folder that are prose; a file that is named is prose whatever it is called.
_PROSE = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".txt")


def baseline(
    paths: list[Path], output: str = NAME, set_: Set = None, patterns: Patterns = None
) -> None:
    """Accept what scan and replay find now: with --baseline FILE they fail on new findings only.

    A finding is known by its kind, its marker and its sentence, wherever that stands. The file
    holds no text of the sentences.

    Examples:

        groundwire baseline docs CHANGELOG.md

        groundwire scan CHANGELOG.md --baseline .groundwire-baseline.json --fail-on report

    Options:
        paths PATH...: Prose, sessions (*.jsonl), or folders of both.
        --output FILE: What to write; - prints it.
    """
    runtime = runtime_for(set_, None, patterns)
    collect_rarely()
    findings: dict[str, str] = {}
    files = 0
    for path in (file for one in paths for file in _files(one)):
        files += 1
        for text, match in _findings(path, runtime, named=path in paths):
            findings[fingerprint(text, match)] = match.marker.id
    document = baseline_text(findings)
    if output == STDIN:
        typer.echo(document, nl=False)
        return
    try:
        Path(output).write_text(document, encoding="utf-8")
    except OSError as error:
        raise FileError(f"{output}: {error.strerror}; expected a writable file") from None
    summary = f"{counted(len(findings), 'finding')} of {counted(files, 'file')} in {output}"
    print(f"groundwire: {summary}", file=sys.stderr)  # noqa: T201


def _files(path: Path) -> Iterator[Path]:
    for file in walk(path):
        if isinstance(file, Skipped):
            print(f"groundwire: {file.path}: {file.reason}", file=sys.stderr)  # noqa: T201
        elif file == path or file.suffix.lower() in (*_PROSE, _SESSION):
            yield file


def _findings(path: Path, runtime: Runtime, *, named: bool) -> Iterator[tuple[str, Match]]:
    """Yield what is reported of one file with its text; raises GroundwireError."""
    if path.suffix.lower() != _SESSION:
        analysis = analyse(read_text(str(path)), runtime.scanner, runtime.settings)
        yield from ((analysis.text, match) for match in reported(analysis, runtime.settings, None))
        return
    try:
        for outcome in replay_transcript(path, runtime):
            yield from ((outcome.turn.message, match) for match in outcome.decision.matches)
    except NoTranscriptError:
        if named:
            raise
