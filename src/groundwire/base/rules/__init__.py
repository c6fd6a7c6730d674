"""The compiled rule set as plain data; the modules of ``BUILT`` are built, not kept in git.

It is kept as few long strings: those cost next to nothing to load, and a message needs only the
lines of its own words.
"""

from __future__ import annotations

import sys

from groundwire.base.model import Marker
from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: What ``groundwire.settings.patterns.compile`` writes here from the folders of TOML files.
#: make looks at the time of the last one.
BUILT = (
    "milestones", "outcomes", "programs", "weights",
    "lang_de", "lang_es", "lang_fr", "lang_ja", "lang_ko", "lang_pt", "lang_zh",
    "lists", "vocabulary", "shipped",
)  # fmt: skip

#: Between the fields of a line, and between the patterns of one field.
FIELD = "\t"
PATTERN = "|"
#: In the words of a language: decimals have a comma.
DECIMAL = "0,0"
DRAWER = 2  # characters of a word that name its drawer


class RuleSet(Record):
    """Markers, and which of them each surface form belongs to.

    ``markers`` has one line for each marker, its row: the fields of ``Marker`` in order.
    ``drawers`` has one line for each word: the forms of which it is the rarest word, each with its
    second rarest and its row numbers. Words that begin alike have their lines in one drawer,
    between line breaks. ``expressions`` are the id and the pattern of each marker that is found by
    a regular expression; the shipped rules have none.
    """

    markers: str
    drawers: dict[str, str]
    expressions: tuple[tuple[str, str], ...] = ()

    def forms(self, words: Iterable[str] | None = None) -> list[tuple[str, str]]:
        """Return each folded form with its rows (``rows_of``); with ``words`` only what these need.

        These are all forms that can stand in a text of exactly these words, and more.
        """
        if words is None:
            lines = [line for drawer in self.drawers.values() for line in drawer.split("\n")]
            return [pair for line in lines for pair in _forms_in(line, None)]
        known = {"", *words}
        found = []
        for word in known:
            drawer = self.drawers.get(word[:DRAWER], "")
            start = drawer.find(f"\n{word}{FIELD}") + 1
            if start:  # few words have forms
                found += _forms_in(drawer[start : drawer.index("\n", start)], known)
        return found

    def rows(self) -> list[str]:
        """Return the lines of all markers."""
        return self.markers.splitlines()

    def row_of(self, marker_id: str) -> int | None:
        """Return the row of the marker with this id; None when there is none."""
        if self.markers.startswith(f"{marker_id}{FIELD}"):
            return 0
        at = self.markers.find(f"\n{marker_id}{FIELD}") + 1
        return self.markers.count("\n", 0, at) if at else None


def marker_of(line: str) -> Marker:
    """Return the marker of a line of ``RuleSet.markers``."""
    marker_id, kind, strength, claim, only, unless, note = line.split(FIELD)
    return Marker(marker_id, kind, strength, claim, _patterns(only), _patterns(unless), note)


def _forms_in(line: str, known: set[str] | None) -> list[tuple[str, str]]:
    """Return form and rows of those in a line of a drawer whose second word is ``known``."""
    fields = line.split(FIELD)
    entries = zip(fields[1::3], fields[2::3], fields[3::3], strict=True)
    return [(form, rows) for form, second, rows in entries if known is None or second in known]


def rows_of(rows: str) -> list[int]:
    """Return the row numbers that ``RuleSet.forms`` gives for a form."""
    return list(map(int, rows.split()))


def _patterns(field: str) -> tuple[str, ...]:
    return tuple(field.split(PATTERN)) if field else ()


class _Separators(dict[int, int]):
    """A translation table that turns what is no letter or digit into a space."""

    def __missing__(self, code: int) -> int:
        self[code] = code if chr(code).isalnum() or code == ord("#") else ord(" ")
        return self[code]


_SEPARATORS = _Separators()


def words_of(text: str) -> list[str]:
    """Return the words of a folded text or form; a number is ``#``."""
    return text.translate(_SEPARATORS).split()


def shipped_rules() -> RuleSet:
    """Return the rule set that groundwire ships with."""
    from groundwire.base.rules import shipped

    return RuleSet(shipped.MARKERS, shipped.DRAWERS)


def language_rules(code: str) -> RuleSet:
    """Return the rule set of a language of ``text.language.LANGUAGES``."""
    module = __import__(f"{__name__}.lang_{code}", fromlist=["MARKERS"])
    return RuleSet(module.MARKERS, module.DRAWERS)


def language_words(code: str) -> dict[str, str]:
    """Return the phrases of a language that readers of English know, with their English."""
    module = __import__(f"{__name__}.lang_{code}", fromlist=["WORDS"])
    words: dict[str, str] = module.WORDS
    return words


def language_vocabulary() -> dict[str, str]:
    """Return the words by which short messages show their language, in one string for each."""
    from groundwire.base.rules import vocabulary

    words: dict[str, str] = vocabulary.WORDS
    return words


class _NotBuilt:
    """The last finder of imports: says what to do when a built module is missing."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:  # noqa: ARG004
        """Raise ImportError for a module of ``BUILT``; others may be found elsewhere."""
        package, _, module = name.rpartition(".")
        if package == __name__ and module in BUILT:
            raise ImportError(f"{name} is not built; in a source tree, run `make patterns`")


sys.meta_path.append(_NotBuilt)
