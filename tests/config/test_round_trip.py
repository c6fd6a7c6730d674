"""Settings written down and read again are the same settings."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groundwire.config.convert import from_settings
from groundwire.config.dump import to_toml
from groundwire.config.load import Loaded, merge, resolve
from groundwire.config.names import Names
from groundwire.config.schema import WeightsTable
from groundwire.model import KINDS, STRENGTHS
from groundwire.rules.weights import FEATURES
from groundwire.settings import MODES, SHIPPED
from groundwire.state.sources import USER, Source

IDS = ("spec.i-think", "cert.clearly", "with space", 'quote"d', "\u00fc")
AGENT_TYPES = ("planner", "qa_lead", "\u00fc")
FILTERS = ("question", "quotation")
WEIGHTS = tuple(WeightsTable.model_fields)

texts = st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip)
percents = st.integers(0, 100)


def table(names: tuple[str, ...], values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(st.sampled_from(names), values)


entries = st.one_of(
    st.fixed_dictionaries({"marker": st.sampled_from(IDS), "reason": texts}),
    st.fixed_dictionaries({"phrase": texts, "reason": texts}),
)
documents = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(MODES),
        "notify": st.booleans(),
        "blocks_per_prompt": st.integers(0, 20),
        "thresholds": table(("report", "block", "words_block", "doubt", "message_block"), percents),
        "weights": table(WEIGHTS, st.one_of(st.integers(0, 100), st.floats(0, 100))),
        "strengths": table(STRENGTHS, st.floats(0, 1, exclude_min=True, exclude_max=True)),
        "features": table(tuple(FEATURES), st.one_of(st.integers(-10, 10), st.floats(-10, 10))),
        "kinds": table(KINDS, st.booleans()),
        "markers": table(IDS, st.booleans()),
        "filters": table(FILTERS, st.booleans()),
        "allow": st.lists(entries, max_size=3),
        "subagents": st.fixed_dictionaries({"enforce": st.lists(texts, max_size=3)}),
        "log": st.fixed_dictionaries({}, optional={"enabled": st.booleans()}),
        "advisory": st.fixed_dictionaries(
            {},
            optional={
                "threshold": st.floats(0.5, 0.9),
                "required": st.lists(texts, max_size=3),
            },
        ),
        "reinforcement": st.fixed_dictionaries(
            {},
            optional={
                "alpha": st.floats(0.1, 0.3),
                "pattern_weight": st.integers(0, 1),
                "apply_milestone_boost": st.booleans(),
                "content_suffixes": st.lists(st.sampled_from([".md", ".txt"]), max_size=2),
            },
        ),
        "judge": st.fixed_dictionaries(
            {},
            optional={
                "when": st.sampled_from(["off", "unsure", "claims", "always"]),
                "may": st.sampled_from(["advise", "clear", "decide"]),
                "band": st.lists(st.integers(0, 100), min_size=2, max_size=2).map(sorted),
                "cost_per_day": st.one_of(st.integers(0, 9), st.floats(0, 9)),
                "redact": st.booleans(),
                "join": table(("base", "judge"), st.floats(-10, 10)),
                "base_url": st.sampled_from(["", "http://127.0.0.1:1/v1"]),
                "prices": table(("openai/gpt-4", "azure/a b"), st.floats(0, 1000)),
            },
        ),
        "composite": st.fixed_dictionaries(
            {},
            optional={
                "enabled": st.booleans(),
                "negators": st.lists(texts, max_size=2),
                "thresholds": table(AGENT_TYPES, st.floats(0, 1)),
                "agents": st.dictionaries(texts, st.sampled_from(AGENT_TYPES), max_size=3),
            },
        ),
    },
)


def read(text: str) -> Loaded:
    source = Source(USER, "/settings.toml", text.encode("utf-8"))
    return resolve([source], {}, names=lambda _folders: Names(IDS, FILTERS))


@given(documents)
def test_loading_what_is_shown_changes_nothing(document: dict[str, Any]) -> None:
    assert tomllib.loads(to_toml(document)) == document
    first = read(to_toml(document))
    assert first.errors == ()
    shown = to_toml(first.document, dict.fromkeys(first.origins, "a comment"))
    second = read(shown)
    assert (second.errors, second.settings) == ((), first.settings)
    assert to_toml(second.document) == to_toml(first.document)
    again = read(to_toml(from_settings(first.settings)))
    assert (again.errors, again.settings) == ((), first.settings)


@given(documents, documents, documents)
def test_merging_is_associative(a: dict[str, Any], b: dict[str, Any], c: dict[str, Any]) -> None:
    assert merge(merge(a, b), c) == merge(a, merge(b, c))
    assert merge(from_settings(SHIPPED), {}) == from_settings(SHIPPED)
