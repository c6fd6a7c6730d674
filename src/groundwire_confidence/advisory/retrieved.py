"""What the searches, fetches and MCP tools of a turn returned, as retrieval results.

A result has the similarity that its tool gives, or none, and the class of its source by its domain
(``[advisory.domains]``); a domain that is not in the table is a third party's.
"""

from __future__ import annotations

from groundwire.base import json_codec
from groundwire_confidence.advisory.formula import ADVISORY_THRESHOLD, assess
from groundwire_confidence.advisory.rubric import (
    DEFAULT_RUBRIC,
    Chunk,
    Rubric,
    retrieval_points,
    source_points,
)
from groundwire_confidence.assessment import Assessment, AssessmentFactor, rounded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from groundwire.base.model import ToolCall

MODEL = "advisory"
SIMILARITY_KEYS = ("similarity", "relevance", "score")
_SEARCH, _FETCH, _MCP = "WebSearch", "WebFetch", "mcp__"
_URL_KEYS = ("url", "uri", "link", "source")
_TEXT_KEYS = ("text", "content", "snippet", "title", "page_content", "document")
_THIRD_PARTY = "third_party"
#: Results of one call, and characters of it that are read.
_MOST, _LONGEST = 100, 400_000
#: Weights of R001-05 without the response, whose fields prose does not have.
_WEIGHTS = (("retrieval", 4 / 7), ("source", 3 / 7))


class Passage(Chunk):
    """One retrieval result; ``similarity`` is below 0 where its tool gives none."""

    url: str = ""

    @property
    def known(self) -> bool:
        """Whether its tool gives a similarity."""
        return self.similarity >= 0


def passages(calls: Sequence[ToolCall], domains: Mapping[str, str]) -> tuple[Passage, ...]:
    """Return what the retrieving calls of a turn returned, in order. Linear in their results."""
    found: list[Passage] = []
    for call in calls:
        if call.is_error or not call.result:
            continue
        if call.name == _FETCH:
            url = str(call.input.get("url") or "")
            rows: list[dict[str, Any]] = [{"url": url, "text": call.result}] if url else []
        elif call.name == _SEARCH or call.name.startswith(_MCP):
            rows = list(_results(call.result[:_LONGEST], any_link=call.name == _SEARCH))
        else:
            continue
        found += [_passage(row, domains) for row in rows[:_MOST]]
    return tuple(found)


def assess_passages(
    found: Sequence[Chunk],
    threshold: float = ADVISORY_THRESHOLD,
    rubric: Rubric = DEFAULT_RUBRIC,
) -> Assessment:
    """Return the advisory assessment of an answer in prose, of results with a similarity.

    The response has no part in it: retrieval and source make up the whole.
    """
    parts = (retrieval_points(found, rubric), source_points(found, rubric))
    factors = tuple(
        AssessmentFactor(name, rounded(part.quality), weight, weight * part.quality, part.why)
        for (name, weight), part in zip(_WEIGHTS, parts, strict=True)
    )
    value = sum(factor.contribution for factor in factors)
    return assess(value, threshold=threshold, factors=factors)


def class_of(url: str, domains: Mapping[str, str]) -> str:
    """Return the class of the longest domain in the table that a URL lies in; "" without a host."""
    rest = url.partition("://")[2]
    for sign in "/?#":
        rest = rest.partition(sign)[0]
    host = rest.rpartition("@")[2].partition(":")[0].lower().rstrip(".")
    labels = host.split(".")
    names = (".".join(labels[at:]) for at in range(len(labels)))
    return next((domains[name] for name in names if name in domains), _THIRD_PARTY if host else "")


def _passage(row: Mapping[str, Any], domains: Mapping[str, str]) -> Passage:
    given = (row.get(key) for key in SIMILARITY_KEYS)
    numbers = (one for one in given if isinstance(one, int | float) and 0 <= one <= 1)
    url = next((one for key in _URL_KEYS if isinstance(one := row.get(key), str)), "")
    return Passage(float(next(numbers, -1.0)), class_of(url, domains), url)


def _results(text: str, *, any_link: bool) -> Iterator[dict[str, Any]]:
    """Yield the objects of JSON in a text that are results: a text with a similarity.

    Of a search every link with a text is one.
    """
    for document in _documents(text):
        waiting = [document]
        while waiting:
            value = waiting.pop()
            if isinstance(value, list):
                waiting += reversed(value)
            elif isinstance(value, dict):
                rated = any(type(value.get(key)) in (int, float) for key in SIMILARITY_KEYS)
                linked = any("://" in str(value.get(key)) for key in _URL_KEYS)
                said = any(isinstance(value.get(key), str) for key in _TEXT_KEYS)
                if said and (rated or (linked and any_link)):
                    yield value
                else:
                    waiting += reversed(list(value.values()))


def _documents(text: str) -> Iterator[Any]:
    """Yield the JSON of a whole text, else of each line, with or without a word in front of it."""
    try:
        yield json_codec.loads(text)
    except (ValueError, RecursionError):
        for line in text.split("\n"):
            start = min((at for sign in "[{" if (at := line.find(sign)) >= 0), default=-1)
            if start < 0:
                continue
            try:
                yield json_codec.loads(line[start:])
            except (ValueError, RecursionError):
                continue
