"""A server on loopback that answers as a judge's provider does, step by step."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

KEY = "key-of-the-test-0123456789"
MODELS = {"openai": "gpt-4o-mini", "anthropic": "claude-3-haiku-20240307", "azure": "gpt-4o-mini"}
PROVIDERS = tuple(MODELS)
_SLOWEST = 10.0


class Step(NamedTuple):
    """What one request gets: ``kind`` is text, later, structured, status, raw, slow or drop."""

    kind: str
    text: str = ""
    status: int = 200
    headers: dict[str, str] = {}  # noqa: RUF012


def text(reply: str) -> Step:
    return Step("text", reply)


def structured(score: float) -> Step:
    return Step("structured", json.dumps({"confidence": score}))


def statements(*rows: tuple[int, float, str, str], before: str = "") -> Step:
    names = ("n", "probability", "kind", "why")
    said = json.dumps({"statements": [dict(zip(names, row, strict=True)) for row in rows]})
    return Step("text", before + said) if before else Step("structured", said)


def status(code: int, message: str = "no", **headers: str) -> Step:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step("status", message, code, named)


class Request(NamedTuple):
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


Answering = Callable[[Request], Step]


class Stub(ThreadingHTTPServer):
    """Plays ``steps`` in turn, the last one again and again; keeps ``requests``.

    A step may be a function that makes one of a request.
    """

    daemon_threads = True

    def __init__(self, provider: str, steps: tuple[Step | Answering, ...]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.provider = provider
        self.steps = list(steps)
        self.requests: list[Request] = []
        self.most_at_once = 0
        self.stopped = threading.Event()
        self._running = 0
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        base = f"http://127.0.0.1:{self.server_address[1]}"
        return f"{base}/v1" if self.provider == "openai" else base

    @property
    def env(self) -> dict[str, str]:
        return {
            "openai": {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": self.address},
            "anthropic": {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": self.address},
            "azure": {"AZURE_OPENAI_API_KEY": KEY, "AZURE_OPENAI_ENDPOINT": self.address},
        }[self.provider]

    def next_step(self, request: Request) -> Step:
        with self._lock:
            self.requests.append(request)
            step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        return step if isinstance(step, Step) else step(request)

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1

    def body(self, step: Step, model: str) -> dict[str, Any]:
        """Return a good reply in the shape of the provider's own API."""
        if self.provider != "anthropic":
            message = {"role": "assistant", "content": step.text, "refusal": None}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            usage = {"prompt_tokens": 400, "completion_tokens": 9, "total_tokens": 409}
            return {
                "id": "c1",
                "object": "chat.completion",
                "created": 1,
                "model": model,
                "choices": [choice],
                "usage": usage,
            }
        block: dict[str, Any] = {"type": "text", "text": step.text}
        if step.kind == "structured":
            block = {
                "type": "tool_use",
                "id": "t1",
                "name": "report_confidence",
                "input": json.loads(step.text),
            }
        return {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [block],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 400, "output_tokens": 9},
        }

    def refusal(self, step: Step) -> dict[str, Any]:
        """Return the body of an error in the shape of the provider's own API."""
        error = {"type": "invalid_request_error", "message": step.text}
        if self.provider == "anthropic":
            return {"type": "error", "error": error}
        return {"error": {**error, "param": None, "code": None}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Stub

    def do_POST(self) -> None:
        stub = self.server
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        with stub.counted():
            step = stub.next_step(Request(self.path, headers, body))
            if step.kind == "drop":
                self.close_connection = True
                return
            if step.kind == "later":
                stub.stopped.wait(1.0)
            if step.kind == "slow":
                stub.stopped.wait(float(step.text) if step.text else _SLOWEST)
                step = structured(0.5)
            if step.kind == "raw":
                self._send(200, step.text.encode(), step.headers)
            elif step.kind == "status":
                refusal = json.dumps(stub.refusal(step)).encode()
                self._send(step.status, refusal, step.headers)
            else:
                reply = json.dumps(stub.body(step, str(body.get("model")))).encode()
                self._send(200, reply, {})

    def _send(self, code: int, data: bytes, headers: dict[str, str]) -> None:
        try:
            self.send_response(code)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # the client has gone, as it does when its time is over
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def judge_stub(provider: str, *steps: Step | Answering) -> Iterator[Stub]:
    """Run a stub of ``provider`` as long as the block lasts."""
    stub = Stub(provider, steps)
    thread = threading.Thread(target=stub.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield stub
    finally:
        stub.stopped.set()
        stub.shutdown()
        thread.join()
        stub.server_close()
