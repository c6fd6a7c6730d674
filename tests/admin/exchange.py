"""Requests and what is answered, as text; each section is a test with a server of its own.

``== name`` begins a section. ``> METHOD path body`` sends a request, in which ``~`` stands for
``/api/v1/admin``; lines of headers may follow behind ``> ``. Below it stand ``< status body`` with
some keys of the answer, at any depth, and ``< name: value`` for its headers; ``@id`` in a path is
the first id of the answer before. A status of 400 and more is that of a problem. A body that is no
JSON is a part of the text that is answered.
"""

import json
import re
from pathlib import Path
from typing import Any

from tests.admin.server import AdminServer, is_problem
from tests.support.console import part

ADMIN = "/api/v1/admin"


def sections(path: Path) -> dict[str, list[str]]:
    """Return the exchanges of each section of a file, by its name."""
    _, *named = re.split(r"^== ", path.read_text(encoding="utf-8"), flags=re.M)
    texts = (one.partition("\n") for one in named)
    return {name: re.split(r"^(?=> [A-Z]+ )", text, flags=re.M)[1:] for name, _, text in texts}


def play(server: AdminServer, exchanges: list[str]) -> None:
    """Send the requests of a section one after the other and compare what comes back."""
    known = ""
    for exchange in exchanges:
        sent, answered = (re.findall(rf"^{sign} (.*)", exchange, re.M) for sign in "><")
        method, path, *body = sent[0].split(" ", 2)
        headers = dict(
            line.split(": ", 1) for line in ["Content-Type: application/json", *sent[1:]]
        )
        target = path.replace("~", ADMIN).replace("@id", known)
        content = body[0].encode() if body else b""
        answer = server.client.request(method, target, content=content, headers=headers)
        found = re.search(r'"id": ?"([^"]+)"', answer.text)
        known = found[1] if found else known
        status, *wanted = answered[0].split(" ", 1)
        assert answer.status_code == int(status), f"{exchange}{answer.text}"
        if answer.status_code >= 400:
            is_problem(answer, int(status))
        for line in answered[1:]:
            name, value = line.split(": ", 1)
            assert answer.headers[name] == value, exchange
        if wanted:
            _compare(answer.text, wanted[0], exchange)


def _compare(text: str, wanted: str, exchange: str) -> None:
    try:
        fields: Any = json.loads(wanted)
    except ValueError:
        assert wanted in text, f"{exchange}{text}"
    else:
        assert part(json.loads(text), fields) == fields, f"{exchange}{text}"
