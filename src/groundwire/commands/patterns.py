"""``groundwire patterns``: list, check and show the marker entries."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.base.errors import LexiconError
from groundwire.language.detect import LANGUAGES

if TYPE_CHECKING:  # pydantic reads the entries; the other commands start without it
    from groundwire.settings.patterns.file_patterns import LoadedPattern
    from groundwire.settings.patterns.load import Entry, Expression, FileEntry, Loaded

MILESTONE = "milestone"
_SHOWN_FORMS = 4
_NEAR_IDS = 3

app = typer.Typer(no_args_is_help=True, help="List, check and show markers.")

Language = Annotated[
    str, typer.Option(metavar="CODE", help=f"Those of another language: {', '.join(LANGUAGES)}.")
]
Folders = Annotated[list[str] | None, typer.Argument()]


@app.command("list")
def list_(folders: Folders = None, kind: str = "", language: Language = "") -> None:
    """List the markers: id, strength, claim and forms.

    Examples:

        groundwire patterns list --kind causality_language

        groundwire patterns list team/patterns

    Options:
        --kind: Only entries of this kind; milestone: what is looked for in files.
    """
    if kind == MILESTONE:
        milestones = [item.entry for item in _load_file_patterns(folders)]
        rows = [
            (it.id, f"{it.milestone:11}  {it.category:12}  {it.boundary:10}  {it.form!r}")
            for it in milestones
        ]
    else:
        loaded = _load(folders, language)
        rows = [
            (it.id, f"{it.strength or '-':9}  {it.claim or '-':12}  {_forms(it)}")
            for _, its_kind, it in loaded
            if kind in ("", its_kind)
        ]
        if not rows and kind:
            kinds = ", ".join(sorted({MILESTONE, *(item.kind for item in loaded)}))
            raise LexiconError(f"no entry of kind {kind!r}; allowed: {kinds}")
    width = max((len(name) for name, _ in rows), default=0)
    for name, row in rows:
        typer.echo(f"{name:{width}}  {row}")
    typer.echo(f"{len(rows)} entries")


@app.command()
def check(folders: Folders = None) -> None:
    """Check all pattern and outcome files, and run every example in them.

    Example:

        groundwire patterns check team/patterns
    """
    from groundwire.settings.patterns.check import check_lexicon
    from groundwire.settings.patterns.file_patterns import check_file_patterns
    from groundwire.settings.patterns.outcomes import check_outcomes, count_examples, load_outcomes

    lexicon = _load(folders)
    patterns = _load_file_patterns(folders)
    outcomes = load_outcomes()
    lexicons = {code: _load((), code) for code in LANGUAGES}
    problems = [line for code, one in lexicons.items() for line in check_lexicon(one, code)]
    problems += [*check_lexicon(lexicon), *check_file_patterns(patterns), *check_outcomes(outcomes)]
    if problems:
        raise LexiconError("\n".join(problems))
    entries: list[Entry | Expression | FileEntry] = [item.entry for item in lexicon]
    entries += [item.entry for one in lexicons.values() for item in one]
    entries += [item.entry for item in patterns]
    examples = sum(len(entry.hits) + len(entry.misses) for entry in entries)
    rows, row_examples = count_examples(outcomes)
    typer.echo(f"{len(entries)} entries, {rows} rows, {examples + row_examples} examples: all hold")


@app.command()
def show(
    marker_id: Annotated[str, typer.Argument(metavar="ID", help="An id, as in `list`.")],
    folders: Folders = None,
) -> None:
    """Show one marker with all its forms and examples.

    Example:

        groundwire patterns show speculation.i-think
    """
    entries = {item.entry.id: _text(item, item.kind) for item in _load(folders)}
    for code in LANGUAGES:
        for item in _load((), code):
            entries.setdefault(item.entry.id, _text(item, item.kind))
    for pattern in _load_file_patterns(folders):
        entries[pattern.entry.id] = _text(pattern, MILESTONE)
    if marker_id not in entries:
        ids = list(entries)
        near = [known for known in ids if marker_id in known][:_NEAR_IDS]
        near = near or difflib.get_close_matches(marker_id, ids, _NEAR_IDS)
        hint = f"; near: {', '.join(near)}" if near else ""
        raise LexiconError(f"no entry {marker_id!r}{hint}; `groundwire patterns list` has all")
    typer.echo(entries[marker_id])


def _load(folders: Sequence[str] | None, language: str = "") -> list[Loaded]:
    from groundwire.settings.load import load
    from groundwire.settings.patterns.load import Expression, Loaded, load_lexicon

    if language:
        if language not in LANGUAGES:
            raise LexiconError(f"--language: {language!r}; allowed: {', '.join(LANGUAGES)}")
        return load_lexicon(folders or (), language)
    settings = load(os.environ, os.getcwd())
    place = Path(settings.origins["expression",].place)
    own = map(Expression.model_validate, settings.document["expression"])
    return [*load_lexicon(folders or ()), *(Loaded(place, one.kind, one) for one in own)]


def _load_file_patterns(folders: Sequence[str] | None) -> list[LoadedPattern]:
    from groundwire.settings.patterns.file_patterns import load_file_patterns

    return load_file_patterns(folders or ())


def _forms(entry: Entry | Expression) -> str:
    if not entry.forms and not entry.scanner:
        return "(expression)"
    if entry.scanner:
        return f"({entry.scanner} scanner)"
    more = len(entry.forms) - _SHOWN_FORMS
    shown = ", ".join(entry.forms[:_SHOWN_FORMS])
    return f"{shown}, ... ({more} more)" if more > 0 else shown


def _text(item: Loaded | LoadedPattern, kind: str) -> str:
    lines = [f"{item.entry.id}  ({kind}, {item.path.name})"]
    for key, value in item.entry.model_dump(exclude={"id"}).items():
        if isinstance(value, list):
            lines.extend(f"  {key}: {part}" for part in value)
        elif value:
            lines.append(f"  {key}: {value}")
    return "\n".join(lines)
