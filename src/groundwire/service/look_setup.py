"""Switching the second look on and off: its settings, its exam, and its entries in Claude Code."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from groundwire.config.load import load
from groundwire.config.problems import schema_problems
from groundwire.config.words import show_key
from groundwire.errors import ConfigError, FileError, UsageError
from groundwire.judge.exam import Result
from groundwire.judge.protocol import JudgeError
from groundwire.judge.providers import make_provider
from groundwire.judge.turn_prompt import VERSION
from groundwire.judge.turn_request import model_of
from groundwire.record import Record
from groundwire.service.change_settings import change_settings, reach_sessions, user_file
from groundwire.service.exam import examine_model, keep_result
from groundwire.settings import AFTER, OFF, Judge
from groundwire.state.second_look import (
    Exam,
    exam_of,
    look_folder,
    model_key,
    switch_off,
    switch_on,
)

ALWAYS = "always"
#: Answers of an exam that may be missing; they count as not found.
_MOST_UNANSWERED = 2


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
    key = model_key(judge.provider, model_of(judge), judge.base_url)
    exam = exam_of(folder, key) if folder else None
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


def _folder(env: Mapping[str, str]) -> str:
    folder = look_folder(env)
    if folder is None:
        raise ConfigError("no home folder: set HOME or GROUNDWIRE_STATE_DIR")
    return folder
