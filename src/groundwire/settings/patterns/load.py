"""The shape of pattern files, and reading them; all problems are reported at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from groundwire.base.errors import LexiconError
from groundwire.base.model import BLOCKER, CUE, FAINT, KINDS, STRENGTHS
from groundwire.base.rules.file_patterns import BOUNDARIES, MILESTONE_KEYS
from groundwire.language.fold import fold_phrase, is_word
from groundwire.report.prose import one_line
from groundwire.settings import values
from groundwire.settings.patterns.read import Strict, check, parse, shipped_folder

Text = Annotated[str, Field(min_length=1)]


Kind = Annotated[str, *values.one_of((*KINDS, BLOCKER, CUE))]
MarkerKind = Annotated[str, *values.one_of(KINDS)]
Strength = Annotated[str, *values.one_of(STRENGTHS)]
Scanner = Literal["numbers", "references", "contradiction"]

#: What ids of a kind begin with.
PREFIXES = {
    "speculation_language": "speculation.",
    "causality_language": "causality.",
    "certainty_language": "certainty.",
    "completeness_claim": "completeness.",
    "ungrounded_behavioral_assertion": "behavior.",
    "unsupported_absence": "absence.",
    "pseudo_quantification": "quantity.",
    "evaluative_design_claim": "evaluation.",
    "internal_contradiction": "contradiction.",
    "unsupported_reference": "reference.",
    "blocker": "blocker.",
    "cue": "cue.",
}


class Entry(Strict):
    """One ``[[marker]]`` table: one idea with all its surface forms."""

    id: Text
    forms: list[Text] = Field(default=[])
    scanner: Scanner | None = None
    strength: Strength | None = None
    claim: str = ""
    only: list[Text] = Field(default=[])
    unless: list[Text] = Field(default=[])
    note: Text
    source: Text
    hits: Annotated[list[Text], Field(min_length=1)]
    misses: Annotated[list[Text], Field(min_length=1)]


Texts = Annotated[
    values.Texts, Field(min_length=1), values.Allowed("a list of texts, at least one")
]
_Contexts = Annotated[list[str], values.Allowed('a list of context patterns, such as ["if ~"]')]


class Expression(values.Table):
    """One ``[[expression]]`` table: a marker that a regular expression finds.

    It stands in a pattern file or among the settings, so its values say what is allowed.
    """

    #: It has no forms and no scanner, which the other entries may have.
    forms: ClassVar[list[str]] = []
    scanner: ClassVar[None] = None

    id: values.Text = Field(description="What it is called, such as speculation.own.hunch.")
    kind: MarkerKind
    strength: Strength
    pattern: Annotated[
        str, Field(min_length=1, max_length=2_000), values.Allowed("a text of 1 to 2000 characters")
    ] = Field(description="A regular expression as the Python package regex reads it.")
    claim: Annotated[str, values.Allowed("a word such as done")] = ""
    only: _Contexts = Field(default=[])
    unless: _Contexts = Field(default=[])
    note: Annotated[str, values.Allowed("a text")] = Field("", description="What the user is told.")
    hits: Texts = Field(description="Texts with what is to be found in braces.")
    misses: Texts = Field(description="Texts in which nothing is to be found.")


class FileEntry(Strict):
    """One ``[[pattern]]`` table of a file with ``mode = "file"``: one form, looked for in files."""

    id: Annotated[str, Field(pattern=r"^milestone\.[a-z0-9.-]+$")]
    form: Annotated[str, Field(min_length=1, max_length=80)]
    category: Text
    milestone: Annotated[str, *values.one_of(tuple(MILESTONE_KEYS))]
    boundary: Annotated[str, *values.one_of(BOUNDARIES)]
    weight: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None
    note: Text
    source: Text
    hits: Annotated[list[Text], Field(min_length=1)]
    misses: Annotated[list[Text], Field(min_length=1)]


class FilePatternFile(Strict):
    """A whole file of patterns that are looked for in files."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    mode: Literal["file"]
    pattern: list[FileEntry] = Field(default=[])


