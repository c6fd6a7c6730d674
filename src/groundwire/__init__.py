"""groundwire reads a coding agent's final message beside what its tools returned.

``find_matches`` reads a text alone; the hook and ``groundwire replay`` read whole turns.
"""

from groundwire.base.version import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.runs.scan import FoundMatch as FoundMatch
    from groundwire.runs.scan import find_matches as find_matches


def __getattr__(name: str) -> object:
    """Load ``find_matches`` when it is asked for, which the hook never does."""
    if name == "find_matches":
        from groundwire.runs.scan import find_matches

        return find_matches
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
