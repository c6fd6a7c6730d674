"""``groundwire allow``: what stopped a turn stops none again, from the next turn on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import typer

from groundwire.base.errors import UsageError
from groundwire.base.model import Analysis, Match
from groundwire.commands.why import Which
from groundwire.hook.log_record import EVIDENCE_CHARACTERS
from groundwire.hook.session import with_session
from groundwire.hook.sources import PROJECT, USER
from groundwire.report.explain import stopping
from groundwire.report.prose import one_line, quote
from groundwire.runs.past_stop import LAST, Again, Stop, find_stop, read_again
from groundwire.settings.change import change_settings, project_file, take_effect, user_file
from groundwire.settings.toml_text import show_path, to_toml

#: Set in every shell that Claude Code starts.
CLAUDE_SHELL = "CLAUDECODE"


def allow(
    which: Which = LAST,
    phrase: bool = False,
    marker: bool = False,
    kind: bool = False,
    here: bool = False,
    everywhere: bool = False,
    reason: str = "",
) -> None:
    """Let what stopped the last turn pass, from the next turn of its session on.

    Writes to your own settings, or with --here to those of the project, and keeps what stands
    there. Not to be used by a model about itself, so a shell of Claude Code is refused.

    Examples:

        groundwire allow last --phrase --reason "the name of a feature"

        groundwire allow last --marker --here

    Options:
        --phrase: These words (the default).
        --marker: All that their marker finds.
        --kind: The whole kind of statement.
        --here: In the settings of the project, and trust these.
        --everywhere: In your own settings (the default).
        --reason: Why; stands in the settings with a phrase.
    """
    refuse_model(os.environ)
    if phrase + marker + kind > 1:
        raise typer.BadParameter("choose one of --phrase, --marker and --kind")
    if here and everywhere:
        raise typer.BadParameter("choose one of --here and --everywhere")
    stop = find_stop(os.environ, which)
    past_turn = read_again(stop, os.environ)
    env = with_session(os.environ, stop.session)
    if here and not past_turn.folder:
        raise UsageError("--here: the project of that stop is not known; its transcript is gone")
    folder = past_turn.folder or os.getcwd()
    changes = _changes(stop, past_turn, marker, kind, reason)
    path = project_file(env, folder) if here else user_file(env)
    change_settings(env, folder, path, changes, PROJECT if here else USER)
    typer.echo(f"wrote to {show_path(path)}:\n\n{to_toml(changes)}")
    if here:
        typer.echo("its project is trusted with it (groundwire trust --list)")
    at_once = take_effect(os.environ, folder, stop.session)
    since = "from the next turn" if at_once else "from the next start"
    typer.echo(f"it holds {since} of that session on")
    _tell_effect(read_again(stop, os.environ))


def refuse_model(env: Mapping[str, str]) -> None:
    """Raise UsageError in a shell of Claude Code, where a model could be the one who asks."""
    if env.get(CLAUDE_SHELL):
        raise UsageError(
            "not from a shell of Claude Code, where a model could switch off its own check: "
            "use another terminal, or the commands of the plugin, such as /groundwire:allow"
        )


def _changes(stop: Stop, past: Again, marker: bool, kind: bool, reason: str) -> dict[str, Any]:
    """Return the settings that let the statements of the stop pass."""
    statements = [
        (one.kind, one.marker.id, words_of(past.examined.analysis, one))
        for one in _matches(past)
        if past.examined is not None
    ]
    if not statements:  # not read again: the worst of what the log has
        lines = sorted(stop.line["matches"], key=lambda one: -int(one["confidence"]))
        statements = [(one["kind"], one["marker"], one["evidence"]) for one in lines[:1]]
        if statements and len(statements[0][2]) >= EVIDENCE_CHARACTERS and not (marker or kind):
            raise UsageError("the log has not all words of that statement: --marker or --kind")
    if not statements:
        raise UsageError("no statement stopped that turn, so there is none to allow")
    if kind:
        return {"kinds": {one: False for one, _, _ in statements}}
    if marker:
        return {"markers": {one: False for _, one, _ in statements}}
    why = reason or f"allowed after the stop of {stop.line['time'][:16].replace('T', ' ')} UTC"
    phrases = dict.fromkeys(one_line(words) for _, _, words in statements)
    return {"allow": [{"phrase": words, "reason": why} for words in phrases]}


def _matches(past_turn: Again) -> list[Match]:
    if past_turn.examined is None:
        return []
    thresholds = past_turn.settings.thresholds
    return stopping(past_turn.examined.analysis, past_turn.examined.decision, thresholds)


def words_of(analysis: Analysis, match: Match) -> str:
    """Return the words of a sentence from its first to its last match.

    Allowing one match alone would leave the others to stop the sentence, and to allow each of them
    by itself would allow words as common as "now".
    """
    inside = [one for one in analysis.matches if one.sentence == match.sentence]
    end = max(one.offset + len(one.evidence) for one in inside)
    return analysis.text[min(one.offset for one in inside) : end]


def _tell_effect(past_turn: Again) -> None:
    if past_turn.examined is None:
        return
    matches = _matches(past_turn)
    if matches:
        still = f"{matches[0].kind} {quote(matches[0].evidence)} ({matches[0].marker.id})"
        typer.echo(f"that turn would still be stopped, by {still}; once more allows that, too")
    else:
        typer.echo("that turn would not be stopped now")
