"""What the second look keeps in the state folder, below ``second-look``.

``on``
    Is there while a second look may be switched on; without it the background entry ends at once.
``notes/``
    Findings that the user is told with the next event of their session, a file each.
``looks/``
    The newest look of each session; an older one sees that it was overtaken and gives up. And by
    the process of a client, which session it went to last.
``exams.json``, ``votes.jsonl``
    What each model found in its entrance exam, and what users said of its findings.

Nothing here raises for a file that is missing or damaged: what cannot be read is not there.
"""

from __future__ import annotations

import os
import time

from groundwire.base import json_codec
from groundwire.base.digest import digest
from groundwire.base.paths import replace_file, state_folder
from groundwire.base.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FOLDER, ON = "second-look", "on"
#: Name of the event in the decision log, which is no turn.
EVENT = "SecondLook"
#: What may come of a look: the model is woken, the user is told, or it is only logged.
WAKE, NOTE, NOTHING, DROPPED = "wake", "note", "nothing", "dropped"
#: Variable with the process of Claude Code that starts a hook.
CLIENT_PROCESS = "CLAUDE_PID"
_NOTES, _LOOKS, _EXAMS, _VOTES = "notes", "looks", "exams.json", "votes.jsonl"
#: Seconds that a note waits for its session to go on.
NOTE_SECONDS = 24 * 3600.0
_LARGEST = 1 << 20
#: Votes of "wrong" in a row that take a model's right to wake.
WRONGS = 3


def look_folder(env: Mapping[str, str]) -> str | None:
    """Return the folder of all this; None without a home."""
    folder = state_folder(env)
    return os.path.join(folder, FOLDER) if folder else None


def is_on(folder: str) -> bool:
    """Tell whether a second look may be switched on."""
    return os.path.exists(os.path.join(folder, ON))


def switch_on(folder: str) -> None:
    """Let background entries look further than this file. Raises OSError."""
    if not is_on(folder):
        replace_file(os.path.join(folder, ON), b"")


def switch_off(folder: str) -> None:
    """Let every background entry end at once, also one that is at work. Raises OSError."""
    try:
        os.unlink(os.path.join(folder, ON))
    except FileNotFoundError:
        return


def keep_note(folder: str, session: str, text: str) -> None:
    """Keep a line for the user until the next event of ``session``. Raises OSError."""
    name = f"{_mark(session)}-{time.time_ns():020d}"
    replace_file(os.path.join(folder, _NOTES, name), text.encode())


def take_notes(folder: str, session: str) -> list[str]:
    """Return the lines kept for ``session``, oldest first, and forget them; each is told once."""
    notes = []
    for path in _note_paths(folder, session):
        text = _read(path).decode("utf-8", "replace")
        try:
            is_fresh = time.time() - os.stat(path).st_mtime < NOTE_SECONDS
            os.unlink(path)
        except OSError:
            continue  # another copy of the hook tells it
        if text and is_fresh:
            notes.append(text)
    return notes


def waiting_notes(folder: str, session: str) -> int:
    """Return how many lines are kept for ``session``."""
    return len(_note_paths(folder, session))


def begin_look(folder: str, session: str, mark: str) -> None:
    """Say that the look ``mark`` is the newest one of ``session``. Raises OSError."""
    replace_file(_look_path(folder, session), mark.encode())


def is_newest(folder: str, session: str, mark: str) -> bool:
    """Tell whether no newer look of ``session`` began, and second looks are still on."""
    return is_on(folder) and _read(_look_path(folder, session)) == mark.encode()


def begin_session(folder: str, client: str, mark: str) -> None:
    """Say that the process ``client`` of Claude Code went to another session. Raises OSError."""
    if client and is_on(folder):
        replace_file(_look_path(folder, f"client {client}"), mark.encode())


def session_mark(folder: str, client: str) -> bytes:
    """Return what ``begin_session`` said last of a client."""
    return _read(_look_path(folder, f"client {client}"))


class Exam(Record):
    """What a model found in its entrance exam, of ``asked`` false digests and as many true ones.

    ``date`` is a day; ``cost`` is in dollars, None when the price is not known.
    """

    provider: str
    model: str
    date: str
    asked: int
    found: int
    accused: int
    version: int
    cost: float | None = None
    tokens: int = 0


def model_key(provider: str, model: str, base_url: str = "") -> str:
    """Return by what a model's exam and votes are kept."""
    return "/".join(filter(None, (provider, base_url, model)))


def exam_of(folder: str, key: str) -> Exam | None:
    """Return the exam of a model, None when it has taken none."""
    fields = _exams(folder).get(key)
    try:
        return Exam(**fields) if isinstance(fields, dict) else None
    except TypeError:
        return None


def keep_exam(folder: str, key: str, exam: Exam) -> None:
    """Keep the result of an exam in place of an older one. Raises OSError."""
    fields = {name: getattr(exam, name) for name in Exam._fields}
    data = json_codec.dumps({**_exams(folder), key: fields}).encode()
    replace_file(os.path.join(folder, _EXAMS), data)


class Votes(Record):
    """What users said of a model's findings; ``row`` is how many "wrong" came last, in a row."""

    right: int = 0
    wrong: int = 0
    row: int = 0


def vote(folder: str, key: str, finding: str, *, right: bool | None) -> None:
    """Keep what a user says of a finding; the last word on one counts, None takes it back.

    Raises OSError.
    """
    line = json_codec.dumps({"model": key, "finding": finding, "right": right})
    os.makedirs(folder, 0o700, exist_ok=True)
    path = os.path.join(folder, _VOTES)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    with open(descriptor, "ab") as file:
        file.write(line.encode() + b"\n")


def looked(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a line of the decision log has of a second look, {} when it is of none."""
    look = line.get("second_look")
    return look if line.get("event") == EVENT and isinstance(look, dict) else {}


def votes_of(folder: str, key: str) -> Votes:
    """Return the votes on the findings of a model."""
    votes = list(said_of(folder, key).values())
    row = next((at for at, right in enumerate(reversed(votes)) if right), len(votes))
    return Votes(sum(votes), len(votes) - sum(votes), row)


def said_of(folder: str, key: str) -> dict[str, bool]:
    """Return whether the findings of a model were right, the one that was voted on last behind."""
    said: dict[str, bool] = {}
    for line in _read(os.path.join(folder, _VOTES)).split(b"\n"):
        fields = _decoded(line)
        if fields.get("model") == key:
            finding = str(fields.get("finding"))
            said.pop(finding, None)  # the last word stands last
            if fields.get("right") is not None:
                said[finding] = fields["right"] is True
    return said


def _exams(folder: str) -> dict[str, Any]:
    return _decoded(_read(os.path.join(folder, _EXAMS)))


def _mark(session: str) -> str:
    return digest(session.encode("utf-8", "surrogatepass"))


def _note_paths(folder: str, session: str) -> list[str]:
    notes, mark = os.path.join(folder, _NOTES), _mark(session)
    try:
        names = sorted(name for name in os.listdir(notes) if name.startswith(mark))
    except OSError:
        return []
    return [os.path.join(notes, name) for name in names if not name.endswith(".tmp")]


def _look_path(folder: str, session: str) -> str:
    return os.path.join(folder, _LOOKS, _mark(session))


def _read(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    with open(descriptor, "rb") as file:
        try:
            return file.read(_LARGEST) or b""
        except OSError:
            return b""


def _decoded(data: bytes) -> dict[str, Any]:
    try:
        plain = json_codec.loads(data)
    except ValueError:
        return {}
    return plain if isinstance(plain, dict) else {}
