"""The real Claude Code client on a terminal, with the second look on and a model on loopback."""

import json
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from groundwire.base.settings import Judge
from groundwire.hook.second_look_state import Exam, keep_exam, look_folder, model_key, switch_on
from groundwire_judge.registration import change_entries
from groundwire_judge.request import VERSION, model_of
from tests.e2e.client import CLIENT, ClaudeCode
from tests.e2e.models import Json, Model
from tests.support.decisions import json_lines
from tests.support.terminal import Terminal

#: How a terminal is told where to go and how to look.
_CODES = re.compile(rb"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|[\x00-\x20\xa0]+")
_EVENTS = "tee -a ~/events.jsonl >/dev/null; echo >>~/events.jsonl"


_JUDGE = {"when": "always", "run": "after", "provider": "anthropic", "wake": 80, "note": 60}


def look_on(claude: ClaudeCode, **changes: Any) -> None:
    """Switch the second look on, with a model that has passed its exam."""
    judge = {**_JUDGE, **changes}
    claude.settings("[judge]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in judge.items()))
    claude.out("install", "--user")
    folder = look_folder(claude.env)
    assert folder
    switch_on(folder)
    change_entries(claude.env, claude.folder, on=True)
    own = Judge(**judge)
    exam = Exam(own.provider, model_of(own), "2026-01-02", 12, 12, 0, VERSION)
    keep_exam(folder, model_key(own.provider, model_of(own), own.base_url), exam)
    path = claude.home / ".claude/settings.json"
    settings = json.loads(path.read_text("utf-8"))
    for event in ("Stop", "UserPromptSubmit"):
        settings["hooks"][event].append({"hooks": [{"type": "command", "command": _EVENTS}]})
    path.write_text(json.dumps(settings), "utf-8")
    known = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "projects": {str(claude.folder): {"hasTrustDialogAccepted": True}},
        "customApiKeyResponses": {"approved": ["key"], "rejected": []},
    }
    (claude.home / ".claude.json").write_text(json.dumps(known), "utf-8")


def looks(claude: ClaudeCode) -> list[Json]:
    """Return the lines of the decision log that second looks have left."""
    path = claude.home / ".local/state/groundwire/decisions.jsonl"
    lines = json_lines(path) if path.exists() else []
    return [one for one in lines if one["event"] == "SecondLook"]


def acts(claude: ClaudeCode) -> list[tuple[str, str]]:
    """Return what each second look did, and why not more or what went wrong."""
    assert not [one["error"] for one in looks(claude) if one["error"]]
    fields = ((one, one["second_look"]) for one in looks(claude))
    return [(its["act"], its.get("why", "") or "; ".join(one["notes"])) for one, its in fields]


def events(claude: ClaudeCode, name: str = "Stop") -> list[Json]:
    """Return the events of this name that the client told of."""
    path = claude.home / "events.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [it for it in map(json.loads, filter(None, lines)) if it["hook_event_name"] == name]


class Chat(Terminal):
    """A client at its prompt. What it shows is compared without blanks."""

    def __init__(self, claude: ClaudeCode, model: Model, client: str | Path = CLIENT) -> None:
        claude.env |= {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "key"}
        self.model = model
        own = claude.program
        claude.program = client
        try:
            own_words = ("--allowedTools", "Bash", "--permission-mode", "default")
            super().__init__(claude, *own_words)
        finally:
            claude.program = own
        self.until(lambda: self.has("? for shortcuts"))

    def __enter__(self) -> Self:
        return self

    def has(self, words: str) -> bool:
        return b"".join(words.encode().split()) in _CODES.sub(b"", self.shown)

    def until(self, holds: Callable[[], object], seconds: float = 30) -> None:
        """Read what is shown until something holds."""
        end = time.monotonic() + seconds
        while not holds():
            plain = _CODES.sub(b" ", self.shown[-3000:]).decode(errors="replace")
            assert time.monotonic() < end, f"{plain}\n{len(self.model.requests)} requests"
            self.read(0.03)

    def sees(self, words: str) -> None:
        self.until(lambda: self.has(words))

    def idle(self, seconds: float) -> None:
        """Read what is shown for so long."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() > end, seconds + 5)

    def ask(self, words: str) -> None:
        """Type a prompt, see it, and send it."""
        self.shown = b""
        self.type(words)
        self.sees(words)
        self.type("\r")

    def leave(self, how: str) -> None:
        """End the client: by its command, as a terminal does that is closed, or at once."""
        if how.startswith("/"):
            self.ask(how)
        else:
            os.kill(self._process.pid, signal.SIGHUP if how == "hang up" else signal.SIGKILL)
        self.until(lambda: self._process.poll() is not None)


def left(claude: ClaudeCode) -> list[str]:
    """Return the processes that have this home in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            is_own = f"HOME={claude.home}\0".encode() in (path / "environ").read_bytes()
            words = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if is_own and words:
            found.append(words[:200])
    return found
