"""``groundwire wrong``: wrong stops are kept as labels, late findings as votes."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from groundwire.base.errors import FileError, UsageError
from groundwire.base.json_codec import dumps
from groundwire.base.paths import config_folder, replace_file
from groundwire.commands.allow import refuse_model
from groundwire.commands.options import agreed, refuse_given
from groundwire.hook.accuser_votes import accuser_folder
from groundwire.hook.second_look_state import WRONGS, look_folder, vote, votes_of
from groundwire.inputs.transcript import is_human_prompt
from groundwire.report.explain import stopping
from groundwire.report.prose import counted, one_line, quote
from groundwire.runs.past_stop import LAST, Again, Stop, entries_until, find_stop, read_again
from groundwire.settings.toml_text import show_path
from groundwire.verdict.examine import Examined
from groundwire_confidence.history_votes import append_vote
from groundwire_lab.commands.learn import propose
from groundwire_lab.label_items import Book, message_of_turn, with_open_labels
from groundwire_lab.labels import Label, Message

#: Below the folder of the user's settings.
LABELS = os.path.join("labels", "stops.jsonl")
_CONSENT = (
    "keep the message and what the tools of the turn returned, too? They may hold secrets, and "
    "stay on this machine"
)


def wrong(  # noqa: PLR0913, PLR0917 - one parameter for each option
    ctx: typer.Context,
    which: Annotated[list[str] | None, typer.Argument()] = None,
    right: bool = False,
    keep_text: Annotated[bool | None, typer.Option("--keep-text/--no-text")] = None,
    out: Path | None = None,
    learn: bool = False,
    sessions: list[str] | None = None,
    since: str = "7d",
    yes: Annotated[bool, typer.Option("--yes", "-y")] = False,
) -> None:
    """Keep what stopped the last turn as labels: a fair reviewer would not challenge it.

    Without the text only places are kept: the transcript, the message in it, and where its
    sentences begin and end; such a label counts as long as the transcript is there. Nothing leaves
    this machine.

    When a second look came later and woke the model or told you something, your vote on that is
    kept, for the model that said so. Three wrong ones in a row take its right to wake Claude. A
    vote on a stop counts for the accuser that stated its fact in the same way.

    With --learn it proposes phrases to allow, markers to switch off and a threshold, by these
    labels and a replay; each with the labelled stops and the turns that it changes. It is written
    to your own settings when that is confirmed, on a terminal or by --yes.

    Examples:

        groundwire wrong last

        groundwire wrong --right

        groundwire wrong --learn --since 14d

        groundwire calibrate ~/.config/groundwire/labels/stops.jsonl labels.jsonl

    Options:
        which [last|SESSION]: Which stop; label files with --learn.
        --right: A finding of the second look was right.
        --keep-text: Keep the message and what the tools returned, too; asked for on a terminal.
        --out: The label file; labels/stops.jsonl beside your settings.
        --learn: Propose settings by what was wrong.
        --sessions: Transcripts to replay; ~/.claude/projects. May be repeated.
        --since: Replay turns from this date or age on.
        --yes: Write the proposal without asking.
    """
    if learn:
        refuse_given(ctx, ("--right", "--keep-text", "--out"), "not with --learn")
        files = list(map(Path, which or ())) or [_known_labels()]
        propose(files, sessions or ["~/.claude/projects"], since, write=yes)
        return
    refuse_given(ctx, ("--sessions", "--since", "--yes"), "only with --learn")
    last, *more = which or [LAST]
    if more:
        raise typer.BadParameter(f"{more[0]!r}: one stop is kept at a time")
    stop = find_stop(os.environ, last, looks=True)
    if stop.look:
        refuse_given(ctx, ("--keep-text", "--out"), "only with a stop")
        _vote(stop, right=right)
        return
    past_turn = read_again(stop, os.environ)
    if past_turn.examined is None or past_turn.turn is None:
        raise UsageError(f"nothing to keep: {past_turn.notes[-1]}")
    analysis = past_turn.examined.analysis
    accusers = sorted({match.accuser for match in analysis.matches if match.accuser})
    if right and not accusers:
        raise UsageError("--right: only with a fact or a finding of the second look: allowed: none")
    for name in accusers:
        _vote_on_accuser(stop, name, right=right)
    if right:
        return
    path = out or labels_file()
    message = message_of_turn(Path(stop.transcript), 0, past_turn.turn)
    message = message.replace(stop=past_turn.turn.message_id)
    fresh, _ = with_open_labels(message, analysis.matches)
    flagged = {message.unit_at(offset) for offset in _offsets(stop, past_turn, past_turn.examined)}
    keeps = sys.stdin.isatty() and agreed(_CONSENT) if keep_text is None else keep_text
    path.parent.mkdir(0o700, parents=True, exist_ok=True)
    fresh = _with_turn(fresh, stop, path) if keeps else fresh.replace(text="")
    book = Book(path)
    stored = book.messages.get(fresh.id)
    judged = {unit: Label(0, more={"sure": 1, "from": "wrong"}) for unit in sorted(flagged)}
    labels = {**fresh.labels, **(stored.labels if stored else {}), **judged}
    book.put(fresh.id, fresh.replace(labels=labels))
    for unit in sorted(flagged):
        start, end = message.units[unit - 1]
        typer.echo(f"not to be challenged: {quote(analysis.text[start:end])}")
    extent = "with the turn" if keeps else "without any text (--keep-text keeps the turn, too)"
    agent, task = str(stop.line["agent_type"]), str(stop.line["prompt_id"])
    composite = past_turn.settings.composite
    if problem := append_vote(composite, os.environ, agent, task, True, "groundwire wrong"):
        raise FileError(problem)
    typer.echo(f"kept {counted(len(flagged), 'label')} {extent}: {show_path(str(path))}")
    name = shlex.quote(str(path))
    typer.echo(
        f"groundwire wrong --learn reads it; with more labels: groundwire calibrate {name} LABELS"
    )


def _vote(stop: Stop, *, right: bool) -> None:
    """Keep a vote on a finding of the second look, and say what it changes."""
    refuse_model(os.environ)
    folder, key = look_folder(os.environ) or "", stop.look["key"]
    try:
        vote(folder, key, stop.line["id"], right=right)
    except OSError as error:
        raise FileError(f"{show_path(folder)}: {error.strerror}") from None
    votes = votes_of(folder, key)
    typer.echo(f"kept as {'right' if right else 'wrong'}: what {one_line(key)} said at that time")
    typer.echo(f"your votes on its findings: {votes.right} right, {votes.wrong} wrong")
    if votes.row >= WRONGS:
        row = f"the last {votes.row} are wrong: its findings no longer wake Claude"
        typer.echo(f"{row} and are only shown to you; a right one ends that (wrong --right)")
    elif votes.row:
        left = WRONGS - votes.row
        typer.echo(f"{left} more wrong in a row would take its right to wake Claude")


def _vote_on_accuser(stop: Stop, name: str, *, right: bool) -> None:
    """Keep a vote on the accuser that stopped a turn, and say what it changes."""
    folder = accuser_folder(os.environ)
    if folder is None:
        return
    try:
        vote(folder, name, stop.line["id"], right=right)
    except OSError as error:
        raise FileError(f"{show_path(folder)}: {error.strerror}") from None
    votes = votes_of(folder, name)
    typer.echo(f"your votes on {name}: {votes.right} right, {votes.wrong} wrong")
    if votes.row >= WRONGS:
        typer.echo(f"{name} no longer stops a turn; a right one ends that (wrong --right)")


def _offsets(stop: Stop, past_turn: Again, examined: Examined) -> list[int]:
    """Return where the statements stand that stopped the turn.

    They may be allowed since; then those count that the log has at a confidence that stops.
    """
    limits = past_turn.settings.thresholds
    matches = stopping(examined.analysis, examined.decision, limits)
    logged = stop.line["matches"]
    least = min(limits.stop_from, max((one["confidence"] for one in logged), default=0))
    return [match.offset for match in matches] or [
        one["offset"] for one in logged if one["confidence"] >= least
    ]


def labels_file() -> Path:
    """Return the file in which labels of stops are kept; raises UsageError without a home."""
    folder = config_folder(os.environ)
    if not folder:
        raise UsageError("--out: needed without a home folder: allowed: a file")
    return Path(folder) / LABELS


def _known_labels() -> Path:
    path = labels_file()
    if not path.exists():
        raise UsageError(
            f"no labels yet: after a stop that was wrong `groundwire wrong last` keeps one in "
            f"{show_path(str(path))}; or name a file of `groundwire label`"
        )
    return path


def _with_turn(message: Message, stop: Stop, labels: Path) -> Message:
    """Keep the lines of the turn up to the message beside the labels, and let the label name it."""
    prefix = "agent-" if stop.is_agents else ""
    path = labels.resolve().with_name(f"{prefix}{message.id}.jsonl")
    lines: list[str] = []
    for entry in entries_until(stop.transcript, message.stop, stop.is_agents):
        lines = [] if is_human_prompt(entry, None, stop.is_agents) else lines
        lines.append(f"{dumps(entry)}\n")
    try:
        replace_file(str(path), "".join(lines).encode())
    except OSError as error:
        raise FileError(f"{show_path(str(path))}: {error.strerror}") from None
    return message.replace(transcript=str(path))
