"""The compiled settings of a folder, as the hook reads them; ``compiled_file`` keeps them ready."""

from __future__ import annotations

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
    after ten minutes. ``steps`` are what extras do with a turn, as (group, ``module:function``).
    """

    settings: Settings = SHIPPED
    rules: RuleSet | None = None
    error: str = ""
    warnings: tuple[str, ...] = ()
    folders: tuple[tuple[str, str], ...] = ()
    transient: bool = False
    steps: tuple[tuple[str, str], ...] = ()


def settings_key(env: Mapping[str, str], cwd: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the key of the configuration for ``cwd`` and the files that it comes from.

    None when nothing is customised: the shipped settings and rule set hold.
    """
    sources = find_sources(env, cwd)
    key = key_of(sources, env)
    return None if key is None else (key, tuple(source.path for source in sources))
