"""A stand-in on loopback of the APIs that clients ask: Messages, Gemini, Chat and Responses.

Requests with tools are turns and take the next scripted step: ``say text``, ``run command``, or
``use Tool JSON``. A judge gets its own answers, and what asks for a title a short text.
"""

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.support.loopback import Loopback, Reply, Request

Json = dict[str, Any]
_SHELLS = ("Bash", "run_shell_command", "exec_command", "bash")
#: How the instruction to a judge begins (``judge/prompts/turn.md``).
_JUDGE = "You review the final message"
#: The events of a text and of the call of a tool, by what stands in the path of each API.
_EVENTS = json.loads(Path(__file__).with_name("models.json").read_text("ascii"))


class Answer(NamedTuple):
    """A text, or the call of a tool."""

    text: str
    tool: str
    given: Json


def answer_of(step: str, body: Json) -> Answer:
    kind, _, words = step.partition(" ")
    if kind == "say":
        return Answer(words, "", {})
    if kind == "use":
        tool, _, given = words.partition(" ")
        return Answer("", tool, json.loads(given))
    tools = json.dumps(body["tools"])
    shell = next(name for name in _SHELLS if f'"{name}"' in tools)
    return Answer("", shell, {"command": words, "cmd": words, "description": "a command"})


def events_of(answer: Answer, form: str, number: int, model: str) -> list[Json]:
    """Return the events of an answer in the form of an API: a part of its path."""
    plain = {name: value for name, value in answer.given.items() if name != "cmd"}
    said: Json = {"TEXT": answer.text, "TOOL": answer.tool, "MODEL": model}
    said |= {"GIVEN": answer.given, "GIVEN AS TEXT": json.dumps(answer.given)}
    said["PLAIN AS TEXT"] = json.dumps(plain)
    text = json.dumps(_EVENTS[form]["tool" if answer.tool else "text"])
    text = text.replace("NUMBER", f"{number:04d}")
    for name, value in said.items():
        text = text.replace(f'"{name}"', json.dumps(value))
    events: list[Json] = json.loads(text)
    return events


class Model(Loopback):
    """Plays ``steps`` in turn; keeps the bodies of ``requests`` of turns, and those of a judge.

    The last of the ``judgements`` is said again and again; a turn for which no step is left is
    answered, too, for the client would else ask for ever, and its request tells of it. Judges wait
    for ``gate``, and ``turn_gate`` is waited for by what a turn says.
    """

    def __init__(self, steps: Sequence[str], judgements: Sequence[str] = ()) -> None:
        super().__init__(self._reply)
        self.steps, self.judgements = list(steps), list(judgements)
        self.requests: list[Json] = []
        self.judged: list[Json] = []
        self.gate, self.turn_gate = threading.Event(), threading.Event()
        self.gate.set()
        self.turn_gate.set()
        self._lock = threading.Lock()

    def _step(self, body: Json) -> str:
        if _JUDGE in json.dumps(body.get("system", "")):
            self.judged.append(body)
            return f"say {self.judgements.pop(0) if self.judgements[1:] else self.judgements[0]}"
        if not body.get("tools"):
            return "say A short title"
        self.requests.append(body)
        return self.steps.pop(0) if self.steps else "say No answer was left."

    def _reply(self, request: Request) -> Reply:
        body, path = request.body, request.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            return Reply(json.dumps({"input_tokens": 10}))
        with self._lock:
            answer = answer_of(self._step(body), body)
            number = len(self.requests)
        is_judge = _JUDGE in json.dumps(body.get("system", ""))
        if body.get("tools") or is_judge:
            (self.gate if is_judge else self.turn_gate).wait(90)
        form = next(part for part in _EVENTS if part in path)
        events = events_of(answer, form, number, str(body.get("model")))
        if form == "/messages" and not body.get("stream"):
            message = events[0]["message"] | events[4]["delta"]
            text = {"type": "text", "text": answer.text}
            return Reply(json.dumps({**message, "content": [text]}))
        lines = [f"data: {json.dumps(one)}\n\n" for one in events]
        if "type" in events[0]:
            lines = [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events]
        lines += ["data: [DONE]\n\n"] if form == "/completions" else []
        return Reply("".join(lines), headers={"content-type": "text/event-stream"})
