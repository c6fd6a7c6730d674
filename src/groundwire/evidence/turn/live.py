"""Looks at the running thing that show whether it works: requests, queries, steps in a browser.

They are no runs: many of them only look something up. Of those that a status, rows or a body speak
for, the outcome is read; nothing is read before a claim asks for it.
"""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs.model import FAILED, OTHER, PASSED, Outcome, Run
from groundwire.evidence.runs.outputs.lines import clean
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.shell import read_commands
from groundwire.evidence.runs.wrappers import base_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from groundwire.evidence.runs.shell import Command
    from groundwire.model import ToolCall

_HTTP = frozenset(
    "curl wget http https xh hurl grpcurl Invoke-WebRequest Invoke-RestMethod iwr irm".split()
)
_SQL = frozenset(
    "psql mysql mariadb sqlite3 sqlite mongosh mongo redis-cli clickhouse-client sqlcmd duckdb "
    "cqlsh".split()
)
#: Options of a request that is made for its answer, not for the file.
_ASKING = frozenset("-X --request -d --data --json -I --head -w --write-out -i --include".split())
_SAVING = ("-O", "--remote-name", "-P")
_SAVED = ("-o", "--output")
_NOWHERE = ("/dev/null", "-", "NUL")
#: What a download goes through on its way to a file or a shell.
_TAKING = frozenset("sh bash zsh tar tee gunzip unzip gpg sudo".split())
_LOCAL = ("localhost", "127.0.0.1", "0.0.0.0", "[::1]", "host.docker.internal")  # noqa: S104
#: Words of a query that look, against those that write.
_ASKING_SQL = ("select", "show ", "describe ", "explain", "pragma", ".schema", ".tables", "\\d")
_ASKING_DOCUMENTS = (".find", ".count", ".aggregate", "get ", "keys ", "ping", "info", "lrange ")
_NO_ROWS = ("(0 rows)", "empty set", "(empty array)", "(nil)")
#: Beginnings of lines, and parts of them, that tell of an error.
_ERROR_STARTS = (
    "error:",
    "error ",
    "curl: (",
    "wget: ",
    "fatal",
    "exception",
    "traceback (most recent",
    "psql: ",
    "parse error",
    "could not connect",
    "failed to connect",
    "net::err",
    "timeout",
)
_ERROR_PARTS = (
    "connection refused",
    "bad gateway",
    "service unavailable",
    "internal server error",
    "could not resolve host",
    "fatal_error",
    '"success": false',
    '"success":false',
    "no such table",
    "syntax error",
)
#: Fields of an answer that tell of an error when they hold something.
_ERROR_FIELDS = ('"error":', '"errors":', '"detail":')
_NOTHING = ("null", "[]", "{}", '""', "false", "0")
_BROWSERS = ("browser_", "puppeteer", "playwright", "chrome", "selenium", "webdriver")
_LONGEST_LINE = 160
_MOST_LINES = 400
#: Characters in which the number of a status may stand behind the word for it.
_REACH = 24


class Live:
    """The looks of one turn that show something; read once, when first asked."""

    __slots__ = ("_calls", "_found")

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        self._calls = calls
        self._found: tuple[Run, ...] | None = None

    @property
    def runs(self) -> tuple[Run, ...]:
        """Each look that shows something as a run that passed or failed, in order."""
        if self._found is None:
            self._found = tuple(self._read())
        return self._found

    @property
    def passed(self) -> list[Run]:
        """Those that passed, in order."""
        return [run for run in self.runs if run.outcome.status == PASSED]

    def _read(self) -> Iterator[Run]:
        for index, call in enumerate(self._calls):
            found = None
            if call.name in SHELL_TOOLS:
                found = _of_shell(call)
            elif is_browser(call.name):
                found = call.name, _of_browser(call)
            if found and found[1]:
                yield Run(call.id, index, found[0], OTHER, "live", "", found[1])


def is_browser(name: str) -> bool:
    """Tell whether a tool of this name takes a step in a browser."""
    return name.startswith("mcp__") and any(one in name for one in _BROWSERS)


def _of_shell(call: ToolCall) -> tuple[str, Outcome | None] | None:
    text = call.input.get("command")
    if not isinstance(text, str) or not any(one in text for one in (*_HTTP, *_SQL)):
        return None
    result = read_result(call)
    if not result.ran or result.task or result.interrupted:
        return None
    for command in reversed(read_commands(text)):
        name = base_name(command.argv[0]) if command.argv else ""
        asks = (name in _HTTP and _is_request(command)) or (name in _SQL and _is_query(command))
        if asks:
            return command.text, _outcome(clean(result.text), bool(result.failed), name in _HTTP)
    return None


def _of_browser(call: ToolCall) -> Outcome | None:
    lines = (call.result or "").strip().split("\n")
    if call.result is None or call.is_error or _tells_error(lines[0].lower()):
        return None
    return Outcome(PASSED, line=lines[0].strip()[:_LONGEST_LINE])


def _is_request(command: Command) -> bool:
    """Tell a request of a program under work from a download."""
    words = command.argv[1:]
    if any(word in _SAVING for word in words) or command.stdout_file not in ("", *_NOWHERE):
        return False
    for place, word in enumerate(words[:-1]):
        if word in _SAVED and words[place + 1] not in _NOWHERE:
            return False
    if any(piece and base_name(piece[0]) in _TAKING for piece in command.pipe_to):
        return False
    if any(wrapper.startswith(("docker", "kubectl")) for wrapper in command.wrappers):
        return True
    if any(host in word for word in words for host in _LOCAL):
        return True
    return not _ASKING.isdisjoint(words)


def _is_query(command: Command) -> bool:
    said = f" {command.text} {command.input_text}".lower()
    return any(word in said for word in (*_ASKING_SQL, *_ASKING_DOCUMENTS))


def _outcome(text: str, failed: bool, is_http: bool) -> Outcome | None:
    """Return what the answer shows; None when it shows neither."""
    lines = [line.strip() for line in text.split("\n")[-_MOST_LINES:] if line.strip()]
    codes = [(code, line) for line in lines if is_http and (code := _status_in(line))]
    if codes:
        code, line = codes[-1]
        if code >= 400:
            return Outcome(FAILED, line=line[:_LONGEST_LINE]) if code >= 500 else None
    bad = next((line for line in lines if _tells_error(line.lower())), "")
    if bad or failed:
        return Outcome(FAILED, line=(bad or lines[-1])[:_LONGEST_LINE]) if bad or lines else None
    if not lines or any(sign in line.lower() for line in lines for sign in _NO_ROWS):
        return None
    shown = codes[-1][1] if codes else lines[0]
    return Outcome(PASSED, line=shown[:_LONGEST_LINE])


def _tells_error(line: str) -> bool:
    if line.startswith(_ERROR_STARTS) or any(part in line for part in _ERROR_PARTS):
        return True
    values = [line.partition(field)[2].lstrip() for field in _ERROR_FIELDS if field in line]
    return any(not value.startswith(_NOTHING) for value in values)


def _status_in(line: str) -> int:
    """Return the HTTP status that a line gives: "HTTP/1.1 200 OK", "status: 502", "204"; else 0."""
    if line.isdigit():
        return int(line) if len(line) == 3 and "1" <= line[0] <= "5" else 0
    at = max(line.lower().find(word) for word in ("http/", "status", "http_code"))
    if at < 0:
        return 0
    behind = line[at : at + _REACH]
    words = "".join(char if char.isdigit() else " " for char in behind).split()
    return next((int(word) for word in words if len(word) == 3 and "1" <= word[0] <= "5"), 0)
