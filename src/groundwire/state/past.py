"""The digest of a session's earlier turns as data for JSON, and back."""

from __future__ import annotations

from groundwire.evidence.session import Digest, PastRun
from groundwire.text.safe import all_hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_RUN_TEXTS = ("signature", "kind", "tool", "command", "status", "line", "narrow")


def to_plain(digest: Digest) -> dict[str, Any]:
    """Return ``digest`` as data for JSON, without secrets."""
    plain = {name: getattr(digest, name) for name in Digest._fields}
    runs = [{name: getattr(run, name) for name in PastRun._fields} for run in digest.runs]
    hidden: dict[str, Any] = all_hidden({**plain, "runs": runs})
    return hidden


def from_plain(plain: Any) -> Digest | None:
    """Build a digest from decoded JSON; None when it has another shape: then nothing is known."""
    try:
        return Digest(
            runs=tuple(map(_run, plain["runs"])),
            edited=_texts(plain["edited"]),
            paths=_texts(plain["paths"]),
            commits=_texts(plain["commits"]),
            figures=_texts(plain["figures"]),
            whole=plain["whole"] is True,
            used=plain["used"] is True,
        )
    except (TypeError, KeyError, ValueError):
        return None


def _run(plain: dict[str, Any]) -> PastRun:
    texts = {name: str(plain[name]) for name in _RUN_TEXTS}
    passed, total = (_count(plain[name]) for name in ("passed", "total"))
    return PastRun(**texts, passed=passed, total=total, edited=_texts(plain["edited"]))


def _count(value: Any) -> int | None:
    return None if value is None else int(value)


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(str(value) for value in values)
