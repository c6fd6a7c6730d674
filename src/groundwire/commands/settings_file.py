"""Claude Code's settings files: where they are, reading, changing, showing and backing up."""

from __future__ import annotations

import difflib
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NoReturn

import typer

from groundwire.base.errors import InstallError
from groundwire.base.paths import home_folder
from groundwire.base.record import Record

_NAMES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
_INDENT = re.compile(r"\n([ \t]+)\S")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def parse(text: str) -> dict[str, Any]:
    """Return the object of a JSON text. Raises InstallError with the line of a wrong character."""
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        hint = " (comments are not allowed)" if text[error.pos : error.pos + 1] == "/" else ""
        problem = f"line {error.lineno}: not valid JSON: {error.msg}{hint}"
        raise InstallError(problem) from None
    except RecursionError:
        raise InstallError("not valid JSON: nested too deeply") from None
    expect(value, dict, "the settings")
    return value  # type: ignore[no-any-return]


def expect(value: object, kind: type, name: str) -> None:
    """Raise InstallError for a value of another kind than ``kind``: ``dict`` or ``list``."""
    if not isinstance(value, kind):
        actual = "null" if value is None else _NAMES.get(type(value), "a number")
        raise InstallError(f"{name} must be {_NAMES[kind]}, not {actual}")


def edited(text: str, change: Callable[[dict[str, Any]], None]) -> str:
    """Return ``text`` after ``change`` of its object; the same text when nothing changes.

    The first indented line tells the indentation, which is two spaces when there is none. Raises
    InstallError.
    """
    value = parse(text)
    change(value)
    if value == parse(text):
        return text
    indent = _INDENT.search(text)
    # A lone surrogate can only be written as an escape.
    is_escaped = text.isascii() and "\x7f" not in text  # a writer that escapes does so with it, too
    ascii_only = is_escaped or bool(_SURROGATE.search(text))
    try:
        written = json.dumps(
            value, ensure_ascii=ascii_only, indent=indent[1] if indent else 2, allow_nan=False
        )
    except (RecursionError, ValueError) as error:
        raise InstallError(f"it cannot be written again: {error}") from None
    end = text[len(text.rstrip()) :]
    return (written.replace("\n", "\r\n") if "\r\n" in text else written) + end


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise InstallError(f'the key "{key}" stands twice in one object')
        members[key] = value
    return members


def _refuse(name: str) -> NoReturn:
    raise InstallError(f"not valid JSON: {name} is no JSON value")


#: What the name of a settings file gets for its backup.
BACKUP = ".groundwire-backup"
SCOPES = ("user", "project", "local")
_MANAGED = {
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
    "win32": "C:/Program Files/ClaudeCode/managed-settings.json",
}
_BOM = "\ufeff"


class Change(Record):
    """What becomes of a settings file; ``before`` is None when it does not exist."""

    path: Path
    before: str | None
    after: str
    needed: bool


def settings_path(scope: str, env: Mapping[str, str], folder: Path) -> Path:
    """The settings file of a scope; ``folder`` is the project's.

    Raises InstallError when the user's home is not known.
    """
    if scope == "user":
        home = home_folder(env)
        if env.get("CLAUDE_CONFIG_DIR"):
            return Path(env["CLAUDE_CONFIG_DIR"]) / "settings.json"
        if not home:
            raise InstallError("HOME is not set, so there are no user settings; use --project")
        return Path(home) / ".claude" / "settings.json"
    name = "settings.json" if scope == "project" else "settings.local.json"
    return folder / ".claude" / name


