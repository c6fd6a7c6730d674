"""A server on loopback that answers as a judge's provider does, step by step."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.support.loopback import Loopback, Reply, Request

KEY = "key-of-the-test-0123456789"
MODELS = {"openai": "gpt-4o-mini", "anthropic": "claude-3-haiku-20240307", "azure": "gpt-4o-mini"}
_SLOWEST = 10.0
#: Replies of the providers' own APIs, where text or an object belongs; Azure has those of OpenAI.
_REPLIES = json.loads(Path(__file__).with_name("judge_replies.json").read_text("ascii"))


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


#: A step may be a function that makes one of a request.
Answering = Callable[[Request], Step]


class Stub(Loopback):
    """Plays ``steps`` in turn, the last one again and again; keeps ``requests``."""

    def __init__(self, provider: str, steps: tuple[Step | Answering, ...]) -> None:
        super().__init__(self._counted)
        self.provider = provider
        self.steps = list(steps)
        self.requests: list[Request] = []
        self.most_at_once = self._running = 0
        self._stopped = threading.Event()
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        return f"{self.url}/v1" if self.provider == "openai" else self.url

    @property
    def env(self) -> dict[str, str]:
        name = "AZURE_OPENAI" if self.provider == "azure" else self.provider.upper()
        ending = "ENDPOINT" if self.provider == "azure" else "BASE_URL"
        return {f"{name}_API_KEY": KEY, f"{name}_{ending}": self.address}

    def __exit__(self, *error: object) -> None:
        self._stopped.set()
        super().__exit__(*error)

    def _counted(self, request: Request) -> Reply | None:
        with self._lock:
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
            self.requests.append(request)
            step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        try:
            return self._reply(step if isinstance(step, Step) else step(request), request)
        finally:
            with self._lock:
                self._running -= 1

    def _reply(self, step: Step, request: Request) -> Reply | None:
        if step.kind == "drop":
            return None
        if step.kind == "later":
            self._stopped.wait(1.0)
        if step.kind == "slow":
            self._stopped.wait(float(step.text) if step.text else _SLOWEST)
            step = structured(0.5)
        if step.kind == "raw":
            return Reply(step.text, headers=step.headers)
        # anything else in the shape of the provider's own API
        api = "anthropic" if self.provider == "anthropic" else "openai"
        shape = json.dumps(_REPLIES.get(f"{api} {step.kind}", _REPLIES[api]))
        said = shape.replace('"OBJECT"', step.text).replace('"SAID"', json.dumps(step.text))
        model = str(request.body.get("model"))
        return Reply(said.replace("MODEL", model), step.status, step.headers)


def judge_stub(provider: str, *steps: Step | Answering) -> Stub:
    """Return a stub of ``provider``, which runs as long as it is entered."""
    return Stub(provider, steps)
