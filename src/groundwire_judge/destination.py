"""What a judge is sent and where that goes, in one line for a person."""

from __future__ import annotations

from groundwire.base.settings import CLAUDE_CODE, Settings
from groundwire_judge.request import MODELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from groundwire.base.settings import Judge

_WHEN = {
    "unsure": "of turns whose confidence lies in the band",
    "claims": "of turns that did something and claim something",
    "always": "of every turn that states something",
}


def destination(judge: Judge, env: Mapping[str, str]) -> str:
    """Return what leaves the machine by ``judge`` and where it goes; ``env`` holds addresses."""
    if judge.when == "off":
        return "judge: off, nothing is sent"
    model = judge.model or MODELS[judge.provider]
    if judge.provider == CLAUDE_CODE:
        where = "to where the command claude sends its requests"
    else:
        from groundwire_judge.providers import ADDRESSES  # settings are loaded with pydantic

        address = judge.base_url or env.get(ADDRESSES[judge.provider], "")
        where = f"to {address}" if address else f"to the API of {judge.provider}"
    masked = "secrets masked" if judge.redact else "secrets NOT masked"
    return (
        f"judge: a digest {_WHEN[judge.when]} goes {where} ({model}), up to {judge.characters} "
        f"characters of prompt, commands, results and message, {masked}"
    )


def config_note(settings: Settings, env: Mapping[str, str]) -> str:
    """Return the line that ``groundwire config show`` begins with."""
    return destination(settings.judge, env)