def read(path: Path) -> str | None:
    """The text of a settings file with its own line ends; None when there is none.

    Raises InstallError when it cannot be read or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InstallError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InstallError(f"{path}: byte {error.start} is not UTF-8") from None


def plan(path: Path, planner: Callable[[str], str]) -> Change:
    """Run a pure ``planner`` over a settings file; a missing or blank one is an empty object.

    Raises InstallError naming file and line.
    """
    before = read(path)
    mark = _BOM if (before or "").startswith(_BOM) else ""
    text = (before or "").removeprefix(_BOM)
    text = text if text.strip() else "{}\n"
    try:
        planned = planner(text)
    except InstallError as error:
        raise InstallError(f"{path}: {error}") from None
    return Change(path, before, mark + planned, planned != text)


def write(change: Change, private: bool = False, removal: Change | None = None) -> Path | None:
    """Back the file up, then replace it at once; returns the backup.

    None for a new file, and for one that install made, which ``removal``, what uninstalling would
    do, tells. A link stays a link, and the file keeps its mode bits, those of the owner only when
    it becomes ``private``. Raises InstallError when something is in the way, or when the file was
    changed since it was read.
    """
    target = Path(os.path.realpath(change.path))
    is_kept = change.before is not None and not (removal and _made_by_install(removal))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        backup = _back_up(target) if is_kept else None
        if read(target) != change.before:
            raise InstallError(f"{change.path}: it was changed meanwhile; run the command again")
        _replace(target, change.after.encode("utf-8"), 0o700 if private else 0o7777)
    except OSError as error:
        raise InstallError(f"{error.filename or change.path}: {error.strerror}") from None
    return backup


def remove_if_ours(change: Change, dry_run: bool = False) -> bool:
    """Remove a settings file that would be left empty and never had a backup: install made it.

    So goes the folder that it leaves empty. A dry run only tells whether. Raises InstallError.
    """
    if not _made_by_install(change):
        return False
    if dry_run:
        return True
    target = Path(os.path.realpath(change.path))
    try:
        if read(target) != change.before:
            raise InstallError(f"{change.path}: it was changed meanwhile; run the command again")
        target.unlink()
    except OSError as error:
        raise InstallError(f"{change.path}: {error.strerror}") from None
    with suppress(OSError):  # other files are in it
        target.parent.rmdir()
    return True


def _made_by_install(removal: Change) -> bool:
    target = Path(os.path.realpath(removal.path))
    empty = removal.needed and removal.after.removeprefix(_BOM).strip() in ("", "{}")
    backups = target.parent.glob(f"{target.name}{BACKUP}*")
    return empty and not removal.path.is_symlink() and not any(backups)


def _back_up(target: Path) -> Path:
    """Copy ``target`` beside itself under a name that is free, or find the same copy there."""
    content = target.read_bytes()
    number = 0
    while True:
        suffix = BACKUP + (f"-{number}" if number else "")
        backup = target.with_name(target.name + suffix)
        try:
            handle = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _mode(target))
        except FileExistsError:
            if backup.read_bytes() == content:
                return backup
            number += 1
            continue
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        return backup


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _replace(target: Path, content: bytes, allowed: int) -> None:
    if target.exists():
        mode = _mode(target)
    else:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            os.fsync(file.fileno())
        os.chmod(name, mode & allowed)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def obstacles(env: Mapping[str, str], folder: Path, url: str = "") -> list[str]:
    """What in the settings in force stands in the hook's way, a line each.

    ``url`` is the address of the resident server, when the hook is registered for it.
    """
    managed = Path(_MANAGED.get(sys.platform, "/etc/claude-code/managed-settings.json"))
    has_home = env.get("CLAUDE_CONFIG_DIR") or home_folder(env)
    scopes = ("local", "project", "user") if has_home else ("local", "project")
    files = [managed, *(settings_path(scope, env, folder) for scope in scopes)]
    contents = {path: _lenient(path) for path in files}
    lines = []
    # The first file that says anything about disableAllHooks wins.
    said = [path for path in files if isinstance(contents[path].get("disableAllHooks"), bool)]
    if said and contents[said[0]]["disableAllHooks"]:
        lines.append(f'{said[0]}: "disableAllHooks" is true, so no hook runs')
    for path, settings in contents.items():
        if settings.get("allowManagedHooksOnly") is True:
            lines.append(f'{path}: "allowManagedHooksOnly" is true, so only managed hooks run')
        if _plugin_enabled(settings.get("enabledPlugins")):
            lines.append(f"{path}: groundwire is enabled as a plugin, too; one of them is enough")
        lines += [f"{path}: {line}" for line in _http_obstacles(settings, url) if url]
    return lines


def _http_obstacles(settings: dict[str, Any], url: str) -> Iterator[str]:
    urls = settings.get("allowedHttpHookUrls")
    if isinstance(urls, list) and not any(fnmatchcase(url, str(one)) for one in urls):
        yield f'"allowedHttpHookUrls" does not allow {url}'


def _plugin_enabled(plugins: object) -> bool:
    return isinstance(plugins, dict) and any(
        name.split("@")[0] == "groundwire" and enabled is True for name, enabled in plugins.items()
    )


def _lenient(path: Path) -> dict[str, Any]:
    """The settings in ``path``; whatever cannot be read says nothing."""
    try:
        settings = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    return settings if isinstance(settings, dict) else {}


def carry_out(
    change: Change,
    dry_run: bool,
    done: str,
    unneeded: str,
    private: bool = False,
    removal: Change | None = None,
) -> None:
    """Print the difference or write it, and say which; ``removal`` is that of uninstalling."""
    if not change.needed:
        typer.echo(f"{unneeded} in {change.path}")
    elif dry_run:
        before = (change.before or "").splitlines(keepends=True)
        after = change.after.splitlines(keepends=True)
        name = str(change.path)
        typer.echo("".join(difflib.unified_diff(before, after, name, name)), nl=False)
    else:
        backup = write(change, private, removal)
        typer.echo(f"{done} in {change.path}")
        if backup:
            typer.echo(f"a copy of the file before: {backup}")
