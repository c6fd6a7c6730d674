"""Where and with what something was measured; no names of hosts and no paths."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from groundwire.base.version import __version__

LIBRARIES = ("pyahocorasick", "pydantic", "regex", "rich", "typer")


def machine() -> dict[str, Any]:
    """Return processor, system and versions."""
    return {
        "groundwire": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
        "libraries": {name: version(name) for name in LIBRARIES},
    }


def _processor() -> str:
    try:
        rows = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = [row.partition(":")[2].strip() for row in rows if row.startswith("model name")]
    return names[0] if names else platform.processor()
