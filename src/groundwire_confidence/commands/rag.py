"""``groundwire rag``: the advisory confidence of answers made from retrieved passages."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from groundwire.base.errors import ConfidenceError, EventError
from groundwire.base.files import append_line
from groundwire.base.model import Turn
from groundwire.commands.options import Set, runtime_for
from groundwire.commands.sources import STDIN, Documents, decode
from groundwire.inputs.turns import all_entries, split_turns
from groundwire.report.prose import counted, one_line
from groundwire.settings.toml_text import show_path
from groundwire_confidence.advisory.formula import ADVISORY_THRESHOLD, checked_threshold, percent
from groundwire_confidence.advisory.retrieved import passages
from groundwire_confidence.advisory.rubric import Rubric, retrieval_points
from groundwire_confidence.advisory.service import (
    Advisory,
    advisory_fields,
    parse_response,
    score,
    score_document,
)
from groundwire_confidence.advisory.text import badge_html, badge_text, banner_html, banner_text


def rag(  # noqa: PLR0913, PLR0917
    file: Annotated[
        str, typer.Argument(metavar="[FILE|-]", help="One JSON document, or one a line.")
    ] = STDIN,
    format_: Annotated[
        Literal["json", "text", "html"], typer.Option("--format", help="How to report.")
    ] = "json",
    threshold: Annotated[
        float | None, typer.Option(help="Below it an answer is advisory only; 0.5 to 0.9.")
    ] = None,
    high_relevance: Annotated[
        float | None, typer.Option(help="Similarity from which a chunk is highly relevant.")
    ] = None,
    medium_relevance: Annotated[
        float | None, typer.Option(help="Similarity from which it is of medium relevance.")
    ] = None,
    required: Annotated[
        str | None, typer.Option(metavar="FIELD,...", help="Fields that a response must have.")
    ] = None,
    optional: Annotated[
        str | None, typer.Option(metavar="FIELD,...", help="Fields that a whole response has.")
    ] = None,
    audit: Annotated[
        Path | None, typer.Option(help="Append an event for each low confidence to this file.")
    ] = None,
    transcript: Annotated[
        bool, typer.Option(help="FILE is a transcript: score its last turn.")
    ] = False,
    set_: Set = None,
) -> None:
    """Score answers with their retrieval results: {"response": ..., "chunks": [...]}.

    A chunk has a similarity (0 to 1) and a source_type (government, regulatory, market_data,
    third_party). Without chunks the confidence that the response states counts. Several documents,
    one a line, give one result a line; a line that cannot be scored gives {"error": ...}. Prose is
    taken as the response itself. Of a transcript the final message is the response, and what
    searches, fetches and MCP tools of its turn returned are the chunks.

    Examples:

        groundwire rag answer.json --format text

        groundwire rag < answers.jsonl > scored.jsonl
    """
    advisory_settings = runtime_for(set_).settings.advisory
    bound = checked_threshold(advisory_settings.threshold if threshold is None else threshold)
    rubric = Rubric(
        advisory_settings.high_relevance if high_relevance is None else high_relevance,
        advisory_settings.medium_relevance if medium_relevance is None else medium_relevance,
        advisory_settings.required if required is None else _fields(required),
        advisory_settings.optional if optional is None else _fields(optional),
    )
    retrieval_points((), rubric)  # tells cut-offs that cannot be, before anything is read
    if transcript:
        advisory = _of_turn(file, dict(advisory_settings.domains), bound, rubric)
        typer.echo(_report(advisory, format_))
        return
    failed = 0
    documents = Documents(file)
    for place, data in documents:
        try:
            document = _document(data, documents)
            advisory = score_document(document, threshold=bound, rubric=rubric)
        except ConfidenceError as error:
            if documents.alone():
                raise ConfidenceError(f"{place}: {error}") from None
            failed = 1
            print(f"groundwire: {place}: {error}", file=sys.stderr)  # noqa: T201
            if format_ == "json":
                typer.echo(json.dumps({"error": str(error)}))
            continue
        if audit and advisory.intent.event:
            _append(audit, advisory.intent.event)
        typer.echo(_report(advisory, format_))
    raise typer.Exit(failed)


def _of_turn(file: str, domains: dict[str, str], threshold: float, rubric: Rubric) -> Advisory:
    """Score the last turn of a transcript; without a result that has a similarity, as stated."""
    *_, turn = (Turn(), *split_turns(all_entries(file), unfinished=True))
    found = passages(turn.calls, domains)
    known = [one for one in found if one.known]
    if not known:
        what = f"{counted(len(found), 'retrieval result')} in its last turn, none with a similarity"
        text = f"{show_path(file)}: {what}; the confidence that the message states counts"
        print(f"groundwire: warning: {text}", file=sys.stderr)  # noqa: T201
    response = parse_response(turn.message)
    is_prose = response.fields is None
    return score(response, known or None, threshold=threshold, rubric=rubric, prose=is_prose)


def _fields(text: str) -> tuple[str, ...]:
    return tuple(field.strip() for field in text.split(",") if field.strip())


def _document(data: bytes, documents: Documents) -> object:
    """Return a decoded document; a whole input that is prose is the response itself."""
    try:
        return decode(data)
    except ValueError as error:  # text that is not UTF-8 is one, too
        if not isinstance(error, UnicodeDecodeError) and documents.alone():
            text = data.decode("utf-8-sig", "replace")
            if not text.lstrip().startswith(("{", "[")):
                return {"response": text}
        raise ConfidenceError(f"{error}; allowed: one JSON object") from None


def _report(advisory: Advisory, format_: str) -> str:
    value = advisory.assessment.value
    threshold = advisory.assessment.threshold or ADVISORY_THRESHOLD
    if format_ == "json":
        return json.dumps(advisory_fields(advisory))
    if format_ == "html":
        return badge_html(value, threshold) + banner_html(value, threshold)
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    lines = [badge_text(value, threshold, colour=colour)]
    banner = banner_text(value, threshold, colour=colour)
    lines += [banner] if banner else []
    lines.append(f"confidence {percent(value, threshold) / 100:.2f}: {advisory.assessment.why}")
    factors = advisory.assessment.factors
    for factor in factors:
        points = f"{factor.contribution:.3f} of {factor.weight:g}"
        lines.append(f"  {factor.name:9}  {points}  {one_line(factor.why, 100)}")
    if advisory.response.stated.reason and (not factors or factors[-1].name == "response"):
        lines.append(
            f"  the response states no confidence from 0 to 1: "
            f"{advisory.response.stated.reason}, {advisory.response.stated.confidence:g}"
        )
    return "\n".join(lines)


def _append(path: Path, event: dict[str, object]) -> None:
    """Append one audit event with the time; raises EventError naming the file."""
    time = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    try:
        append_line(path, json.dumps({"time": time, **event}))
    except OSError as error:
        raise EventError(f"{path}: {error.strerror}; expected a file to append to") from None
