"""What a message says of something that the turn may never have looked at.

"Your configuration does not use it", "the handler already checks it properly": whoever read or
searched the thing can say so. The thing is named in code, or by a word for what files hold.
"""

from __future__ import annotations

from groundwire.evidence.absence.searched import LOOKED_AT, SHORTEST, by_search, inputs_of, is_for
from groundwire.evidence.message.claims import Claim
from groundwire.evidence.message.named import named_things
from groundwire.evidence.turn.facts import Facts
from groundwire.model import NOT_CHECKABLE, QUALIFIED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


#: Beginnings of the words for settings, and parts of names of files and commands that hold them.
_SETTINGS = ("config", "settings", "manifest", "values file", "properties")
_HOLD_SETTINGS = (
    "config", "settings", "values", "manifest", ".yaml", ".yml", ".toml", ".ini", ".conf", ".cfg",
    ".env", ".properties", ".xml", ".json", ".tf", ".gradle", "dockerfile", "makefile", ".plist",
    "-o yaml", "-o json", "--output yaml", "--output json", "helm get", " inspect", "csproj",
    "gemfile", "podfile", "pom.", "mix.exs", "package.swift",
)  # fmt: skip
#: Lines of settings that make some, in the beginning of one result.
_FEWEST_LINES = 4
#: Words of a sentence that name no part of a program.
_EMPTY = frozenset(
    "about accounts after again against already also any are because been before being both but "
    "care case cases check checks correctly covers current deals does each escapes every existing "
    "expected field fields for from gracefully handle handled handles has have here into its "
    "just like main more must need needs never none not only other our out over own properly "
    "rejects retries safely same should since some still support supports such takes than that the "
    "their them then there these they thing this those too under use used uses using validates "
    "very was way well were what when where which while will with without you your automatically "
    "box code".split()
)
_NO_READ = Verdict(UNSUPPORTED, "nothing that holds it was read or searched in this turn")
_NO_SETTINGS = Verdict(UNSUPPORTED, "no configuration was read or searched in this turn")
_READ = Verdict(QUALIFIED, "it was read, but no result decides it")
_CUT = Verdict(NOT_CHECKABLE, "the results of this turn are not all there to look it up")
_OTHERS = Verdict(NOT_CHECKABLE, "another agent may have read it")


def unused_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "X does not use Y": a search for what it names, or a look at what would hold it."""
    names = named_things(claim.wording) if claim.wording else []
    searches = facts.actions.searches
    found = [one for one in searches if (is_for(one, names) if names else one.hits == 0)]
    if found:
        return by_search(found, claim, facts)
    if facts.actions.reports:
        return _OTHERS
    if any(word in claim.text for word in _SETTINGS):
        return _READ if searches or _read_settings(facts) else _NO_SETTINGS
    return _of_names(names, facts)


def unread_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge what code is said to do already: it was read, or nothing like it was."""
    if facts.actions.reports:
        return _OTHERS
    names = named_things(claim.wording) if claim.wording else []
    about = parts_named(claim) | {name.lower() for name in names}
    if any(word in text for text in _looked_at(facts) for word in about):
        return _READ
    if not (facts.actions.looks or facts.actions.searches or facts.actions.opaque):
        return _NO_READ
    return _of_names(names, facts)


def parts_named(claim: Claim) -> set[str]:
    """Return the words of the sentence that may name a part of a program."""
    words = [word.strip(".,:;!?()*\"'`") for word in claim.text.split()]
    return {word for word in words if len(word) >= SHORTEST and word not in _EMPTY}


def _of_names(names: list[str], facts: Facts) -> Verdict:
    """Whether any of the named things stands in what the turn looked at."""
    if any(name in source.text for source in facts.seen.sources for name in names):
        return _READ
    if any(name in text for text in facts.seen.told for name in names):
        return _READ
    if any(name in text for text in facts.seen.written() for name in names):
        return _READ
    if not names and (facts.actions.looks or facts.actions.searches or facts.actions.opaque):
        return _READ
    return _NO_READ if facts.seen.whole else _CUT


def _read_settings(facts: Facts) -> bool:
    """Tell whether a call names a file of settings, or a result looks like one."""
    if any(sign in text for text in _looked_at(facts) for sign in _HOLD_SETTINGS):
        return True
    return any(_is_settings(source.text[:LOOKED_AT]) for source in facts.seen.sources)


def _looked_at(facts: Facts) -> Iterator[str]:
    """Yield, in lower case, what the calls of the turn were told to look at or to change."""
    for call in facts.calls:
        yield from inputs_of(call)


def _is_settings(text: str) -> bool:
    """Several lines "key: value", "key = value" or '"key": value'."""
    count = 0
    for line in text.split("\n"):
        key, mark, _ = line.strip().strip("-").partition(":" if ":" in line else "=")
        name = key.strip().strip('"')
        count += bool(mark and name and name.replace("_", "").replace("-", "").isalnum())
        if count >= _FEWEST_LINES:
            return True
    return False
