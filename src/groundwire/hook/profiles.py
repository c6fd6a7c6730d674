"""Profiles: other thresholds, mode or kinds for some agents, models, hosts or projects.

Loaded only where the settings have any.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase

from groundwire.base.settings import CLAUDE_CODE, Profile, Settings
from groundwire.inputs.event import SUBAGENT_STOP
from groundwire.inputs.git_objects import open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from groundwire.inputs.event import Event

FACTS = ("agent", "model", "host", "project")
#: The agent of a turn that is no sub-agent's.
MAIN = "main"
#: Bytes at the end of a transcript in which the answer, and with it the model, stands.
_TAIL = 1 << 18
_MODEL = re.compile(rb'"model": ?"([^"<>]{1,100})"')


def turn_facts(event: Event, raw: Mapping[str, Any], folder: str) -> dict[str, str]:
    """Return what profiles are matched by, of the turn that ``event`` ends."""
    agent = event.agent_type if event.name == SUBAGENT_STOP else MAIN
    given = raw.get("model")
    model = given if isinstance(given, str) else _model(event.transcript_path)
    host = event.host or CLAUDE_CODE
    return {"agent": agent, "model": model, "host": host, "project": folder}


def matching(settings: Settings, facts: Mapping[str, str]) -> list[int]:
    """Return the positions of the profiles that hold; what is not known fits no pattern."""
    return [at for at, one in enumerate(settings.profiles) if _is_matching(one, facts)]


def profiled(settings: Settings, facts: Mapping[str, str]) -> Settings:
    """Return the settings for a turn of which these ``facts`` are known.

    All profiles that fit hold, each over those before it. A mode holds for sub-agents, too, when
    the turn is one's.
    """
    agent = facts.get("agent", "")
    for at in matching(settings, facts):
        profile = settings.profiles[at]
        kinds = dict.fromkeys(settings.kinds_off, False) | dict(profile.kinds)
        settings = settings.replace(
            thresholds=settings.thresholds.replace(**dict(profile.thresholds)),
            kinds_off=tuple(sorted(kind for kind, on in kinds.items() if not on)),
        )
        if profile.mode:
            settings = settings.replace(mode=profile.mode)
            if agent not in ("", MAIN):
                settings = settings.replace(
                    subagents=settings.subagents.replace(mode=profile.mode, enforce=())
                )
    return settings


def _is_matching(profile: Profile, facts: Mapping[str, str]) -> bool:
    return all(_is_like(facts.get(name, ""), name, pattern) for name, pattern in profile.match)


def _is_like(value: str, name: str, pattern: str) -> bool:
    if name == "project":
        home = os.path.expanduser(pattern)
        last = os.path.basename(value.rstrip("/"))
        return bool(value) and (fnmatchcase(value, home) or fnmatchcase(last, pattern))
    return bool(value) and fnmatchcase(value, pattern)


def _model(transcript: str) -> str:
    """Return the model that wrote last in a transcript; "" when that cannot be told."""
    try:
        with open(open_regular(transcript), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL))
            found = _MODEL.findall(file.read())
    except (OSError, ValueError):
        return ""
    return found[-1].decode("utf-8", "replace") if found else ""
