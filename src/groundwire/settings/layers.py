"""One layer of settings: a parsed file, the environment, or flags; old keys keep working."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from groundwire.base.record import Record
from groundwire.hook.sources import PREFIX, PYPROJECT, Source, settings_variables
from groundwire.settings.toml_text import KeyPath, show_key, show_path, show_value

Document = dict[str, Any]
FLAGS = "flags"

_SYNTAX_PLACE = re.compile(
    r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$"
)

#: A key of very many levels, which tomllib takes quadratic time for: 5,000 take 0.4 s, and a
#: project that nobody trusts may hold one. No setting has more than six.
_DEEP = re.compile(rb"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){100}""")


class Layer(Record):
    """The settings of one layer.

    ``place`` is what an error line begins with, ``path`` the file if it is one. ``names`` maps key
    paths to the environment variables that set them. ``base`` is the folder that relative pattern
    folders start from; None when there is none and they must be absolute.
    """

    name: str
    place: str
    document: Document
    path: str = ""
    names: tuple[tuple[KeyPath, str], ...] = ()
    base: str | None = None

    def key(self, path: KeyPath) -> str:
        """Return ``path`` as a user of this layer wrote it."""
        for prefix, name in self.names:
            if path[: len(prefix)] == prefix:
                rest = show_key(path[len(prefix) :])
                return f"{name}: {rest}" if rest else name
        # an unknown table: the variables that reach into it
        inside = [name for prefix, name in self.names if prefix[: len(path)] == path]
        if inside:
            return ", ".join(sorted(inside))
        return show_key(path)

    def error(self, path: KeyPath, text: str) -> str:
        """Return one line of a ConfigError about ``path``."""
        return f"{self.place}: {self.key(path)}: {text}"


