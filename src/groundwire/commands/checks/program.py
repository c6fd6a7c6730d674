"""The program itself: version and interpreter."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import groundwire
from groundwire.commands.checks.finding import NOTE, OK, Finding, Surroundings

AREA = "program"


def program_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield which groundwire runs, and by which interpreter."""
    home = Path(groundwire.__file__).parent
    running = f"groundwire {groundwire.__version__} in {home}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield Finding(AREA, OK, f"{running}, {python} at {sys.executable}")
    if sys.platform == "win32":
        yield Finding(AREA, NOTE, "on Windows the hook is best effort: it uses shipped settings")
    if not shutil.which("claude", path=place.env.get("PATH", "")):
        yield Finding(AREA, NOTE, "Claude Code (claude) is not on PATH")
