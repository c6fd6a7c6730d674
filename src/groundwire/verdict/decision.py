"""From scored matches to block, report or pass.

A block needs a new finding at its threshold and nothing that speaks against stopping the turn.
The memory of the session comes in as an argument and goes out changed; nothing is read or written.
"""

from __future__ import annotations

from groundwire.base.digest import digest
from groundwire.base.model import BLOCK, CONTRADICTED, FAINT, PASS, REPORT, Decision, Match
from groundwire.base.record import Record
from groundwire.base.rules.weights import ACCUSERS
from groundwire.base.settings import Settings, Thresholds
from groundwire.inputs.event import SUBAGENT_STOP, Event
from groundwire.language.fold import fold_phrase

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from groundwire.turn.session import Digest


_AWAITED_TYPES = frozenset(
    ("subagent", "workflow", "teammate", "cloud session", "agent", "local_agent", "remote_agent")
)
#: Words of a command that ends with a result; a server or a watcher does not end.
_RESULT_WORDS = frozenset(
    "test tests pytest jest vitest mocha tox nox ctest rspec phpunit bats build compile make cmake "
    "cargo gradle mvn tsc lint eslint ruff mypy pyright check clippy install bench".split()
)
_ENDLESS_WORDS = frozenset(
    "serve server dev watch --watch start tail -f preview storybook runserver up".split()
)


def awaits_result(tasks: tuple[tuple[str, str], ...]) -> bool:
    """Tell whether one of the running ``(type, command)`` tasks will still report a result."""
    return any(
        kind in _AWAITED_TYPES or (kind == "shell" and _ends_with_result(command))
        for kind, command in tasks
    )


def _ends_with_result(command: str) -> bool:
    words = set(command.replace(":", " ").replace("/", " ").split())
    return not words & _ENDLESS_WORDS and bool(words & _RESULT_WORDS)


MOST_REMEMBERED = 200
#: The highest confidence; a threshold above it is reached by none.
_SURE = 100
#: The second look before the end of the turn, which states facts as the accusers do.
JUDGE = "judge"
#: Whoever has earned the right to stop a turn.
MAY_STOP = frozenset((JUDGE, *(name for name, stops in ACCUSERS.items() if stops)))
_LONGEST_KEY = 200
#: Characters of a blocked sentence by whose words it is known again.
_LONGEST_CLAIM = 2_000
#: Kinds that no disclosure of what was not checked makes better.
_GUESSES = ("speculation_language", "causality_language")
#: Filter of a guess that comes with an offer to check it.
OFFERED = "offered-check"
_COMPACTION_TYPES = ("compact", "compaction")
_COMPACTION_PROMPT = "your task is to create a detailed summary of"


class Memory(Record):
    """What the session remembers between turns.

    ``sent``: fingerprints of findings that were sent back. ``blocks``: prompt key and the number
    of blocks spent on it, newest last. ``claims``: content words of blocked statements of that
    prompt, with the number of tool calls the turn had then. ``settings_key``: the settings that
    the session began with. ``told``: one-time messages to the user that were given.
    ``environment``: the variables that mattered when the session began, for a hook that is no
    process of its own. ``digest``: what the tools of the session's turns did. ``models``: what the
    confidence models keep, as plain data. ``mode``: what the user asked for in this session, "" as
    the settings say.
    """

    sent: tuple[str, ...] = ()
    blocks: tuple[tuple[str, int], ...] = ()
    claims: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    settings_key: str | None = None
    told: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    digest: Digest | None = None
    models: Mapping[str, Any] | None = None
    mode: str = ""


class Situation(Record):
    """What the decision needs to know besides the matches."""

    event: Event
    prompt: str = ""  # what the user asked for
    asks_opinion: bool = False
    discloses: bool = False  # the message says what was not checked, or what failed
    calls: int = 0  # tool calls of the turn
    partial: bool = False  # not all of the turn was read
    lost: frozenset[str] = frozenset()  # accusers whose right to stop votes took away


