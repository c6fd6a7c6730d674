"""A reinforcement session in a file of the user, for ``groundwire reinforce --session``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from groundwire import json_codec
from groundwire.confidence.reinforcement.session import (
    Event,
    Session,
    advance_all,
    new_session,
    read_session,
    session_fields,
)
from groundwire.errors import ConfidenceError, FileError
from groundwire.files.replace import create_text, replace_text
from groundwire.files.text_file import Skipped, TextFile, read_text_file


class SessionFile:
    """Reads, advances and keeps one session; another file than a session is left alone."""

    def __init__(self, path: Path, base: float | None) -> None:
        """Read the session, or begin one at ``base``; raises FileError and ConfidenceError."""
        self._path = path
        self._file: TextFile | None = None
        if not os.path.lexists(path):
            self.session = new_session(base)
            return
        if base is not None:
            raise ConfidenceError(f"base: value {base:g}: {path} holds a session that began")
        file = read_text_file(path)
        if isinstance(file, Skipped):
            raise FileError(f"{path}: {file.reason}; expected a session")
        try:
            session = read_session(json_codec.loads(file.text))
        except ValueError:
            session = None
        if session is None:
            raise FileError(f"{path}: holds no session of groundwire; expected one, or a new name")
        self._file, self.session = file, session

    def advance(self, events: Iterable[Event], alpha: float, delta: float) -> Session:
        """Apply ``events``, write the session and return it; raises FileError."""
        self.session = advance_all(self.session, events, alpha, delta)
        text = json_codec.dumps(session_fields(self.session)) + "\n"
        if self._file is None:
            create_text(self._path, text)
        else:
            replace_text(self._file, text)
        return self.session
