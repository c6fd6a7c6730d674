"""The configuration that holds for a folder, in the form that the hook reads.

Most have none of their own: then nothing is read but a few names. ``compiled_file.py`` keeps the
others ready in files.
"""

from __future__ import annotations

from groundwire.base.paths import config_folder
from groundwire.base.record import Record
from groundwire.base.rules import RuleSet
from groundwire.base.settings import SHIPPED, Settings
from groundwire.hook.sources import find_sources, key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Compiled(Record):
    """A configuration ready for use.

    ``rules`` is None when the shipped rule set is unchanged. With an ``error``, ``settings`` are
    the shipped ones and nothing is checked. ``folders`` are the pattern folders it depends on with
    their digests. ``transient`` marks an error that is no fault of the settings; it is tried again
    after ten minutes.
    """

    settings: Settings = SHIPPED
    rules: RuleSet | None = None
    error: str = ""
    warnings: tuple[str, ...] = ()
    folders: tuple[tuple[str, str], ...] = ()
    transient: bool = False


def settings_key(env: Mapping[str, str], cwd: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the key of the configuration for ``cwd`` and the files that it comes from.

    None when nothing is customised: the shipped settings and rule set hold.
    """
    sources = find_sources(env, cwd)
    key = key_of(sources, env)
    return None if key is None else (key, tuple(source.path for source in sources))


def ensure_compiled(env: Mapping[str, str], cwd: str, wait: float) -> Compiled | None:
    """Return the configuration for ``cwd``; compile it in a process of its own if it is not cached.

    Waits at most ``wait`` seconds for that process, which goes on afterwards. Without settings of
    its own a project gets the shipped ones. None when cache or settings cannot be had (yet).
    """
    key_and_files = settings_key(env, cwd)
    if key_and_files is None:
        return Compiled() if config_folder(env) else None
    from groundwire.hook.compiled_file import cached_or_compiled

    return cached_or_compiled(env, cwd, key_and_files[0], wait)
