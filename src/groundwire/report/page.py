"""Reports as one HTML page, and the digest of a turn as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

from groundwire.report.prose import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.turn.page import TurnDigest


#: Stands for what is not known.
NOTHING = "-"


def html_page(title: str, below: str, body: str) -> str:
    """Return the page; ``below`` is a line of text under the name, ``body`` is HTML."""
    style = (resources.files("groundwire.report") / "page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{escape(title)}</h1>\n<p class="soft">{escape(below)}</p>\n{body}'
        "</main>\n</body>\n</html>"
    )


def section(title: str, body: str) -> str:
    """Return a part of a page with its heading."""
    return f"<section>\n<h2>{escape(title)}</h2>\n{body}</section>\n"


def tiles(pairs: Iterable[tuple[str, str]]) -> str:
    """Return names with their values, side by side."""
    rows = "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>\n" for k, v in pairs)
    return f'<dl class="tiles">\n{rows}</dl>\n'


def table(title: str, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a table of the named columns, which are keys of the rows; "" is no title."""
    heads = "".join(f"<th>{escape(column.replace('_', ' '))}</th>" for column in columns)
    lines = "".join(f"<tr>{_cells(columns, row)}</tr>\n" for row in rows)
    heading = f"<h3>{escape(title)}</h3>\n" if title else ""
    return (
        f'{heading}<div class="table"><table>\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{lines}</tbody>\n</table></div>\n"
    )


def statement(quote: str, confidence: int, marker: str, why: str = "") -> str:
    """Return a statement with what is said of it."""
    told = f"<p>{escape(why)}</p>" if why else ""
    return (
        f'<blockquote>{escape(quote)}{told}<p class="soft">confidence {confidence}, '
        f"{escape(marker)}</p></blockquote>\n"
    )


def _cells(columns: Sequence[str], row: Mapping[str, Any]) -> str:
    cells = []
    for column in columns:
        value = row[column]
        text = NOTHING if value is None else str(value)
        title = column.replace("_", " ")
        cells.append(f'<td data-title="{title}">{escape(text)}</td>')
    return "".join(cells)


_FENCE = "````"


def digest_markdown(digest: TurnDigest) -> str:
    """Return a page with the message first, then what the turn shows."""
    return "\n".join(_lines(digest))


def digest_fields(digest: TurnDigest) -> dict[str, Any]:
    """Return the digest as plain data; keys are the names of its fields."""
    plain = {name: getattr(digest, name) for name in type(digest)._fields}
    for name in ("calls", "statements"):
        plain[name] = [
            {key: getattr(one, key) for key in type(one)._fields} for one in getattr(digest, name)
        ]
    return plain


def _lines(digest: TurnDigest) -> Iterator[str]:
    yield "# Turn\n"
    yield f"> {one_line(digest.prompt) or '(the prompt is not known)'}\n"
    yield "## Message\n"
    for statement in digest.statements:
        note = f" — *{one_line(statement.note)}*" if statement.note else ""
        star = "**" if statement.marked else ""
        yield f"{statement.number}. {star}{one_line(statement.text)}{star}{note}"
    yield f"\n## Tool calls ({len(digest.calls)} of {digest.all_calls})\n"
    for call in digest.calls:
        yield f"**#{call.number} {one_line(call.tool)}** `{one_line(call.argument)}`"
        yield f"→ {one_line(call.outcome)}\n"
        if call.lines:
            yield "\n".join((_FENCE, *(line.replace(_FENCE, "'''") for line in call.lines), _FENCE))
            yield ""
    for title, lines in (*digest.lists, ("Known of earlier turns", digest.earlier)):
        if lines:
            yield f"## {title}\n"
            yield from (f"- {one_line(line)}" for line in lines)
            yield ""
    if digest.cut:
        yield f"Left out: {'; '.join(digest.cut)}."
