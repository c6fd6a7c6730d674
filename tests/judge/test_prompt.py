"""The judge's prompt: what is filled in, cut and appended."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.prompt import (
    CONTENT,
    FALLBACK,
    SHIPPED,
    SYSTEM,
    VARIABLES,
    Prompt,
    missing_variables,
    render,
)
from tests.support.tables import table


def test_shipped_texts_are_those_of_the_requirement() -> None:
    assert SYSTEM == "You are a confidence evaluator. Return ONLY a number between 0 and 1."
    assert FALLBACK == (
        "Evaluate confidence in the response. Consider context quality, answer completeness, and "
        "potential gaps. Return ONLY a number between 0 and 1."
    )
    assert CONTENT.startswith("Evaluate your confidence in the response you just generated.\n")
    for line in (
        "1. How much relevant context was available?",
        "2. How directly does the context answer the question?",
        "3. Are there any gaps or ambiguities?",
        "4. Would a human expert be able to provide a better answer?",
        "- 0.95-1.0: Highly confident, comprehensive context, direct answer",
        "- 0.80-0.94: Confident, good context, minor gaps acceptable",
        "- 0.50-0.79: Moderate confidence, some context, recommend escalation",
        "- 0.00-0.49: Low confidence, insufficient context, escalate to human",
    ):
        assert f"\n{line}\n" in CONTENT
    assert CONTENT.endswith("Return ONLY a number between 0 and 1.")
    assert missing_variables(CONTENT) == ()


def test_values_stand_where_the_variables_were() -> None:
    prompt = Prompt("Q {query} C {context} R {response} {query}", 7)
    rendered = render(prompt, "a", "b", "c")
    assert (rendered.text, rendered.version) == ("Q a C b R c a", 7)
    assert (rendered.truncated, rendered.appended) == ((), ())


def test_values_and_other_braces_are_left_as_they_are() -> None:
    prompt = Prompt('{"a": {}} {0} {name} {{query}} {context}{response} {query!r}')
    rendered = render(prompt, "{context}", "{response}\\1", "{query}")
    assert rendered.text == ('{"a": {}} {0} {name} {{context}} {response}\\1{query} {query!r}')


def test_context_and_response_are_cut_and_it_is_told() -> None:
    rendered = render(SHIPPED, "q" * 5000, "c" * 1001, "r" * 501)
    assert rendered.truncated == ("context", "response")
    assert "<context>\n" + "c" * 1000 + "\n</context>" in rendered.text
    assert "<response>\n" + "r" * 500 + "\n</response>" in rendered.text
    assert "q" * 5000 in rendered.text
    whole = render(SHIPPED, "q", "c" * 1000, "r" * 500)
    assert whole.truncated == ()
    other = render(SHIPPED, "q", "ccc", "rrr", context_characters=0, response_characters=2)
    assert other.truncated == ("context", "response")


@table
def test_what_a_prompt_does_not_mention_is_appended(content: str, missing: list[str]) -> None:
    rendered = render(Prompt(content), "the question", "the context", "the response")
    assert [*rendered.appended] == [*missing_variables(content)] == missing
    assert "{query}" not in rendered.text
    for name in missing:
        marked = f"<{name}>\nthe {'question' if name == 'query' else name}\n</{name}>"
        assert rendered.text.count(marked) == 1
    if missing:
        assert rendered.text.endswith("Return ONLY a number between 0 and 1.")


def test_the_fall_back_prompt_shows_the_judge_what_it_judges() -> None:
    rendered = render(None, "a question", "a context", "a response")
    assert rendered.text.startswith(FALLBACK)
    assert rendered.appended == VARIABLES
    assert rendered.version is None
    assert all(f"\na {name}\n" in rendered.text for name in ("question", "context", "response"))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_every_value_is_in_the_prompt_once_for_each_place(
    content: str, query: str, context: str, response: str
) -> None:
    rendered = render(
        Prompt(content + "{query}|{context}|{response}"),
        query,
        context,
        response,
        context_characters=len(context),
        response_characters=len(response),
    )
    assert rendered.text.endswith(f"{query}|{context}|{response}")
    assert rendered.truncated == ()


def test_half_a_character_can_be_sent() -> None:
    rendered = render(SHIPPED, "\ud83d", "c\udc00", "r")
    assert "<query>\n?\n</query>" in rendered.text
    assert "c?" in rendered.text
