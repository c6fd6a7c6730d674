"""Commands as typer runs them: their options, help, errors and completion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

import typer

from groundwire.commands.commands import COMMANDS, Command

#: A negative number is no option there; what is wrong with it is said in words.
_NUMBERS: dict[str, dict[str, Any]] = {"composite": {"ignore_unknown_options": True}}
#: What typer raises for wrong arguments of every sort.
_UsageError: Any = typer.BadParameter.__mro__[1]


def application(commands: Iterable[Command] = tuple(COMMANDS.values())) -> typer.Typer:
    """Return the root with these commands; each is imported."""
    app = typer.Typer(
        name="groundwire",
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for command in commands:
        module = import_module(command.place)
        group = getattr(module, "app", None)
        if group is not None:
            app.add_typer(group, name=command.name)
            continue
        function = getattr(module, command.name.replace("-", "_"))
        settings = _NUMBERS.get(command.name)
        app.command(command.name, context_settings=settings)(function)
    return app


def run_typer(arguments: Sequence[str], commands: Iterable[Command]) -> int:
    """Run ``arguments`` with these commands at hand; return the exit code."""
    try:
        code = application(commands)(
            args=list(arguments), prog_name="groundwire", standalone_mode=False
        )
    except _UsageError as error:
        error.message = error.message.replace("Value error, ", "", 1)
        error.show()
        return int(error.exit_code)
    except typer.Abort:
        typer.echo("Aborted!", err=True)
        return 1
    return code if isinstance(code, int) else 0


def _root() -> None:
    """Read a coding agent's final message beside what the turn's tools returned."""