class PatternFile(Strict):
    """A whole file: all markers are of one kind; an expression names its own."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    kind: Kind | None = None
    marker: list[Entry] = Field(default=[])
    expression: list[Expression] = Field(default=[])


_LONGEST_FORM = 80
#: ``mode`` of a pattern file whose entries are looked for in files; ``file_patterns`` reads it.
FILE_MODE = "file"
#: ``mode`` of the file with the words of another language, which ``phrases`` reads.
WORDS_MODE = "words"


class Loaded(NamedTuple):
    """One valid entry with where it came from."""

    path: Path
    kind: str
    entry: Entry | Expression


def load_lexicon(folders: Sequence[Path | str] = (), language: str = "") -> list[Loaded]:
    """Read the shipped pattern files and those of further ``folders``.

    With a ``language`` the shipped ones are its own, ``patterns/de/*.toml``.
    Raises LexiconError with one ``file: id: message`` line per problem: files that cannot be read,
    unknown keys, duplicate or unsorted ids, unfolded forms, entries without hits or misses.
    """
    errors: list[str] = []
    loaded: list[Loaded] = []
    for path, data in read_tables(folders, errors, language):
        if data.get("mode") not in (FILE_MODE, WORDS_MODE):
            loaded.extend(_read_file(path, data, errors))
    errors.extend(_duplicates(loaded))
    if errors:
        raise LexiconError("\n".join(map(one_line, errors)))
    return loaded


def read_tables(
    folders: Sequence[Path | str], errors: list[str], language: str = ""
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield every pattern file, shipped ones first, parsed; what cannot be read is an error."""
    for folder in [shipped_folder() / language, *map(Path, folders)]:
        if not folder.is_dir():
            errors.append(f"{folder}: -: not a folder; allowed: a folder with *.toml pattern files")
            continue
        for path in sorted(folder.glob("*.toml")):
            if (data := parse(path, errors)) is not None:
                yield path, data


def _read_file(path: Path, data: dict[str, Any], errors: list[str]) -> list[Loaded]:
    parsed = check(path, data, PatternFile, errors)
    if parsed is None:
        return []
    kind = parsed.kind or ""
    if parsed.marker and not kind:
        errors.append(f"{path}: -: kind: missing: allowed: {', '.join(PREFIXES)}")
        return []
    for entries in (parsed.marker, parsed.expression):
        errors.extend(order_errors(path, [entry.id for entry in entries]))
    for entry in parsed.marker:
        errors.extend(f"{path}: {entry.id}: {text}" for text in _entry_errors(entry, kind))
    for one in parsed.expression:
        errors.extend(f"{path}: {one.id}: {text}" for _, text in expression_problems(one))
    markers = (Loaded(path, kind, entry) for entry in parsed.marker)
    return [*markers, *(Loaded(path, one.kind, one) for one in parsed.expression)]


def order_errors(path: Path, ids: Sequence[str]) -> Iterable[str]:
    """Yield an error for each id that is not behind the one before it."""
    for before, after in pairwise(ids):
        if after <= before:
            yield f"{path}: {after}: stands behind {before}; ids are sorted and unique"


def expression_problems(entry: Expression) -> Iterable[tuple[str, str]]:
    """Yield the key of a valid ``[[expression]]`` table and what is wrong with its value."""
    from groundwire.language.expressions import pattern_problem  # few files have any

    problem = pattern_problem(entry.pattern)
    if problem:
        yield "pattern", f"pattern {entry.pattern!r:.80}: {problem}"
    yield from _common_errors(entry, entry.kind)


def _common_errors(entry: Entry | Expression, kind: str) -> Iterable[tuple[str, str]]:
    if not entry.id.startswith(PREFIXES[kind]):
        yield "id", f"id of kind {kind} begins with {PREFIXES[kind]!r}"
    for key, text in (("id", entry.id), ("claim", entry.claim)):
        if not text.isprintable() or " " in text:
            yield key, f"{key} {text!a} holds a space or a character that does not print"
    for key, patterns in (("only", entry.only), ("unless", entry.unless)):
        for pattern in patterns:
            if pattern.count("~") != 1:
                yield key, f"context pattern {pattern!r} needs exactly one ~"
            elif pattern.count("...") > pattern.count("... ~") + pattern.count("~ ..."):
                yield key, f"context pattern {pattern!r}: ... stands directly beside ~"
    for text in hit_errors(entry.hits):
        yield "hits", text


def _entry_errors(entry: Entry, kind: str) -> Iterable[str]:
    yield from (text for _, text in _common_errors(entry, kind))
    if bool(entry.forms) == bool(entry.scanner):
        yield "needs either forms or a scanner"
    if (entry.strength is None) != (kind in (BLOCKER, CUE)):
        yield "a marker has a strength, a blocker or cue has none"
    for form in entry.forms:
        yield from _form_errors(form)
    if len(set(entry.forms)) != len(entry.forms):
        yield "the same form stands there twice"


def hit_errors(hits: Iterable[str]) -> Iterable[str]:
    """Yield an error for each hit whose evidence is not between braces."""
    for hit in hits:
        if hit.count("{") != 1 or hit.count("}") != 1:
            yield f"hit {hit!r} needs its evidence between one pair of braces"


def _form_errors(form: str) -> Iterable[str]:
    folded = folded_form(form)
    if folded != form:
        yield f"form {form!r} is not folded; allowed: {folded!r}"
    elif not (is_word(form[0]) and is_word(form[-1])):
        yield f"form {form!r} begins and ends with a word character"
    elif len(form) > _LONGEST_FORM:
        yield f"form {form!r} is longer than {_LONGEST_FORM} characters"


def folded_form(form: str) -> str:
    """Return ``form`` as folding writes it; a literal ``#`` stands for a number."""
    return fold_phrase(form.replace("#", "0"))


def _duplicates(loaded: list[Loaded]) -> Iterable[str]:
    seen: dict[str, Path] = {}
    forms: dict[tuple[str, str], str] = {}
    for path, kind, entry in loaded:
        if entry.id in seen:
            yield f"{path}: {entry.id}: already defined in {seen[entry.id]}"
        seen.setdefault(entry.id, path)
        # a faint marker may repeat a form that another entry takes only in some contexts
        scope = entry.id if kind == CUE else f"{kind} {FAINT if entry.strength == FAINT else ''}"
        for form in entry.forms:
            other = forms.setdefault((scope, form), entry.id)
            if other != entry.id:
                yield f"{path}: {entry.id}: form {form!r} already belongs to {other}"
