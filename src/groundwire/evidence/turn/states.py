"""The last listing of what runs, when it shows that something is not ready or has failed."""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.pointing import shortened
from groundwire.evidence.runs.outputs.lines import clean
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.shell import read_commands
from groundwire.evidence.runs.wrappers import base_name
from groundwire.evidence.turn.checks import changes_state
from groundwire.model import CONTRADICTED, UNSUPPORTED, Verdict
from groundwire.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.runs.shell import Command
    from groundwire.evidence.turn.actions import Actions
    from groundwire.model import ToolCall

#: Programs with the words behind which they list states; ("",) needs none.
_LISTERS = {
    "kubectl": ("get",),
    "oc": ("get",),
    "docker": ("ps", "compose ps", "container ls", "service ls", "service ps"),
    "docker-compose": ("ps",),
    "podman": ("ps",),
    "systemctl": ("status", "is-active", "list-units"),
    "service": ("status",),
    "supervisorctl": ("status",),
    "pm2": ("list", "ls", "status"),
    "nomad": ("status", "job status", "alloc status"),
    "helm": ("status", "list", "ls"),
    "fly": ("status",),
    "flyctl": ("status",),
    "heroku": ("ps",),
    "rc-service": ("status",),
    "nerdctl": ("ps",),
}
_LOGGERS = {"kubectl": "logs", "docker": "logs", "podman": "logs", "oc": "logs"}
#: Values of options that stand before those words.
_VALUES = ("-n", "--namespace", "-f", "--file", "-p", "--project-name", "--context")
#: Words of a row, lower case, with which something has failed, or is on its way.
_FAILED = frozenset(
    "crashloopbackoff error errimagepull imagepullbackoff oomkilled createcontainerconfigerror "
    "invalidimagename runcontainererror evicted failed failure unhealthy (unhealthy) restarting "
    "errored fatal backoff dead crashed".split()
)
_WAITING = frozenset(
    "pending containercreating podinitializing starting activating in_progress queued "
    "unknown starting)".split()
)
_READY = frozenset("running ready up active online healthy (healthy) deployed started".split())
#: Words with which such a program prints definitions, or what happened before.
_NO_TABLE = frozenset("yaml json -oyaml -ojson -o=yaml -o=json events event ev".split())
_STATES = _FAILED | _WAITING | _READY
#: Programs that show the state of the one thing that they are given.
_SINGLE = ("systemctl", "service", "rc-service", "helm", "nomad", "fly", "flyctl", "heroku")
_MOST_LINES = 200
_LONGEST_LINE = 160
_SHORTEST = 4
_BARS = ("|", "\u2502", "\u2503", "\u25cf", "*")
_MARKS = "/\\.:_-=,'\"()[]{}*`+@$<>|;&#!?"
#: Words of names and commands that name nothing.
_GENERIC = frozenset(
    "all apply build compose container containers deploy deployment deployments docker down exec "
    "file force from get image kubectl latest local logs namespace name pods prod production "
    "restart rollout service services start stat status stop systemctl with yaml".split()
)


class Row(Record):
    """One thing of a listing: the words of its name, its line, how it is, and whose part it is."""

    names: frozenset[str]
    line: str
    state: str
    owner: str = ""


class States:
    """The listings of one turn and the words of what it changed; read once, when first asked."""

    __slots__ = ("_actions", "_calls", "_listings", "_runs", "_touched")

    def __init__(
        self, calls: tuple[ToolCall, ...], runs: tuple[Run, ...], actions: Actions
    ) -> None:
        self._calls, self._runs, self._actions = calls, runs, actions
        self._listings: list[tuple[ToolCall, list[Row]]] | None = None
        self._touched: frozenset[str] | None = None

    @property
    def listings(self) -> list[tuple[ToolCall, list[Row]]]:
        """The last listing of each program, the latest first."""
        if self._listings is None:
            self._listings = list(_listings(self._calls))
        return self._listings

    @property
    def touched(self) -> frozenset[str]:
        """The words that name what the turn edited or brought into another state."""
        if self._touched is None:
            texts = {run.command for run in self._runs if changes_state(run)}
            texts |= {edit.path for edit in self._actions.edits}
            self._touched = frozenset().union(*map(_words, texts))
        return self._touched


