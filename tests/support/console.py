"""Sessions as text: of a shell, and of Claude Code with the hook in it; each is a test.

``== name`` begins a session; what stands before the first one comes before each. In a session

- ``> path`` writes a file in the current folder (``~/`` is the home) whose lines stand below it
  behind ``| ``; ``> path = JSON`` writes a text byte by byte, ``> path -> other`` a link, and
  ``> no path`` takes it away;
- ``: path`` says that a file has these lines, or what ``~ JSON`` says of each of its lines where it
  is made of JSON (``*`` in a path stands for anything); ``: no path`` says that there is none;
- ``$ words`` runs groundwire: variables may stand before it, ``< path`` behind it is its stdin.
  Below it stand the lines of stdout, those of stderr behind ``! ``, an exit code that is not 0
  behind ``? ``; ``~ JSON`` in place of stdout holds some keys of the objects that are printed;
- ``@ step words`` is a step of Claude Code, a method of ``Session`` with its arguments: more lines
  stand behind ``| ``, an exit code behind ``? ``, named arguments as JSON at the end of the line.
  ``@ stop words`` ends the turn with this message: what the hook answers stands below as
  ``~ JSON``, and no line where it says nothing; with ``{"told": false}`` the transcript does not
  have it. ``@ start`` is the start of a session whose settings are compiled. ``@ look`` is the
  second look at the last turn, whose words to the model stand below behind ``| ``, and
  ``@ submit words`` the hook of the next prompt. ``@ in path`` goes on in another file;
- ``& openai`` starts a judge on loopback, whose replies stand below it behind ``| ``, each the kind
  of a step of ``judge_stub`` and its text or status; ``& asked 2`` is the number of its requests,
  ``& sent words`` and ``& not sent words`` are about the last one;
- ``* METHOD path body`` is a request to a server that a test has beside the shell;
- ``#: words`` is a comment. ``...`` in a line or a text of JSON stands for anything, alone for any
  lines.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from groundwire.base.extras import load
from tests.cli.command import Command
from tests.conftest import Hook
from tests.support.judge_stub import Step, Stub, judge_stub
from tests.support.transcripts import Session

Steps = list[list[str]]


def sessions(*paths: Path) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for each session of these files; ``steps`` is its first parameter."""
    found: dict[str, Steps] = {}
    for path in paths:
        before, *named = re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.M)
        for one in named:
            found[f"{path.stem}: {one.splitlines()[0]}"] = steps_of(before + one.partition("\n")[2])
    return pytest.mark.parametrize("steps", found.values(), ids=found)


def steps_of(text: str) -> Steps:
    """Return each step as its lines."""
    _, *steps = re.split(r"^(?=[$>:@&*] )", re.sub(r"^#: .*\n", "", text, flags=re.M), flags=re.M)
    return [step.rstrip("\n").split("\n") for step in steps]


def play(cli: Command, steps: Steps, client: Any = None, web: Any = None) -> None:
    """Run the steps of a session in the folder of ``cli``; another client may take its steps."""
    stub: Stub | None = None
    client = client or Client(cli)
    with ExitStack() as judges:
        for first, *lines in steps:
            sign, words = first[0], first[2:]
            if sign == "&" and stub:
                _heard(stub, words)
            elif sign == "&":
                replies = [Step(*_reply(line[2:])) for line in lines]
                stub = judges.enter_context(judge_stub(words, *replies))
                cli.env |= stub.env
                load("groundwire_judge.providers:make_provider")(
                    words, stub.env
                )  # outside of budgets
            elif sign == "$":
                _run(cli, words, lines)
            elif sign == "@":
                client.step(words, lines)
            elif sign == "*":
                web(words, lines)
            else:
                (_write if sign == ">" else _look)(cli, words, lines)


def _reply(words: str) -> tuple[str, str, int]:
    kind, _, text = words.partition(" ")
    return (kind, "no", int(text)) if kind == "status" else (kind, text, 200)


def _heard(stub: Stub, words: str) -> None:
    asked = json.dumps(stub.requests[-1].body) if stub.requests else ""
    if words.startswith("asked "):
        assert len(stub.requests) == int(words.removeprefix("asked ")), stub.requests
    else:
        said = json.dumps(words.removeprefix("not ").removeprefix("sent ")).strip('"')
        assert (said in asked) != words.startswith("not "), f"{words}\n{asked}"


