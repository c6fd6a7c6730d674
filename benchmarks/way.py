"""The way of one event through the rooms: ``python -m benchmarks.way [--calls]``.

A Stop event with a finding, over a turn that runs tests, is handled twice in this process; the
second time is traced. Printed are the modules of groundwire that were loaded, the files and
functions that were entered, and how often an entered function is in another room than the one
entered before it; with and without ``base``, which every room calls all the time. ``--calls``
prints the way itself: one line for each stay in a room.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from itertools import groupby, pairwise
from pathlib import Path
from types import FrameType

from benchmarks.sessions import write_turn
from groundwire.hook.handle import handle_event, log_reply

SOURCE = Path(__file__).parents[1] / "src"
MESSAGE = "The pool test fails. I think a race is the root cause."
TESTS = ("pytest -q", "1 failed, 7 passed in 0.31s")


class Entered:
    """A trace of the functions of groundwire that were entered: (file, name), in order."""

    def __init__(self) -> None:
        self.functions: list[tuple[str, str]] = []

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(f"{SOURCE}/"):
            self.functions.append((name[len(str(SOURCE)) + 1 :], frame.f_code.co_qualname))


def room_of(file: str) -> str:
    """Return the room of a file below ``src/``: a folder of the core, or an extra package."""
    first, *more = file.split("/")
    return more[0].removesuffix(".py") if first == "groundwire" else first


def traced(run: Callable[[], object]) -> list[tuple[str, str]]:
    """Return the functions that ``run`` enters."""
    entered = Entered()
    sys.setprofile(entered)
    try:
        run()
    finally:
        sys.setprofile(None)
    return entered.functions


def changes(functions: list[tuple[str, str]]) -> int:
    """Return how often an entered function is in another room than the one before it."""
    rooms = [room_of(file) for file, _ in functions]
    return sum(before != after for before, after in pairwise(rooms))


def beyond_base(functions: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the functions without those of the room that everybody needs."""
    return [one for one in functions if room_of(one[0]) != "base"]


def one_event(home: Path) -> Callable[[], object]:
    """Return what handles one event, as the hook does; each time it is another session."""
    transcript, sessions = home / "session.jsonl", iter(range(1_000))
    write_turn(transcript, *TESTS, MESSAGE)
    env = {"HOME": str(home)}

    def run() -> object:
        event = {
            "hook_event_name": "Stop",
            "session_id": f"session-{next(sessions)}",
            "transcript_path": str(transcript),
            "cwd": str(home),
            "last_assistant_message": MESSAGE,
        }
        reply = handle_event(event, env, time.time())
        return log_reply(reply, env)

    return run


def main(arguments: list[str]) -> int:
    """Print the figures, and with ``--calls`` the way."""
    before = set(sys.modules)
    with tempfile.TemporaryDirectory() as folder:
        run = one_event(Path(folder))
        run()
        functions = traced(run)
    if "--calls" in arguments:
        for room, stay in groupby(beyond_base(functions), lambda one: room_of(one[0])):
            names = [f"{Path(file).stem}.{name}" for file, name in stay]
            print(f"{room:10} {' '.join(dict.fromkeys(names))}"[:160])
    own = {one for one in sys.modules if one.startswith("groundwire")} - {"groundwire"}
    loaded = {one for one in own if ".rules." not in one}
    print(f"modules loaded     {len(loaded):4}  ({len(loaded - before)} of them by the event)")
    print(f"files entered      {len({file for file, _ in functions}):4}")
    print(f"functions entered  {len(set(functions)):4}  ({len(functions):,} calls)")
    print(
        f"changes of room    {changes(beyond_base(functions)):4}  ({changes(functions)} with base)"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
