"""The program itself: version, interpreter, the bundle that makes the hook start fast."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import groundwire
from groundwire.doctor.finding import NOTE, OK, WARNING, Finding, Surroundings
from groundwire.hook import bundle

AREA = "program"
_REWRITE = "groundwire install"


def program_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield which groundwire runs, by which interpreter, and whether its bundle is fresh."""
    home = Path(groundwire.__file__).parent
    running = f"groundwire {groundwire.__version__} in {home}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield Finding(AREA, OK, f"{running}, {python} at {sys.executable}")
    if sys.platform == "win32":
        yield Finding(AREA, NOTE, "on Windows the hook is best effort: it uses shipped settings")
    if not shutil.which("claude", path=place.env.get("PATH", "")):
        yield Finding(AREA, NOTE, "Claude Code (claude) is not on PATH")
    yield bundle_finding(bundle.bundle_path())


def bundle_finding(path: Path) -> Finding:
    """Return whether the bundle at ``path`` is there and not older than a module of the hook."""
    if not path.is_file():
        text = f"{path} is missing: the hook works and starts slower"
        return Finding(AREA, WARNING, text, _REWRITE)
    written = path.stat().st_mtime_ns
    names = bundle.modules_of_the_hook()
    newer = [name for name in names if bundle.source_of(name).stat().st_mtime_ns > written]
    if newer:
        text = f"the hook's bundle is older than {newer[0]}: the hook works and starts slower"
        return Finding(AREA, WARNING, text, _REWRITE)
    return Finding(AREA, OK, f"the hook's bundle is fresh, {len(names)} modules")
