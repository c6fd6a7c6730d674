"""What holds between a change of the settings and the end of their compilation."""

from __future__ import annotations

from groundwire.model import REPORT
from groundwire.settings import MODES, SHIPPED
from groundwire.state.compiled import Compiled
from groundwire.state.compiled_file import last_good
from groundwire.state.paths import config_folder
from groundwire.state.sources import PREFIX, PROJECT, TRUST, find_sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def meanwhile(env: Mapping[str, str], folder: str) -> tuple[Compiled, str]:
    """Return the last good settings of ``folder``, the shipped ones without any, and a note.

    The mode is the one that the user asks for now, where that is less than what is shipped.
    """
    mode = plain_mode(env, folder)
    last, what = last_good(env, folder), "last"
    if last is None:
        last, what = Compiled(), "shipped"
    elif mode == SHIPPED.mode:
        mode = last.settings.mode
    note = f"settings are not compiled yet; the {what} ones were used: {mode}"
    return last.replace(settings=last.settings.replace(mode=mode)), note


def plain_mode(env: Mapping[str, str], folder: str) -> str:
    """Return the mode that the user's files and variables ask for, read as they stand.

    For settings that cannot be compiled: "report" when they cannot be read either, since nobody is
    to be stopped by settings that may not be theirs.
    """
    import tomllib  # takes time, and is not needed as a rule

    mode: object = SHIPPED.mode if config_folder(env) else REPORT
    for source in find_sources(env, folder):
        if source.layer in (PROJECT, TRUST):
            continue
        try:
            mode = tomllib.loads(source.data.decode("utf-8-sig")).get("mode", mode)
        except (ValueError, RecursionError):
            mode = REPORT
    mode = env.get(f"{PREFIX}MODE") or mode
    return mode if isinstance(mode, str) and mode in MODES else REPORT
