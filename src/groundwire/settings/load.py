"""Settings from all layers: defaults < user < admin < project < environment < flags.

Tables are merged key by key, lists are replaced. Every error of every layer is collected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from groundwire.base.errors import ConfigError, LexiconError
from groundwire.base.paths import home_folder
from groundwire.base.record import Record
from groundwire.base.rules import RuleSet
from groundwire.base.settings import BEFORE, OFF, SHIPPED, Settings
from groundwire.hook.compiled_file import folder_digest
from groundwire.hook.sources import ADMIN, PROJECT, TRUST, Source, find_sources
from groundwire.settings.convert import from_settings, to_settings
from groundwire.settings.judge_models import within_addresses
from groundwire.settings.layers import (
    Document,
    Layer,
    environment_layer,
    file_layer,
    flags_layer,
    folder_errors,
    resolve_folders,
    without_renamed,
)
from groundwire.settings.names import Names, known_names, name_problems, with_own_expressions
from groundwire.settings.toml_text import KeyPath
from groundwire.settings.trust import Trusted, apply_trust, leaves, read_trust

NamesOf = Callable[[Sequence[str]], Names]


class Origin(Record):
    """Where a value comes from: its layer, and the file or environment variable."""

    layer: str
    place: str = ""


class Loaded(Record):
    """The settings in effect and everything that is known about them.

    ``document`` is the complete nested dict behind ``settings``; ``origins`` has one entry for
    each of its values. ``rules`` is None unless pattern folders or expressions are configured;
    ``folders`` are the former with the digests of their content. With ``errors``, only the layers
    without one count.
    """

    settings: Settings
    document: Document
    origins: dict[KeyPath, Origin]
    files: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    rules: RuleSet | None = None
    folders: tuple[tuple[str, str], ...] = ()


def load(
    env: Mapping[str, str],
    cwd: str,
    flags: Mapping[str, Any] | None = None,
    names: NamesOf = known_names,
) -> Loaded:
    """Load the settings for ``cwd``; ``flags`` is nested as a settings file is.

    Raises ConfigError with one ``file: key: value: what is allowed`` line per problem.
    """
    loaded = resolve(find_sources(env, cwd), env, cwd, flags, names)
    if loaded.errors:
        raise ConfigError("\n".join(loaded.errors))
    return loaded


def resolve(
    sources: Sequence[Source],
    env: Mapping[str, str],
    cwd: str = "",
    flags: Mapping[str, Any] | None = None,
    names: NamesOf = known_names,
) -> Loaded:
    """Build the settings from files that were found already; problems are in ``errors``."""
    errors: list[str] = []
    renamed = [without_renamed(one) for one in _layers(sources, env, cwd, flags or {}, errors)]
    layers = [layer for layer, _ in renamed]
    renaming_warnings = [warning for _, warnings in renamed for warning in warnings]
    checked = [(layer, valid_layer(layer, home_folder(env), errors)) for layer in layers]
    valid = [layer for _, layer in checked if layer is not None]
    broken = [layer for layer, good in checked if good is None]
    stack = _stack(valid, sources)
    rules = _check_names(stack, broken, names, errors)
    return Loaded(
        to_settings(stack.document),
        stack.document,
        stack.origins,
        tuple(layer.path for layer in stack.layers if layer.path),
        (*renaming_warnings, *stack.warnings),
        tuple(errors),
        rules,
        tuple(sorted(stack.digests.items())),
    )


def merge(below: Mapping[str, Any], above: Mapping[str, Any]) -> Document:
    """Return ``below`` with the values of ``above``: tables key by key, all else replaced."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[key] = merge(old or {}, value) if both else value
    return merged


def project_layer(sources: Sequence[Source], errors: list[str]) -> Layer | None:
    """Parse the nearest project file that has settings; what is wrong goes to ``errors``."""
    error_count = len(errors)
    for source in sources:
        if source.layer == PROJECT:
            layer = file_layer(source, errors)
            if layer is not None or len(errors) > error_count:
                return layer
    return None


def valid_layer(layer: Layer, home: str, errors: list[str]) -> Layer | None:
    """Return ``layer`` with absolute pattern folders; None when its shape has errors."""
    from groundwire.settings.names import schema_problems  # pydantic; few have settings

    problems = schema_problems(layer.document)
    errors.extend(layer.error(*problem) for problem in problems)
    return None if problems else resolve_folders(layer, home)


