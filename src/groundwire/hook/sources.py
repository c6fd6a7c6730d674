"""Which files and variables configure a run, read as bytes, and the key of their content.

Used on the hook path: nothing is parsed here, so that a run without settings of its own costs a
few look-ups. ``settings/load.py`` parses exactly the bytes that were found here.
"""

from __future__ import annotations

import errno
import os
from stat import S_ISREG

from groundwire.base.digest import digest_parts
from groundwire.base.paths import config_folder, home_folder
from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PREFIX = "GROUNDWIRE_"
USER_FILE = "GROUNDWIRE_CONFIG"
#: Variables that say where files are.
LOCATIONS = (USER_FILE, "GROUNDWIRE_CONFIG_DIR", "GROUNDWIRE_STATE_DIR", "GROUNDWIRE_CACHE_DIR")
#: What Claude Code shows to the resident server where an older groundwire registered it.
TOKEN_VARIABLE = "GROUNDWIRE_TOKEN"  # noqa: S105
#: Set for the client that is asked as a judge: a hook in there does nothing.
JUDGING = "GROUNDWIRE_JUDGING"
#: The salt of the hashes in what a fleet job writes.
FLEET_SALT = "GROUNDWIRE_FLEET_SALT"
#: Whose confidence configuration holds where nothing else says it.
ENVIRONMENT = "GROUNDWIRE_ENVIRONMENT"
#: Every other variable with the prefix is a setting.
_NO_SETTINGS = (*LOCATIONS, TOKEN_VARIABLE, JUDGING, FLEET_SALT, ENVIRONMENT)

USER = "user"
ADMIN = "admin"
PROJECT = "project"
TRUST = "trust"

PROJECT_FILE = ".groundwire.toml"
PYPROJECT = "pyproject.toml"
PYPROJECT_TABLE = b"[tool.groundwire"
TRUST_FILE = "trusted.json"

MAX_BYTES = 1 << 20  # of one settings or pattern file; larger ones are not read
ABSENT = "does not exist"
#: Characters of the longest path that is followed; no system takes a longer one.
_LONGEST_PATH = 4096


class Source(Record):
    """One settings file: its bytes, or the ``problem`` that kept it from being read."""

    layer: str
    path: str
    data: bytes = b""
    problem: str = ""


def find_sources(env: Mapping[str, str], cwd: str) -> tuple[Source, ...]:
    """Return the settings files that exist for ``cwd``, lowest layer first.

    Several files of the project layer are candidates, nearest first: whether a ``pyproject.toml``
    really has the table is seen when it is parsed. The trust list is there only beside one.
    """
    sources = []
    folder = config_folder(env)
    explicit = env.get(USER_FILE)
    if explicit:
        sources.append(read_source(USER, os.path.abspath(explicit), required=True))
    elif folder:
        sources.append(read_source(USER, os.path.join(folder, "config.toml")))
    if folder:
        sources.append(read_source(ADMIN, os.path.join(folder, "admin.toml")))
    project = project_sources(env, cwd)
    sources.extend(project)
    if project and folder:
        sources.append(read_source(TRUST, os.path.join(folder, TRUST_FILE)))
    return tuple(source for source in sources if source is not None)


def project_sources(env: Mapping[str, str], cwd: str) -> list[Source]:
    """Return the candidates of the project layer from ``cwd`` up to the repository root or home.

    Paths are real paths: a project is the same one, and trusted once, however it was reached.
    """
    home = home_folder(env)
    if len(cwd) > _LONGEST_PATH:
        return []
    try:
        folder = os.path.realpath(cwd)
        last = os.path.realpath(home) if home else ""
    except (OSError, ValueError):
        return []
    candidates = []
    while True:
        own = read_source(PROJECT, os.path.join(folder, PROJECT_FILE))
        if own is not None:
            candidates.append(own)
            break
        shared = read_source(PROJECT, os.path.join(folder, PYPROJECT))
        if shared is not None and PYPROJECT_TABLE in shared.data:
            candidates.append(shared)
        parent = os.path.dirname(folder)
        if folder in (parent, last) or _exists(os.path.join(folder, ".git")):
            break
        folder = parent
    return candidates


def read_source(layer: str, path: str, required: bool = False) -> Source | None:
    """Read one file; None when there is none, or none can have that name, unless ``required``.

    A pipe, a device, a folder or a file above ``MAX_BYTES`` is a problem and is not read.
    """
    try:
        status = os.stat(path)
        if not S_ISREG(status.st_mode):
            return Source(layer, path, b"", "is not a regular file")
        if status.st_size > MAX_BYTES:
            return Source(layer, path, b"", f"is larger than {MAX_BYTES} bytes")
        with open(path, "rb") as file:
            return Source(layer, path, file.read(MAX_BYTES))
    except (FileNotFoundError, NotADirectoryError):
        return Source(layer, path, b"", ABSENT) if required else None
    except (OSError, ValueError) as error:
        if not required and getattr(error, "errno", None) == errno.ENAMETOOLONG:
            return None
        reason = getattr(error, "strerror", None) or str(error)
        return Source(layer, path, b"", f"cannot be read: {reason}")


def settings_variables(env: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the variables that are settings, sorted by name; an empty one counts as not set."""
    return sorted(
        (name, value)
        for name, value in env.items()
        if value and name.startswith(PREFIX) and name not in _NO_SETTINGS
    )


def key_of(sources: Iterable[Source], env: Mapping[str, str]) -> str | None:
    """Return the key of this configuration (32 hex digits); None when nothing is customised."""
    variables = settings_variables(env)
    parts: list[str | bytes] = []
    for source in sources:
        parts += (source.layer, source.path, source.data, source.problem)
    for name, value in variables:
        parts += (name, value)
    if not parts:
        return None
    # "~" in a pattern folder stands for the home folder
    return digest_parts([*parts, home_folder(env)])


def _exists(path: str) -> bool:
    try:
        os.lstat(path)
    except (OSError, ValueError):
        return False
    return True
