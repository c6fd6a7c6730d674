"""Whether a sentence and a call of the session are about the same thing."""

from __future__ import annotations

from groundwire.base.rules.lists import NUMBER_WORDS
from groundwire.language.words import names_in, plain_words
from groundwire.turn.records import BUILD, LINT, TEST, TYPES
from groundwire.verdict.disclosures import content_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.base.model import ToolCall
    from groundwire.turn.records import Run
    from groundwire.verdict.claims import Claim

#: Kinds of runs that are deeds of a session, and parts of words that speak of them.
DEEDS = (TEST, BUILD, LINT, TYPES)
ALL = frozenset(DEEDS)
_SPOKEN = {
    TEST: ("test", "spec", "suite", "passed"),
    BUILD: ("build", "compil"),
    LINT: ("lint", "format", "style", "check"),
    TYPES: ("type", "check"),
}
#: Words for a check that name no part of what it covers.
_CHECKS = frozenset(
    "test tests suite suites spec specs build builds lint linter linting types typecheck "
    "type-check checks check compile compiles".split()
)
_GENERAL = frozenset(
    "a all and any clean complete current do entire every everything final fresh full green i is "
    "it its latest linter my now of our passing ran run running said same still success suite "
    "test that the then these this those tests we whole with type "
    "also again pass passes passed after change changes on in project repo repository code cases "
    "case go cargo npm pytest automated \u2705 \u2714 \u2713".split()
)
#: Words of guesses and of what goes wrong, which name no subject.
_OF_GUESSES = frozenset(
    "probab likely guess suspec think belie caus reaso root issue proble error errors fail failure "
    "bug bugs happen trigge behavi somewh someth wrong result based relate pretty quite rather "
    "looks look appea sound actual really mostly main underl come comes back here point".split()
)
#: Signs behind a word that part it from the next one.
_ENDS = (",", ":", ";", ".", "(", ")")
_STEM = 6
_SHORTEST = 3
#: Short words that do name a part.
_NAMING = ("new", "e2e", "api", "cli", "ui", "own")


def spoken(text: str) -> frozenset[str]:
    """Return the deeds that a text in small letters has a word of."""
    return frozenset(deed for deed, words in _SPOKEN.items() if any(map(text.__contains__, words)))


def is_of_part(claim: Claim, run: Run) -> bool:
    """Tell whether a sentence may name another part of the work than the one that a run covers.

    So it may where a word stands before "tests" that is no number, does not say all of them and
    does not stand in the command, or where it names a thing that the command does not name.
    """
    spelled, command = claim.masked.split(), run.command.lower()
    for at, word in enumerate(claim.words[1:]):
        before = claim.words[at] if word in _CHECKS and spelled[at][-1:] not in _ENDS else ""
        is_name = len(before) > _SHORTEST or before in _NAMING
        if before.isdigit() or before in NUMBER_WORDS or before in _GENERAL:
            continue
        if is_name and before[:_STEM] not in command:
            return True
    names = [name.lower() for name in names_in(claim.text)]
    return any(
        not any(word in command for word in plain_words(name) if len(word) >= _SHORTEST)
        for name in names
    )


def subject_of(folded: str, text: str) -> frozenset[str]:
    """Return the stems of the words that say what the sentence of a guess is about, and its names.

    ``folded`` and ``text`` are the sentence as the scanner saw it and as written.
    """
    words = content_words(folded.replace("-", " ").replace("_", " "))
    stems = {word[:_STEM] for word in words if word[:_STEM] not in _OF_GUESSES and word.isalpha()}
    names = (plain_words(name)[0].lower() for name in names_in(text) if plain_words(name))
    return frozenset(stems | {name.rstrip("()") for name in names})


def looked_at(
    subject: frozenset[str], calls: Sequence[ToolCall], prompt: str, language: str = ""
) -> bool:
    """Tell whether a call of the turn, what it returned, or what was pasted, names the subject.

    Words of another ``language`` than English are not those of tools: any call may have.
    """
    if not subject or language:
        return bool(calls)
    texts = [prompt.lower()] if prompt.count("\n") > 1 else []
    for call in calls:
        given = " ".join(str(value) for value in call.input.values())
        texts.append(f"{call.name} {given} {call.result or ''}".lower())
    return any(stem in text for stem in subject for text in texts)