def _layers(
    sources: Sequence[Source],
    env: Mapping[str, str],
    cwd: str,
    flags: Mapping[str, Any],
    errors: list[str],
) -> list[Layer]:
    files = [source for source in sources if source.layer not in (PROJECT, TRUST)]
    layers = [
        *(file_layer(source, errors) for source in files),
        project_layer(sources, errors),
        environment_layer(env, errors),
        flags_layer(flags, cwd),
    ]
    return [layer for layer in layers if layer is not None]


#: Settings of earlier releases know no ``run``; they keep their meaning.
_AS_BEFORE = 'is "before", as in earlier releases: groundwire second-look on lets nobody wait'


class _Stack(NamedTuple):
    """Layers put on top of each other: what of them counts, and what came of it."""

    layers: list[Layer]
    document: Document
    origins: dict[KeyPath, Origin]
    warnings: list[str]
    digests: dict[str, str]


def _stack(layers: Sequence[Layer], sources: Sequence[Source]) -> _Stack:
    document = from_settings(SHIPPED)
    origins = {path: Origin("default") for path, _ in leaves(document)}
    applied_layers: list[Layer] = []
    warnings: list[str] = []
    digests: dict[str, str] = {}
    for layer in layers:
        part, watched = layer, _folders(layer.document)
        if layer.name == PROJECT:
            trusted = _trust_entry(layer, sources, warnings)
            part, ignored = apply_trust(layer, document, trusted)
            warnings.extend(ignored)
            if trusted is None:
                watched = []  # what a project that nobody trusts points at is not even read
        elif layer.name == ADMIN and layer.document.get("judge"):
            part, ignored = within_addresses(layer, document)
            warnings.extend(ignored)
        applied_layers.append(part)
        digests.update({folder: folder_digest(folder) for folder in watched})
        profiles = [*document["profile"], *part.document.get("profile", ())]
        document = {**merge(document, part.document), "profile": profiles}
        origins.update({path: _origin(part, path) for path, _ in leaves(part.document)})
    judge = document["judge"]
    if judge["when"] != OFF and origins["judge", "run"].layer == "default":
        document = merge(document, {"judge": {"run": BEFORE}})
        where = next(
            one for one in reversed(applied_layers) if "when" in one.document.get("judge", {})
        )
        warnings.append(where.error(("judge", "run"), _AS_BEFORE))
    return _Stack(applied_layers, document, origins, warnings, digests)


def _trust_entry(layer: Layer, sources: Sequence[Source], warnings: list[str]) -> Trusted | None:
    found = next((source for source in sources if source.layer == TRUST), None)
    try:
        return read_trust(found).get(layer.path)
    except ConfigError as error:
        warnings.append(f"{error}; no project is trusted")
        return None


def _check_names(
    stack: _Stack, broken: Sequence[Layer], names: NamesOf, errors: list[str]
) -> RuleSet | None:
    """Check names, pattern folders and expressions; return the rules if they are changed.

    Names in ``broken`` layers are checked too, so that a user sees all errors at once.
    """
    layers, folders = stack.layers, _folders(stack.document)
    missing = [error for layer in layers for error in folder_errors(layer)]
    errors.extend(missing)
    named = [layer for layer in (*layers, *broken) if name_problems(layer.document, (), ())]
    expressions = stack.document["expression"]
    if missing or not (folders or named or expressions):
        return None  # the rule set is not needed, so it is not loaded
    try:
        rule_names = names(folders)
    except LexiconError as error:
        errors.extend(str(error).splitlines())
        return None
    if expressions:
        setter = next(layer for layer in reversed(layers) if "expression" in layer.document)
        rule_names, problems = with_own_expressions(rule_names, expressions)
        errors.extend(setter.error(*problem) for problem in problems)
    for layer in named:
        problems = name_problems(layer.document, rule_names.markers, rule_names.filters)
        errors.extend(layer.error(*problem) for problem in problems)
    return rule_names.rules


def _folders(document: Mapping[str, Any]) -> list[str]:
    return list(document.get("patterns", {}).get("folders", ()))


def _origin(layer: Layer, path: KeyPath) -> Origin:
    variable = next((name for known, name in layer.names if path[: len(known)] == known), "")
    return Origin(layer.name, variable or layer.path)
