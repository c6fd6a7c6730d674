"""The filter over HTTP: what ``groundwire scan`` reports, with the user's and admin's settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from groundwire.base.rules import RuleSet
from groundwire.language.automaton import Scanner
from groundwire.report.json_output import full_fields, match_fields, utf16_offsets
from groundwire.settings.load import load
from groundwire.verdict.analysis import analyse
from groundwire_server.admin.api.common import Body, problems
from groundwire_server.admin.web.guard import SCAN
from groundwire_server.resident.message import LARGEST_BODY


class ScanRequest(Body):
    """A text to scan."""

    text: str = Field(
        max_length=LARGEST_BODY,
        description="Prose, such as the final message of a turn.",
        examples=["I think the crash is probably caused by a race condition."],
    )
    threshold: int | None = Field(
        default=None, ge=0, le=100, description="Report from this confidence on."
    )
    verbose: bool = Field(default=False, description="Report everything, down to confidence 0.")
    offset_unit: Literal["codepoint", "utf16"] = "codepoint"
    format: Literal["json", "full"] = Field(
        default="json", description="full adds marker, claim, verdict and factors to each match."
    )


class ScannedMatch(BaseModel):
    """A reported match; `full` adds the fields of `groundwire scan --format full`."""

    model_config = {"extra": "allow"}
    kind: str = Field(examples=["speculation_language"])
    evidence: str = Field(description="The exact text.", examples=["I think"])
    offset: int = Field(description="Where it begins.", examples=[0])
    confidence: int = Field(description="0 to 100, high is bad.", examples=[92])


class ScanResult(BaseModel):
    """What was found."""

    matches: list[ScannedMatch]
    threshold: int = Field(
        description="The confidence from which on matches are reported.", examples=[50]
    )


def scan_router(
    env: Mapping[str, str], scanner_of: Callable[[RuleSet | None], Scanner]
) -> APIRouter:
    """Return the route of the filter."""
    router = APIRouter(tags=["filter"])

    @router.post(SCAN, responses=problems())
    def scan(request: ScanRequest) -> ScanResult:
        """Report the statements of a text that go beyond the evidence; nothing is stored."""
        flags: dict[str, Any] = {}
        if request.threshold is not None:
            flags = {"thresholds": {"report": request.threshold}}
        loaded = load(env, "/", flags)
        all_matches = analyse(request.text, scanner_of(loaded.rules), loaded.settings).matches
        threshold = loaded.settings.thresholds.report
        floor = 0 if request.verbose else threshold
        matches = [match for match in all_matches if match.confidence >= floor]
        offsets = [match.offset for match in matches]
        if request.offset_unit == "utf16":
            offsets = utf16_offsets(request.text, offsets)
        fields = full_fields if request.format == "full" else match_fields
        rows = [fields(*pair) for pair in zip(matches, offsets, strict=True)]
        return ScanResult(matches=[ScannedMatch(**row) for row in rows], threshold=threshold)

    return router
