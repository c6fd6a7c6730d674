"""What recorded turns did with each file: its sources, operations and checks (group 004)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from groundwire.base.errors import TranscriptError
from groundwire.base.model import Match
from groundwire.base.paths import state_folder
from groundwire.base.record import Record
from groundwire.hook.log_lines import read_log
from groundwire.runs.replay import turns_examined
from groundwire.settings.runtime import Runtime
from groundwire.turn.records import PASSED, TEST
from groundwire.turn.timeline import Timeline
from groundwire_confidence.reinforcement.ageing import Date
from groundwire_confidence.reinforcement.evidence import (
    Circumstances,
    Counted,
    creates,
    refactored_files,
    turn_events,
)


class FileFacts(Record):
    """What the turns that edited one file show.

    ``sources`` were looked at in these turns; ``validation``: a call supports what was claimed in
    one; ``integration``: tests passed after the last edit; ``refactored`` is in how many turns an
    edit was followed by tests that passed; ``created``: one of them made the file.
    """

    sources: int = 0
    created: bool = False
    refactored: int = 0
    validation: bool = False
    integration: bool = False


def recorded_facts(
    env: Mapping[str, str], runtime: Runtime, today: Date
) -> tuple[dict[str, FileFacts], list[str]]:
    """Return the facts of each file by its real path, and a line for each transcript that is gone.

    The turns are those of the sessions in the decision log.
    """
    log = read_log(state_folder(env) or "")
    paths = dict.fromkeys(str(line["transcript"]) for line in log if line.get("transcript"))
    facts: dict[str, FileFacts] = {}
    problems = []
    for path in paths:
        try:
            for turn, examined in turns_examined(Path(path), runtime, ""):
                if examined.timeline:
                    matches = examined.analysis.matches
                    _add(facts, examined.timeline, matches, turn.cwd, today)
        except TranscriptError as error:
            problems.append(f"{error}; its turns are passed over")
    return facts, problems


def _add(
    facts: dict[str, FileFacts], turn: Timeline, matches: Iterable[Match], cwd: str, today: Date
) -> None:
    seen = Circumstances("", today, (), lambda _: False)
    events, _ = turn_events(turn, matches, Counted(), seen)
    symbols = [event.symbol for event in events]
    runs = [one for one in turn.runs if one.kind == TEST and one.outcome.status == PASSED]
    tested = max((run.index for run in runs), default=-1)
    made = {edit.path for edit in turn.edits if creates(turn.calls[edit.index])}
    refactored = refactored_files(turn)
    for path, at in {edit.path: edit.index for edit in turn.edits}.items():
        real = os.path.realpath(os.path.join(cwd, path))
        known = facts.get(real, FileFacts())
        facts[real] = FileFacts(
            known.sources + symbols.count("visit"),
            known.created or path in made,
            known.refactored + (path in refactored),
            known.validation or "confirm" in symbols,
            at < tested,
        )
