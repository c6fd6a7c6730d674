"""The second look: whether it can work as the settings want it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence

from groundwire.base.settings import AFTER, OFF, Judge
from groundwire.commands.checks.finding import BROKEN, NOTE, OK, WARNING, Finding, Surroundings
from groundwire.commands.checks.registration import Registration
from groundwire.hook.entry import SECOND_LOOK, role_of
from groundwire.hook.second_look_state import WAKE, is_on, look_folder
from groundwire_judge.protocol import JudgeError
from groundwire_judge.providers import make_provider
from groundwire_judge.request import model_of
from groundwire_judge.rights import right_of
from groundwire_judge.second_look import OLDEST_CLIENT
from groundwire_judge.setup import kept_exam

AREA = "second look"
_ON = "groundwire second-look on"
_SECONDS = 20


def look_findings(
    place: Surroundings, judge: Judge, registrations: Sequence[Registration]
) -> Iterator[Finding]:
    """Yield its model and exam, its entry in Claude Code, and the client's age; none if off."""
    folder = look_folder(place.env)
    if judge.when == OFF or folder is None:
        return
    if judge.run != AFTER:
        yield Finding(AREA, NOTE, "it makes each turn wait: judge.run is before", _ON)
        return
    if not is_on(folder):
        yield Finding(AREA, WARNING, "the settings want it, but it was never switched on", _ON)
    try:
        make_provider(judge.provider, place.env, judge.base_url)
    except JudgeError as error:
        yield Finding(AREA, BROKEN, f"it cannot be asked: {error}", _ON)
    exam = kept_exam(judge, place.env)
    if exam is None:
        text = f"{model_of(judge)} has taken no exam, so its findings are only logged"
        yield Finding(AREA, WARNING, text, "groundwire second-look exam")
    else:
        right = right_of(folder, judge)
        level = OK if right == WAKE else NOTE
        text = f"{exam.model}, exam of {exam.date}: found {exam.found} of {exam.asked}, accused"
        yield Finding(AREA, level, f"{text} {exam.accused}; it may {right}")
    if registrations and not any(role_of(one.handler) == SECOND_LOOK for one in registrations):
        text = "its entry is missing where the hook is registered"
        yield Finding(AREA, BROKEN, text, "groundwire install")
    yield from _client_findings(place)


def _client_findings(place: Surroundings) -> Iterator[Finding]:
    """Yield whether Claude Code is too old to run a hook behind the turn."""
    client = shutil.which("claude", path=place.env.get("PATH", ""))
    if client is None:
        return
    try:
        done = subprocess.run(  # noqa: S603
            [client, "--version"],
            capture_output=True,
            timeout=_SECONDS,
            env=dict(place.env),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", done.stdout.decode("ascii", "replace"))
    if found and tuple(map(int, found.groups())) < OLDEST_CLIENT:
        oldest = ".".join(map(str, OLDEST_CLIENT))
        text = f"Claude Code {found[0]} runs no hook behind the turn; {oldest} and newer do"
        yield Finding(AREA, WARNING, f"{text}: each turn waits for it", "update Claude Code")
