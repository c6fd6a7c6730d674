"""The program itself: version and interpreter."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import groundwire
from groundwire.commands.checks.finding import Finding, Surroundings, found


def program_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield which groundwire runs, and by which interpreter."""
    yield found(
        "program.running",
        version=groundwire.__version__,
        home=Path(groundwire.__file__).parent,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        interpreter=sys.executable,
    )
    if sys.platform == "win32":
        yield found("program.windows")
    if not shutil.which("claude", path=place.env.get("PATH", "")):
        yield found("program.no-client")
