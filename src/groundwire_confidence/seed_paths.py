"""Thin scripts at the paths that callers of requirement groups 000 and 002 know.

They hold no logic: the first starts the calculator with the interpreter that groundwire is
installed for, the others make ``from app.agents.nodes import calculate_confidence_node``,
``from app.agents.state import AgentState`` and ``from app.models.config import FormulaWeights``
work in a Python that has groundwire and this folder in its path.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from groundwire.base.errors import InstallError
from groundwire.base.paths import home_folder
from groundwire.hook.entry import current_entry

#: By this line a file is known as ours, in every version.
MARK = "# Made by `groundwire install --seed-paths`; `groundwire uninstall` removes it."


def seed_folder(env: Mapping[str, str]) -> Path | None:
    """Return the folder of the scripts, ``~/.claude/validation``; None without a home."""
    home = home_folder(env)
    return Path(home) / ".claude" / "validation" if home else None


def write_seed_paths(env: Mapping[str, str], dry_run: bool = False) -> list[Path]:
    """Write the scripts and return them; raises InstallError where another file is in the way.

    A dry run only returns them.
    """
    folder = seed_folder(env)
    if folder is None:
        raise InstallError("HOME is not set, so there is no ~/.claude/validation")
    written = []
    for name, template in _templates().items():
        path = folder / name
        try:
            if path.exists() and not _is_ours(path):
                raise InstallError(f"{path}: not made by groundwire; move it away first")
            if not dry_run:
                path.parent.mkdir(parents=True, exist_ok=True)
                text = template.format(interpreter=current_entry().interpreter)
                path.write_text(f"{MARK}\n{text}", encoding="utf-8")
        except OSError as error:
            raise InstallError(f"{path}: {error.strerror}") from None
        written.append(path)
    return written


def remove_seed_paths(env: Mapping[str, str], dry_run: bool = False) -> list[Path]:
    """Remove our scripts with the folders that they leave empty; return the scripts.

    A dry run only returns them.
    """
    folder = seed_folder(env)
    removed = []
    for name in _templates() if folder else ():
        path = Path(folder or "") / name
        if not (path.is_file() and _is_ours(path)):
            continue
        removed.append(path)
        if dry_run:
            continue
        path.unlink()
        cache = path.parent / "__pycache__"
        for compiled in cache.glob(f"{path.stem}.*.pyc"):
            compiled.unlink(missing_ok=True)
        for parent in (cache, *path.parents):
            try:
                parent.rmdir()
            except FileNotFoundError:
                continue
            except OSError:  # something else is in it
                break
            if parent == folder:
                break
    return removed


def _templates() -> dict[str, str]:
    return tomllib.loads(
        files("groundwire_confidence").joinpath("seed_paths.toml").read_text("utf-8")
    )


def _is_ours(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return file.readline().rstrip("\n") == MARK
    except (OSError, ValueError):
        return False
