"""Which project a turn belongs to."""

from __future__ import annotations

UNKNOWN = "unknown"


def project_of(transcript: str) -> str:
    """Return the project that a transcript belongs to, as its folder is called.

    Claude Code keeps transcripts in ``projects/<project>/``; elsewhere it is the file's folder.
    """
    parts = transcript.replace("\\", "/").split("/")
    if "projects" in parts[:-2]:
        return parts[parts.index("projects") + 1] or UNKNOWN
    return parts[-2] if len(parts) > 1 and parts[-2] else UNKNOWN
