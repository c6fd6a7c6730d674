"""What can be configured: every setting with its default, what it may be, and what it does.

``settings/schema.py`` makes of these records what checks a user's files. ``Annotated`` says what a
value may be: the lowest and the highest number, the texts to choose from, or the name of a type in
``settings/values.py``. The comment above a field is its description in the JSON schema. The hook
reads only the values.
"""

from __future__ import annotations

from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Annotated

MODES = ("enforce", "report", "off")
OFF = "off"
#: When a judge is asked about a turn, and what its answer may change.
JUDGE_WHEN = ("off", "unsure", "claims", "always")
JUDGE_MAY = ("advise", "clear", "decide")
#: Whether the judge looks at a message behind the end of its turn, or before it.
JUDGE_RUN = ("after", "before")
AFTER, BEFORE = JUDGE_RUN
#: The judge that is the user's own client.
CLAUDE_CODE = "claude-code"
#: What a missing factor of the composite confidence counts as: nothing (the others make up the
#: whole), 0, or 0.5.
MISSING_FACTORS = ("renormalise", "zero", "neutral")


class Thresholds(Record):
    """Confidences (0 to 100) from which something happens.

    A turn with a transcript is stopped by a fact (``model/accusers.toml``), where nothing else is
    said.
    """

    #: Matches with at least this confidence are reported.
    report: Annotated[int, 0, 100] = 50
    #: One statement about a turn with at least this confidence blocks; 101: none does, only facts
    #: do. At 64 about 55 of 100 such stops were wrong.
    stop_from: Annotated[int, 0, 101] = 101
    #: The same for a message without a transcript.
    words_block: Annotated[int, 0, 100] = 90
    #: Statements about a turn with at least this confidence count together.
    doubt: Annotated[int, 0, 100] = 35
    #: Their combined confidence that blocks, where `stop_from` is not 101.
    message_block: Annotated[int, 0, 100] = 64


class Weights(Record):
    """One multiplier per factor; 0 switches the factor off.

    They are those of bare text. Beyond 100 a weight would decide alone, and far beyond it a
    contribution is no number any more.
    """

    pattern_strength: Annotated[float, 0, 100] = 1.0
    text_length: Annotated[float, 0, 100] = 1.0
    evidence_proximity: Annotated[float, 0, 100] = 1.0
    context_density: Annotated[float, 0, 100] = 1.0
    category_stacking: Annotated[float, 0, 100] = 1.0
    context: Annotated[float, 0, 100] = 1.0


class Strengths(Record):
    """Prior probability that a marker of this strength is a real finding.

    ``faint`` is for everyday words of claims ("all", "now"): they neither gain from other matches
    nor lend them anything, so only evidence against them brings them up.
    """

    faint: Annotated[float, "Between"] = 0.35
    weak: Annotated[float, "Between"] = 0.65
    medium: Annotated[float, "Between"] = 0.7
    strong: Annotated[float, "Between"] = 0.75
    certainty: Annotated[float, "Between"] = 0.35


class Context(Record):
    """Value of context, in logits, for milder uses."""

    legitimate: Annotated[float, -10, 10] = -1.3
    plan: Annotated[float, -10, 10] = -1.74


class Bare(Record):
    """A message of which only the words are known."""

    #: Up to so many words it is short.
    short_words: Annotated[int, 1, 100_000] = 40
    #: From so many words on it is long.
    long_words: Annotated[int, 1, 100_000] = 200
    #: Value of evidence_proximity, with a file or an output nearby.
    nearby: Annotated[float, -10, 10] = -0.9


class Allow(Record):
    """One allowlist entry: a whole phrase or an exact marker id, with the reason for it."""

    reason: str
    marker: str = ""
    phrase: str = ""


class Subagents(Record):
    """How SubagentStop is treated."""

    mode: Annotated[str, MODES] = "report"
    #: Agent types that are enforced whatever the mode is.
    enforce: tuple[str, ...] = ()


#: Classes of sources and the domains that begin with one; all others are third parties.
_SOURCES = {
    "government": """gov mil gov.uk gov.au gov.br gov.in gov.sg govt.nz gc.ca gouv.fr bund.de
    admin.ch gv.at gob.es gob.mx gov.it gov.pl go.jp go.kr gov.cn europa.eu who.int un.org""",
    "regulatory": """sec.gov cftc.gov fda.gov fcc.gov ftc.gov federalreserve.gov fdic.gov finra.org
    fca.org.uk bankofengland.co.uk esma.europa.eu eba.europa.eu ecb.europa.eu ema.europa.eu bafin.de
    bundesbank.de amf-france.org finma.ch asic.gov.au rbi.org.in fsa.go.jp bis.org""",
    "market_data": """bloomberg.com reuters.com nasdaq.com nyse.com lseg.com euronext.com
    finance.yahoo.com marketwatch.com morningstar.com tradingview.com spglobal.com coingecko.com
    coinmarketcap.com""",
}


