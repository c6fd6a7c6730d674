"""groundwire reads a coding agent's final message beside what its tools returned.

``find_matches`` reads a text alone; the hook and ``groundwire replay`` read whole turns.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict

    from groundwire.scan.automaton import Scanner
    from groundwire.settings import Settings

    class FoundMatch(TypedDict):
        """A statement that goes beyond the evidence.

        ``evidence`` is the exact slice of the text at ``offset``, which counts code points.
        ``confidence`` is from 0 to 100: how likely a careful reader would object.
        """

        kind: str
        evidence: str
        offset: int
        confidence: int


__version__ = "0.1.0"


def find_matches(
    text: str,
    *,
    threshold: int | None = None,
    settings: Settings | None = None,
    scanner: Scanner | None = None,
) -> list[FoundMatch]:
    """Return the statements of ``text`` that go beyond the evidence, by offset.

    Args:
        text: Prose, such as an agent's final message; Markdown is understood.
        threshold: Report from this confidence on, 0 for everything; else that of the settings.
        settings: Settings in effect; the shipped ones by default, files are not read.
        scanner: Scanner of another rule set; the shipped one by default.

    Nothing is raised for any text.

    >>> find_matches("I think it is the parser.")
    [{'kind': 'speculation_language', 'evidence': 'I think', 'offset': 0, 'confidence': 75}]
    """
    from groundwire.service.text import find_matches_with

    return find_matches_with(text, threshold, settings, scanner)
