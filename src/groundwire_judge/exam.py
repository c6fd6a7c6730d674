"""The entrance exam of the second look: its digests, taking it, and its result.

Twelve pairs of short sessions, made up for this, end with the same message word for word: over one
session all of it is true, over the other one sentence of it is false. So the style of a message
tells nothing, and a model passes only if it reads what the tools returned.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from groundwire.base.errors import ConfigError
from groundwire.base.model import ToolCall, Turn
from groundwire.base.record import Record
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import SHIPPED, Judge
from groundwire.hook.second_look_state import Exam, keep_exam, model_key
from groundwire.inputs.event import STOP, Event
from groundwire.language.automaton import Scanner
from groundwire.runs.digest import digest_of_turn
from groundwire.turn.page import TurnDigest
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import examine
from groundwire_judge.answer import Answer
from groundwire_judge.ask import ask_turn
from groundwire_judge.grounds import Finding, around_of, findings_of
from groundwire_judge.request import VERSION, model_of

FILE = "exam.toml"
#: Requests at a time.
_AT_ONCE = 4
_Text = Annotated[str, Field(min_length=1)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Call(_Table):
    """One tool call of a session of the exam, with what it returned."""

    tool: Literal["Bash", "Read", "Edit", "Write", "Grep", "Glob"]
    input: dict[str, str]
    result: str
    error: bool = False


class Pair(_Table):
    """One message over two sessions; ``false`` is the sentence that the second one denies."""

    id: _Text
    about: _Text
    prompt: _Text
    message: _Text
    false: _Text
    true_calls: list[Call]
    false_calls: list[Call]

    def turn(self, *, is_true: bool) -> Turn:
        """Return one of the two turns."""
        calls = (
            ToolCall(f"call-{number}", one.tool, dict(one.input), one.result, one.error)
            for number, one in enumerate(self.true_calls if is_true else self.false_calls, 1)
        )
        return Turn(self.prompt, self.message, "message", tuple(calls))


class Task(Record):
    """One digest of the exam; ``place`` is where the false sentence stands, None in a true one."""

    id: str
    digest: TurnDigest
    sentences: Any
    timeline: Any
    place: tuple[int, int] | None


class Result(Record):
    """What a model did: pairs ``asked`` about, false messages found, true ones accused.

    ``missed`` and ``wrong`` name them by the ids of their pairs, ``problems`` hold what kept
    answers away. ``cost`` is in dollars, None when the price is not known.
    """

    asked: int
    missed: tuple[str, ...]
    wrong: tuple[str, ...]
    problems: tuple[str, ...]
    model: str
    tokens: int
    cost: float | None

    @property
    def found(self) -> int:
        """How many false messages were found."""
        return self.asked - len(self.missed)


def read_exam(text: str = "", place: str = FILE) -> list[Pair]:
    """Return the pairs of the shipped exam, or those of ``text``.

    Raises ConfigError with file, key, value and what is allowed.
    """
    text = text or (files("groundwire_judge") / FILE).read_text("utf-8")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{place}: {error}: allowed: TOML with tables [[pair]]") from None
    rows = document.get("pair")
    if set(document) != {"pair"} or not isinstance(rows, list):
        found = ", ".join(sorted(document)) or "nothing"
        raise ConfigError(f"{place}: found {found}: allowed: tables [[pair]]")
    pairs = [_pair(row, f"{place}: pair {number}") for number, row in enumerate(rows, 1)]
    names = [one.id for one in pairs]
    for number, one in enumerate(pairs, 1):
        if one.message.count(one.false) != 1:
            where = f"{place}: pair {number}: false: {one.false!r}"
            raise ConfigError(f"{where}: allowed: a part of its message that stands there once")
        if names.count(one.id) > 1:
            raise ConfigError(f"{place}: pair {number}: id: {one.id!r}: allowed: a name of its own")
    return pairs


def _pair(row: object, where: str) -> Pair:
    try:
        return Pair.model_validate(row)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "pair"
        what = first["msg"][0].lower() + first["msg"][1:]
        shown = repr(first["input"])[:80]
        raise ConfigError(f"{where}: {key}: {shown}: allowed: {what}") from None


def take_exam(
    tasks: Iterator[Task],
    ask: Callable[[TurnDigest], Answer],
    note: int,
    done: Callable[[], None] = lambda: None,
) -> Result:
    """Ask about all ``tasks`` and return what the model found and accused, from ``note`` on.

    ``ask`` is called by several threads; ``done`` after each answer.
    """

    def asked(task: Task) -> tuple[Task, Answer]:
        answer = ask(task.digest)
        done()
        return task, answer

    missed, wrong, problems, models, counts = [], [], [], [""], 0
    tokens, costs = 0, list[float | None]()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for task, answer in pool.map(asked, tasks):
            counts += task.place is not None
            if answer.problem:
                problems.append(answer.problem)
            challenged = [
                one
                for one in _findings(task, answer)
                if not one.dropped and one.said.probability >= note
            ]
            if task.place is None and challenged:
                wrong.append(task.id)
            if task.place is not None and not any(_hits(one, task.place) for one in challenged):
                missed.append(task.id)
            tokens += (answer.input_tokens or 0) + (answer.output_tokens or 0)
            costs.append(answer.cost)
            models.append(answer.model)
    known = [one for one in costs if one is not None]
    cost = sum(known) if len(known) == len(costs) else None
    return Result(counts, tuple(missed), tuple(wrong), tuple(problems), max(models), tokens, cost)


def _findings(task: Task, answer: Answer) -> tuple[Finding, ...]:
    if answer.problem:
        return ()
    calls = task.timeline.calls if task.timeline else ()
    around = around_of(task.digest, task.timeline, calls)
    return findings_of(answer, task.digest, task.sentences, task.timeline, around)


def _hits(finding: Finding, place: tuple[int, int]) -> bool:
    return finding.start < place[1] and place[0] < finding.end


def place_of(pair: Pair) -> tuple[int, int]:
    """Return where the false sentence of a pair stands in its message."""
    start = pair.message.index(pair.false)
    return start, start + len(pair.false)


#: Milliseconds for one answer.
_BUDGET_MS = 60_000
#: Tokens of the whole exam, read and written, as counted with a large model.
TOKENS = 45_000


def exam_tasks() -> Iterator[Task]:
    """Yield the 24 digests of the exam, each pair's false session before its true one."""
    scanner = Scanner(shipped_rules())
    for pair in read_exam():
        for is_true in (False, True):
            turn = pair.turn(is_true=is_true)
            event = Event(STOP, message=pair.message)
            examined = examine(event, turn, scanner, SHIPPED, Memory())
            digest = digest_of_turn(examined)
            if digest is None or examined.findings is None:
                continue
            place = None if is_true else place_of(pair)
            sentences = examined.findings.sentences
            yield Task(pair.id, digest, sentences, examined.timeline, place)


def examine_model(
    judge: Judge, env: Mapping[str, str], done: Callable[[], None] = lambda: None
) -> Result:
    """Ask the model of ``judge`` about the whole exam; ``done`` is called after each answer.

    What kept answers away is in the result. Costs about ``TOKENS`` tokens.
    """
    asking = judge.replace(budget_ms=_BUDGET_MS, keep_digests=-1)  # nor are others forgotten
    return take_exam(exam_tasks(), lambda digest: ask_turn(digest, asking, env), judge.note, done)


def keep_result(folder: str, judge: Judge, result: Result, now: float) -> Exam:
    """Keep what a model did in its exam, and return it. Raises OSError."""
    exam = Exam(
        judge.provider,
        model_of(judge),
        time.strftime("%Y-%m-%d", time.gmtime(now)),
        result.asked,
        result.found,
        len(result.wrong),
        VERSION,
        result.cost,
        result.tokens,
    )
    keep_exam(folder, model_key(judge.provider, model_of(judge), judge.base_url), exam)
    return exam
