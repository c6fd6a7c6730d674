"""The real Claude Code client: a scratch home, one ``claude -p`` a turn, a model on loopback.

Sessions are told as in ``tests/support/console.py``, with these steps of the client:

- ``@ ask words`` is a prompt that begins a session, ``@ resume words`` one that goes on in it, and
  ``@ beside words`` one in another session. The steps of the model stand below behind ``| ``, and
  as ``| judge text`` what a judge answers. ``~ JSON`` holds some keys of what came of it:
  ``result``, what the hook ``stopped``, ``printed`` and ``told`` the user, each reason with ``by``
  which hook. Of these the first three are empty where they are not named, and no hook ever fails;
- ``@ sent words`` and ``@ judged words`` are in the first request of that turn, and of its judge,
  ``@ not-sent words`` and ``@ not-judged words`` are not;
- ``@ claude words`` runs another command of the client, ``@ wait path`` waits for a file, and
  ``@ wait server`` or ``@ wait nobody`` for what happens at ``@port``.
"""

import json
import sys
from pathlib import Path
from typing import Any

from groundwire.base.version import __version__
from groundwire_server.resident.client import running_version
from groundwire_server.resident.token import ensure_token
from tests.cli.command import Command
from tests.e2e.models import Json, Model
from tests.server.resident import free_port
from tests.support.console import Steps, part, play, with_fields
from tests.support.decisions import json_lines
from tests.support.waiting import wait_until

REPOSITORY = Path(__file__).parents[2]
CLIENT = REPOSITORY / ".e2e/client/node_modules/.bin/claude"
_SILENT = (
    *("DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING"),
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
)
_TOOLS = ("--allowedTools", "Bash,Edit,Grep,Read,Write", "--output-format", "json")


class ClaudeCode(Command):
    """The client in a home of its own, with a Python but no groundwire on the PATH."""

    def __init__(self, root: Path, program: str | Path = "", *arguments: str) -> None:
        super().__init__(root)
        self.program, self.arguments = program, arguments
        self.port = free_port()
        path = f"{sys.base_prefix}/bin:/usr/local/bin:/usr/bin:/bin"
        self.env |= {"PATH": path, "TMPDIR": str(root), **dict.fromkeys(_SILENT, "1")}
        self.session, self.known = "", set[str]()
        self.requests: list[Json] = []
        self.judgings: list[Json] = []

    __call__ = Command.process

    def play(self, steps: Steps) -> None:
        names = {"@port": str(self.port), "@version": __version__, "@repository": str(REPOSITORY)}

        text = json.dumps(steps)
        for name, value in names.items():
            text = text.replace(name, value)
        play(self, json.loads(text), self)

    def step(self, line: str, lines: list[str]) -> None:
        name, _, words = line.replace("~/", f"{self.home}/").partition(" ")
        lines = [one[:2] + one[2:].replace("~/", f"{self.home}/") for one in lines]
        below = [one[2:] for one in lines if one.startswith("| ")]
        if name in ("ask", "beside", "resume"):
            words, fields = with_fields(words)
            found = self.turn(name, words, below, **fields)
            told = [json.loads(one[2:]) for one in lines if one.startswith("~ ")]
            wanted: Json = {"stopped": [], "told": [], "printed": [], **dict(*told)}
            assert part(found, wanted) == wanted, f"{line}\n{found}"
        elif name == "claude":
            printed = self.run(*words.split())
            assert all(one in printed for one in below), printed
        elif name == "wait" and words in ("server", "nobody"):
            token = ensure_token({"HOME": str(self.home)})
            wait_until(lambda: bool(running_version(self.port, token)) is (words == "server"))
        elif name == "wait":
            wait_until(Path(words).exists, said=f"no {words}", seconds=120)
        else:
            requests = self.requests if name.endswith("sent") else self.judgings
            holds = json.dumps(words)[1:-1] in json.dumps(requests[0])
            assert holds is not name.startswith("not-"), f"{line}\n{requests[0]}"

    def run(self, *arguments: str, other: Path = CLIENT, env: dict[str, str] | None = None) -> str:
        """Run the client, or another one, to a good end; return what it prints."""
        done = self.process(*arguments, env=env, other=other)
        assert done.returncode == 0, done
        return done.stdout.decode()

    def turn(
        self, name: str, prompt: str, below: list[str], env: dict[str, str] | None = None
    ) -> Json:
        """Take one prompt to its end, with all steps of the model and no more of them."""
        judgements = [one.removeprefix("judge ") for one in below if one.startswith("judge ")]
        steps = [one for one in below if not one.startswith("judge ")]
        count = len(steps)
        going_on = ["--resume", self.session] if name == "resume" else []
        with Model(steps, judgements) as model:
            url = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "none-needed-on-loopback"}
            words = ["-p", prompt, *going_on, *_TOOLS, *self.arguments]
            report = json.loads(self.run(*words, env=url | (env or {})))
        assert len(model.requests) == count, f"not asked for: {model.steps}"
        self.requests, self.judgings = model.requests, model.judged
        [path] = (self.home / ".claude/projects").glob(f"*/{report['session_id']}.jsonl")
        entries = json_lines(path)
        new = [one for one in entries if one.get("uuid") not in self.known]
        if name != "beside":
            self.session = report["session_id"]
            self.known = {one.get("uuid", "") for one in entries}
        found = self.of_hooks([one["attachment"] for one in new if one["type"] == "attachment"])
        for reason in found["stopped"]:
            assert len(reason) <= 1_000
            said = json.dumps(f"Stop hook feedback:\n{reason}")
            assert said in json.dumps(model.requests[-1]["messages"])
        return {**found, "result": report["result"]}

    @staticmethod
    def of_hooks(attachments: list[Json]) -> dict[str, Any]:
        """Return what the hooks did, of which none may fail."""

        def of(kind: str) -> list[Json]:
            return [one for one in attachments if one["type"] == kind]

        assert not of("hook_non_blocking_error") + of("hook_cancelled"), attachments
        ended = [one["stdout"] for one in of("hook_success") if one["hookEvent"] == "Stop"]
        return {
            "stopped": [one["blockingError"]["blockingError"] for one in of("hook_blocking_error")],
            "by": [json.dumps(one) for one in of("hook_blocking_error")],
            "printed": [json.loads(one) for one in ended if one],
            "told": [one["content"] for one in of("hook_system_message")],
        }
