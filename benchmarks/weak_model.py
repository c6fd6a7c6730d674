"""``make weak-model``: a far too weak model takes a quarter of the entrance exam, and fails.

Gemma 3 270M behind llama.cpp's own server on loopback is asked as any other model is;
``weak_model.sh`` installs both. 1 when a reply is missing, or when it would wake or tell anybody.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Lock

from groundwire.base.settings import SHIPPED
from groundwire.hook.second_look_state import NOTHING, WAKE
from groundwire.turn.page import TurnDigest
from groundwire_judge.answer import Answer
from groundwire_judge.ask import ask_turn
from groundwire_judge.exam import exam_tasks, take_exam
from groundwire_judge.grounds import Finding, around_of, findings_of
from groundwire_judge.rights import act_of, right_by_exam

FOLDER = Path(".e2e/weak")  # also in weak_model.sh
#: The context bounds the answers, which this model often does not end; the prompts have 1,800
#: tokens. Two threads that wait for each other would stand still on a busy machine.
_SERVER = """
import sys, xllamacpp
asked = xllamacpp.CommonParams()
asked.model.path, asked.n_ctx, asked.n_parallel = sys.argv[1], 2240, 1
asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(asked)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def serving() -> Iterator[str]:
    """Run the server, and yield its address."""
    command = [sys.executable, "-c", _SERVER, str(FOLDER / "model.gguf")]
    env = {**os.environ, "PYTHONPATH": str(FOLDER)}
    pipe = subprocess.PIPE
    with (
        (FOLDER / "server.log").open("wb") as log,
        subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe, stderr=log) as process,
    ):
        assert process.stdout is not None
        try:
            yield process.stdout.readline().decode().strip()
        finally:
            process.kill()


def main() -> int:
    """Print what came for each digest, and what of it counts."""
    tasks = {id(task.digest): task for task in islice(exam_tasks(), 6)}
    replies, found, one_at_a_time = list[Answer](), list[Finding](), Lock()
    with serving() as address:
        judge = SHIPPED.judge.replace(
            provider="openai", model="weak", base_url=f"{address}/v1", budget_ms=900_000
        )

        def ask(digest: TurnDigest) -> Answer:
            with one_at_a_time:
                started = time.monotonic()
                answer = ask_turn(digest, judge, {})
                seconds = time.monotonic() - started
            task = tasks[id(digest)]
            around = around_of(digest, task.timeline, task.timeline.calls)
            its = findings_of(answer, digest, task.sentences, task.timeline, around)
            replies.append(answer)
            found.extend(its)
            print(
                f"{task.id}, {'false' if task.place else 'true'}: {seconds:.0f} s, "
                f"tokens {answer.input_tokens} + {answer.output_tokens}: "
                f"{answer.problem or f'{len(answer.said)} entries hold, {answer.dropped} do not'}",
                *(f"  {one.said}: {one.dropped or 'grounded'}" for one in its),
                sep="\n",
            )
            return answer

        result = take_exam(iter(tasks.values()), ask, judge.note)
    right = right_by_exam(result.asked, result.found, len(result.wrong))
    dropped = sum(one.dropped != "" for one in found)
    able = sum(act_of(one, judge, WAKE) == WAKE for one in found)
    print(
        f"found {result.found} of {result.asked}, accused {len(result.wrong)} of {result.asked}; "
        f"{sum(one.dropped for one in replies)} entries do not hold, of {len(found)} accusations "
        f"grounding dropped {dropped}, {able} could wake; what it may do: {right}"
    )
    return int(right != NOTHING or not all(one.model for one in replies))


if __name__ == "__main__":
    sys.exit(main())
