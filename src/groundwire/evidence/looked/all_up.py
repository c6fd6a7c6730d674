"""That everything runs: a listing of all of it shows that, or a look at each part."""

from __future__ import annotations

from groundwire.evidence.runs.results import read_result
from groundwire.evidence.turn.calls import OTHERS, programs, shell_calls
from groundwire.evidence.turn.states import states_verdict
from groundwire.model import NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import ToolCall

#: Programs that show what runs, or start all of it and tell; and those that look at one thing.
_LISTING = frozenset(
    "docker docker-compose podman kubectl oc helm pm2 supervisorctl nomad fly flyctl heroku "
    "launchctl tasklist schtasks ps top htop get-process get-service get-scheduledtask ssh "
    "foreman overmind tilt skaffold minikube vagrant nerdctl initctl".split()
)
_PROBING = frozenset(
    "curl wget http https nc ss lsof netstat pgrep tail journalctl systemctl service ping uptime "
    "crontab redis-cli psql mysqladmin pg_isready grpcurl invoke-webrequest invoke-restmethod "
    "test-netconnection rc-service telnet".split()
)
#: Tools that show what runs in the background.
_OUTPUTS = ("BashOutput", "TaskOutput")
_NO_LOOK = Verdict(UNSUPPORTED, "no command of this turn shows what runs")


def all_up_verdict(claim: Claim, facts: Facts) -> Verdict:
    """Judge "everything is still running" by the listings and the looks of the turn."""
    states = facts.looks.states
    if found := states_verdict(claim, states):
        return found
    for call, rows in states.listings:
        well = {row.owner for row in rows if row.state == "ready"}
        bad = [row for row in rows if row.state != "ready" and row.owner not in well]
        if bad:
            why = f'the last listing shows "{bad[-1].line}"'
            return Verdict(UNSUPPORTED, why, call.id, line=bad[-1].line)
        return Verdict(SUPPORTED, "a listing showed nothing that failed", call.id)
    probes: list[ToolCall] = []
    for _, call, text in shell_calls(facts):
        names = programs(facts, text)
        if not _LISTING.isdisjoint(names):
            status = NOT_CHECKABLE if read_result(call).cut else QUALIFIED
            return Verdict(status, "a command of this turn tells of all that runs", call.id)
        if not _PROBING.isdisjoint(names):
            probes.append(call)
    if len(probes) > 1:
        return Verdict(QUALIFIED, "several looks of this turn show a part each", probes[-1].id)
    if facts.others_looked or facts.partial:
        return OTHERS
    is_of_many = claim.text.rstrip(" *_").endswith(":") or "everything" not in claim.text
    if probes and not is_of_many:
        return Verdict(QUALIFIED, "one look of this turn shows a part", probes[0].id)
    if any(call.name in _OUTPUTS for call in facts.calls):
        return OTHERS
    if probes:
        return Verdict(UNSUPPORTED, "one command of this turn looked at a part of it", probes[0].id)
    return _NO_LOOK
