"""What an uninstalled groundwire leaves behind, and removing it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from groundwire.base.extras import extras
from groundwire.base.paths import cache_folder, config_folder, state_folder
from groundwire.commands.settings_file import BACKUP

_OWN = "groundwire"


def purgeable(env: Mapping[str, str], settings: Path) -> list[Path]:
    """Return what ``purge`` removes, as far as it may."""
    return [*_own_folders(env), *_backups(settings)]


def kept_folders(env: Mapping[str, str]) -> list[tuple[Path, str]]:
    """Return the folders that stay, and what each holds, where they exist."""
    kept = [(config_folder(env), "your own settings")]
    kept += [folder(env) for folder in extras("kept_folders").values()]
    return [(path, what) for name, what in kept for path in _existing(name)]


def purge(
    env: Mapping[str, str], settings: Path, dry_run: bool = False
) -> tuple[list[Path], list[str]]:
    """Remove state, cache and the backups of a settings file; return them, and what was left.

    A folder that was moved elsewhere by a variable and is not called ``groundwire`` may hold other
    things, so it is left. A dry run only returns what would be.
    """
    removed, left = [], []
    for folder in _own_folders(env):
        if folder.name != _OWN or folder.is_symlink():
            left.append(f"{folder}: not called {_OWN}, so it may hold other things")
            continue
        try:
            if not dry_run:
                shutil.rmtree(folder)
        except OSError as error:
            left.append(f"{folder}: {error.strerror}")
        else:
            removed.append(folder)
    for backup in _backups(settings):
        if not dry_run:
            backup.unlink(missing_ok=True)
        removed.append(backup)
    return removed, left


def _own_folders(env: Mapping[str, str]) -> list[Path]:
    """Return the state and the cache folder, where they exist."""
    return _existing(state_folder(env), cache_folder(env))


def _backups(settings: Path) -> list[Path]:
    """Return the copies of a settings file that install and uninstall have made."""
    target = Path(os.path.realpath(settings))
    return sorted(target.parent.glob(f"{target.name}{BACKUP}*"))


def _existing(*folders: str | None) -> list[Path]:
    return [Path(folder) for folder in folders if folder and os.path.isdir(folder)]
