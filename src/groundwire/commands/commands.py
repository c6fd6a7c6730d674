"""The commands by group, where each is written, and what the overview says of it.

Plain tables: the overview and the version are shown without loading any command.
"""

from __future__ import annotations

from groundwire.base.extras import extras
from groundwire.base.record import Record


class Command(Record):
    """One command: its name, one line, and its module, which else has its name."""

    name: str
    summary: str
    module: str = ""

    @property
    def place(self) -> str:
        """The module that holds its function, or its group ``app``."""
        return self.module or f"groundwire.commands.{self.name.replace('-', '_')}"


#: Commands by title; an extra names its own by an entry point of ``groundwire.commands``.
Groups = dict[str, tuple[Command, ...]]
GROUPS: Groups = {
    "The hook": (
        Command("install", "Register the hook in Claude Code."),
        Command("uninstall", "Remove the hook from Claude Code.", "groundwire.commands.install"),
        Command("doctor", "Check the hook, and name the fixes."),
        Command("replay", "Run the hook over past sessions."),
        Command("why", "Show what stopped the last turn."),
        Command("allow", "Let pass what stopped the last turn."),
        Command("session", "Report only, or check nothing, in one."),
        Command("statusline", "A line on the running session."),
        Command("stats", "Count what the hook has decided."),
        Command("config", "Show and check the settings."),
        Command("trust", "Trust the settings of a project."),
    ),
    "Look at text": (
        Command("scan", "Report statements beyond the evidence."),
        Command("baseline", "Accept the findings of now."),
        Command("explain", "Say why something is reported or not."),
        Command("digest", "Show a turn on one page, for a judge."),
        Command("patterns", "List, check and show the markers."),
    ),
}
#: What was a command of its own, and what does it now; the old name goes with version 0.3.
FORMER = {"learn": ("wrong", "--learn"), "judge-eval": ("quality",)}

_HEAD = """\
Usage: groundwire [OPTIONS] COMMAND [ARGS]...

  Reads a coding agent's final message beside what the turn's tools returned,
  and reports the statements that go beyond the evidence.
"""
_TAIL = """
Options:
  -V, --version         Print the version and exit.
  --install-completion  Install completion for the current shell.
  --show-completion     Show completion for the current shell.
  -h, --help            Show this message and exit.

groundwire help COMMAND, or groundwire COMMAND --help, shows its options.
"""


def groups() -> Groups:
    """Return the commands of the core and of all extras that are installed, by title."""
    found = dict(GROUPS)
    for added in extras("commands").values():
        for title, commands in added.items():
            found[title] = (*found.get(title, ()), *commands)
    return found


def all_commands() -> dict[str, Command]:
    """Return the commands of the core and of all extras by their names."""
    return {command.name: command for commands in groups().values() for command in commands}


def command_named(name: str) -> Command | None:
    """Return a command; those of the core are found without asking for extras."""
    core = {command.name: command for commands in GROUPS.values() for command in commands}
    return core.get(name) or all_commands().get(name)


def overview() -> str:
    """Return what ``groundwire --help`` prints."""
    width = max(map(len, all_commands()))
    parts = [_HEAD]
    for title, commands in groups().items():
        rows = [f"  {command.name:{width}}  {command.summary}\n" for command in commands]
        parts.append(f"\n{title}:\n{''.join(rows)}")
    return "".join((*parts, _TAIL))
