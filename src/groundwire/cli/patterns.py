"""``groundwire patterns``: list, check and show the marker entries."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from groundwire.errors import LexiconError
from groundwire.lexicon.check import check_lexicon
from groundwire.lexicon.load import Loaded, load_lexicon

app = typer.Typer(no_args_is_help=True, help="List, check and show the marker entries.")

Folders = Annotated[
    list[str] | None, typer.Argument(metavar="[DIR]...", help="Further pattern folders.")
]


@app.command("list")
def list_(
    folders: Folders = None,
    kind: Annotated[str, typer.Option(help="Only entries of this kind.")] = "",
) -> None:
    """List all entries: id, strength, claim and forms."""
    entries = [item for item in load_lexicon(folders or ()) if kind in ("", item.kind)]
    if not entries and kind:
        kinds = ", ".join(sorted({item.kind for item in load_lexicon(folders or ())}))
        raise LexiconError(f"no entry of kind {kind!r}; allowed: {kinds}")
    table = Table("id", "strength", "claim", "forms", box=None, pad_edge=False)
    for _, _, entry in entries:
        forms = ", ".join(entry.forms) or f"({entry.scanner} scanner)"
        table.add_row(entry.id, entry.strength or "", entry.claim, forms)
    console = Console()
    console.print(table)
    console.print(f"{len(entries)} entries", highlight=False)


@app.command()
def check(folders: Folders = None) -> None:
    """Check the schema of all pattern files and run every example in them."""
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
    """Show one entry whole."""
    lexicon = load_lexicon(folders or ())
    found = next((item for item in lexicon if item.entry.id == marker_id), None)
    if found is None:
        near = difflib.get_close_matches(marker_id, [item.entry.id for item in lexicon], 3)
        hint = f"; near: {', '.join(near)}" if near else ""
        raise LexiconError(f"no entry {marker_id!r}{hint}; `groundwire patterns list` has all")
    typer.echo(_text(found))


def _text(item: Loaded) -> str:
    lines = [f"{item.entry.id}  ({item.kind}, {item.path.name})"]
    for key, value in item.entry.model_dump(exclude={"id"}).items():
        if isinstance(value, list):
            lines.extend(f"  {key}: {part}" for part in value)
        elif value:
            lines.append(f"  {key}: {value}")
    return "\n".join(lines)
