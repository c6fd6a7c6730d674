"""The commands by group, where each is written, and what the overview says of it.

A plain table: the overview and the version are shown without loading any command.
"""

from __future__ import annotations

from groundwire.base.record import Record


class Command(Record):
    """One command: its name, ``module:attribute`` of its function or group, and one line."""

    name: str
    place: str
    summary: str


GROUPS: tuple[tuple[str, tuple[Command, ...]], ...] = (
    (
        "The hook",
        (
            Command("install", "groundwire.commands.install", "Register the hook in Claude Code."),
            Command(
                "uninstall", "groundwire.commands.install", "Remove the hook from Claude Code."
            ),
            Command("doctor", "groundwire.commands.doctor", "Check the hook, and name the fixes."),
            Command(
                "second-look",
                "groundwire_judge.commands.second_look",
                "Let a model check each turn.",
            ),
            Command("replay", "groundwire.commands.replay", "Run the hook over past sessions."),
            Command("why", "groundwire.commands.why", "Show what stopped the last turn."),
            Command("allow", "groundwire.commands.allow", "Let pass what stopped the last turn."),
            Command(
                "wrong", "groundwire_lab.commands.wrong", "Keep a stop that was wrong, as a label."
            ),
            Command(
                "learn", "groundwire_lab.commands.learn", "Propose settings by what was wrong here."
            ),
            Command(
                "session", "groundwire.commands.session", "Report only, or check nothing, in one."
            ),
            Command(
                "statusline", "groundwire.commands.statusline", "A line on the running session."
            ),
            Command("stats", "groundwire.commands.stats", "Count what the hook has decided."),
            Command("config", "groundwire.commands.config", "Show and check the settings."),
            Command("trust", "groundwire.commands.trust", "Trust the settings of a project."),
        ),
    ),
    (
        "Look at text",
        (
            Command("scan", "groundwire.commands.scan", "Report statements beyond the evidence."),
            Command("baseline", "groundwire.commands.baseline", "Accept the findings of now."),
            Command(
                "explain", "groundwire.commands.explain", "Say why something is reported or not."
            ),
            Command(
                "digest", "groundwire.commands.digest", "Show a turn on one page, for a judge."
            ),
            Command(
                "patterns", "groundwire.commands.patterns", "List, check and show the markers."
            ),
        ),
    ),
    (
        "Measure on labels",
        (
            Command(
                "label", "groundwire_lab.commands.label", "Judge messages sentence by sentence."
            ),
            Command("quality", "groundwire_lab.commands.quality", "Measure on labelled messages."),
            Command(
                "judge-eval", "groundwire_lab.commands.judge_eval", "Measure a judge on labels."
            ),
            Command("calibrate", "groundwire_lab.commands.calibrate", "Fit the weights to labels."),
        ),
    ),
    (
        "Confidence models",
        (
            Command(
                "confidence",
                "groundwire_judge.commands.confidence",
                "Score how far to trust an answer.",
            ),
            Command(
                "composite",
                "groundwire_confidence.commands.composite",
                "Weigh the scores of an agent.",
            ),
            Command(
                "gate", "groundwire_confidence.commands.gate", "Check an answer before it goes out."
            ),
            Command(
                "rag",
                "groundwire_confidence.commands.rag",
                "Score answers with their retrieval results.",
            ),
            Command(
                "reinforce",
                "groundwire_confidence.commands.reinforce",
                "Confidence that grows with evidence.",
            ),
            Command(
                "milestones",
                "groundwire_confidence.commands.milestones",
                "Find milestones in files.",
            ),
            Command(
                "data-age",
                "groundwire_confidence.commands.data_age",
                "Tell how old data files are.",
            ),
            Command(
                "annotate",
                "groundwire_confidence.commands.annotate",
                "Write score headers into files.",
            ),
        ),
    ),
    (
        "Server",
        (
            Command(
                "serve",
                "groundwire_server.commands.serve",
                "Answer http hooks, show the admin pages.",
            ),
            Command("admin", "groundwire_server.admin.cli.config", "Read and change its settings."),
            Command("db", "groundwire_server.admin.cli.db", "Update the database of the server."),
            Command(
                "ab-report", "groundwire_server.admin.cli.ab_report", "Compare the A/B groups."
            ),
        ),
    ),
    (
        "Many machines",
        (Command("fleet", "groundwire_fleet.cli", "Run it over all sessions on Spark."),),
    ),
)
COMMANDS = {command.name: command for _, commands in GROUPS for command in commands}

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


def overview() -> str:
    """Return what ``groundwire --help`` prints."""
    width = max(map(len, COMMANDS))
    parts = [_HEAD]
    for title, commands in GROUPS:
        rows = [f"  {command.name:{width}}  {command.summary}\n" for command in commands]
        parts.append(f"\n{title}:\n{''.join(rows)}")
    return "".join((*parts, _TAIL))
