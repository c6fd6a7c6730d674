"""Where the shell stands, which keeps its folder from call to call."""

from __future__ import annotations

from groundwire.evidence.runs.places import within
from groundwire.evidence.runs.results import could_not_change_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.evidence.runs.results import Result
    from groundwire.evidence.runs.shell import Script


def folder_after(script: Script, result: Result, folder: str, cwd: str) -> str:
    """Return the folder in which a call leaves the shell that stood in ``folder``.

    Relative to ``cwd``, the folder of the session, when it lies in it.
    """
    if result.cwd:
        return within(result.cwd, cwd) if cwd else ""
    is_known = not result.task and result.failed is False
    if is_known and not could_not_change_folder(result.text):
        return within(script.cwd, cwd)
    return folder
