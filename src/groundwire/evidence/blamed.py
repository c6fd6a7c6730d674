"""Causes in plain words: "it failed once, but that was a stale lock", "it hit the rate limit".

What is blamed has to be named somewhere in the turn; a limit leaves a trace; a failure that comes
and goes was seen to do both; and who brought a package along is asked of the package manager.
"""

from __future__ import annotations

from groundwire.evidence.causes import cause_verdict
from groundwire.evidence.claims import BLAMED, FLAKY, PULLED_IN, Claim
from groundwire.evidence.facts import Facts
from groundwire.evidence.pointing import pointing
from groundwire.evidence.restated import content_words
from groundwire.evidence.runs.model import FAILED, PASSED, Run
from groundwire.evidence.traces import has_sign, is_complete, texts_of, untraced
from groundwire.evidence.wording import Wording
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

#: What ends the name of the thing that is blamed.
_ENDS = (
    ",", ";", ":", ".", "(", "\u2014", "\u2013", "\n", " - ", " from ", " that ", " which ",
    " because ", " when ", " while ", " and ", " but ",
)  # fmt: skip
_LONGEST_THING = 80
#: Share of the words of a thing that may be unseen: without its last word, and with it.
_FEW, _MOST = 0.3, 0.5
#: Words that name nothing.
_EMPTY = frozenset(
    "alarm any artifact bad bit bug case error false few first glitch issue just kind large last "
    "least less lot many matter mistake more most noise only one other oversight own positive "
    "problem quirk same second set simple single small some sort still thing three two typo usual "
    "various wrong".split()
)
#: Signs of trouble that comes and goes by itself.
_PASSING_TROUBLE = (
    "flak",
    "transient",
    "intermittent",
    "429",
    "500",
    "502",
    "503",
    "504",
    "econnreset",
    "connection reset",
    "timed out",
    "timeout",
    "retry",
)
#: Parts of commands that tell who needs a package, and files in which it stands.
_TREES = (
    "npm ls", "npm list", "npm why", "npm explain", "pnpm why", "pnpm ls", "pnpm list",
    "yarn why", "yarn list", "yarn info", "bun why", "bun pm ls", "pip show", "pipdeptree",
    "poetry show", "uv tree", "pdm list", "conda-tree", "repoquery", "cargo tree",
    "cargo metadata", "go mod why", "go mod graph", "go list -m", "dependency:tree",
    "dependencyinsight", "gradle dependencies", "gradlew dependencies", ":dependencies",
    "composer why", "composer depends", "composer show", "gem dependency", "bundle info",
    "bundle show", "bundle viz", "mix deps", "dotnet list", "nuget why", "rdepends",
    "apt-cache depends", "brew uses", "brew deps", "show-dependencies", "pub deps", "swift package",
    "stack ls", "cabal-plan", "package-lock", "npm-shrinkwrap", "yarn.lock", "pnpm-lock",
    "bun.lock", "poetry.lock", "uv.lock", "pdm.lock", "pipfile.lock", "cargo.lock", "go.sum",
    "go.mod", "gemfile.lock", "composer.lock", "mix.lock", "packages.lock", "pubspec.lock",
    "package.resolved", "podfile.lock", "project.assets", "node_modules/", "site-packages/",
    ".gemspec", ".pom", "pom.xml",
)  # fmt: skip
_UNDECIDED = Verdict(QUALIFIED, "the turn looked into it, but no result decides it")
_HIDDEN = Verdict(NOT_CHECKABLE, "what shows it may be in what the turn does not show")


def plain_cause_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge a cause that is told in plain words; its ``wording`` must be there."""
    if claim.sort == BLAMED:
        return _blamed(claim, facts)
    if claim.sort == FLAKY:
        return _flaky(claim, facts)
    if claim.sort == PULLED_IN:
        return _pulled_in(facts)
    return _limit(claim, facts)


def _blamed(claim: Claim, facts: Facts) -> Verdict:
    wording = claim.wording
    if wording is None:
        return _UNDECIDED
    if is_complete(facts) and not claim.back and (unseen := _unseen(_thing(wording), facts)):
        return Verdict(UNSUPPORTED, f'nothing in this turn names it ("{unseen}")')
    behind = wording.replace(
        original=wording.original[wording.end :], masked=wording.masked[wording.end :]
    )
    return cause_verdict(claim.replace(wording=behind.replace(start=0, end=0)), facts)


def _thing(wording: Wording) -> str:
    """Return the lower-case words that name what is blamed."""
    behind = wording.masked[wording.end :][:_LONGEST_THING].lower().lstrip(" *_")
    ends = (at for mark in _ENDS if (at := behind.find(mark)) > 0)
    return behind[: min(ends, default=len(behind))]


def _unseen(thing: str, facts: Facts) -> str:
    """Return a word of a thing that no text of the turn names; "" when enough of it is named.

    Most of its words have to stand somewhere, or its last one, which says what it is.
    """
    found = (content_words(word) - _EMPTY for word in thing.split())
    words = list(dict.fromkeys(word for stems in found for word in sorted(stems)))
    if not words:
        return ""
    texts = list(texts_of(facts))
    unseen = [word for word in words if not any(_begins_word(word, text) for text in texts)]
    needed = _FEW if words[-1] in unseen else _MOST
    return unseen[-1] if len(unseen) > needed * len(words) else ""


def _begins_word(stem: str, text: str) -> bool:
    at = text.find(stem)
    while at >= 0:
        if not text[at - 1 : at].isalnum():
            return True
        at = text.find(stem, at + len(stem))
    return False


def _limit(claim: Claim, facts: Facts) -> Verdict:
    unseen = untraced(claim, facts)
    if not unseen:
        return Verdict(SUPPORTED, "the turn shows a trace of it")
    if claim.back or not is_complete(facts):
        return _HIDDEN
    return Verdict(UNSUPPORTED, f"no result of this turn has a trace of {unseen}")


def _flaky(claim: Claim, facts: Facts) -> Verdict:
    """A failure comes and goes when the same command gave both and nothing was changed between."""
    failed: dict[tuple[str, str], Run] = {}
    for run in facts.runs:
        key = (run.kind, run.signature)
        if run.outcome.status == FAILED:
            failed[key] = run
        elif run.outcome.status == PASSED and key in failed:
            before = failed[key].index
            if not any(before < index < run.index for index, _ in facts.changes):
                return pointing(run, SUPPORTED, "it failed before, and passed without a change")
    if has_sign(facts, _PASSING_TROUBLE):
        return _UNDECIDED
    if claim.back or not is_complete(facts):
        return _HIDDEN
    return Verdict(UNSUPPORTED, "nothing was run twice to see it come and go")


def _pulled_in(facts: Facts) -> Verdict:
    asked = [source for source in facts.seen.sources if _asks_tree(facts, source.index)]
    if asked:
        return _UNDECIDED
    if not is_complete(facts):
        return _HIDDEN
    return Verdict(UNSUPPORTED, "no tool of this turn was asked who needs it")


def _asks_tree(facts: Facts, index: int) -> bool:
    text = "\n".join(map(str, facts.calls[index].input.values())).lower()
    return any(part in text for part in _TREES)
