"""The resident hook without sockets: the head and the body of a request in, a response out.

Any server can mount it: ``refusal`` looks at the head alone, so that nobody's body is read
without the token; ``answer`` gives the bytes that the command hook would print.
"""

from __future__ import annotations

import os
import time

from groundwire.base import json_codec
from groundwire.base.errors import EventError
from groundwire.base.rules import RuleSet, shipped_rules
from groundwire.base.version import __version__
from groundwire.hook.entry import HOOK, HOST
from groundwire.hook.handle import Reply, failure_record, handle_event, log_reply
from groundwire.hook.session import with_session, without_session
from groundwire.inputs.event import decode_event, read_event
from groundwire.language.automaton import Scanner
from groundwire.report.prose import one_line
from groundwire_server.resident.message import CHALLENGE, HEALTH, LARGEST_BODY, STOP, Head, Response
from groundwire_server.resident.token import ADMIN_TOKEN, HOOK_TOKEN, Token, proof_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_METHODS = {HOOK: "POST", HEALTH: "GET", STOP: "POST"}
_MOST_SCANNERS = 8
_LARGEST_OTHER = 4 << 10
_SHORTEST_CHALLENGE, _LONGEST_CHALLENGE = 16, 128


class HookHandler:
    """Answers requests for one user; its methods may be called from several threads at once.

    ``env`` is the server's environment, ``port`` the one that it is reached at. ``token`` opens the
    hook, and ``admin`` all: ``stop`` is called when a request asks the server to end. ``is_ours``
    tells further Host headers that are meant for it.
    """

    def __init__(
        self,
        env: Mapping[str, str],
        port: int,
        token: str,
        admin: str,
        stop: Callable[[], None] = lambda: None,
        is_ours: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self.env = without_session(env)
        self.projects = projects_folder(env)
        self._port = port
        self._hosts = (f"{HOST}:{port}", f"localhost:{port}")
        self._token = Token(env, token)
        self._admin = Token(env, admin, ADMIN_TOKEN)
        self._stop = stop
        self._is_ours = is_ours
        self.scanner: Callable[[RuleSet | None], Scanner] = Scanners().of

    def refusal(self, head: Head) -> Response | None:
        """Return the error for a request that must not be looked at further; None for a good one.

        The Host header is checked since a page in a browser can reach this port under another
        name, the token since other users of the machine can. Health needs none: who asks the
        server to prove itself keeps the token until then.
        """
        host = head.headers.get("host", "").lower()
        if host not in self._hosts and not self._is_ours(host):
            return _error(403, f"Host must be {self._hosts[0]}")
        if "origin" in head.headers:  # the hook sends none, every page that changes something does
            return _error(403, "a request of a page in a browser is not taken")
        method = _METHODS.get(head.path)
        if method is None:
            return _error(
                404, f"there is no {one_line(head.path, 80)}; allowed: {', '.join(_METHODS)}"
            )
        if head.method != method:
            return _error(405, f"{head.path} takes {method}").replace(allow=method)
        known = (self._admin, self._token)[: 1 if head.path == STOP else 2]
        shown = head.headers.get("authorization", "")
        if head.path != HEALTH and not any(token.is_in(shown) for token in known):
            where = ADMIN_TOKEN if head.path == STOP else HOOK_TOKEN
            return _error(401, f"the token of {where} is missing, or it is another one")
        length = head.headers.get("content-length", "0")
        most = LARGEST_BODY if head.path == HOOK else _LARGEST_OTHER
        if int(length) > most:
            return _error(413, f"the body has {length} bytes; allowed: {most}")
        return None

    def answer(self, head: Head, body: bytes) -> Response:
        """Return what a request with a good ``head`` gets; never raises."""
        if head.path == HEALTH:
            proofs = self.proofs(head.headers.get(CHALLENGE, ""))
            fields = {"version": __version__, **(proofs or {"status": "ok"})}
            return Response(200, json_codec.dumps(fields).encode() + b"\n")
        if head.path == STOP:
            self._stop()
            return Response(200)
        try:
            raw = decode_event(body)
        except EventError as error:
            self._log(Reply("", failure_record(str(error), {})))
            return _error(400, str(error).replace("stdin", "body", 1))
        event = read_event(raw)
        if event.transcript_path and not is_inside(event.transcript_path, self.projects):
            problem = f"the transcript is not below {self.projects}"
            self._log(Reply("", failure_record(problem, raw)))
            return _error(403, problem)
        return self._hook(raw, event.session_id or event.transcript_path)

    def proofs(self, challenge: str) -> dict[str, str]:
        """Return what shows that this server knows the tokens; {} for an unfit challenge."""
        if not _SHORTEST_CHALLENGE <= len(challenge) <= _LONGEST_CHALLENGE:
            return {}
        return {
            name: proof_of(token.current(), self._port, __version__, challenge)
            for name, token in (("proof", self._token), ("admin_proof", self._admin))
        }

    def _hook(self, raw: Mapping[str, Any], session_id: str) -> Response:
        try:
            env = with_session(self.env, session_id)
            reply = handle_event(raw, env, time.time(), self.scanner)
        except Exception as failure:  # the turn ends, whatever went wrong
            error = f"{type(failure).__name__}: {failure}"
            reply = Reply("", failure_record(error, raw))
        self._log(reply)
        return Response(200, reply.output.encode("ascii") + b"\n" if reply.output else b"")

    def _log(self, reply: Reply) -> None:
        log_reply(reply, self.env)  # a log that cannot be written costs the line, never the turn


class Scanners:
    """The scanners of the last few rule sets, each made once."""

    def __init__(self) -> None:
        self._kept: list[tuple[RuleSet, Scanner]] = []

    def of(self, rules: RuleSet | None) -> Scanner:
        """Return the scanner of a rule set; None means the shipped one."""
        rules = rules or shipped_rules()
        for known, scanner in self._kept:
            if known == rules:
                return scanner
        scanner = Scanner(rules)
        self._kept = [(rules, scanner), *self._kept[: _MOST_SCANNERS - 1]]
        return scanner


def projects_folder(env: Mapping[str, str]) -> str:
    """Return the real path of the folder of Claude Code's transcripts; "" without a home."""
    home = env.get("HOME") or env.get("USERPROFILE")
    base = env.get("CLAUDE_CONFIG_DIR") or (os.path.join(home, ".claude") if home else "")
    return os.path.realpath(os.path.join(base, "projects")) if base else ""


def is_inside(path: str, folder: str) -> bool:
    """Tell whether the real path of ``path`` is below ``folder``, itself a real path."""
    try:
        return bool(folder) and os.path.realpath(path).startswith(os.path.join(folder, ""))
    except (OSError, ValueError):
        return False


def _error(status: int, text: str) -> Response:
    return Response(status, json_codec.dumps({"error": f"groundwire: {text}"}).encode() + b"\n")
