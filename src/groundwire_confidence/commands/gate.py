"""``groundwire gate``: may an answer go out, may an implementation proceed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from groundwire.base.errors import ConfidenceError
from groundwire.commands.options import OldJson, Set, TextOrJson, runtime_for
from groundwire.commands.sources import read_text
from groundwire_confidence.commands.composite import AgentName, AgentTypeArgument, History, TaskId
from groundwire_confidence.composite.factors import code_validation_score, knowledge_base_score
from groundwire_confidence.composite.formula import TITLES, percent
from groundwire_confidence.composite.gates import (
    GateResult,
    QualityGatesExecutor,
    pre_response_check,
)
from groundwire_confidence.composite.service import ConfidenceCalculator


def gate(  # noqa: PLR0913, PLR0917
    agent_type: AgentTypeArgument,
    agent_name: AgentName,
    response: Annotated[str | None, typer.Argument()] = None,
    kb: float | None = None,
    retrieval: str | None = None,
    code: float | None = None,
    code_exists: bool = False,
    syntax_valid: bool = False,
    type_valid: bool = False,
    tests_exist: bool = False,
    tests_pass: bool = False,
    certainty: float | None = None,
    history: History = None,
    task_id: TaskId = None,
    format_: TextOrJson = "text",
    json_: OldJson = False,
    set_: Set = None,
) -> None:
    """Check an answer before it goes out; exit code 1 when a check failed.

    With FILE the answer to give is printed: the same, or "I don't know". What is not known about
    retrieval and code counts as 0. Without any score and FILE the last calculation of this agent
    decides.

    Examples:

        groundwire gate patcher archon-patcher-1 answer.md --kb 0.9 --code 0.85

        groundwire gate validator archon-validator-1 --task-id T-17

    Options:
        response [FILE|-]: The answer to check.
        --kb 0-1: Knowledge base score.
        --retrieval FILE: Retrieval results instead of --kb: a JSON list with similarity.
        --code 0-1: Code validation score.
        --code-exists: The five proofs instead of --code; first, the code is there.
        --syntax-valid: It parses.
        --type-valid: It passes the type checker.
        --tests-exist: It has tests.
        --tests-pass: Its tests pass.
        --certainty 0-1: Response certainty, instead of reading it from FILE.
    """
    if kb is not None and retrieval is not None:
        raise typer.BadParameter("--kb and --retrieval exclude each other")
    facts = (code_exists, syntax_valid, type_valid, tests_exist, tests_pass)
    if code is not None and any(facts):
        raise typer.BadParameter("--code and the proofs (--code-exists ...) exclude each other")
    executor = QualityGatesExecutor(ConfidenceCalculator(runtime_for(set_).settings.composite))
    text = None if response is None else read_text(response)
    result = executor.execute_post_implementation_gate(
        agent_name,
        agent_type,
        knowledge_base_score=kb if retrieval is None else _retrieval_score(retrieval),
        code_validation_score=code_validation_score(*facts) if any(facts) else code,
        response_certainty_score=certainty,
        agent_history_score=history,
        response=text,
        task_id=task_id,
    )
    as_json = json_ or format_ == "json"
    typer.echo(_json(result, text) if as_json else _plain_text(result, text))
    if not result.passed:
        raise typer.Exit(1)


def _answer(result: GateResult, text: str | None) -> dict[str, Any]:
    """Return the fields of the answer; none without one or without a calculation."""
    if text is None or result.confidence is None:
        return {}
    return pre_response_check(result.confidence, text)


def _sources(result: GateResult) -> dict[str, str]:
    """Return where the factors come from, such as the words that lowered certainty."""
    if result.confidence is None:  # of a past calculation the history keeps the words alone
        words = [check.row.get("certainty_markers") for check in result.checks if check.row]
        return {"response_certainty_score": str(words[0])} if words and words[0] else {}
    return {one.name: one.why for one in result.confidence.assessment.factors if one.why}


def _factor_lines(row: Mapping[str, Any], sources: Mapping[str, str]) -> Iterator[str]:
    factors = row.get("factors")
    if not isinstance(factors, dict):  # the row of another writer
        return
    for name, title in TITLES.items():
        value = factors.get(name)
        shown = percent(value) if isinstance(value, int | float) else "not known"
        why = f" ({sources[name]})" if name in sources else ""
        yield f"  {title}: {shown}{why}"


def _json(result: GateResult, text: str | None) -> str:
    keys = ("rule", "status", "message")
    checks = [{key: getattr(check, key) for key in keys} for check in result.checks]
    fields = {**_answer(result, text), "passed": result.passed, "checks": checks}
    row = next((check.row for check in result.checks if check.row), None)
    if row:
        fields |= {"factors": row.get("factors"), "factor_sources": _sources(result)}
    return json.dumps(fields)


def _plain_text(result: GateResult, text: str | None) -> str:
    lines = []
    for check in result.checks:
        lines.append(f"{check.status}  {check.rule}: {check.message}")
        lines += _factor_lines(check.row or {}, _sources(result))
    answer = _answer(result, text)
    return "\n".join([*lines, "", answer["response"].rstrip("\n")] if answer else lines)


def _retrieval_score(name: str) -> float:
    """Return the knowledge base score of the results in a JSON file."""
    try:
        results = json.loads(read_text(name))
    except (ValueError, RecursionError) as error:
        raise ConfidenceError(f"{name}: {error}; allowed: a JSON list of results") from None
    if not isinstance(results, list):
        raise ConfidenceError(f"{name}: allowed: a JSON list, each with a similarity")
    try:
        return knowledge_base_score(results)
    except ConfidenceError as error:
        raise ConfidenceError(f"{name}: {error}") from None
