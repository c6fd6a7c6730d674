"""``groundwire composite``: the composite confidence of an agent's response."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from groundwire.commands.options import OldJson, Set, TextOrJson, runtime_for
from groundwire_confidence.composite.result import composite_text
from groundwire_confidence.composite.service import ConfidenceCalculator

AgentTypeArgument = Annotated[
    str,
    typer.Argument(metavar="AGENT_TYPE", help="planner, patcher, validator, dgts_enforcer, clerk."),
]
AgentName = Annotated[str, typer.Argument(metavar="AGENT_NAME", help="Exact name of the agent.")]
History = Annotated[
    float | None,
    typer.Option(metavar="0-1", help="Agent history, instead of looking it up."),
]
TaskId = Annotated[
    str | None, typer.Option(metavar="T", help="Name of the task, stored in the history.")
]


def composite(  # noqa: PLR0913, PLR0917
    agent_type: AgentTypeArgument,
    agent_name: AgentName,
    knowledge_base: Annotated[float, typer.Argument(metavar="KB", help="Knowledge base, 0-1.")],
    code: Annotated[float, typer.Argument(metavar="CODE", help="Code validation, 0-1.")],
    certainty: Annotated[
        float, typer.Argument(metavar="CERTAINTY", help="Response certainty, 0-1.")
    ],
    history: History = None,
    task_id: TaskId = None,
    format_: TextOrJson = "text",
    json_: OldJson = False,
    set_: Set = None,
) -> None:
    """Compute the composite confidence of an agent's response, and store it.

    Agent history is looked up. The reason to block a response goes to stderr.

    Examples:

        groundwire composite planner archon-planner-1 0.8 0.9 0.7

        groundwire composite patcher archon-patcher-1 0.85 0.9 0.75 --history 0.9 --format json
    """
    calculator = ConfidenceCalculator(runtime_for(set_).settings.composite)
    result = calculator.calculate_confidence(
        agent_type, agent_name, knowledge_base, code, certainty, history, task_id
    )
    if json_ or format_ == "json":
        typer.echo(json.dumps(result.as_dict()))
        return
    typer.echo(composite_text(result.row))
    if result.should_block:
        typer.echo(f"groundwire: {result.block_reason}", err=True)


def main() -> int:
    """Run the command under the name of the module that calls this."""
    from groundwire.commands.main import main as groundwire

    sys.argv[1:1] = ["composite"]
    return groundwire()
