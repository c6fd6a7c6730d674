"""Whether something was deployed, released or uploaded, by the commands of the turn.

A build, a linter or a test on the own machine deploys nothing.
"""

from __future__ import annotations

from groundwire.evidence.ledger import SHELL_TOOLS
from groundwire.evidence.pointing import shortened
from groundwire.evidence.runs.results import read_result
from groundwire.evidence.runs.shell import Command, read_commands
from groundwire.evidence.runs.wrappers import base_name
from groundwire.evidence.turn.facts import Facts
from groundwire.model import CONTRADICTED, NOT_CHECKABLE, QUALIFIED, SUPPORTED, UNSUPPORTED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence.message.claims import Claim
    from groundwire.model import ToolCall

#: Programs that do nothing but bring something to where it runs.
_DEPLOYERS = frozenset(
    "vercel netlify fly flyctl kubectl helm pulumi cdk sam serverless sls firebase wrangler heroku "
    "railway eb kamal cap twine scp rsync sftp ansible-playbook eas surge skaffold argocd flux "
    "nomad".split()
)
#: Words that do so with any program: "npm run deploy", "gh release create".
_DEPLOYING = frozenset("deploy publish release rollout upload deployment".split())
#: Words that do so with these programs only.
_BY_PROGRAM = {
    "terraform": ("apply",),
    "tofu": ("apply",),
    "terragrunt": ("apply",),
    "docker": ("push", "up"),
    "docker-compose": ("up",),
    "podman": ("push", "up"),
    "gem": ("push",),
    "nuget": ("push",),
    "dotnet": ("push",),
    "aws": ("sync", "cp", "update-service", "update-function-code"),
    "gsutil": ("cp", "rsync", "sync"),
    "systemctl": ("restart", "start", "reload", "reload-or-restart", "enable"),
    "service": ("restart", "start", "reload"),
    "nginx": ("reload",),
    "pm2": ("start", "restart", "reload"),
}
#: Words of programs above with which they only look.
_LOOKING = frozenset(
    "get describe logs log status list ls diff plan info inspect version help login whoami config "
    "preview template lint validate env domains".split()
)
#: Words of a command up to which its verb is looked for: "docker compose -f one.yml up".
_REACH = 8
_ERRORS = ("error:", "error ", "failed", "fatal:", "denied")
#: With a date behind one of these words a sentence tells when somebody's version came out.
_CAME_OUT = frozenset("released published launched".split())
_MONTHS = frozenset(
    "january february march april may june july august september october november december jan "
    "feb mar apr jun jul aug sep sept oct nov dec".split()
)
_DATE_WORDS = 4
_DATED = Verdict(NOT_CHECKABLE, "it tells when something came out")
_PUSHED = "it was pushed; no result shows that it was deployed"


def deployed_verdict(claim: Claim, facts: Facts) -> Verdict | None:
    """Judge "it is deployed"; None when the turn neither deployed nor changed anything."""
    if _is_dated(claim):
        return _DATED
    pushed = None
    for call, command, is_last in _commands_backwards(facts):
        if _is_git_push(command):
            pushed = pushed or (call, command)
        elif _deploys(command):
            return _by(call, command, is_last)
    if pushed:
        return Verdict(QUALIFIED, _PUSHED, pushed[0].id, shortened(pushed[1].text))
    if facts.actions.opaque or facts.actions.reports:
        return Verdict(NOT_CHECKABLE, "another agent or tool may have deployed it")
    if facts.edits:
        return Verdict(UNSUPPORTED, "no command of this turn deploys anything")
    return None


def _is_dated(claim: Claim) -> bool:
    """Tell whether a month or a year stands behind "released": "(released in March 2025)".

    Numbers are ``#`` in the folded sentence; a bare one is a year where the clause ends with it.
    """
    if claim.said not in _CAME_OUT:
        return False
    words = claim.text.partition(claim.said)[2].split()[:_DATE_WORDS]
    if words[:1] == ["back"]:
        words = words[1:]
    if words[:1] in (["in"], ["on"], ["since"]):
        words = words[1:]
    plain = [word.strip(".,:;!*`()[]") for word in words] or [""]
    if not _MONTHS.isdisjoint(plain[:2]):
        return "#" in plain
    return plain[0] == "#" and (words[0] != "#" or len(words) == 1)


def _by(call: ToolCall, command: Command, is_last: bool) -> Verdict:
    result = read_result(call)
    named = shortened(command.text)
    line = next((one for one in result.text.lower().split("\n") if one.startswith(_ERRORS)), "")
    if result.failed and not (is_last or line):
        why = f"the call of {named} failed, which may be of another command"
        return Verdict(QUALIFIED, why, call.id, named)
    if result.failed:
        return Verdict(CONTRADICTED, f"{named} failed", call.id, named, line[:200])
    if result.task or result.interrupted or call.result is None:
        return Verdict(NOT_CHECKABLE, f"the end of {named} is not known", call.id, named)
    if line:
        return Verdict(QUALIFIED, f'{named} printed "{line[:80]}"', call.id, named, line[:200])
    return Verdict(SUPPORTED, f"{named} ran", call.id, named)


def _commands_backwards(facts: Facts) -> Iterator[tuple[ToolCall, Command, bool]]:
    """Yield the commands with their calls, and whether a command is the last one of its call."""
    for call in reversed(facts.calls):
        text = call.input.get("command")
        if call.name in SHELL_TOOLS and isinstance(text, str):
            commands = [command for command in read_commands(text) if command.argv]
            for command in reversed(commands):
                yield call, command, command is commands[-1]


def _is_git_push(command: Command) -> bool:
    return base_name(command.argv[0]) == "git" and "push" in command.argv[1:3]


def _deploys(command: Command) -> bool:
    name = base_name(command.argv[0])
    if name in ("git", "echo", "grep", "cat", "ls", "cd", "find", "rg", "sed", "test"):
        return False
    words = {part for word in command.argv[1:] if word[:1] != "-" for part in _parts(word)}
    if name in _DEPLOYERS:
        return _LOOKING.isdisjoint(command.argv[1:3])
    if not _DEPLOYING.isdisjoint(_parts(name)):  # deploy.sh
        return True
    if any(word in command.argv[1:_REACH] for word in _BY_PROGRAM.get(name, ())):
        return True
    return not _DEPLOYING.isdisjoint(words) and _LOOKING.isdisjoint(words)


def _parts(word: str) -> list[str]:
    for mark in "/:._-":
        word = word.replace(mark, " ")
    return word.lower().split()
