"""The table of SECURITY.md: what a project that nobody trusts can set, tried setting by setting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from groundwire.base.rules.weights import FEATURES
from groundwire.base.settings import SHIPPED
from groundwire.settings.convert import from_settings
from groundwire.settings.names import schema_problems
from groundwire.settings.toml_text import KeyPath, show_key, show_value
from groundwire.settings.trust import leaves, loosenings

#: Names in tables whose keys are names; those shipped there stand for all.
_NAMED: tuple[tuple[KeyPath, Any], ...] = (
    (("features", "unrun"), FEATURES["unrun"][0]),
    (("markers", "speculation.apparently"), True),
    (("filters", "question"), True),
    (("composite", "agents", "Explore"), "planner"),
    (("judge", "prices", "openai/gpt"), 0.0),
)
#: Names of tables of which one row is enough, since every name in them is treated alike.
_ALIKE = (("kinds",), ("composite", "thresholds"), ("advisory", "domains"))
_TEXTS = (
    *("off", "report", "enforce", "unsure", "always", "advise", "clear", "decide", "openai"),
    *("before", "renormalise", "zero", "patcher", "regulatory", "~/other", "http://127.0.0.1:9"),
)
_EXPRESSION = {"id": "speculation.x", "kind": "speculation_language", "strength": "weak"}
_EXAMPLES = {"pattern": "x", "hits": ["{x}"], "misses": ["y"]}
_LISTS: tuple[Any, ...] = (
    *([], ["x"], [".txt"], [10, 70], [1.0, 2.0], [{"phrase": "I think", "reason": "a name"}]),
    [{**_EXPRESSION, **_EXAMPLES}],
    *([{"match": {"agent": "a"}, "thresholds": {"stop_from": block}}] for block in (50, 60)),
)
_MOST = 2


class Row(NamedTuple):
    """A setting: its key, what is shipped, what counts, and what needs ``groundwire trust``."""

    key: str
    shipped: str
    counts: list[str]
    ignored: list[str]

    def line(self) -> str:
        """Return it as a line of the table."""
        cells = (self.key, self.shipped)
        lists = (", ".join(f"`{one}`" for one in some) or "-" for some in self[2:])
        return f"| {' | '.join((*(f'`{one}`' for one in cells), *lists))} |"


def rows() -> list[Row]:
    """Return a row for each setting, with some values of each sort."""
    document = from_settings(SHIPPED)
    found: list[Row] = []
    seen: set[KeyPath] = set()
    for path, shipped in (*leaves(document), *_NAMED):
        alike = next((table for table in _ALIKE if path[: len(table)] == table), path)
        if alike in seen:
            continue
        seen.add(alike)
        row = Row(show_key(path), _toml(shipped), [], [])
        for value in _others(shipped):
            project = _nested(path, value)
            if value != shipped and not schema_problems(project):
                some = row.ignored if loosenings(document, project) else row.counts
                some += [_toml(value)] * (len(some) < _MOST)
        found.append(row)
    return found


def influence_table() -> str:
    """Return the rows as a table in Markdown."""
    head = ["| setting | shipped | counts from any project | needs trust |", "|---|---|---|---|"]
    return "\n".join([*head, *(row.line() for row in rows())])


def _others(shipped: Any) -> Iterator[Any]:
    if isinstance(shipped, bool):
        yield not shipped
    elif isinstance(shipped, (int, float)):
        for value in (shipped - 1, shipped + 1, shipped * 0.9, shipped * 1.1, shipped - 0.01):
            yield value if isinstance(shipped, int) and isinstance(value, int) else round(value, 3)
    else:
        choices: tuple[Any, ...] = _TEXTS if isinstance(shipped, str) else _LISTS
        yield from (one for one in choices if one != shipped)


def _nested(path: KeyPath, value: Any) -> dict[str, Any]:
    for key in reversed(path):
        value = {str(key): value}
    return dict(value)


def _toml(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return f"[{_table(value[0])}]"
    return show_value(value)


def _table(value: dict[str, Any]) -> str:
    pairs = (
        f"{key} = {_table(one) if isinstance(one, dict) else show_value(one)}"
        for key, one in value.items()
    )
    return f"{{{', '.join(pairs)}}}"
