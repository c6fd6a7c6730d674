"""Compiling pattern files to the plain data that the hook loads.

``[words]`` holds, for an English word or phrase, what the language says for it; "" stands for words
that are left out. ``decimal`` is the mark of decimals.

They are what people write in reports, so a message of two words mostly has one of them. Words that
English examples have, too, tell nothing and are left out; the few that ``text.language`` knows as
English stay, since there they count for both.

``python -m groundwire.settings.patterns.compile [FOLDER]`` builds the modules of
``groundwire.base.rules`` that are not kept in git, in the package or in FOLDER. It runs without
them, and with pydantic alone.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from groundwire.base.errors import LexiconError
from groundwire.base.model import Marker
from groundwire.base.rules import BUILT, DECIMAL, DRAWER, FIELD, PATTERN, RuleSet, words_of
from groundwire.language.detect import ENGLISH, LANGUAGES, SPACED, words_in
from groundwire.settings.patterns.file_patterns import compile_file_patterns, file_patterns_source
from groundwire.settings.patterns.load import Entry, Expression, Loaded, load_lexicon
from groundwire.settings.patterns.outcomes import load_outcomes, outcomes_source, tools_of
from groundwire.settings.patterns.programs import load_programs, programs_source
from groundwire.settings.patterns.read import Strict, check, parse, shipped_folder, source
from groundwire.settings.patterns.weights import load_accusers, load_model, weights_source


class _File(Strict):
    schema_: Annotated[Literal[1], Field(alias="schema")]
    mode: Literal["words"]
    decimal: Literal[".", ","] = "."
    words: dict[str, list[str]]


def load_words(path: Path) -> dict[str, str]:
    """Return phrase -> English; raises LexiconError with all problems of the file, a line each."""
    errors: list[str] = []
    data = parse(path, errors)
    parsed = None if data is None else check(path, data, _File, errors)
    meanings: dict[str, str] = {}
    for english, phrases in parsed.words.items() if parsed else ():
        wrong = [one for one in (english, *phrases) if one != one.strip().lower()]
        errors += [f"{path}: {english}: {one!r} is no phrase in lower case" for one in wrong]
        twice = [one for one in phrases if not one or meanings.setdefault(one, english) != english]
        errors += [f"{path}: {english}: {one!r} is empty or stands elsewhere" for one in twice]
    if errors or parsed is None:
        raise LexiconError("\n".join(errors))
    return meanings | ({DECIMAL: ""} if parsed.decimal == "," else {})


def vocabulary_source() -> str:
    """Return the text of the generated module: of each language its words in one string."""
    english = set(_words("")) - set(ENGLISH.split())
    own = {code: sorted(set(_words(code)) - english) for code in SPACED}
    words = {code: f" {' '.join(ones)} " for code, ones in own.items()}
    return source("The words of languages", {"WORDS": words})


def lists_source() -> str:
    """Return the text of the generated module of ``patterns/lists.toml``.

    A text is a set of words, a list a tuple of phrases; in a table the words of a key all have its
    value.
    """
    file = tomllib.loads((shipped_folder() / "lists.toml").read_text(encoding="utf-8"))
    values: dict[str, object] = {}
    for name, given in {**file["lists"], **file["tables"]}.items():
        if isinstance(given, str):
            values[name.upper()] = frozenset(given.format_map(file["lists"]).split())
        elif isinstance(given, list):
            values[name.upper()] = tuple(given)
        else:
            plain = {key: tuple(it) if isinstance(it, list) else it for key, it in given.items()}
            values[name.upper()] = {one: it for key, it in plain.items() for one in key.split()}
    return source("The words of messages, by what they tell", values)


def _words(code: str) -> Iterator[str]:
    """Yield the words of the entries of a language, "" for English."""
    texts = [
        text
        for _, _, entry in load_lexicon((), code)
        for text in (*entry.forms, *entry.hits, *entry.misses)
    ]
    if code:
        texts += load_words(shipped_folder() / code / "words.toml")
    for text in texts:
        yield from (word for word in words_in(text.lower()) if word.isalpha() and len(word) > 1)


def compile_rules(folders: Sequence[Path | str] = ()) -> RuleSet:
    """Load the shipped pattern files and ``folders`` and compile them; raises LexiconError."""
    return rules_of(load_lexicon(folders))


def rules_of(lexicon: Sequence[Loaded]) -> RuleSet:
    """Compile loaded entries; rows are sorted by id, so the result does not depend on files."""
    lines: list[str] = []
    forms: dict[str, tuple[int, ...]] = {}
    ordered = sorted(lexicon, key=lambda item: item.entry.id)
    for number, (_, kind, entry) in enumerate(ordered):
        lines.append(_marker_line(entry, kind))
        for form in entry.forms:
            forms[form] = (*forms.get(form, ()), number)
    rules = RuleSet("".join(lines), drawers_of(forms))
    entries = [item.entry for item in ordered if isinstance(item.entry, Expression)]
    return rules.replace(expressions=tuple((one.id, one.pattern) for one in entries))


def with_expressions(rules: RuleSet, entries: Sequence[Expression]) -> RuleSet:
    """Return ``rules`` with these expressions added, in their order."""
    lines = "".join(_marker_line(one, one.kind) for one in entries)
    added = tuple((one.id, one.pattern) for one in entries)
    return rules.replace(markers=rules.markers + lines, expressions=(*rules.expressions, *added))


def _marker_line(entry: Entry | Expression, kind: str) -> str:
    marker = Marker(
        entry.id,
        kind,
        entry.strength or "",
        entry.claim,
        tuple(entry.only),
        tuple(entry.unless),
        entry.note,
    )
    return f"{line_of(marker)}\n"


def line_of(marker: Marker) -> str:
    """Return ``marker`` as a line of ``RuleSet.markers``.

    Raises ValueError when a text holds what parts fields or patterns.
    """
    patterns = (*marker.only, *marker.unless)
    texts = (marker.id, marker.kind, marker.strength, marker.claim, marker.note)
    if any(PATTERN in text or text != " ".join(text.split()) for text in patterns):
        raise ValueError(f"{marker.id}: a context pattern holds {PATTERN!r} or odd spaces")
    only, unless = PATTERN.join(marker.only), PATTERN.join(marker.unless)
    note = " ".join(marker.note.split())
    return FIELD.join((*texts[:4], only, unless, note))


def drawers_of(forms: Mapping[str, tuple[int, ...]]) -> dict[str, str]:
    """Return ``forms`` as the drawers of a rule set: each under the word that fewest have."""
    counts: dict[str, int] = {}
    for form in forms:
        for word in set(words_of(form)):
            counts[word] = counts.get(word, 0) + 1
    lines: dict[str, list[str]] = {}
    for form in sorted(forms):
        words = sorted(set(words_of(form)), key=lambda word: (counts[word], -len(word), word))
        key, second = (*words, "")[:2]
        lines.setdefault(key, [key]).extend((form, second, " ".join(map(str, forms[form]))))
    drawers: dict[str, str] = {}
    for key in sorted(lines):
        drawer = key[:DRAWER]
        drawers[drawer] = f"{drawers.get(drawer, chr(10))}{FIELD.join(lines[key])}\n"
    return drawers


def shipped_source(rules: RuleSet, **more: object) -> str:
    """Return the text of the generated module for ``rules``, one line of it for each of theirs."""
    return source("The shipped rules", {"MARKERS": rules.markers, "DRAWERS": rules.drawers, **more})


def language_source(code: str) -> str:
    """Return the text of the generated module of a language."""
    words = load_words(shipped_folder() / code / "words.toml")
    return shipped_source(rules_of(load_lexicon((), code)), WORDS=dict(sorted(words.items())))


def build(folder: Path) -> list[Path]:
    """Write every module of ``rules.BUILT`` into ``folder``; return their paths.

    A process that starts meanwhile imports the old one or the new one, never a half. Raises
    LexiconError for the problems of the pattern, outcome, program and model files.
    """
    sources = {
        **{f"lang_{one}": language_source(one) for one in LANGUAGES},
        "milestones": file_patterns_source(compile_file_patterns()),
        "outcomes": outcomes_source(tools_of(load_outcomes())),
        "programs": programs_source(load_programs()),
        "weights": weights_source(load_model(), load_accusers()),
        "lists": lists_source(),
        "vocabulary": vocabulary_source(),
        "shipped": shipped_source(compile_rules()),
    }
    for name in BUILT:
        part = folder / f"{name}.py.{os.getpid()}"
        part.write_text(sources[name], encoding="utf-8")
        part.replace(folder / f"{name}.py")
    return [folder / f"{name}.py" for name in BUILT]


def main(arguments: Sequence[str] = ()) -> int:
    """Build the modules in the named folder, without a name in the package."""
    package = Path(__file__).resolve().parents[2]
    try:
        build(Path(arguments[0]) if arguments else package / "base/rules")
    except LexiconError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
