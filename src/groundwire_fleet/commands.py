"""The command of the fleet."""

from groundwire.commands.commands import Command, Groups

COMMANDS: Groups = {
    "Many machines": (
        Command("fleet", "Run it over all sessions on Spark.", "groundwire_fleet.cli"),
    ),
}
