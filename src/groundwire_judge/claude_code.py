"""The judge behind the user's own client: ``claude -p``, with everything off but the model.

No tools, hooks, plugins, skills, MCP servers and memory files; no session is kept, and the folder
that it works in is empty. It signs in as the user does. Settings are read and not written, so
nothing of the user's changes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Mapping
from typing import Any

from groundwire.hook.sources import JUDGING
from groundwire.report.prose import one_line
from groundwire_judge.protocol import Answer, JudgeError, Question

_NAME = "claude-code"
#: Where the client's own installers put it, for a hook whose PATH does not lead there.
_PLACES = (".local/bin/claude", ".claude/local/claude")
#: Variables of the client that lead to its account or its API; all others tell of the session.
_KEPT = (
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_OAUTH",
    "CLAUDE_CODE_API",
    "CLAUDE_CODE_CERT",
    "CLAUDE_CODE_CLIENT",
    "CLAUDE_CODE_SKIP",
    "CLAUDE_CODE_USE",
)
_OFF = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_MAX_RETRIES": "2",
    "DISABLE_AUTOUPDATER": "1",
    "MAX_THINKING_TOKENS": "0",
    JUDGING: "1",
}
_SETTINGS = {"disableAllHooks": True, "autoMemoryEnabled": False}
_LONGEST = 200


class ClaudeCodeProvider:
    """Asks by a process of the client, one for each question."""

    def __init__(self, env: Mapping[str, str]) -> None:
        """Find the client on the PATH of ``env``; raises JudgeError when there is none."""
        self._client = find_client(env)
        self._env = client_environment(env)

    async def ask(self, question: Question) -> Answer:
        """Make one attempt; raises JudgeError. A cancelled one ends the whole client."""
        with tempfile.TemporaryDirectory(prefix="groundwire-") as folder:
            try:
                process = await asyncio.create_subprocess_exec(
                    self._client,
                    *_arguments(question),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    cwd=folder,
                    env={
                        **self._env,
                        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(question.settings.max_tokens),
                    },
                    start_new_session=True,
                )
            except OSError as error:
                raise JudgeError(f"{_NAME}: {error.strerror or error}") from None
            try:
                out, err = await process.communicate(question.content.encode())
            finally:
                await _end(process)
        return _read(out, err, process.returncode)

    async def close(self) -> None:
        """Nothing is open between two questions."""


def find_client(env: Mapping[str, str]) -> str:
    """Return the path of the client; raises JudgeError when it is not found.

    Empty and relative entries of the PATH lead into the project, whose files are not run.
    """
    folders = env.get("PATH", os.defpath).split(os.pathsep)
    found = shutil.which("claude", path=os.pathsep.join(filter(os.path.isabs, folders)))
    home = env.get("HOME") or env.get("USERPROFILE")
    places = [os.path.join(home, place) for place in _PLACES] if home else []
    found = found or next((place for place in places if os.access(place, os.X_OK)), None)
    if found is None:
        raise JudgeError(f"{_NAME}: the command claude is not on the PATH")
    return found


def client_environment(env: Mapping[str, str]) -> dict[str, str]:
    """Return what the client is started with: ``env`` without the session that the hook is of."""
    client_env = {
        name: value
        for name, value in env.items()
        if not name.startswith(("CLAUDE", "AI_AGENT")) or name.startswith(_KEPT)
    }
    return {**client_env, **_OFF}


def _arguments(question: Question) -> tuple[str, ...]:
    return (
        *("--print", "--output-format", "json", "--model", question.settings.model),
        *("--system-prompt", question.system, "--effort", "low", "--tools", ""),
        *("--safe-mode", "--disable-slash-commands", "--strict-mcp-config"),
        *("--no-session-persistence", "--settings", json.dumps(_SETTINGS)),
    )


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill the client and what it started, unless it has ended."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        await process.wait()


def _read(out: bytes, err: bytes, code: int | None) -> Answer:
    """Return the answer in the client's report; raises JudgeError when there is none."""
    try:
        report = json.loads(out)
    except ValueError:
        report = None
    if not isinstance(report, dict) or not isinstance(report.get("result"), str):
        output = one_line((err or out).decode("utf-8", "replace"), _LONGEST)
        raise JudgeError(f"{_NAME}: {output or f'no report, exit status {code}'}")
    if report.get("is_error") or report.get("subtype") != "success":
        raise JudgeError(f"{_NAME}: {one_line(report['result'], _LONGEST) or report['subtype']}")
    usage, models = _table(report, "usage"), _table(report, "modelUsage")
    read_tokens = [_whole_number(usage.get(name)) for name in _READ_TOKENS]
    cost = report.get("total_cost_usd")
    return Answer(
        report["result"],
        next(iter(models), ""),
        sum(read_tokens) if usage else None,
        _whole_number(usage.get("output_tokens")) if usage else None,
        float(cost) if isinstance(cost, (int, float)) else None,
    )


_READ_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def _table(report: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = report.get(name)
    return value if isinstance(value, dict) else {}


def _whole_number(value: object) -> int:
    return value if isinstance(value, int) else 0
