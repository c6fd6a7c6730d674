"""The build hook of the wheel: compiles the rule modules, which are not kept in git."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileRules(BuildHookInterface):  # type: ignore[type-arg]
    """Puts freshly compiled modules into the wheel, for an editable install into the tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; the source folder of an ordinary wheel is left as it is."""
        source = Path(self.root, "src")
        sys.path.insert(0, str(source))
        sys.dont_write_bytecode = True
        from groundwire.settings.patterns.compile import build

        if version == "editable":
            build(source / "groundwire/base/rules")
            return
        self.scratch = Path(tempfile.mkdtemp(prefix="groundwire-rules-"))
        for path in build(self.scratch):
            build_data["force_include"][str(path)] = f"groundwire/base/rules/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what ``initialize`` has written beside the tree."""
        if version != "editable":
            shutil.rmtree(self.scratch)