def decide(
    text: str, matches: tuple[Match, ...], situation: Situation, settings: Settings, memory: Memory
) -> tuple[Decision, Memory]:
    """Return the decision for one message and the memory afterwards."""
    relevant = without_faint_companions(matches)
    reported = tuple(m for m in relevant if m.confidence >= settings.thresholds.report)
    exempt = exemption(situation, settings)
    wanted = blocking(blockable(relevant, situation), settings.thresholds)
    if not wanted or exempt:
        why = exempt if wanted else ""
        return Decision(REPORT if reported else PASS, reported, why=why), memory
    marks = {fingerprint(text, match): match for match in wanted}
    new = {mark: match for mark, match in marks.items() if mark not in memory.sent}
    key = prompt_key(situation.event)
    spent = blocks_spent(memory, key)
    if not new or spent >= settings.blocks_per_prompt:
        why = "blocks of this prompt are used up" if new else "every finding was sent before"
        # without the flag this is a second copy of the hook, and the first one stops the turn
        let_through = key if spent and situation.event.stop_hook_active else ""
        kind = REPORT if reported else PASS  # ``report`` may be above ``block``
        return Decision(kind, reported, (), why, let_through), memory
    shown = {id(match) for match in (*reported, *wanted)}  # to hash one takes all its factors
    decision = Decision(BLOCK, tuple(m for m in matches if id(m) in shown), tuple(new.values()))
    # a sentence is sent whole, so that none of its other matches is news afterwards
    quoted = {match.sentence for match in new.values()}
    sent = dict.fromkeys(fingerprint(text, m) for m in matches if m.sentence in quoted)
    memory = _remember(memory, key, spent + 1, new, text, situation.calls)
    marked = (*memory.sent, *sent, _message_mark(text, situation.calls))
    return decision, memory.replace(sent=marked[-MOST_REMEMBERED:])


def blocking(matches: tuple[Match, ...], thresholds: Thresholds) -> list[Match]:
    """Return the matches that want the turn stopped, worst first.

    In a turn with a transcript it is a fact of an accuser with the right to stop; a match of bare
    text needs ``words_block``. Where ``stop_from`` is set the confidences of a turn stop, too, also
    together: when the suspicion of all statements from ``doubt`` on reaches ``message_block``.
    """
    words, least = thresholds.words_block, thresholds.stop_from
    wanted = [
        m
        for m in matches
        if m.accuser in MAY_STOP or m.confidence >= (least if m.verdict else words)
    ]
    if least <= _SURE:
        doubted = [m for m in matches if m.verdict and m.confidence >= thresholds.doubt]
        if combined_suspicion(doubted) >= thresholds.message_block:
            wanted = list({id(match): match for match in (*wanted, *doubted)}.values())
    return sorted(wanted, key=lambda m: (-m.confidence, m.offset))


def combined_suspicion(matches: list[Match]) -> float:
    """Return 0-100: the chance that at least one statement would be challenged, if independent.

    A sentence counts once, by its highest confidence: 1 - product(1 - confidence).
    """
    worst: dict[tuple[int, int], int] = {}
    for match in matches:
        worst[match.sentence] = max(worst.get(match.sentence, 0), match.confidence)
    passed = 1.0
    for confidence in worst.values():
        passed *= 1 - confidence / 100
    return 100 * (1 - passed)


def fingerprint(text: str, match: Match) -> str:
    """Return what makes a finding the same finding: kind, folded sentence and contradiction.

    "Unsupported" is no news to whoever was told before that only words speak, so it does not make
    a new finding; what a tool printed against the statement does.
    """
    sentence = fold_phrase(text[match.sentence[0] : match.sentence[1]])
    news = CONTRADICTED if match.verdict and match.verdict.status == CONTRADICTED else ""
    return digest(f"{match.kind}\n{sentence}\n{news}".encode("utf-8", "replace"))


def prompt_key(event: Event) -> str:
    """Return what the number of blocks is counted by: the prompt and the agent."""
    key = f"{event.prompt_id}/{event.agent_id}"
    return key if len(key) <= _LONGEST_KEY else f"{digest(key.encode('utf-8', 'replace'))}/"


