"""Votes of the user on what accusers said: three of "wrong" in a row take the right to stop."""

from __future__ import annotations

import os

from groundwire.base.paths import state_folder
from groundwire.hook.second_look_state import WRONGS, votes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_FOLDER = "accusers"


def accuser_folder(env: Mapping[str, str]) -> str | None:
    """Return the folder of the votes; None without a home."""
    folder = state_folder(env)
    return os.path.join(folder, _FOLDER) if folder else None


def lost_rights(env: Mapping[str, str], names: Iterable[str]) -> frozenset[str]:
    """Return which of these accusers lost the right to stop on this machine; never raises."""
    folder = accuser_folder(env)
    if folder is None or not os.path.isdir(folder):
        return frozenset()
    return frozenset(name for name in names if votes_of(folder, name).row >= WRONGS)
