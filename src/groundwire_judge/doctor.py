"""The second look: whether it can work as the settings want it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator

from groundwire.base.settings import AFTER, OFF
from groundwire.commands.checks.finding import NOTE, OK, Examined, Finding, Surroundings, found
from groundwire.hook.entry import SECOND_LOOK, role_of
from groundwire.hook.second_look_state import WAKE, is_on, look_folder
from groundwire_judge.protocol import JudgeError
from groundwire_judge.providers import make_provider
from groundwire_judge.request import model_of
from groundwire_judge.rights import right_of
from groundwire_judge.second_look import OLDEST_CLIENT
from groundwire_judge.setup import kept_exam

_SECONDS = 20


def look_findings(known: Examined) -> Iterator[Finding]:
    """Yield its model and exam, its entry in Claude Code, and the client's age; none if off."""
    place, judge, registrations = known.place, known.settings.judge, known.registrations
    folder = look_folder(place.env)
    if judge.when == OFF or folder is None:
        return
    if judge.run != AFTER:
        yield found("second look.waits")
        return
    if not is_on(folder):
        yield found("second look.never-on")
    try:
        make_provider(judge.provider, place.env, judge.base_url)
    except JudgeError as error:
        yield found("second look.no-provider", problem=error)
    exam = kept_exam(judge, place.env)
    if exam is None:
        yield found("second look.no-exam", model=model_of(judge))
    else:
        right = right_of(folder, judge)
        level = OK if right == WAKE else NOTE
        taken = {name: getattr(exam, name) for name in "model date found asked accused".split()}
        yield found("second look.exam", level, right=right, **taken)
    if registrations and not any(role_of(one.handler) == SECOND_LOOK for one in registrations):
        yield found("second look.no-entry")
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
    version = re.match(r"(\d+)\.(\d+)\.(\d+)", done.stdout.decode("ascii", "replace"))
    if version and tuple(map(int, version.groups())) < OLDEST_CLIENT:
        oldest = ".".join(map(str, OLDEST_CLIENT))
        yield found("second look.old-client", version=version[0], oldest=oldest)
