"""``groundwire digest``: a turn on one page, for whoever checks its message."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Annotated, Literal

import typer

from groundwire.base.errors import TranscriptError
from groundwire.commands.options import Patterns, Set, runtime_for
from groundwire.commands.sources import STDIN, read_bytes
from groundwire.report.page import digest_fields, digest_markdown
from groundwire.runs.digest import digest_of_turn
from groundwire.runs.replay import examined_turn
from groundwire.settings.runtime import Runtime
from groundwire.turn.page import BUDGET, TurnDigest

SHORTEST = 5_000


def digest(
    transcript: Annotated[str, typer.Argument()] = STDIN,
    turn: Annotated[int, typer.Option(min=0)] = 0,
    format_: Literal["text", "json", "md"] = "text",
    characters: Annotated[int, typer.Option(min=SHORTEST)] = BUDGET,
    redact: bool = True,
    set_: Set = None,
    patterns: Patterns = None,
) -> None:
    """Print what a turn did, call by call with the lines that decide, and its message in sentences.

    It is what a judge is shown ([judge] in the settings).

    Examples:

        groundwire digest session.jsonl --turn 3

        groundwire digest session.jsonl --format md > turn.md

    Options:
        transcript [TRANSCRIPT|-]: A session's transcript (JSONL).
        --turn N: Which turn, from 1; 0: the last one.
        --format: How to print it.
        --characters: How long it may be, in characters.
        --redact: Mask tokens, keys, passwords and mail addresses.
    """
    runtime = runtime_for(set_, None, patterns)
    result = _digest(transcript, turn, runtime, characters, redact)
    if format_ == "json":
        typer.echo(json.dumps(digest_fields(result), ensure_ascii=False, indent=2))
    else:
        typer.echo(digest_markdown(result) if format_ == "md" else result.text)


def _digest(
    transcript: str, turn: int, runtime: Runtime, characters: int, redact: bool
) -> TurnDigest:
    """Return the digest of the wanted turn; raises TranscriptError when there is none."""
    name = "stdin" if transcript == STDIN else transcript
    if transcript == STDIN:
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
            file.write(read_bytes(STDIN))
            file.flush()
            examined = examined_turn(Path(file.name), runtime, turn)
    else:
        examined = examined_turn(Path(transcript), runtime, turn)
    result = digest_of_turn(examined, characters, redact=redact) if examined else None
    if result is None:
        wanted = f"turn {turn}" if turn else "turn"
        raise TranscriptError(f"{name}: no {wanted} that ended with a message")
    return result
