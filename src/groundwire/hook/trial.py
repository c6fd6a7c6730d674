"""The first turns after an installation, which are only reported: ``groundwire install --trial``.

A file in the state folder: the number of turns on its first line, then one character for each turn
that has passed, ``s`` where it would have been stopped. Hooks append to it, so that several
sessions count together without a lock; the one that finds it full takes it away.
"""

from __future__ import annotations

import os

from groundwire.base.model import REPORT
from groundwire.base.paths import replace_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.base.model import Decision
    from groundwire.base.settings import Settings
    from groundwire.hook.compiled import Compiled

FILE = "trial"
_STOPPED, _PASSED = b"s", b"."
#: What a decision says of a turn that nothing but the mode has spared.
_SPARED = f"mode is {REPORT}"


def begin_trial(folder: str, turns: int) -> None:
    """Begin a trial of ``turns`` turns, or end one with 0. Raises OSError."""
    path = os.path.join(folder, FILE)
    if turns:
        replace_file(path, b"%d\n" % turns)
    elif os.path.exists(path):
        os.unlink(path)


def trial_progress(folder: str) -> tuple[int, int, int]:
    """Return the turns that have passed, those to be stopped among them, and all of the trial.

    All are 0 without a trial.
    """
    try:
        with open(os.path.join(folder, FILE), "rb") as file:
            head, _, marks = file.read().partition(b"\n")
        return len(marks), marks.count(_STOPPED), int(head)
    except (OSError, ValueError):
        return 0, 0, 0


def on_trial(compiled: Compiled) -> Compiled:
    """Return a configuration that reports where the given one stops."""
    settings: Settings = compiled.settings
    if settings.mode != "enforce":
        return compiled
    return compiled.replace(settings=settings.replace(mode=REPORT))


def count_turn(folder: str, decision: Decision) -> list[str]:
    """Count a turn of the trial; return what the user is told of it: mostly nothing."""
    stopped = decision.why == _SPARED
    path = os.path.join(folder, FILE)
    try:
        log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
        os.write(log, _STOPPED if stopped else _PASSED)
        os.close(log)
        passed, stops, turns = trial_progress(folder)
        messages = []
        if stopped:
            from groundwire.report.reason import notification_text

            number = f"trial, turn {min(passed, turns)} of {turns}"
            messages = [f"{notification_text(decision)} ({number}: this would have been stopped)"]
        if passed < turns:
            return messages
        os.unlink(path)
    except OSError:  # another turn has ended the trial
        return []
    end = (
        f"groundwire: the trial is over: {stops} of {passed} turns would have been stopped. From "
        "the next turn on such turns are. groundwire why shows the last of them; mode = "
        '"report" in the settings goes on without stops, groundwire install --trial with another '
        "trial."
    )
    return [*messages, end]
