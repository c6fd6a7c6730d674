"""The picture and the table of the rooms in ``docs/architecture.md``, read from the imports."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
_LAYERS = tomllib.loads((ROOT / "tests/layering.toml").read_text(encoding="utf-8"))
_EXTRAS: list[str] = _LAYERS["extras"]
ROOMS: list[str] = [*_LAYERS["core"], *_EXTRAS]
#: Pixels: of a row and a box, where boxes begin, and how far out an arrow bends for each row.
_ROW, _WIDTH, _HEIGHT, _LEFT, _BEND = 44, 190, 28, 20, 13
_STYLE = (
    "text{font:14px sans-serif;fill:#222}rect{fill:#eef3fa;stroke:#5b7aa8}"
    ".extra rect{fill:#f6f1e7;stroke:#a08a5b}path{fill:none;stroke:#5b7aa8;stroke-opacity:.55}"
)


def folder_of(room: str) -> Path:
    """Return the folder of a room of the core, or of an extra."""
    return SOURCE / room if room in _EXTRAS else SOURCE / "groundwire" / room


def arrows() -> Counter[tuple[str, str]]:
    """Return how many modules of a room import another one: (importing, imported)."""
    counts: Counter[tuple[str, str]] = Counter()
    for room in ROOMS:
        for path in folder_of(room).rglob("*.py"):
            found = set()
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    first, *more = f"{node.module}.{node.names[0].name}".split(".")
                    found.add(first if first in ROOMS else more[0] if first == "groundwire" else "")
            counts.update((room, other) for other in found & {*ROOMS} - {room})
    return counts


def sentence(room: str) -> str:
    """Return what the package of a room says of itself."""
    tree = ast.parse((folder_of(room) / "__init__.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def table() -> str:
    """Return the rooms with what they hold and import."""
    counts = arrows()
    rows = ["| room | holds | imports |", "|---|---|---|"]
    for room in ROOMS:
        used = [f"`{other}`" for other in ROOMS if counts[room, other]]
        if room in _EXTRAS:
            used = ["the core", *(one for one in used if one.strip("`") in _EXTRAS)]
        rows.append(f"| `{room}` | {sentence(room)} | {', '.join(used) or 'nothing'} |")
    return "\n".join(rows)


def picture() -> str:
    """Return the rooms from top to bottom as SVG, with an arrow for each import of another room."""
    counts = arrows()
    parts = []
    for at, room in enumerate(ROOMS):
        y = 10 + at * _ROW
        kind = "extra" if room in _EXTRAS else "core"
        parts.append(
            f'<g class="{kind}"><rect x="{_LEFT}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" '
            f'rx="5"/><text x="{_LEFT + 10}" y="{y + 19}">{room}</text></g>'
        )
    right = _LEFT + _WIDTH
    for (own, other), count in sorted(counts.items()):
        low, high = (24 + ROOMS.index(one) * _ROW for one in (own, other))
        bend = right + 20 + _BEND * abs(ROOMS.index(own) - ROOMS.index(other))
        parts.append(
            f'<path d="M{right} {low}C{bend} {low} {bend} {high} {right + 4} {high}" '
            f'stroke-width="{min(4.0, 0.6 + count / 10):.1f}" marker-end="url(#tip)"/>'
        )
    height = 20 + len(ROOMS) * _ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 {height}" role="img" '
        f'aria-label="Rooms of groundwire; every arrow points up"><style>{_STYLE}</style>'
        '<defs><marker id="tip" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" '
        'refX="7" refY="4" orient="auto"><path d="M0 0L8 4L0 8z" style="fill:#5b7aa8;stroke:none"/>'
        f"</marker></defs>\n{chr(10).join(parts)}\n</svg>\n"
    )
