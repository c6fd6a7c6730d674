"""Reports as one HTML page that needs nothing else: no script, no library, nothing to load."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from typing import Any

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