def file_layer(source: Source, errors: list[str]) -> Layer | None:
    """Parse one file; None when it holds no settings. What is wrong goes to ``errors``."""
    place = show_path(source.path)
    if source.problem:
        errors.append(f"{place}: {source.problem}: allowed: a TOML file with settings")
        return None
    if deep := _DEEP.search(source.data):
        line = source.data.count(b"\n", 0, deep.start()) + 1
        errors.append(f"{place}: line {line}: a key of over 100 levels: allowed: a key of settings")
        return None
    try:
        document = tomllib.loads(source.data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = source.data.count(b"\n", 0, error.start) + 1
        errors.append(f"{place}: line {line}: not UTF-8: allowed: TOML in UTF-8")
        return None
    except ValueError as error:
        errors.append(f"{place}: {_syntax_error(str(error), source.data)}")
        return None
    except RecursionError:
        errors.append(f"{place}: nested too deeply: allowed: TOML with settings")
        return None
    if os.path.basename(source.path) == PYPROJECT:
        tool = document.get("tool")
        table = tool.get("groundwire") if isinstance(tool, dict) else None
        if table is None:
            return None
        if not isinstance(table, dict):
            errors.append(f"{place}: tool.groundwire: value {show_value(table)}: a table")
            return None
        document = table
    base = os.path.dirname(source.path)
    return Layer(source.layer, place, document, source.path, (), base)


def environment_layer(env: Mapping[str, str], errors: list[str]) -> Layer:
    """Read ``GROUNDWIRE_<KEY>`` and ``GROUNDWIRE_<TABLE>__<KEY>`` variables as settings.

    A value is read as TOML (``40``, ``true``, ``["a"]``); what is no TOML is a plain text.
    """
    document: Document = {}
    names: list[tuple[KeyPath, str]] = []
    for variable, text in settings_variables(env):
        path = tuple(variable[len(PREFIX) :].lower().split("__"))
        value = _toml_value(text)
        if _put(document, path, value):
            # the longest path first, so that the most precise name is found
            names.insert(0, (path, variable))
        else:
            errors.append(
                f"environment: {variable}: value {show_value(value)}: conflicts with another "
                f"{PREFIX} variable: allowed: either the whole table or its keys"
            )
    return Layer("environment", "environment", document, "", tuple(names))


def flags_layer(flags: Mapping[str, Any], cwd: str) -> Layer:
    """Take over the nested ``flags`` of a command; those that are None were not given."""
    return Layer(FLAGS, "command line", _plain_flags(flags), "", (), cwd)


def resolve_folders(layer: Layer, home: str) -> Layer:
    """Make the pattern folders of a valid ``layer`` absolute: ``~``, or relative to its file."""
    table = layer.document.get("patterns", {})
    if "folders" not in table:
        return layer
    folders = []
    for folder in table["folders"]:
        path = home + folder[1:] if home and folder.split("/")[0] == "~" else folder
        if layer.base is not None:
            path = os.path.join(layer.base, path)
        folders.append(os.path.normpath(path))
    document = {**layer.document, "patterns": {**table, "folders": folders}}
    return layer.replace(document=document)


def folder_errors(layer: Layer) -> list[str]:
    """Return an error for every pattern folder of a resolved ``layer`` that is none."""
    errors = []
    for number, folder in enumerate(layer.document.get("patterns", {}).get("folders", ())):
        if not os.path.isabs(folder):
            allowed = "the full path of a folder"
        elif not os.path.isdir(folder):
            allowed = "a folder that exists"
        else:
            continue
        path = ("patterns", "folders", number)
        errors.append(layer.error(path, f"value {show_value(folder)}: {allowed}"))
    return errors


def _syntax_error(message: str, data: bytes) -> str:
    place = _SYNTAX_PLACE.search(message)
    text = message[: place.start()] if place else message
    if place is None:
        return text
    if place["line"] is None:
        return f"line {data.count(bytes([10])) + 1}: {text}: the file ends here"
    return f"line {place['line']}, column {place['column']}: {text}"


def _toml_value(text: str) -> Any:
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    # a line break in the text could carry further keys; then it is a plain text
    return parsed["value"] if len(parsed) == 1 else text


def _put(document: Document, path: tuple[str, ...], value: Any) -> bool:
    """Store ``value`` under ``path``; False when a part of it is a value already."""
    table = document
    for part in path[:-1]:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            return False
    if path[-1] in table:
        return False
    table[path[-1]] = value
    return True


def _plain_flags(flags: Mapping[str, Any]) -> Document:
    return {
        key: _plain_flags(value) if isinstance(value, Mapping) else value
        for key, value in flags.items()
        if value is not None
    }


#: Old key -> what took its place, "" where nothing did.
RENAMED: dict[tuple[str, str], str] = {
    ("thresholds", "idle_words_block"): "thresholds.stop_from",
    ("thresholds", "block"): "thresholds.stop_from",
    ("weights", "signals"): "features.company",
    ("weights", "position"): "features.close",
    ("weights", "turn_length"): "features.work",
    ("verdicts", "contradicted"): "features.failed_open",
    ("verdicts", "unsupported"): "features.unrun",
    ("verdicts", "qualified"): "",
    ("verdicts", "not_checkable"): "features.no_tools",
    ("verdicts", "earlier"): "features.no_tools",
    ("verdicts", "supported"): "features.passed_fresh",
    ("judge", "enabled"): "judge.when",
    ("judge", "statements"): "judge.characters",
    ("judge", "evidence_characters"): "judge.characters",
    ("features", "mild"): "",
    ("composite", "min_history"): "composite.prior_runs",
}


def without_renamed(layer: Layer) -> tuple[Layer, list[str]]:
    """Return ``layer`` without keys of earlier releases, and a warning for each of them."""
    document = dict(layer.document)
    warnings = []
    for (table, key), successor in RENAMED.items():
        values = document.get(table)
        if isinstance(values, dict) and key in values:
            document[table] = {name: value for name, value in values.items() if name != key}
            now = f"is {successor} now, in other units" if successor else "is no longer weighed"
            what = f"{now}; it does nothing"
            warnings.append(layer.error((table, key), what))
    if document.get("verdicts") == {}:  # the table is gone with its keys
        del document["verdicts"]
    return layer.replace(document=document), warnings
