"""``groundwire patterns``: list, check and show the marker entries."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer

from groundwire.errors import LexiconError
from groundwire.lexicon.check import check_lexicon
from groundwire.lexicon.load import Loaded, load_lexicon
from groundwire.lexicon.schema import Entry

_SHOWN_FORMS = 4
_NEAR_IDS = 3

app = typer.Typer(no_args_is_help=True, help="List, check and show the marker entries.")

Folders = Annotated[
    list[str] | None, typer.Argument(metavar="[DIR]...", help="Further pattern folders.")
]


@app.command("list")
def list_(
    folders: Folders = None,
    kind: Annotated[str, typer.Option(help="Only entries of this kind.")] = "",
) -> None:
    """List all entries: id, strength, claim and forms.

    Examples:

        groundwire patterns list --kind causality_language

        groundwire patterns list team/patterns
    """
    entries = [item for item in load_lexicon(folders or ()) if kind in ("", item.kind)]
    if not entries and kind:
        kinds = ", ".join(sorted({item.kind for item in load_lexicon(folders or ())}))
        raise LexiconError(f"no entry of kind {kind!r}; allowed: {kinds}")
    width = max((len(item.entry.id) for item in entries), default=0)
    for _, _, entry in entries:
        label = f"{entry.id:{width}}  {entry.strength or '-':9}  {entry.claim or '-':12}"
        typer.echo(f"{label}  {_forms(entry)}")
    typer.echo(f"{len(entries)} entries")


@app.command()
def check(folders: Folders = None) -> None:
    """Check the schema of all pattern files and run every example in them.

    Example:

        groundwire patterns check team/patterns
    """
    lexicon = load_lexicon(folders or ())
    problems = check_lexicon(lexicon)
    if problems:
        raise LexiconError("\n".join(problems))
    examples = sum(len(entry.hits) + len(entry.misses) for _, _, entry in lexicon)
    typer.echo(f"{len(lexicon)} entries, {examples} examples: all hold")


@app.command()
def show(
    marker_id: Annotated[str, typer.Argument(metavar="ID", help="An id, as in `list`.")],
    folders: Folders = None,
) -> None:
    """Show one entry whole.

    Example:

        groundwire patterns show speculation.i-think
    """
    lexicon = load_lexicon(folders or ())
    found = next((item for item in lexicon if item.entry.id == marker_id), None)
    if found is None:
        ids = [item.entry.id for item in lexicon]
        near = [known for known in ids if marker_id in known][:_NEAR_IDS]
        near = near or difflib.get_close_matches(marker_id, ids, _NEAR_IDS)
        hint = f"; near: {', '.join(near)}" if near else ""
        raise LexiconError(f"no entry {marker_id!r}{hint}; `groundwire patterns list` has all")
    typer.echo(_text(found))


def _forms(entry: Entry) -> str:
    if entry.scanner:
        return f"({entry.scanner} scanner)"
    more = len(entry.forms) - _SHOWN_FORMS
    shown = ", ".join(entry.forms[:_SHOWN_FORMS])
    return f"{shown}, ... ({more} more)" if more > 0 else shown


def _text(item: Loaded) -> str:
    lines = [f"{item.entry.id}  ({item.kind}, {item.path.name})"]
    for key, value in item.entry.model_dump(exclude={"id"}).items():
        if isinstance(value, list):
            lines.extend(f"  {key}: {part}" for part in value)
        elif value:
            lines.append(f"  {key}: {value}")
    return "\n".join(lines)
