"""Causes in plain words: "it failed once, but that was a stale lock", "it hit the rate limit".

What is blamed has to be named somewhere in the turn; a limit leaves a trace; a failure that comes
and goes was seen to do both; and who brought a package along is asked of the package manager.
"""

from __future__ import annotations

from groundwire.evidence.cause.stated import cause_verdict
from groundwire.evidence.cause.things import thing, unseen_word
from groundwire.evidence.cause.traces import has_sign, is_complete, is_printed, texts_of, untraced
from groundwire.evidence.message.claims import ACTOR, BLAMED, FLAKY, PULLED_IN, Claim
from groundwire.evidence.pointing import pointing
from groundwire.evidence.runs.model import FAILED, PASSED, Run
from groundwire.evidence.turn.facts import Facts
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

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
    if claim.sort == ACTOR:
        return _actor(claim, facts)
    if claim.sort == PULLED_IN:
        return _pulled_in(facts)
    return _limit(claim, facts)


def _blamed(claim: Claim, facts: Facts) -> Verdict:
    wording = claim.wording
    if wording is None:
        return _UNDECIDED
    if is_complete(facts) and not claim.back and (unseen := unseen_word(thing(wording), facts)):
        return Verdict(UNSUPPORTED, f'nothing in this turn names it ("{unseen}")')
    behind = wording.replace(
        original=wording.original[wording.end :], masked=wording.masked[wording.end :]
    )
    return cause_verdict(claim.replace(wording=behind.replace(start=0, end=0)), facts)


def _limit(claim: Claim, facts: Facts) -> Verdict:
    unseen = untraced(claim, facts)
    if claim.wording and not unseen:
        if is_printed(claim.wording, facts):
            return Verdict(SUPPORTED, "a result has a trace of it")
        return _UNDECIDED
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
    if has_sign(texts_of(facts), _PASSING_TROUBLE) or claim.back or not is_complete(facts):
        return _UNDECIDED
    return Verdict(UNSUPPORTED, "nothing was run twice to see it come and go")


def _actor(claim: Claim, facts: Facts) -> Verdict:
    """What is said to have done it stands somewhere, if only in a note of the harness."""
    name = claim.said.removeprefix("your ").removeprefix("the ").removeprefix("a ")
    names = (name, name.replace(" ", ""))
    notes = (call.result.lower() for call in facts.calls if call.result)
    is_named = has_sign(texts_of(facts), names) or any(
        one in note for note in notes for one in names
    )
    if is_named or claim.back or not is_complete(facts):
        return _UNDECIDED
    return Verdict(UNSUPPORTED, f"no result of this turn names {claim.said}")


def _pulled_in(facts: Facts) -> Verdict:
    asked = any(_asks_tree(facts, source.index) for source in facts.seen.sources)
    if asked or not is_complete(facts):
        return _UNDECIDED
    return Verdict(UNSUPPORTED, "no tool of this turn was asked who needs it")


def _asks_tree(facts: Facts, index: int) -> bool:
    text = "\n".join(map(str, facts.calls[index].input.values())).lower()
    return any(part in text for part in _TREES)
