"""The panel that scores a sample with the configuration as it is typed, saved or not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from nicegui import ui

from groundwire.base.errors import GroundwireError
from groundwire_confidence.advisory.formula import shown_decimals
from groundwire_confidence.advisory.text import banner_html
from groundwire_server.admin.pages.charts import share_bars
from groundwire_server.admin.pages.elements import (
    Kept,
    facts,
    heading,
    level_badge,
    loading,
    notice,
    shown,
    words,
)
from groundwire_server.admin.pages.panels import panel
from groundwire_server.admin.service import Answer
from groundwire_server.admin.service.report_rows import money
from groundwire_server.admin.service.scored import ScoredView

Score = Callable[[Answer], Awaitable[ScoredView]]
_SAMPLE: dict[str, Any] = {
    "query": "How long is a refund possible?",
    "response": "A refund is possible within 30 days after the delivery. The money comes back the "
    "same way that was used to pay, and usually arrives within five working days.",
    "documents": [
        [0.92, "Refunds: customers may return goods within 30 days after delivery."],
        [0.81, "Refunds are paid back by the original means of payment within five working days."],
    ],
}
_NAMES = {
    "similarity_score": "Similarity",
    "source_boost": "Source quality",
    "length_boost": "Response length",
    "formula_score": "Formula score",
    "llm_score": "LLM score",
    "formula_weight": "Formula weight",
    "llm_weight": "LLM weight",
}


class TryIt:
    """The sample, and what the typed configuration makes of it."""

    def __init__(self, score: Score, kept: Kept) -> None:
        self._score, self._kept = score, kept
        self._documents: list[tuple[ui.number, ui.input]] = []
        with panel("Try it"):
            words("Scores a sample with the current settings, saved or not.", "p", "soft")
            self._query = ui.input("Query", on_change=self._keep).props("outlined")
            self._list = ui.element("div").classes("stack")
            ui.button("Add document", icon="add", on_click=self._add).props(
                "flat dense color=primary align=left"
            )
            self._response = ui.textarea("Response", on_change=self._keep)
            self._response.props("outlined rows=4")
            with ui.element("div").classes("line"):
                self._button = ui.button("Run sample", on_click=self._run).props("outline")
                ui.button("Reset sample", on_click=lambda: self._fill(_SAMPLE)).props("flat")
            self._result = ui.element("div").classes("stack").props("aria-live=polite")
        self._fill({**_SAMPLE, **kept.typed})

    def _fill(self, sample: Mapping[str, Any]) -> None:
        """Show a sample in place of what is typed."""
        self._list.clear()
        self._documents.clear()
        for similarity, content in sample["documents"]:
            self._add(similarity, content)
        self._query.value, self._response.value = sample["query"], sample["response"]
        self._keep()

    def _keep(self) -> None:
        """Keep the sample in the browser, unless it is the one that everybody begins with."""
        sample = {
            "query": self._query.value,
            "response": self._response.value,
            "documents": [[number.value, text.value] for number, text in self._documents],
        }
        self._kept.keep({} if sample == _SAMPLE else sample)

    def _add(self, similarity: float = 0.8, content: str = "") -> None:
        with self._list, ui.element("div").classes("document") as row:
            number = ui.number(
                "Similarity",
                value=similarity,
                step=0.01,
                validation=_similarity_problem,
                on_change=self._keep,
            ).props("outlined dense hide-bottom-space")
            text = ui.input("Context document", value=content, on_change=self._keep)
            text.props("outlined dense")
            pair = (number, text)

            def remove() -> None:
                self._documents.remove(pair)
                row.delete()
                self._keep()

            ui.button(icon="close", on_click=remove).props(
                'flat dense round color=primary aria-label="Remove this document"'
            )
        self._documents.append(pair)

    @property
    def answer(self) -> Answer:
        """The sample as it is typed."""
        documents = [
            {"similarity": number.value or 0.0, "content": text.value}
            for number, text in self._documents
        ]
        return Answer(self._query.value or "", self._response.value or "", documents)

    async def _run(self) -> None:
        if not all(number.validate() for number, _ in self._documents):
            return
        self._result.clear()
        with self._result:
            loading("Scoring ...")
        self._button.disable()
        try:
            result = await self._score(self.answer)
        except GroundwireError as error:
            self._show_problem(str(error))
        else:
            self._result.clear()
            with self._result:
                show_result(result)
        finally:
            self._button.enable()

    def _show_problem(self, text: str) -> None:
        self._result.clear()
        with self._result:
            notice("bad", "Not scored", *text.splitlines())


def show_result(result: ScoredView) -> None:
    """Show the three keys of a result (R002-07), with the badge and banner of group 001."""
    score, breakdown = result.confidence_score, result.confidence_breakdown
    with ui.element("div").classes("line"):
        words(shown_decimals(score, 3), "strong", "score")
        level_badge(score)
    if banner_html(score):
        ui.html(banner_html(score))
    words(_how(result), "p", "soft")
    if result.error:
        notice("bad", "No score", result.error)
    elif result.problem:
        notice("warn", "Scored without the judge", result.problem)
    for warning in result.warnings:
        words(warning, "p", "help")
    heading(3, "Breakdown")
    share_bars(
        (_NAMES[key], breakdown[key], "none" if breakdown[key] is None else f"{breakdown[key]:.3f}")
        for key in _NAMES
        if key in breakdown
    )
    others = {key: value for key, value in breakdown.items() if key not in _NAMES}
    if others:
        facts({key.replace("_", " ").capitalize(): shown(value) for key, value in others.items()})


def _how(result: ScoredView) -> str:
    spent = f"{result.milliseconds:.0f} ms, {money(result.cost)}"
    method = f"Method {result.confidence_method}, {spent}."
    return method if result.problem or result.error else f"{result.why}. {method}"


def _similarity_problem(value: float | None) -> str | None:
    return None if value is not None and 0 <= value <= 1 else "a number from 0 to 1"
