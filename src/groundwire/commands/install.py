"""``groundwire install`` and ``groundwire uninstall``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from groundwire.base.errors import InstallError, UsageError
from groundwire.base.extras import extra, extras
from groundwire.base.paths import state_folder
from groundwire.commands import settings_file
from groundwire.commands.options import refuse_given
from groundwire.commands.other_hosts import host_settings, plan_host, plan_host_removal
from groundwire.commands.registration import (
    LOCAL,
    Resident,
    plan_install,
    plan_uninstall,
    registered_port,
)
from groundwire.commands.remains import kept_folders, purge, purgeable
from groundwire.commands.settings_file import Change, carry_out
from groundwire.hook.entry import EVENTS, Entry, current_entry
from groundwire.hook.second_look_state import is_on, look_folder, switch_off
from groundwire.hook.trial import begin_trial
from groundwire.inputs.hosts import NAMES, host_named
from groundwire.report.prose import counted

TRIAL_TURNS = 20
#: Entry points of what an installation also does: modules of extras.
_STEPS = "install_steps"

HostName = Annotated[
    str,
    typer.Option(
        "--host",
        metavar="NAME",
        help=f"Another host than Claude Code: {', '.join(NAMES)}. With --user or --project.",
    ),
]


def install(  # noqa: PLR0912, PLR0913, PLR0917
    ctx: typer.Context,
    user: bool = False,
    project: bool = False,
    local: bool = False,
    dry_run: bool = False,
    host: HostName = "",
    http: bool = False,
    resident_hook: Annotated[bool, typer.Option("--resident")] = False,
    port: Annotated[int | None, typer.Option(min=1, max=65_535)] = None,
    trial: Annotated[int | None, typer.Option(min=0, max=10_000)] = None,
    second_look: Annotated[bool | None, typer.Option("--second-look/--no-second-look")] = None,
    provider: str = "",
    model: str = "",
    base_url: str = "",
    limit_per_day: Annotated[int | None, typer.Option(min=0)] = None,
    seed_paths: bool = False,
) -> None:
    """Register the hook in the settings of Claude Code, or of another host.

    Examples:

        groundwire install --dry-run

        groundwire install --local

        groundwire install --resident

        groundwire install --trial

        groundwire install --second-look --model sonnet

        groundwire install --host gemini

        groundwire install --seed-paths

    Options:
        --user: Your own settings, for all projects (the default).
        --project: The current folder's .claude/settings.json.
        --local: The current folder's .claude/settings.local.json.
        --dry-run: Show the change; write nothing.
        --resident: Let the hook ask a process that stays in memory, over a Unix socket; where there
          is none, it answers itself and starts one.
        --http: Let Claude Code ask a server over HTTP, not a process for each turn. Others on
          the machine can take its port while it is down: --resident is safer.
        --port N: With --http: the port of that server on this machine.
        --trial [N]: Only report the first N turns (20), then tell what would have been stopped;
          asked for on a terminal. 0 ends a trial.
        --second-look: Let a language model check each message after its turn; asked for on a
          terminal.
        --seed-paths: Also put thin scripts into ~/.claude/validation:
          nlnh/confidence_calculator.py, app/agents/nodes.py, app/agents/state.py and
          app/models/config.py. Alone, it does nothing else; with --user or another option the hook
          is registered, too.
    """
    if not http:
        refuse_given(ctx, ("--port",), "only with --http")
    if not second_look:
        names = ("--provider", "--model", "--base-url", "--limit-per-day")
        refuse_given(ctx, names, "only with --second-look")
    asked = user or project or local or http or resident_hook or second_look or trial is not None
    if seed_paths and not (asked or host):
        _seed_paths(dry_run, wanted=True)
        return
    if host:
        refuse_given(ctx, ("--local", "--http", "--seed-paths"), "not with --host")
    if http and project:
        raise typer.BadParameter(
            "--http puts a secret into the settings, which --project shares; use --user or --local"
        )
    if http and resident_hook:
        raise typer.BadParameter("choose one of --resident and --http")
    entry = current_entry()
    resident = LOCAL if resident_hook else None
    if http:
        resident = extra(_STEPS, "resident").planned(port, dry_run)
    scopes = (user, project, local)
    change, removal = _planned(host, scopes, entry, resident), _removal(host, scopes)
    asks = change.needed and sys.stdin.isatty() and sys.stdout.isatty()
    own = host_named(host).settings if host else None
    events = ", ".join(own.events if own else EVENTS)
    texts = (f"registered for {events}", f"already registered for {events}")
    carry_out(change, dry_run, *texts, private=http, removal=removal)
    if not dry_run:
        _begin_trial(trial, asks)
    if own:
        typer.echo(own.hint, nl=bool(own.hint))
        return
    _seed_paths(dry_run, wanted=seed_paths)
    if resident and http and change.needed and not dry_run:
        typer.echo(f"each session starts the server at port {resident.port} where it does not run")
        typer.echo("restart open sessions, so that they ask it")
    if not dry_run:
        _offer_second_look(second_look, (provider, model, base_url, limit_per_day), asks)
    url = resident.url if resident and http else ""
    for obstacle in settings_file.obstacles(os.environ, Path.cwd(), url):
        typer.echo(f"warning: {obstacle}", err=True)
    if project and change.needed:
        typer.echo(
            f"warning: {entry.interpreter} is a path of this machine; where the project is shared, "
            "--local or --user keeps it to yourself",
            err=True,
        )


def _seed_paths(dry_run: bool, *, wanted: bool) -> None:
    for path in extra(_STEPS, "seed-paths").write_seed_paths(os.environ, dry_run) if wanted else ():
        typer.echo(f"{'would write' if dry_run else 'wrote'} {path}")


def with_turns(arguments: list[str]) -> list[str]:
    """Return the arguments with a number behind ``--trial``, which typer cannot leave out."""
    at = arguments.index("--trial") + 1
    given = arguments[at : at + 1] and not arguments[at].startswith("--")
    return arguments if given else [*arguments[:at], str(TRIAL_TURNS), *arguments[at:]]


def _begin_trial(turns: int | None, asks: bool) -> None:
    folder = state_folder(os.environ)
    if folder is None:
        return
    if turns is None and asks:
        turns = typer.prompt(
            "turns that are only reported at first (0: stop from the first one on)",
            default=TRIAL_TURNS,
            type=int,
        )
    if turns is None:
        return
    try:
        begin_trial(folder, turns)
    except OSError as error:
        raise InstallError(f"{folder}: {error.strerror}") from None
    text = f"the next {counted(turns, 'turn')} are only reported" if turns else "no trial"
    typer.echo(text)


def _offer_second_look(answer: bool | None, wanted: tuple[object, ...], asks: bool) -> None:
    """Switch the second look on if the user says so; asks on a terminal at the first time.

    ``wanted`` are provider, model, address and limit a day.
    """
    look = extra(_STEPS, "second-look") if answer else extras(_STEPS).get("second-look")
    if look is None:
        return
    if answer:
        look.switch_on(look.Wanted(*wanted))
        return
    if answer is not None or not asks or is_on(look_folder(os.environ) or ""):
        return
    for line in look.offer():
        typer.echo(line)
    if typer.confirm("Switch it on? The model takes a short exam first", default=False):
        try:
            look.switch_on(look.Wanted(*wanted))
        except UsageError as error:  # the hook itself is registered
            typer.echo(f"groundwire: {error}", err=True)
    else:
        typer.echo("groundwire second-look on does it later")


def uninstall(
    ctx: typer.Context,
    user: bool = False,
    project: bool = False,
    local: bool = False,
    dry_run: bool = False,
    host: HostName = "",
    purge_: bool = False,
) -> None:
    """Remove the hook from Claude Code's settings, stop the resident server, say what remains.

    With --host only the hook of that host is removed.

    Scripts of `groundwire install --seed-paths` go, too; your own settings stay.

    Examples:

        groundwire uninstall --dry-run

        groundwire uninstall --project

        groundwire uninstall --purge

        groundwire uninstall --host gemini

    Options:
        --user: Your own settings, for all projects (the default).
        --project: The current folder's .claude/settings.json.
        --local: The current folder's .claude/settings.local.json.
        --dry-run: Show the change; write nothing.
        --purge: Also remove the decision log, the memory of sessions and backups.
    """
    if host:
        refuse_given(ctx, ("--local", "--purge"), "not with --host")
    change = _removal(host, (user, project, local))
    done = "would remove" if dry_run else "removed"
    seeds = extras(_STEPS).get("seed-paths") if not host else None
    for path in seeds.remove_seed_paths(os.environ, dry_run) if seeds else ():
        typer.echo(f"{done} {path}")
    if change.needed and settings_file.remove_if_ours(change, dry_run):
        typer.echo(f"{done} {change.path}, which install had made")
    else:
        of_host = f" of {NAMES[host]}" if host else ""
        carry_out(change, dry_run, f"removed the hook{of_host}", "the hook is not registered")
    if host:
        return
    if not dry_run:
        _end(change)
    if purge_:
        removed, left = purge(os.environ, change.path, dry_run)
        for path in removed:
            typer.echo(f"{done} {path}")
        for line in left:
            typer.echo(f"left: {line}", err=True)
    elif remains := purgeable(os.environ, change.path):
        names = ", ".join(map(str, remains))
        typer.echo(f"left: {names}; groundwire uninstall --purge removes them")
    for folder, what in kept_folders(os.environ):
        typer.echo(f"left: {folder}, which holds {what}")


def _end(change: Change) -> None:
    """End a trial, the second look, and the server that was registered."""
    if state := state_folder(os.environ):
        begin_trial(state, 0)
        switch_off(look_folder(os.environ) or "")
    if change.needed:
        port = registered_port((change.before or "").removeprefix("\ufeff"))
        server = extras(_STEPS).get("resident")
        for line in server.stopped(port) if server else ():
            typer.echo(line)


def _planned(
    host: str, scopes: tuple[bool, bool, bool], entry: Entry, resident: Resident | None
) -> Change:
    """Return what registering changes in the settings of Claude Code, or of another host."""
    path = _settings_path(host, scopes)
    if host:
        return plan_host(host, path, entry)
    notes = True if is_on(look_folder(os.environ) or "") else None
    return settings_file.plan(path, lambda text: plan_install(text, entry, resident, notes=notes))


def _removal(host: str, scopes: tuple[bool, bool, bool]) -> Change:
    path = _settings_path(host, scopes)
    return plan_host_removal(host, path) if host else settings_file.plan(path, plan_uninstall)


def _settings_path(host: str, scopes: tuple[bool, bool, bool]) -> Path:
    if host:
        return host_settings(host, os.environ, Path.cwd(), project=scopes[1])
    chosen = zip(settings_file.SCOPES, scopes, strict=True)
    named = [scope for scope, wanted in chosen if wanted] or ["user"]
    if len(named) > 1:
        raise typer.BadParameter("choose one of --user, --project and --local")
    return settings_file.settings_path(named[0], os.environ, Path.cwd())
