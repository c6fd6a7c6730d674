"""``groundwire ab-report``: what the A/B test of the three methods has shown."""

from __future__ import annotations

import os
from contextlib import closing
from datetime import UTC, datetime
from typing import Literal

import typer
from rich.console import Console

from groundwire.commands.extras import extra_needed
from groundwire.runs.replay import parse_since
from groundwire_server.admin.cli.db import Database

#: R002-17; a report with another one is asked for by --threshold.
_THRESHOLD = 0.7


def ab_report(
    since: str = "",
    threshold: float = _THRESHOLD,
    format_: Literal["text", "json"] = "text",
    database: Database = "",
) -> None:
    """Compare the groups of the A/B test: formula, llm and hybrid.

    Distribution of scores, escalations, votes, response times, tokens and cost, false positives
    and negatives with their 95 % intervals, and the three success criteria: met, not met, or not
    enough data. Needs: pip install 'groundwire[server]'

    Examples:

        groundwire ab-report --since 14d

        groundwire ab-report --format json > report.json

    Options:
        --since: From this date (2026-11-01) or age (14d, 12h) on; else all.
        --threshold X: Scores below it count as low, and the answer is escalated.
        --format: How to report.
    """
    with extra_needed("server"):
        from groundwire_server.admin.cli.ab_text import print_report
        from groundwire_server.admin.service import open_admin
    now = datetime.now(UTC)
    first = datetime.fromisoformat(parse_since(since, now)).replace(tzinfo=UTC) if since else None
    with closing(open_admin(database or None, os.environ)) as admin:
        report = admin.experiment.report(first, now, threshold)
    if format_ == "json":
        typer.echo(report.model_dump_json(indent=1))
    else:
        print_report(Console(), report)
