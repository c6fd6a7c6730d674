"""Taking the entrance exam: its digests as the hook makes them, and the model that is asked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from groundwire.decision import Memory
from groundwire.event import STOP, Event
from groundwire.judge.exam import Result, Task, place_of, read_exam, take_exam
from groundwire.judge.turn import ask_turn
from groundwire.judge.turn_prompt import VERSION
from groundwire.judge.turn_request import model_of
from groundwire.rules import shipped_rules
from groundwire.scan.automaton import Scanner
from groundwire.service.examine import examine
from groundwire.service.turn_digest import digest_of_turn
from groundwire.settings import SHIPPED, Judge
from groundwire.state.second_look import Exam, keep_exam, model_key

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