class Advisory(Record):
    """The advisory confidence of answers made from retrieved passages.

    ``groundwire_confidence/advisory`` computes it. Beyond its limits a ``threshold`` would lose its
    band.
    """

    #: In the hook: log the flag of each turn that retrieved something.
    enabled: bool = False
    #: Below it an answer is advisory only.
    threshold: Annotated[float, 0.5, 0.9] = 0.7
    #: Similarity from which a passage is highly relevant.
    high_relevance: Annotated[float, "Between"] = 0.8
    #: Similarity from which it is of medium relevance; below high_relevance.
    medium_relevance: Annotated[float, "Between"] = 0.6
    #: Fields that a response must have.
    required: tuple[str, ...] = ("summary", "confidence")
    #: Fields that a whole response has.
    optional: tuple[str, ...] = ("market_context",)
    #: Class of a source by its domain; the longest domain counts.
    domains: Annotated[tuple[tuple[str, str], ...], "Domains"] = tuple(
        (name, kind) for kind, names in _SOURCES.items() for name in names.split()
    )


class Reinforcement(Record):
    """The confidence that compounds with evidence.

    ``groundwire_confidence/reinforcement`` computes it.
    """

    #: Keep one for each session in the hook.
    enabled: bool = False
    #: Gain of a step.
    alpha: Annotated[float, 0.1, 0.3] = 0.2
    #: Decay of a step.
    delta: Annotated[float, 0.05, 0.15] = 0.1
    #: What a file pattern adds when its entry names no weight.
    pattern_weight: Annotated[float, 0, 1] = 0.02
    #: What each category of patterns beyond the first adds.
    category_bonus: Annotated[float, 0, 1] = 0.0
    #: Add the boost of the highest milestone that a session has reached.
    apply_milestone_boost: bool = False
    #: New files with other suffixes lose confidence.
    content_suffixes: Annotated[tuple[str, ...], "Suffixes"] = (".md",)


class Join(Record):
    """Weights of both models in one logit, where the judge may decide.

    ``groundwire_judge/applied.py`` adds them up.
    """

    base: Annotated[float, -10, 10] = 1.0
    #: Of the logit of groundwire's confidence.
    linear: Annotated[float, -10, 10] = 0.15
    #: Of the logit of the judge's probability.
    judge: Annotated[float, -10, 10] = 2.2
    #: Logit of groundwire's confidence for a sentence without a marker.
    unmarked: Annotated[float, -10, 10] = -9.9


class Judge(Record):
    """The second look: a language model is shown a digest of the turn, and its message.

    ``budget_ms`` is for everything, the start of a process included; beyond its limit Claude Code
    would end the hook of the plugin.
    """

    #: When it is asked; all but off sends a digest of the turn to the provider.
    when: Annotated[str, JUDGE_WHEN] = "off"
    #: after the end of the turn, where nobody waits, or before it.
    run: Annotated[str, JUDGE_RUN] = "after"
    #: After the turn: probability from which a finding wakes the model.
    wake: Annotated[int, 0, 100] = 65
    #: After the turn: probability from which a finding is told to the user.
    note: Annotated[int, 0, 100] = 60
    #: Wakes of all sessions within one hour, at most.
    wakes_per_hour: Annotated[int, 0, 100_000] = 6
    #: Before the end: advise only shows, clear lifts stops, decide also stops.
    may: Annotated[str, JUDGE_MAY] = "advise"
    #: With unsure: it is asked when the highest confidence lies in here.
    band: Annotated[tuple[int, int], "Band"] = (20, 60)
    #: With clear: a probability below this lifts a stop.
    clear_below: Annotated[int, 0, 100] = 10
    #: With decide: a statement stops the turn from this joined confidence on.
    stop: Annotated[int, 0, 100] = 53
    #: A key comes from the environment; claude-code needs none.
    provider: Annotated[str, "TurnProvider"] = CLAUDE_CODE
    #: The model, or the deployment.
    model: Annotated[str, "Model"] = ""
    #: Another address, such as that of a server on this machine.
    base_url: Annotated[str, "Address"] = ""
    #: Milliseconds that a turn waits for it.
    budget_ms: Annotated[int, 500, 15_000] = 12_000
    #: How long a digest may be.
    characters: Annotated[int, 2_000, 200_000] = 24_000
    #: Mask tokens, keys, passwords and mail addresses in what is sent.
    redact: bool = True
    #: Digests of the last turns kept on this machine, for the page of a decision.
    keep_digests: Annotated[int, 0, 100_000] = 200
    #: Requests on one day, at most.
    calls_per_day: Annotated[int, 0, 100_000] = 200
    #: Dollars on one day, at most.
    cost_per_day: Annotated[float, "ADay"] = 1.0
    join: Join = Join()
    #: Dollars of one request by "provider/model", over the shipped ones.
    prices: Annotated[tuple[tuple[str, float], ...], "Prices"] = ()


