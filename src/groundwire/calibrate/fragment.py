"""Fitted settings as a piece of a settings file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundwire.calibrate.thresholds import RULES, Proposal
from groundwire.config.convert import from_settings
from groundwire.config.dump import to_toml
from groundwire.config.words import KeyPath
from groundwire.settings import Settings

_FITTED = ("weights", "strengths", "verdicts", "context")


def fragment(settings: Settings, proposal: Proposal | None, heading: Sequence[str]) -> str:
    """Return TOML with the fitted numbers and the proposed thresholds; ``heading`` as comments."""
    document = from_settings(settings)
    tables: dict[str, Any] = {name: document[name] for name in _FITTED}
    comments: dict[KeyPath, str] = {}
    if proposal:
        tables["thresholds"] = {rule: getattr(proposal.thresholds, rule) for rule in RULES}
        for rule, share in zip(RULES, proposal.alone, strict=True):
            comments["thresholds", rule] = f"{share.hits} of {share.count} turns are flagged"
    lines = "".join(f"# {line}\n" for line in heading)
    return f"{lines}\n{to_toml(tables, comments)}"
