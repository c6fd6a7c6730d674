"""A stand-in on loopback of the APIs that clients ask: Messages, Gemini, Chat and Responses.

Requests with tools are turns and take the next scripted step: ``say text``, ``run command``, or
``use Tool JSON``. A judge gets its own answers, and what asks for a title a short text.
"""

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tests.support.loopback import Loopback, Reply, Request

Json = dict[str, Any]
_SHELLS = ("Bash", "run_shell_command", "exec_command", "bash")
#: How the instruction to a judge begins (``judge/prompts/turn.md``).
_JUDGE = "You review the final message"
_USAGE = dict.fromkeys(("input_tokens", "output_tokens", "total_tokens"), 10)


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


def messages(answer: Answer, number: int, model: str) -> list[Json]:
    block: Json = {"type": "text", "text": answer.text}
    start, delta = {**block, "text": ""}, {"type": "text_delta", "text": answer.text}
    if answer.tool:
        given = {name: value for name, value in answer.given.items() if name != "cmd"}
        start = {"type": "tool_use", "id": f"toolu_{number:04d}", "name": answer.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
    ended = {"stop_reason": None, "stop_sequence": None, "usage": _USAGE}
    message: Json = {"id": f"msg_{number:04d}", "type": "message", "role": "assistant"}
    message |= {"model": model, "content": [], **ended}
    end = {"stop_reason": "tool_use" if answer.tool else "end_turn", "stop_sequence": None}
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": _USAGE},
        {"type": "message_stop"},
    ]


def gemini(answer: Answer, _number: int, _model: str) -> list[Json]:
    call = {"functionCall": {"name": answer.tool, "args": answer.given}}
    content = {"role": "model", "parts": [call if answer.tool else {"text": answer.text}]}
    return [{"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}]


def responses(answer: Answer, number: int, _model: str) -> list[Json]:
    text = [{"type": "output_text", "text": answer.text, "annotations": []}]
    item: Json = {"type": "message", "role": "assistant", "content": text}
    if answer.tool:
        call = {"name": answer.tool, "arguments": json.dumps(answer.given)}
        item = {"type": "function_call", "call_id": f"call_{number}", **call}
    item |= {"id": f"i{number}", "status": "completed"}
    done = {"id": f"r{number}", "status": "completed", "output": [item], "usage": _USAGE}
    return [
        {"type": "response.created", "response": {**done, "output": []}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done},
    ]


def chat(answer: Answer, number: int, _model: str) -> list[Json]:
    delta: Json = {"role": "assistant", "content": answer.text}
    if answer.tool:
        function = {"name": answer.tool, "arguments": json.dumps(answer.given)}
        call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
        delta = {"role": "assistant", "tool_calls": [call]}
    base = {"id": f"c{number}", "object": "chat.completion.chunk", "created": 1, "model": "stub"}
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if answer.tool else "stop"}
    first = {"index": 0, "delta": delta, "finish_reason": None}
    return [{**base, "choices": [first]}, {**base, "choices": [end]}]


#: What stands in the path of each API, and the events of one answer in its form.
_FORMS: dict[str, Callable[[Answer, int, str], list[Json]]] = {
    "/messages": messages,
    "enerateContent": gemini,
    "/responses": responses,
    "/completions": chat,
}


class Model(Loopback):
    """Plays ``steps`` in turn; keeps the bodies of ``requests`` of turns, and those of a judge.

    The last of the ``judgements`` is said again and again; a turn for which no step is left is
    answered, too, for the client would else ask for ever, and its request tells of it.
    """

    def __init__(self, steps: Sequence[str], judgements: Sequence[str] = ()) -> None:
        super().__init__(self._reply)
        self.steps, self.judgements = list(steps), list(judgements)
        self.requests: list[Json] = []
        self.judged: list[Json] = []
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
        form = next(form for part, form in _FORMS.items() if part in path)
        events = form(answer, number, str(body.get("model")))
        if form is messages and not body.get("stream"):
            message = events[0]["message"] | events[4]["delta"]
            text = {"type": "text", "text": answer.text}
            return Reply(json.dumps({**message, "content": [text]}))
        lines = [f"data: {json.dumps(one)}\n\n" for one in events]
        if "type" in events[0]:
            lines = [f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events]
        lines += ["data: [DONE]\n\n"] if form is chat else []
        return Reply("".join(lines), headers={"content-type": "text/event-stream"})
