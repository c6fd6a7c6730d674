"""Switching the second look on and off: its settings, its exam, and its entries in Claude Code."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from groundwire.base.errors import ConfigError, FileError, UsageError
from groundwire.base.paths import state_folder
from groundwire.base.record import Record
from groundwire.base.settings import AFTER, OFF, Judge
from groundwire.hook.second_look_state import (
    NOTE,
    NOTHING,
    WAKE,
    Exam,
    exam_of,
    is_on,
    look_folder,
    switch_off,
    switch_on,
    votes_of,
)
from groundwire.report.prose import counted
from groundwire.settings.change import change_settings, reach_sessions, user_file
from groundwire.settings.load import load
from groundwire.settings.names import schema_problems
from groundwire.settings.toml_text import show_key
from groundwire_judge.destination import destination
from groundwire_judge.exam import Result, examine_model, keep_result
from groundwire_judge.limits import used_today
from groundwire_judge.protocol import JudgeError
from groundwire_judge.providers import make_provider
from groundwire_judge.request import VERSION, model_of
from groundwire_judge.rights import key_of, right_of

ALWAYS = "always"
#: Answers of an exam that may be missing; they count as not found.
_MOST_UNANSWERED = 2


#: What the findings of a model may do, in words.
RIGHTS = {
    WAKE: "its findings may wake Claude",
    NOTE: "its findings are only shown to you",
    NOTHING: "its findings are only logged",
}


class Wanted(Record):
    """What a user asks for; "" and None leave what the settings have."""

    provider: str = ""
    model: str = ""
    base_url: str = ""
    limit_per_day: int | None = None


def wanted_judge(
    wanted: Wanted, env: Mapping[str, str], folder: str
) -> tuple[Judge, dict[str, Any]]:
    """Return the judge as it would be, and the changes of ``[judge]`` that make it so.

    Another provider begins with its own model and address. Raises ConfigError.
    """
    current = load(env, folder).settings.judge
    changes: dict[str, Any] = {"when": ALWAYS, "run": AFTER}
    if wanted.provider:
        changes |= {"provider": wanted.provider}
        if wanted.provider != current.provider:
            changes |= {"model": "", "base_url": ""}
    changes |= {"model": wanted.model} if wanted.model else {}
    changes |= {"base_url": wanted.base_url} if wanted.base_url else {}
    if wanted.limit_per_day is not None:
        changes |= {"calls_per_day": wanted.limit_per_day}
    if problems := schema_problems({"judge": changes}):
        raise ConfigError("\n".join(f"{show_key(path)}: {text}" for path, text in problems))
    return current.replace(**changes), changes


def require_provider(judge: Judge, env: Mapping[str, str]) -> None:
    """Raise UsageError in one line where the provider cannot be asked: no client, no key."""
    try:
        make_provider(judge.provider, env, judge.base_url)
    except JudgeError as error:
        raise UsageError(f"{error}; nothing was switched on") from None


def kept_exam(judge: Judge, env: Mapping[str, str]) -> Exam | None:
    """Return the exam that the model of ``judge`` took by the present instruction, or None."""
    folder = look_folder(env)
    exam = exam_of(folder, key_of(judge)) if folder else None
    return exam if exam is not None and exam.version == VERSION else None


def take(
    judge: Judge, env: Mapping[str, str], done: Callable[[], None] = lambda: None
) -> tuple[Exam, Result]:
    """Let the model of ``judge`` take the exam, and keep its result.

    Raises UsageError when it does not answer; then nothing is kept.
    """
    folder = _folder(env)
    require_provider(judge, env)
    result = examine_model(judge, env, done)
    if len(result.problems) > _MOST_UNANSWERED:
        count = f"{len(result.problems)} of {2 * result.asked} digests were not answered"
        raise UsageError(f"{count}: {result.problems[0]}; nothing was switched on")
    try:
        return keep_result(folder, judge, result, time.time()), result
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror or error}") from None


def turn_on(changes: Mapping[str, Any], env: Mapping[str, str], project: str) -> str:
    """Write the settings and let the background look begin; return what keeps sessions from it.

    Raises ConfigError and FileError.
    """
    change_settings(env, project, user_file(env), {"judge": dict(changes)})
    try:
        switch_on(_folder(env))
    except OSError as error:
        raise FileError(f"{_folder(env)}: {error.strerror or error}") from None
    return reach_sessions(env)


def turn_off(env: Mapping[str, str], project: str) -> str:
    """Write the settings and end every look, also one at work; return as ``turn_on`` does."""
    switch_off(_folder(env))
    if load(env, project).settings.judge.when != OFF:
        change_settings(env, project, user_file(env), {"judge": {"when": OFF}})
    return reach_sessions(env)


def status_lines(judge: Judge, env: Mapping[str, str]) -> list[str]:
    """Return whether it is on, which model looks, its exam, its votes, and what today has cost."""
    folder = look_folder(env)
    model = model_of(judge)
    if judge.when == OFF or folder is None:
        return ["the second look is off; groundwire second-look on switches it on"]
    where = "after the turn" if judge.run == AFTER else "before the end of the turn"
    lines = [f"on, {where}: {judge.provider} {model}; {destination(judge, env)}"]
    if judge.run == AFTER and not is_on(folder):
        lines.append("nothing looks yet: groundwire second-look on completes it")
    taken = kept_exam(judge, env)
    lines.append(exam_line(taken) if taken else "no exam taken: groundwire second-look exam")
    votes = votes_of(folder, key_of(judge))
    lines.append(f"your votes on its findings: {votes.right} right, {votes.wrong} wrong")
    lines.append(RIGHTS[right_of(folder, judge)])
    calls, cost = used_today(state_folder(env) or "", time.time())
    limits = f"of {judge.calls_per_day} calls and ${judge.cost_per_day:g} a day"
    lines.append(f"today: {counted(calls, 'call')}, ${cost:.4f}, {limits}")
    return lines


def exam_line(exam: Exam) -> str:
    """Return one line on what a model did in its exam."""
    text = f"exam of {exam.model} on {exam.date}: found {exam.found} of {exam.asked} false messages"
    return f"{text}, accused {exam.accused} of {exam.asked} true ones"


def _folder(env: Mapping[str, str]) -> str:
    folder = look_folder(env)
    if folder is None:
        raise ConfigError("no home folder: set HOME or GROUNDWIRE_STATE_DIR")
    return folder