def was_sent_back(text: str, calls: int, memory: Memory) -> bool:
    """Tell whether this very message was blocked before, with as many tool calls in its turn.

    So it is when two copies of the hook are registered; what was just blocked is not restated then.
    """
    return _message_mark(text, calls) in memory.sent


def _message_mark(text: str, calls: int) -> str:
    return digest(f"message\n{calls}\n{text}".encode("utf-8", "replace"))


def restated_claims(memory: Memory, event: Event, calls: int) -> tuple[frozenset[str], ...]:
    """Return the blocked claims of this prompt since which no tool was called."""
    key = prompt_key(event)
    return tuple(
        frozenset(words)
        for prompt, before, words in memory.claims
        if prompt == key and before == calls
    )


def blocks_spent(memory: Memory, key: str) -> int:
    """Return how often the turn of this prompt was stopped."""
    return dict(memory.blocks).get(key, 0)


def exemption(situation: Situation, settings: Settings) -> str:
    """Return why this turn is never stopped, or ""."""
    event = situation.event
    mode = mode_of(event, settings)
    if mode != "enforce":
        return f"mode is {mode}"
    if event.permission_mode == "plan":
        return "plan mode"
    if why := no_response(situation):
        return why
    if situation.partial:
        return "not all of the turn was read"
    if event.background and awaits_result(event.background):
        return "background work is still running"
    return ""


def no_response(situation: Situation) -> str:
    """Return why the message answers nobody, or ""."""
    event = situation.event
    if event.name == SUBAGENT_STOP and not event.agent_type:
        return "internal agent"
    if event.agent_type in _COMPACTION_TYPES or _COMPACTION_PROMPT in situation.prompt.lower():
        return "a compaction summary"
    return ""


def mode_of(event: Event, settings: Settings) -> str:
    """Return the mode of a turn; those of sub-agents have their own."""
    if event.name != SUBAGENT_STOP or settings.mode != "enforce":
        return settings.mode
    return "enforce" if event.agent_type in settings.subagents.enforce else settings.subagents.mode


def without_faint_companions(matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """Return the matches without everyday words of sentences that say more by other words."""
    told = {match.sentence for match in matches if match.marker.strength != FAINT}
    return tuple(
        match for match in matches if match.marker.strength != FAINT or match.sentence not in told
    )


def blockable(matches: tuple[Match, ...], situation: Situation) -> tuple[Match, ...]:
    """Return the matches without guesses that the user asked for, or that come with an offer.

    These are reported and never sent back, with all that stands in their sentence. Of a message
    that discloses what it lacks, guesses are left and what the turn's tools deny: its reader knows.
    """
    if situation.discloses:
        matches = tuple(
            match
            for match in matches
            if match.accuser
            or match.kind in _GUESSES
            or not match.verdict
            or match.verdict.status == CONTRADICTED
        )
    spared = {
        match.sentence
        for match in matches
        if match.context == OFFERED
        or (situation.asks_opinion and match.kind == "speculation_language")
    }
    return tuple(
        match.replace(accuser="") if match.accuser in situation.lost else match
        for match in matches
        if match.sentence not in spared
    )


def _remember(
    memory: Memory, key: str, spent: int, new: dict[str, Match], text: str, calls: int
) -> Memory:
    from groundwire.language.safe import without_secrets
    from groundwire.verdict.disclosures import content_words  # few turns are stopped

    blocks = {**dict(memory.blocks), key: spent}
    said = sorted({without_secrets(text[slice(*m.sentence)]) for m in new.values()})
    words = [content_words(fold_phrase(sentence[:_LONGEST_CLAIM])) for sentence in said]
    claims = tuple((key, calls, tuple(sorted(it))) for it in words)
    return memory.replace(
        blocks=tuple(blocks.items())[-MOST_REMEMBERED:],
        claims=(*(c for c in memory.claims if c[0] == key), *claims)[-MOST_REMEMBERED:],
    )
