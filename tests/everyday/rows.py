"""The rows of the everyday tables beside this file, and what the hook says about them."""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from groundwire.base.model import Match
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import SHIPPED
from groundwire.inputs.event import Event
from groundwire.language.automaton import Scanner
from groundwire.verdict.analysis import analyse
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import Examined, examine, turn_of
from tests.support.transcripts import Session

FOLDER = Path(__file__).parent
#: Longer ones, as agents write them at the end of their work. Who wrote these knew no rule.
REPORTS = FOLDER / "reports"
SCANNER = Scanner(shipped_rules())
Row = dict[str, Any]
#: The name of a step and its arguments, or what adds it to a session.
Act = list[Any] | Callable[[Session], object]


def rows(folder: Path = FOLDER) -> list[Row]:
    """Return all rows with a turn, each with the name of its file."""
    return [
        row | {"file": path.stem, "number": number}
        for path in sorted(folder.glob("*.toml"))
        if path.stem != "bare"
        for number, row in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["row"], 1)
    ]


def reported(text: str) -> list[Match]:
    """Return what the filter prints of a text by default."""
    matches = analyse(text, SCANNER, SHIPPED).matches
    return [one for one in matches if one.confidence >= SHIPPED.thresholds.report]


def examined(folder: Path, row: Row, acts: Sequence[Act]) -> Examined:
    """Return what the hook makes of the message of ``row`` after these acts."""
    session = Session()
    memory = Memory()
    for number, turn in enumerate([*row.get("before", ()), {"acts": acts, "says": row["says"]}]):
        session.prompt(row["prompt"] if turn is not None else "")
        for act in turn["acts"]:
            play(session, act)
        session.say(turn["says"])
        path = session.write(folder / f"{row['file']}-{row['number']}-{number}.jsonl")
        event = Event(
            "Stop", "s", cwd="/nonexistent", transcript_path=path, message=turn["says"].strip()
        )
        found = examine(event, turn_of(event), SCANNER, SHIPPED, memory)
        memory = Memory(digest=found.memory.digest)
    return found


def play(session: Session, act: Act) -> None:
    if not isinstance(act, list):
        act(session)
        return
    name, *values = act
    if name in ("edit", "edit_refused", "write", "read") and values[0][0] != "/":
        values[0] = f"{session.cwd}/{values[0]}"
    if name == "bash":
        session.bash(*values[:2], exit_code=values[2] if len(values) > 2 else 0)
    elif name == "edit":
        session.edit(values[0], *(values[1:] or ("a = 1", "a = 2")))
    elif name == "edit_refused":
        arguments = {"file_path": values[0], "old_string": "a = 1", "new_string": "a = 2"}
        session.call("Edit", arguments, values[1], error=True)
    elif name in ("grep", "glob") and isinstance(values[1], str):
        session.call(name.title(), {"pattern": values[0]}, values[1])
    elif name == "todos":
        todos = [{"content": it, "status": how, "activeForm": it} for it, how in values[0]]
        session.call("TodoWrite", {"todos": todos}, "Todos have been modified successfully.")
    elif name == "call":
        session.call(values[0], {}, values[1])
    else:
        steps = {"write": session.create, "task": lambda it, says: session.task(it, it, says)}
        (steps.get(name) or getattr(session, name))(*values)
