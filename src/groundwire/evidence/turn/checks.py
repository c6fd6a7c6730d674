"""What a run that ended well can show: that something works, that it compiles, or nothing of it.

A command that brings something to where it runs, restarts it or takes it away has changed a state;
how the thing fares afterwards is for another command to show.
"""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.runs import model as runs
from groundwire.evidence.runs.classify import classify
from groundwire.evidence.runs.names import name_words
from groundwire.evidence.runs.shell import read_commands
from groundwire.evidence.runs.signature import name_of, scope_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.message.claims import Claim
    from groundwire.evidence.runs.classify import Classified
    from groundwire.evidence.runs.model import Run
    from groundwire.evidence.runs.shell import Command
    from groundwire.evidence.turn.facts import Facts
    from groundwire.model import ToolCall

#: Tools of which the table has no other uses than those that change a state.
_CHANGING_TOOLS = frozenset(("kubectl", "helm", "deploy", "docker push"))
#: Tools that look, or wait until it is so, though a word of theirs is one of a change.
_LOOKING_TOOLS = frozenset(("kubectl wait",))
_DRY_RUN = "dry-run"
#: Words of a program, a script or its task that do so: "./deploy.sh", "rails db:migrate".
_CHANGING = frozenset("deploy migrate provision publish release rollback rollout".split())
#: Words that do so as a task only: "docker compose up", "npm run stop", "terraform apply".
_CHANGING_TASKS = frozenset("apply clean destroy down restart seed stop up".split())
#: Programs that move files or end processes, and what git only looks with.
_MOVING = frozenset("cd chmod chown cp export kill ln mkdir mv pkill rm rmdir sleep touch".split())
_GIT_LOOKS = ("git status", "git log", "git diff")
#: Words of a sentence, or of the request, that are about compiling, and what compilers say.
_OF_BUILDS = (
    "build",
    "bundl",
    "compil",
    "typescript",
    "type error",
    "type-check",
    "type check",
    "syntax",
    "link error",
    "linker",
    "import error",
)
_SAID_BY_COMPILERS = (
    "build",
    "compil",
    "cannot find",
    "could not find",
    "could not resolve",
    "error ts",
    "error: ",
    "error[e",
    "go.sum",
    "no exported member",
    "no matching export",
    "not exported",
    "undefined reference",
    "undefined symbol",
    "unresolved",
)


def changes_state(run: Run) -> bool:
    """Tell whether a run changes the state of something and shows nothing of how it fares."""
    return _is_changing(run)


def _is_changing(run: Run | Classified) -> bool:
    if run.kind != runs.OTHER or run.tool in _LOOKING_TOOLS or _DRY_RUN in run.signature:
        return False
    if run.tool in _CHANGING_TOOLS:
        return True
    program = name_words(name_of(run.signature).partition(" ")[2])
    tasks = [word for part in scope_of(run.signature).split(",") for word in name_words(part)]
    return not (_CHANGING.isdisjoint((*program, *tasks)) and _CHANGING_TASKS.isdisjoint(tasks))


def only_changes(call: ToolCall) -> bool:
    """Tell whether a call to a shell shows nothing but that it changed something."""
    text = call.input.get("command") if call.name in SHELL_TOOLS else None
    return isinstance(text, str) and all(_is_change(one) for one in read_commands(text))


def _is_change(command: Command) -> bool:
    if command.argv[0] in _MOVING or command.stdout_file:
        return True
    known = classify(command)
    if known is None:
        return False
    if known.kind == runs.GIT:
        return known.tool not in _GIT_LOOKS
    return known.kind in (runs.INSTALL, runs.FORMAT) or _is_changing(known)


def exercises(run: Run) -> bool:
    """Tell whether a passed run ran the thing itself: its tests, a program, a script."""
    return run.kind in (runs.TEST, runs.OTHER) and not changes_state(run)


def of_build(claim: Claim, facts: Facts) -> bool:
    """Tell whether a build decides the claim: it names one, or a failed one was to be fixed."""
    if any(word in claim.text for word in _OF_BUILDS):
        return True
    if claim.sort != "fixed":
        return False
    asked = facts.seen.told[0].lower()
    failed = any(
        run.kind in (runs.BUILD, runs.TYPES) and run.outcome.status == runs.FAILED
        for run in facts.runs
    )
    return failed or any(word in asked for word in _SAID_BY_COMPILERS)
