"""Finding the modules of groundwire where they must be: their compiled code beside their source.

The interpreter's own finders ask for each module whether it is built in, frozen, or one of six
kinds of files. Here one name is looked at. What is missing, changed or of another version is left
to them; they compile it and keep that for the next time.
"""

from __future__ import annotations

import os
import sys
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

_OWN = "groundwire.", "groundwire_"
_ENDING = f".{sys.implementation.cache_tag}.pyc"
#: The beginning of a compiled file that holds for a source with a time and a size.
_HEAD = sys.modules["_frozen_importlib_external"].MAGIC_NUMBER + bytes(4)
_Spec: type[ModuleSpec] = type(sys.__spec__)


class _OwnModules:
    """A finder and loader for ``sys.meta_path``."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module of groundwire with its code; None: somebody else's."""
        if path is None or not name.startswith(_OWN):
            return None
        folder, last = path[0], name.rpartition(".")[2]
        for place, stem in ((folder, last), (f"{folder}/{last}", "__init__")):
            source, cached = f"{place}/{stem}.py", f"{place}/__pycache__/{stem}{_ENDING}"
            code = _compiled(source, cached)
            if code is not None:
                spec = _Spec(name, LOADER, origin=source, loader_state=code)
                if stem != last:
                    spec.submodule_search_locations = [place]
                return spec
        return None

    @staticmethod
    def create_module(_: ModuleSpec) -> None:
        """Leave it to the interpreter to make the module."""

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Run the code that was found; a spec with a location would cost more."""
        spec: Any = module.__spec__
        module.__file__ = spec.origin
        exec(spec.loader_state, module.__dict__)  # noqa: S102


LOADER: Any = _OwnModules


def _compiled(source: str, cached: str) -> CodeType | None:
    """Return the code of a module when it was compiled from the source as it is now."""
    try:
        file = os.open(cached, os.O_RDONLY | os.O_CLOEXEC)
        try:
            data = os.read(file, os.fstat(file).st_size)
        finally:
            os.close(file)
        status = os.stat(source)
    except OSError:
        return None
    known = int(status.st_mtime) & 0xFFFFFFFF, status.st_size & 0xFFFFFFFF
    head = _HEAD + b"".join(number.to_bytes(4, "little") for number in known)
    return loads(memoryview(data)[len(head) :]) if data.startswith(head) else None  # noqa: S302
