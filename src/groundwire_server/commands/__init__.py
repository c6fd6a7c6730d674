"""Commands of the server."""

from groundwire.commands.commands import Command, Groups

COMMANDS: Groups = {
    "Server": (
        Command(
            "serve", "Answer http hooks, show the admin pages.", "groundwire_server.commands.serve"
        ),
        Command("admin", "Read and change its settings.", "groundwire_server.admin.cli.config"),
        Command("db", "Update the database of the server.", "groundwire_server.admin.cli.db"),
        Command("ab-report", "Compare the A/B groups.", "groundwire_server.admin.cli.ab_report"),
    ),
}
