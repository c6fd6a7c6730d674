"""What can be configured, as plain records; their defaults are the shipped configuration.

``config/schema.py`` checks a user's files against these and builds the same records.
"""

from __future__ import annotations

from groundwire.base.record import Record

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
    """Confidences (0-100, inclusive) from which something happens.

    ``block`` and ``words_block`` stop a turn by one statement, of a turn and of bare text.
    Statements from ``doubt`` on count together against ``message_block``.
    """

    report: int = 50
    block: int = 64
    words_block: int = 90
    doubt: int = 35
    message_block: int = 64


class Weights(Record):
    """One multiplier per factor of bare text; 0 switches the factor off."""

    pattern_strength: float = 1.0
    text_length: float = 1.0
    evidence_proximity: float = 1.0
    context_density: float = 1.0
    category_stacking: float = 1.0
    context: float = 1.0


class Strengths(Record):
    """Prior probability, between 0 and 1, that a marker of this strength is a real finding.

    ``faint`` is for everyday words of claims ("all", "now"): they neither gain from other matches
    nor lend them anything, so only evidence against them brings them up.
    """

    faint: float = 0.35
    weak: float = 0.65
    medium: float = 0.7
    strong: float = 0.75
    certainty: float = 0.35


class Context(Record):
    """Value of ``context`` (logits) for milder uses: legitimate use likely, and a mere plan."""

    legitimate: float = -1.3
    plan: float = -1.74


class Bare(Record):
    """When bare text is short and when long; the value of ``evidence_proximity`` in logits."""

    short_words: int = 40
    long_words: int = 200
    nearby: float = -0.9


class Allow(Record):
    """One allowlist entry: a whole phrase or an exact marker id, with the reason for it."""

    reason: str
    marker: str = ""
    phrase: str = ""


class Subagents(Record):
    """How SubagentStop is treated: a mode for all, and agent types that are enforced anyway."""

    mode: str = "report"
    enforce: tuple[str, ...] = ()


class Advisory(Record):
    """The advisory confidence of answers made from retrieved passages (``confidence/advisory.py``).

    ``high_relevance`` and ``medium_relevance`` are similarities; ``required`` and ``optional`` the
    fields of a whole response.
    """

    threshold: float = 0.7
    high_relevance: float = 0.8
    medium_relevance: float = 0.6
    required: tuple[str, ...] = ("summary", "confidence")
    optional: tuple[str, ...] = ("market_context",)


class Reinforcement(Record):
    """The confidence that compounds with evidence (``confidence/reinforcement.py``).

    ``enabled`` keeps one for each session in the hook.
    ``alpha`` and ``delta`` are gain and decay of a step; ``pattern_weight`` and ``category_bonus``
    what file patterns and further categories add; new files with other suffixes than
    ``content_suffixes`` lose confidence.
    """

    enabled: bool = False
    alpha: float = 0.2
    delta: float = 0.1
    pattern_weight: float = 0.02
    category_bonus: float = 0.0
    apply_milestone_boost: bool = False
    content_suffixes: tuple[str, ...] = (".md",)


class Join(Record):
    """Weights of both models in one logit, where the judge may decide (``judge/join.py``).

    ``unmarked`` stands for the linear logit of a sentence without any marker.
    """

    base: float = 1.0
    linear: float = 0.15
    judge: float = 2.2
    unmarked: float = -9.9


class Judge(Record):
    """The second look: a language model is shown a digest of the turn.

    ``run`` is "after" the end of the turn, where nobody waits, or "before" it. Afterwards a finding
    with a probability from ``wake`` on wakes the model, and one from ``note`` on is told to the
    user. With "before", ``when`` is how often it is asked, ``may`` what its answer changes.
    ``band``: with "unsure" it is asked when the highest confidence of the turn lies from the first
    to the second of these.
    ``stop``: with "decide" a statement stops the turn from this joined confidence on, by the
    weights of ``join``; ``clear_below``: with "clear" a probability below it lifts a stop.
    ``model`` and ``base_url`` "" mean the provider's own; ``budget_ms`` is for everything, the
    start of a process included. ``keep_digests``: how many of the last digests stay on this machine
    for the page of a decision. ``prices`` are dollars of one request by "provider/model".
    """

    when: str = "off"
    run: str = "after"
    wake: int = 65
    note: int = 60
    wakes_per_hour: int = 6
    may: str = "advise"
    band: tuple[int, int] = (20, 60)
    clear_below: int = 10
    stop: int = 53
    provider: str = "claude-code"
    model: str = ""
    base_url: str = ""
    budget_ms: int = 12_000
    characters: int = 24_000
    redact: bool = True
    keep_digests: int = 200
    calls_per_day: int = 200
    cost_per_day: float = 1.0
    join: Join = Join()
    prices: tuple[tuple[str, float], ...] = ()


class Log(Record):
    """The decision log: kept files of at most ``max_bytes`` each; and texts of scored answers."""

    enabled: bool = True
    max_bytes: int = 5_000_000
    keep: int = 3
    retain_answers: bool = False


class Limits(Record):
    """What a turn may cost: milliseconds of CPU time, after which the rest goes unchecked."""

    cpu_ms: int = 1_500


class Composite(Record):
    """The composite confidence of an agent's responses, 0-1 (``confidence/composite.py``).

    ``agents`` maps the agent types of hook events (``default``: the main agent) to those of
    ``thresholds``. ``history`` is the folder of the day files; ``~`` is the home folder. A
    certainty word right behind one of the ``negators`` does not count.
    """

    enabled: bool = False
    may_block: bool = False
    default_threshold: float = 0.75
    lookback_hours: int = 24
    min_history: int = 0
    missing_factors: str = "renormalise"
    negators: tuple[str, ...] = ()
    history: str = "~/.claude/validation/history"
    retention_days: int = 90
    thresholds: tuple[tuple[str, float], ...] = (
        ("planner", 0.75),
        ("patcher", 0.80),
        ("validator", 0.85),
        ("dgts_enforcer", 0.90),
        ("clerk", 0.70),
    )
    agents: tuple[tuple[str, str], ...] = ()


class Profile(Record):
    """What some turns have in place of the settings: those that fit all patterns of ``match``."""

    match: tuple[tuple[str, str], ...] = ()
    mode: str = ""
    thresholds: tuple[tuple[str, int], ...] = ()
    kinds: tuple[tuple[str, bool], ...] = ()


class Settings(Record):
    """All settings of one run.

    ``features`` are weights in logits, by feature, in place of those of ``model/weights.toml``.
    """

    mode: str = "enforce"
    notify: bool = False
    framing: bool = True
    labels: bool = False
    blocks_per_prompt: int = 2
    thresholds: Thresholds = Thresholds()
    weights: Weights = Weights()
    strengths: Strengths = Strengths()
    context: Context = Context()
    bare: Bare = Bare()
    features: tuple[tuple[str, float], ...] = ()
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
