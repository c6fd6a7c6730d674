"""One event on stdin, the answer on stdout.

Whatever happens, the exit code is 0 and stdout holds one JSON object or nothing: a failure lets the
turn end and is told on stderr and in the log.
"""

from __future__ import annotations

import os
import select
import sys
import time

from groundwire.base.json_codec import decode_first
from groundwire.inputs.event import LARGEST, decode_event, is_handled, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from groundwire.base.rules import RuleSet
    from groundwire.language.automaton import Scanner

    Answer = tuple[str, str]

DEADLINE_SECONDS = 3.0
#: A pause this long after a closing brace is worth a try to parse.
_PAUSE_SECONDS = 0.02
_CHUNK = 1 << 20


def main() -> int:
    """Answer one event; return 0. ``--where`` prints what has to be registered.

    ``--second-look`` is the background look, which returns 2 to wake the model, and ``--notes``
    prints what it left. ``--resident`` lets the resident hook answer, and starts one where there is
    none; ``--resident PORT`` sees that the resident server runs there. ``--host NAME`` takes the
    events of another host.
    """
    if "--where" in sys.argv[1:]:
        from groundwire.hook.entry import where

        sys.stdout.write(where())
        sys.stdout.flush()
        return 0
    if sys.argv[1:2] in (["--second-look"], ["--notes"]):
        from groundwire.hook.options import look, tell_notes

        return look() if sys.argv[1] == "--second-look" else tell_notes(read_event_bytes)
    try:
        if sys.argv[1:] == ["--resident"]:
            from groundwire.hook.resident import ask

            output, error = _answer(ask=ask)
        elif sys.argv[1:2] == ["--host"]:
            from groundwire.hook.options import answer_of

            output, error = answer_of(sys.argv[2], _answer)
        else:
            output, error = _answer()
    except BaseException as failure:  # a broken installation, or a signal: the turn ends
        output, error = "", f"turn not checked: {type(failure).__name__}: {failure}"
    if sys.argv[1:2] == ["--resident"] and sys.argv[2:]:
        from groundwire.hook.options import with_server

        output = with_server(sys.argv[2:], output)
    try:
        if output:
            os.write(1, output.encode("ascii") + b"\n")
        if error:
            os.write(2, f"groundwire: {error}\n".encode("ascii", "backslashreplace"))
    except OSError:
        pass  # nobody reads any more
    return 0


def _answer(
    translated: Callable[[Any], Any] = dict, ask: Callable[[bytes], Answer | None] | None = None
) -> Answer:
    """Return stdout and stderr for the event on stdin, which is ``translated`` first.

    ``ask`` may answer in its place.
    """
    data, failed = b"", ""
    try:
        data = read_event_bytes(0)
    except Exception as failure:
        failed = f"{type(failure).__name__}: {failure}"
    answer = ask(data) if ask and not failed else None
    return answer or answer_to(data, os.environ, translated, failed=failed)


def answer_to(
    data: bytes,
    env: Mapping[str, str],
    translated: Callable[[Any], Any] = dict,
    *,
    scanner_of: Callable[[RuleSet | None], Scanner] | None = None,
    failed: str = "",
) -> Answer:
    """Return stdout and stderr for the bytes of an event in its environment.

    ``scanner_of`` gives the scanner for a rule set; ``failed`` is why there is no event.
    """
    raw: Any = {}
    if not failed:
        try:
            raw = translated(decode_event(data))
        except Exception as failure:
            failed = f"{type(failure).__name__}: {failure}"
    if not failed and not is_handled(raw):
        return "", ""  # nothing more is loaded
    from groundwire.hook.handle import (
        Reply,
        failure_record,
        handle_event,
        log_reply,
        scanner_for_one,
    )
    from groundwire.report.prose import one_line

    reply = Reply()
    if not failed:
        try:
            reply = handle_event(raw, env, time.time(), scanner_of or scanner_for_one)
        except Exception as failure:  # the turn ends, whatever went wrong
            failed = f"{type(failure).__name__}: {failure}"
    if failed:
        reply = Reply("", failure_record(failed, {}))
    error = f"turn not checked: {failed}" if failed else ""
    problem = log_reply(reply, env)
    return reply.output, "; ".join(one_line(it) for it in (error, problem) if it)


def read_event_bytes(descriptor: int, deadline: float = DEADLINE_SECONDS) -> bytes:
    """Return what stands on ``descriptor`` up to its end, a complete object, or the deadline.

    Some versions and hosts never close the pipe, so reading stops at the first complete object.
    Raises EventError for more than ``LARGEST`` bytes.
    """
    chunks: list[bytes] = []
    room = LARGEST
    limit = time.monotonic() + deadline
    while time.monotonic() < limit:
        wait = _PAUSE_SECONDS if _may_be_complete(chunks) else limit - time.monotonic()
        if not _is_readable(descriptor, wait):
            if _may_be_complete(chunks) and _is_complete(b"".join(chunks)):
                break
            if chunks and chunks[-1]:
                chunks.append(b"")  # parsed once without success: wait for more
            continue
        try:
            chunk = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            continue
        if not chunk:
            break
        chunks.append(chunk)
        room -= len(chunk)
        if room < 0:
            raise refused(f"stdin: found more than {LARGEST} bytes; expected one event")
    return b"".join(chunks)


def _is_readable(descriptor: int, seconds: float) -> bool:
    try:
        return bool(select.select([descriptor], [], [], max(0.0, seconds))[0])
    except (OSError, ValueError):
        return True  # no pipe: reading says what is wrong


def _may_be_complete(chunks: list[bytes]) -> bool:
    return bool(chunks) and chunks[-1].rstrip().endswith(b"}")


def _is_complete(data: bytes) -> bool:
    try:
        decode_first(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"))
    except ValueError:
        return False
    return True