class Client:
    """Claude Code: a transcript that grows, and the hook at the end of each turn."""

    def __init__(self, cli: Command) -> None:
        self.cli, self.hook = cli, Hook(cli.home)
        self.hook.env = cli.env
        self.prompts = 0
        self.event: dict[str, Any] = {}
        self.to("~/.claude/projects/-shop/session.jsonl")

    def to(self, path: str, **fields: Any) -> None:
        """Begin a transcript at ``path``."""
        self.path = _place(self.cli, path)
        self.session = Session(cwd=str(self.cli.folder), **fields)

    def step(self, line: str, lines: list[str]) -> None:
        name, _, words = line.partition(" ")
        words, fields = with_fields(words.replace("~/", f"{self.cli.home}/"))
        below = _behind("| ", lines).removesuffix("\n")
        said = "\n".join([words, below] if below else [words])
        self.prompts += name == "prompt"
        if name in ("stop", "start"):
            wanted = json.loads(_behind("~ ", lines) or "{}")
            found = self.answer(name, said, fields)
            same = part(found, wanted) if wanted or name == "start" else found
            assert same == wanted, f"{line}\n{found}"
        elif name == "look":
            done = self.hook.entry("--second-look", {**self.event, **fields})
            _same(done.stderr.decode(), _behind("| ", lines), line)
            assert done.returncode == (2 if below else 0)
        elif name == "submit":
            event = {**self.event, "hook_event_name": "UserPromptSubmit", "prompt": words, **fields}
            found = json.loads(self.hook.entry("--notes", event).stdout or "{}")
            wanted = json.loads(_behind("~ ", lines) or "{}")
            same = part(found, wanted) if wanted else found
            assert same == wanted, f"{line}\n{found}"
        elif name == "in":
            self.to(words, **fields)
        else:
            code = {"exit_code": int(_behind("? ", lines))} if _behind("? ", lines) else {}
            texts = [words, below] if name == "bash" else [said] if said else []
            getattr(self.session, name)(*texts, **code, **fields)
        if self.session.entries:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.session.write(self.path)

    def answer(self, name: str, words: str, fields: dict[str, Any]) -> dict[str, Any]:
        """Return what the hook answers at the end of a turn, or at the start of a session."""
        event = {"session_id": self.session.session_id, "cwd": str(self.cli.folder)}
        if name == "start":
            return self.hook.start(**{**event, **fields})
        self.session.say(words)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        event |= {"transcript_path": self.session.write(self.path), "last_assistant_message": words}
        is_told = fields.pop("told", True)
        self.event = {"hook_event_name": "Stop", **event, "transcript_path": str(self.path)}
        self.event |= {"prompt_id": f"p{self.prompts}", **fields}
        found = self.hook(**{**event, "prompt_id": f"p{self.prompts}", **fields})
        if "reason" in found and is_told:
            self.session.feedback(found["reason"])
        return found


def _place(cli: Command, name: str) -> Path:
    return cli.folder / name.replace("~/", f"{cli.home}/")


def with_fields(words: str) -> tuple[str, dict[str, Any]]:
    """Split the JSON from the end of a line."""
    found = re.fullmatch(r"(.*?) ?(\{.*\})", words)
    return (found[1], json.loads(found[2])) if found else (words, {})


def _write(cli: Command, words: str, lines: list[str]) -> None:
    name, _, text = words.partition(" = ")
    name, _, target = name.partition(" -> ")
    path = _place(cli, name.removeprefix("no "))
    if name.startswith("no "):
        for one in cli.home.glob(str(path.relative_to(cli.home))):
            one.unlink()
    elif target:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
    else:
        data = json.loads(text).encode("latin-1") if text else _behind("| ", lines)
        cli.write(str(path), data)


def _look(cli: Command, words: str, lines: list[str]) -> None:
    name = words.removeprefix("no ")
    found = sorted(cli.home.glob(str(_place(cli, name).relative_to(cli.home))))
    assert bool(found) == (name == words), words
    text = "".join(path.read_text(encoding="utf-8") for path in found)
    if any(line.startswith("~ ") for line in lines):
        _holds(text, lines, f"{words}\n{text}")
    elif found:
        below = [line if line == "..." else line[2:] for line in lines]
        _same(text, "".join(f"{line}\n" for line in below), words)


def _run(cli: Command, said: str, lines: list[str]) -> None:
    words = shlex.split(said.replace("~/", f"{cli.home}/"))
    at = words.index("groundwire")
    env = dict(word.split("=", 1) for word in words[:at])
    data = (cli.folder / words.pop()).read_bytes() if words[-2] == "<" else b""
    done = cli(*[word for word in words[at + 1 :] if word != "<"], stdin=data, env=env)
    printed, told = (one.decode().replace(str(cli.home), "~") for one in (done.stdout, done.stderr))
    shown = f"$ {said}\n{printed}{told}"
    assert str(done.returncode) == (_behind("? ", lines).strip() or "0"), shown
    _same(told, _behind("! ", lines), shown)
    if any(line.startswith("~ ") for line in lines):
        _holds(printed, lines, shown)
    else:
        _same(printed, "".join(f"{one}\n" for one in lines if one[:2] not in ("! ", "? ")), shown)


def _behind(sign: str, lines: list[str]) -> str:
    return "".join(f"{line[2:]}\n" for line in lines if line[:2] == sign or line == sign.strip())


def _holds(text: str, lines: list[str], shown: str) -> None:
    """Compare what is one JSON document or one a line."""
    parts = [json.loads(one) for one in _behind("~ ", lines).splitlines()]
    try:
        whole = [json.loads(text)]
    except ValueError:
        whole = [json.loads(one) for one in text.splitlines()]
    for wanted, found in zip(parts, whole, strict=True):
        assert part(found, wanted) == wanted, shown


def _same(text: str, wanted: str, shown: str) -> None:
    pattern = re.sub(r"^\.\.\.\n", "\0", wanted, flags=re.M).split("\0")
    parts = [re.escape(one).replace(re.escape("..."), "[^\n]*") for one in pattern]
    assert re.fullmatch("(?:.*\n)*".join(parts), text), f"{shown}\ninstead of\n{wanted}"


def part(found: Any, wanted: Any) -> Any:
    """Return what ``found`` holds of the keys of ``wanted``, at any depth; ``...`` is anything."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return {key: part(found.get(key), one) for key, one in wanted.items()}
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        return [part(*pair) for pair in zip(found, wanted, strict=True)]
    if isinstance(wanted, str) and "..." in wanted and isinstance(found, str):
        pattern = ".*".join(map(re.escape, wanted.split("...")))
        return wanted if re.fullmatch(pattern, found, re.S) else found
    return found
