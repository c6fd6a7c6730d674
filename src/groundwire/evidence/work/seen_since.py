"""What a turn saw of the thing after its last change, where no run decides.

A run whose end is hidden, a look at what runs or at its log, a green pipeline, a check that failed
before and passes now: none of them shows that something works, but nobody can say that nothing was
looked at.
"""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.passed.ci import ci_verdict
from groundwire.evidence.pointing import command_of, pointing, shortened
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.shell import read_commands
from groundwire.evidence.runs.wrappers import base_name
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.runs.shell import Command
    from groundwire.evidence.turn.facts import Facts

_CHECKS = (runs.TYPES, runs.LINT, runs.BUILD)
#: Programs that show what runs or what it wrote, and those that do so with one of the words.
_WATCHERS = frozenset("journalctl lsof netstat pgrep ss".split())
_ASKED = frozenset(
    "aws az docker docker-compose fly flyctl gcloud helm heroku kubectl nomad oc pm2 podman "
    "rc-service service supervisorctl systemctl".split()
)
_WATCHING = frozenset(
    "describe describe-instances events get is-active list logs log ls ps status top".split()
)
#: Arguments in which such a word stands: "docker compose -f one.yml ps".
_REACH = 6


def seen_since(facts: Facts) -> Verdict | None:
    """Return what keeps a claim of working from being called unlooked at; None for nothing."""
    last = facts.last_change
    hidden = facts.hidden(runs.TEST, runs.OTHER)
    if hidden:
        why = hidden.distrust or "its output does not show the outcome"
        return pointing(hidden, NOT_CHECKABLE, why)
    if again := _rechecked(facts):
        why = f"{command_of(again)} failed before and passes now"
        return pointing(again, QUALIFIED, why)
    for call_id, command in _watched(facts):
        return Verdict(NOT_CHECKABLE, f"{shortened(command.text)} was looked at", call_id)
    remote = ci_verdict(facts)
    if remote and remote.status == SUPPORTED:
        at = next((n for n, call in enumerate(facts.calls) if call.id == remote.call_id), -1)
        return remote.replace(status=QUALIFIED) if at > last else None
    return None


def _rechecked(facts: Facts) -> Run | None:
    """Return the last check that failed in this turn and passed after the last edit."""
    failed = {run.signature for run in facts.runs if run.outcome.status == runs.FAILED}
    again = [
        run for run in facts.passed(*_CHECKS) if run.signature in failed and not facts.is_stale(run)
    ]
    return again[-1] if again else None


def _watched(facts: Facts) -> Iterator[tuple[str, Command]]:
    """Yield looks at what runs, behind the last edit, last first; not one that shows it is down."""
    listed = facts.looks.states.listings
    down = {call.id for call, rows in listed if any(row.state != "ready" for row in rows)}
    for call in reversed(facts.calls[facts.last_change + 1 :]):
        text = call.input.get("command")
        if call.name not in SHELL_TOOLS or not isinstance(text, str) or not call.result:
            continue
        if call.id in down:
            continue
        for command in reversed(read_commands(text)):
            if command.argv and _watches(command):
                yield call.id, command


def _watches(command: Command) -> bool:
    name = base_name(command.argv[0])
    if name in _WATCHERS:
        return True
    return name in _ASKED and not _WATCHING.isdisjoint(command.argv[1 : 1 + _REACH])
