"""Importing from the bundle: the modules of the hook, compiled, in one file.

``run.py`` takes this very module out of the bundle. Modules are loaded in groups; when a source of
a group has changed since, the group is left alone and its modules are imported as usual, so an
editable checkout never runs old code.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import ExtensionFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, BinaryIO

    #: Path (in the package, or absolute), change time in nanoseconds and size in bytes of a file.
    Stamp = tuple[str, int, int]
else:
    ModuleType = type(sys)


class BundleFinder:
    """Finds the modules of an open bundle; stands first in ``sys.meta_path``."""

    def __init__(
        self,
        file: BinaryIO,
        folder: str,
        groups: dict[str, int],
        stamps: list[tuple[Stamp, ...]],
        sizes: list[list[int]],
        libraries: dict[str, Stamp],
    ) -> None:
        """Take the file, standing where the first group begins, and the table in front of that.

        ``folder`` is that of the package. ``groups``: number of the group of each module.
        ``stamps`` and ``sizes``: the sources of each group, and the bytes of each piece of it.
        ``libraries``: those in machine code, which stay where they are.
        """
        self.is_stale = False
        self._file = file
        self._folder = folder
        self._begin = file.tell()
        self._groups = groups
        self._stamps = stamps
        self._sizes = sizes
        self._libraries = libraries
        self._refused: set[int] = set()

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> object:
        """Return how to load the module ``name``; None when it is not here or has changed."""
        library = self._libraries.get(name)
        if library and self.holds(library):
            path = library[0]
            return ModuleSpec(name, ExtensionFileLoader(name, path), origin=path)
        if name in self._groups and self.load(self._groups[name]):
            return ModuleSpec(name, self)  # type: ignore[arg-type]
        return None

    def load(self, group: int) -> bool:
        """Run all modules of a group; False when a source has changed or the group is damaged.

        Without the first group no other one is used: their records need the base that it holds.
        """
        refused = 0 in self._refused or group in self._refused
        if refused or not all(map(self.holds, self._stamps[group])):
            self._refused.add(group)
            return False
        self._file.seek(self._begin + sum(map(sum, self._sizes[:group])))
        code = []
        try:
            for size in self._sizes[group]:
                code += marshal.loads(self._file.read(size))  # noqa: S302
        except (EOFError, TypeError, ValueError):  # cut short or damaged
            self._refused.add(group)
            self.is_stale = True
            return False
        paths = {name: stamp[0] for (name, _), stamp in zip(code, self._stamps[group], strict=True)}
        for name in sorted(paths):  # packages before their modules
            _make(name, os.path.join(self._folder, paths[name]))
        try:
            for name, body in code:
                exec(body, sys.modules[name].__dict__)  # noqa: S102
        except BaseException:
            for name in paths:
                del sys.modules[name]
            raise
        return True

    def holds(self, stamp: Stamp) -> bool:
        """Tell whether a file is still as it was when the bundle was written."""
        path, changed, size = stamp
        try:
            status = os.stat(os.path.join(self._folder, path))
        except OSError:
            status = None
        if status and status.st_mtime_ns == changed and status.st_size == size:
            return True
        self.is_stale = True
        return False

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module, which ``load`` has made."""
        return sys.modules[spec.name]

    def exec_module(self, module: ModuleType) -> None:
        """Nothing is left to do: ``load`` has run the module."""


def _make(name: str, path: str) -> None:
    """Make an empty module, in a tenth of the time that the import system takes for it."""
    module = ModuleType(name)
    parent, _, child = name.rpartition(".")
    module.__file__ = path
    module.__package__ = parent
    if path.endswith("__init__.py"):
        module.__package__ = name
        module.__path__ = [os.path.dirname(path)]
    sys.modules[name] = module
    if parent:
        if parent not in sys.modules:  # a package of which another group has other modules
            __import__(parent)
        setattr(sys.modules[parent], child, module)


def use(file: BinaryIO, folder: str, own: Stamp, *table: Any) -> None:
    """Import from ``file`` from now on, and load what every turn needs.

    ``own`` is the stamp of this module, whose code is the one thing that is already running.
    """
    finder = BundleFinder(file, folder, *table)
    if finder.holds(own):
        sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
        finder.load(0)