class Log(Record):
    """The decision log.

    Smaller files would be rotated all the time, larger ones are no use to anybody.
    """

    enabled: bool = True
    #: Size of one file.
    max_bytes: Annotated[int, 10_000, 1_000_000_000] = 5_000_000
    #: Number of files.
    keep: Annotated[int, 1, 100] = 3
    #: Keep what the admin server scores whole, not the first 80 characters of it.
    retain_answers: bool = False


class Limits(Record):
    """What a turn may cost."""

    #: CPU time after which the rest of a turn is not checked.
    cpu_ms: Annotated[int, 100, 60_000] = 1_500


class Composite(Record):
    """The composite confidence of an agent's responses.

    ``groundwire_confidence/composite`` computes it, from 0 to 1. The agent of ``agents`` that is
    called ``default`` is the main one.
    """

    #: Compute it for each turn in the hook.
    enabled: bool = False
    #: Stop a turn whose composite is below the threshold of its agent type.
    may_block: bool = False
    #: For agent types without a threshold of their own.
    default_threshold: Annotated[float, 0, 1] = 0.75
    #: How far agent history reaches back.
    lookback_hours: Annotated[int, "Hours"] = 24
    #: Agent history without runs is 0.5, which counts for so many of them.
    prior_runs: Annotated[int, 0, 10_000] = 2
    #: In the hook: the others make up the whole, or a missing one is 0 or 0.5.
    missing_factors: Annotated[str, MISSING_FACTORS] = "renormalise"
    #: Words in front of which a certainty word does not count, such as "not".
    negators: tuple[str, ...] = ()
    #: Folder of the history; ~ is the home.
    history: Annotated[str, "Text"] = "~/.claude/validation/history"
    #: Older day files are deleted.
    retention_days: Annotated[int, "Days"] = 90
    #: Threshold of each agent type.
    thresholds: Annotated[tuple[tuple[str, float], ...], "AgentThresholds"] = (
        ("planner", 0.75),
        ("patcher", 0.80),
        ("validator", 0.85),
        ("dgts_enforcer", 0.90),
        ("clerk", 0.70),
    )
    #: Agent type for each agent of Claude Code; default is the main one.
    agents: Annotated[tuple[tuple[str, str], ...], "AgentTypes"] = ()


class Profile(Record):
    """What some turns have in place of the settings: those that fit all patterns of ``match``."""

    match: tuple[tuple[str, str], ...] = ()
    mode: str = ""
    thresholds: tuple[tuple[str, int], ...] = ()
    kinds: tuple[tuple[str, bool], ...] = ()


class Settings(Record):
    """All settings of groundwire; every key may be left out.

    ``features`` are by name, in place of those of ``model/weights.toml``. The fields without
    ``Annotated`` that are no records have another form in a settings file
    (``settings/convert.py``).
    """

    #: enforce blocks, report only reports, off checks nothing.
    mode: Annotated[str, MODES] = "enforce"
    #: Tell the user about matches that do not block.
    notify: bool = False
    #: Tell the model at the start of a session what is checked.
    framing: bool = True
    #: Ask the model to label its statements: [VERIFIED: command], [INFERRED] ...
    labels: bool = False
    #: Blocks after one prompt, at most.
    blocks_per_prompt: Annotated[int, 0, 20] = 2
    thresholds: Thresholds = Thresholds()
    weights: Weights = Weights()
    strengths: Strengths = Strengths()
    #: Weights of features, in logits, instead of the shipped ones; 0: off.
    features: Annotated[tuple[tuple[str, float], ...], "Logits"] = ()
    context: Context = Context()
    bare: Bare = Bare()
    kinds_off: tuple[str, ...] = ()
    markers_off: tuple[str, ...] = ()
    filters_off: tuple[str, ...] = ()
    allow: tuple[Allow, ...] = ()
    pattern_folders: tuple[str, ...] = ()
    subagents: Subagents = Subagents()
    log: Log = Log()
    limits: Limits = Limits()
    composite: Composite = Composite()
    advisory: Advisory = Advisory()
    reinforcement: Reinforcement = Reinforcement()
    judge: Judge = Judge()
    profiles: tuple[Profile, ...] = ()


SHIPPED = Settings()
