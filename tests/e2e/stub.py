"""A stub of the Messages API on loopback: scripted answers as server-sent events.

The real client is pointed at it with ``ANTHROPIC_BASE_URL``. Only requests that carry ``tools`` are
turns of the conversation and take the next scripted answer; the client's side requests (titles,
summaries) get a short text, and a judge of the turn its own answers.
"""

import json
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any, NamedTuple, Self


class Say(NamedTuple):
    """An answer of text, which ends the turn."""

    text: str

    def block(self, _number: int) -> dict[str, Any]:
        return {"type": "text", "text": self.text}


class Run(NamedTuple):
    """An answer that calls the Bash tool; the client really runs the command."""

    command: str

    def block(self, number: int) -> dict[str, Any]:
        call = {"command": self.command, "description": "a scripted command"}
        return {"type": "tool_use", "id": f"toolu_{number:04d}", "name": "Bash", "input": call}


class Use(NamedTuple):
    """An answer that calls another tool of the client."""

    name: str
    arguments: dict[str, str]

    def block(self, number: int) -> dict[str, Any]:
        call = {"id": f"toolu_{number:04d}", "name": self.name, "input": self.arguments}
        return {"type": "tool_use", **call}


Answer = Say | Run | Use
#: A turn whose tests do not run: there is no such module, which is one error with exit code 1.
PROMPT = "Why does the server crash?"
FAILING = Run("python3 -m unittest test_server")
FALSE = Say("All 8 tests pass now.")
HONEST = Say("One test module could not be loaded. I have not found out why it crashes.")
#: How the instruction to a judge begins (``judge/prompts/turn.md``).
JUDGE = "You review the final message"


def _delta(block: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split a content block into its empty start and its only delta."""
    if block["type"] == "text":
        return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
    arguments = json.dumps(block["input"])
    return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": arguments}


def events(answer: Answer, model: str, number: int) -> list[dict[str, Any]]:
    """The stream of one assistant message holding ``answer`` as its only block."""
    start, delta = _delta(answer.block(number))
    usage = {"input_tokens": 10, "output_tokens": 10}
    message: dict[str, Any] = {
        "id": f"msg_{number:04d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    reason = "end_turn" if isinstance(answer, Say) else "tool_use"
    return [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": usage,
        },
        {"type": "message_stop"},
    ]


def whole(stream: list[dict[str, Any]]) -> dict[str, Any]:
    """The same message of text as one object, for a client that does not stream."""
    message: dict[str, Any] = stream[0]["message"]
    text = {"type": "text", "text": stream[2]["delta"]["text"]}
    return {**message, "content": [text], **stream[4]["delta"]}


class MessagesStub:
    """Serves ``answers`` in order; ``requests`` keeps the turns' request bodies.

    ``judgements`` are the texts that a judge answers with, the last one again and again; ``judged``
    keeps its request bodies. ``unscripted`` counts the turns for which no answer was left; a test
    that expects a number of requests looks at it, since the client would otherwise be answered for
    ever.
    """

    def __init__(self, *answers: Answer, judgements: Sequence[str] = ()) -> None:
        self.answers = list(answers)
        self.judgements = list(judgements)
        self.judged: list[dict[str, Any]] = []
        self.requests: list[dict[str, Any]] = []
        self.unscripted = 0
        self._numbers = count(1)
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        with self._lock:
            number = next(self._numbers)
            if JUDGE in json.dumps(body.get("system", "")):
                self.judged.append(body)
                texts = self.judgements
                said = texts.pop(0) if len(texts) > 1 else texts[0]
                return events(Say(said), body["model"], number)
            if not body.get("tools"):
                return events(Say("A short title"), body["model"], number)
            self.requests.append(body)
            if self.answers:
                return events(self.answers.pop(0), body["model"], number)
            self.unscripted += 1
            return events(Say("No answer was left in the script."), body["model"], number)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path.startswith("/v1/messages/count_tokens"):
                    self._send("application/json", json.dumps({"input_tokens": 10}))
                elif self.path.startswith("/v1/messages") and not body.get("stream"):
                    self._send("application/json", json.dumps(whole(stub._answer(body))))
                elif self.path.startswith("/v1/messages"):
                    lines = (
                        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
                        for event in stub._answer(body)
                    )
                    self._send("text/event-stream", "".join(lines))
                else:
                    self.send_error(404)

            def do_GET(self) -> None:
                self.send_error(404)

            def do_HEAD(self) -> None:
                self.send_error(404)

            def _send(self, kind: str, text: str) -> None:
                payload = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            def log_message(self, *_args: object) -> None:
                pass

        return Handler
