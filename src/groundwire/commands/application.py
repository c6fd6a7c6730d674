"""Commands as typer runs them: their options, help, errors and completion."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from importlib import import_module
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.models import OptionInfo

from groundwire.commands.commands import Command, all_commands
from groundwire.commands.options import SHARED

#: A negative number is no option there; what is wrong with it is said in words.
_NUMBERS: dict[str, dict[str, Any]] = {"composite": {"ignore_unknown_options": True}}
#: What typer raises for wrong arguments of every sort.
_UsageError: Any = typer.BadParameter.__mro__[1]
#: An entry of a docstring, such as ``--limit N: How many.``; further lines stand further right.
_ENTRY = re.compile(r"^ {4}([\w-]+)(?: (\S+))?: (.*(?:\n {6}.*)*)", re.MULTILINE)


def application(commands: Iterable[Command] | None = None) -> typer.Typer:
    """Return the root with these commands, all by default; each is imported."""
    app = typer.Typer(
        name="groundwire",
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for command in all_commands().values() if commands is None else commands:
        module = import_module(command.place)
        group = getattr(module, "app", None)
        if group is not None:
            app.add_typer(group, name=command.name)
            continue
        function = getattr(module, command.name.replace("-", "_"))
        settings = _NUMBERS.get(command.name)
        app.command(command.name, context_settings=settings)(function)
    _declare_all(app)
    return app


def _declare_all(app: typer.Typer) -> None:
    for command in app.registered_commands:
        if command.callback:
            command.help = _declare(command.callback)
    for group in app.registered_groups:
        if group.typer_instance:
            _declare_all(group.typer_instance)


def _declare(function: Callable[..., Any]) -> str:
    """Make options of the parameters of a command; return its help, which is its docstring.

    A parameter that has a default is the option of its name, and a flag when that is False. Value
    and help stand at the end of the docstring, in ``Options``; those of an argument, too, by the
    name of its parameter. What else is to be said, such as limits, stands in its annotation.
    """
    text, _, listed = (inspect.getdoc(function) or "").partition("\nOptions:\n")
    own = _entries(listed)
    said = {**_entries(SHARED), **own}
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        hint, *infos = (
            get_args(hints[name]) if get_origin(hints[name]) is Annotated else [hints[name]]
        )
        needed = parameter.default is parameter.empty
        info = copy(infos[0]) if infos else typer.Argument() if needed else typer.Option()
        if hint is typer.Context:
            continue
        key = name
        if isinstance(info, OptionInfo):
            key = f"--{name.rstrip('_').replace('_', '-')}"
            if info.default is ... and parameter.default is not True:
                info.default = key
            key = key if info.default is ... else str(info.default).partition("/")[0]
        if key in own or (key in said and not info.help):
            info.metavar, info.help = said[key]
        function.__annotations__[name] = Annotated[hint, info]
    return text


def _entries(text: str) -> dict[str, tuple[str | None, str]]:
    """Return value and help of each option, or argument, that a docstring lists."""
    found = _ENTRY.findall(text)
    return {name: (value or None, " ".join(words.split())) for name, value, words in found}


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