def states_verdict(claim: Claim, states: States) -> Verdict | None:
    """Judge a claim by the last listing of each program that shows states; None when all is well.

    A row speaks when the sentence names its thing, or names none of the listing and the turn has
    changed something of that name.
    """
    said = _words(claim.text) if states.listings else frozenset()
    for call, rows in states.listings:
        wanted = said if any(row.names & said for row in rows) else states.touched
        well = {row.owner for row in rows if row.state == "ready"}
        bad = [row for row in rows if row.state != "ready" and row.owner not in well]
        bad = [row for row in bad if row.names & wanted]
        if not bad:
            continue
        worst = next((row for row in bad if row.state == "failed"), bad[-1])
        status = CONTRADICTED if worst.state == "failed" else UNSUPPORTED
        command = str(call.input.get("command"))
        why = f'{shortened(" ".join(command.split()))} printed "{worst.line}"'
        return Verdict(status, why, call.id, command, worst.line)
    return None


def _listings(calls: tuple[ToolCall, ...]) -> Iterator[tuple[ToolCall, list[Row]]]:
    """Yield the last listing of each program, the latest first."""
    seen: set[str] = set()
    for call in reversed(calls):
        text = call.input.get("command")
        if call.name not in SHELL_TOOLS or not isinstance(text, str) or call.result is None:
            continue
        if not any(name in text for name in _LISTERS):
            continue
        for command in reversed(read_commands(text)):
            sort = _sort(command)
            if sort and sort not in seen:
                lines = clean(read_result(call).text).split("\n")[:_MOST_LINES]
                names = _words(command.text) if sort in _SINGLE else frozenset()
                rows = [_row(line, names) for line in lines]
                rows = [_of_log(lines, command)] if sort == "log" else rows
                rows = [row for row in rows if row.state]
                rows = rows[:1] if names else rows  # what follows there is a log
                if rows:
                    seen.add(sort)
                    yield call, rows


def _sort(command: Command) -> str:
    """Return what a command lists: the program, "log" for its log, "" for none of it."""
    name = base_name(command.argv[0]) if command.argv else ""
    if name not in _LISTERS:
        return ""
    words: list[str] = []
    for before, word in zip(command.argv, command.argv[1:], strict=False):
        if not word.startswith("-") and before not in _VALUES:
            words.append(word)
    if any(word in _NO_TABLE for word in command.argv):
        return ""
    start = " ".join(words[:2])
    if start.startswith(_LOGGERS.get(name, "\n")):
        return "log"
    listed = start.startswith(_LISTERS[name]) or (name == "service" and words[1:] == ["status"])
    return name if listed else ""


def _row(line: str, names: frozenset[str]) -> Row:
    words = [word for word in line.split() if word not in _BARS]
    lowered = [word.lower() for word in words]
    state = ""
    for place, word in enumerate(lowered):
        value = word.strip(",")
        if value == "exited":
            code = "".join(lowered[place + 1 : place + 2]).strip("()")
            state = "failed" if code.isdigit() and code != "0" else ""
        elif value in _FAILED or value.startswith(("init:error", "init:crash")):
            state = "failed"
        elif not state and (value in _WAITING or value.startswith("init:")):
            state = "waiting"
        elif not state and value in _READY:
            state = "ready"
    if state == "ready" and _few_ready(lowered):
        state = "waiting"
    names |= _words(" ".join((*words[:2], *words[-1:]))) - _STATES
    owner, _, last = (words or [""])[0].rpartition("-")
    owner = owner if last.isdigit() else owner.rpartition("-")[0]
    return Row(names, " ".join(words)[:_LONGEST_LINE], state, owner or line)


def _few_ready(words: list[str]) -> bool:
    """Tell whether a row counts fewer ready things than there are: "0/1"."""
    for word in words:
        done, slash, whole = word.partition("/")
        if slash and done.isdigit() and whole.isdigit():
            return int(done) < int(whole)
    return False


def _of_log(lines: list[str], command: Command) -> Row:
    """Return the last line of a log as a row: what still waits there is not ready."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    state = "waiting" if "waiting for" in last.lower() else ""
    return Row(_words(command.text), " ".join(last.split())[:_LONGEST_LINE], state, "log")


def _words(text: str) -> frozenset[str]:
    for mark in _MARKS:
        text = text.replace(mark, " ")
    words = (word for word in text.lower().split() if len(word) >= _SHORTEST)
    return frozenset(word for word in words if word not in _GENERIC and not word.isdigit())
