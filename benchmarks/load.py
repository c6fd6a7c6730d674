"""``python -m benchmarks.load``: 32 clients on ``/hook`` for ten minutes, alone and with bad ones.

1 when an answer is missing or wrong, when the slowest hundredth takes ten times the median, or when
memory still grows in the later half of a phase: before that each of the server's threads comes to
the size of its largest turn. ``dies`` hangs up within a request, ``drips`` sends a byte at a time,
``floods`` sends requests that are refused, as fast as they go.
"""

from __future__ import annotations

import argparse
import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import percentile
from benchmarks.messages import message
from benchmarks.resident import FLAT, MESSAGE, Server, grown, later
from benchmarks.sessions import write_session

CLIENTS = 32
#: What the 99th percentile may be of the median.
MOST = 10.0
#: Sessions of each client, which are used in turn.
_SESSIONS = 20
#: At most so many different errors are kept.
_SHOWN = 5
_HEAD = b"POST /hook HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
_HANG_UP = struct.pack("ii", 1, 0)


class Load(NamedTuple):
    """What a phase came to: milliseconds of each request, errors, and memory by requests."""

    spent: list[float]
    errors: list[str]
    memory: list[tuple[int, float]]


def dies(server: Server) -> None:
    """Hang up, with a reset, when half of a body is sent."""
    with socket.create_connection(("127.0.0.1", server.port), 5) as connection:
        connection.sendall(
            _head(server, server.token) + b"Content-Length: 9000\r\n\r\n" + b"{" * 99
        )
        time.sleep(0.01)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _HANG_UP)


def drips(server: Server) -> None:
    """Send a byte at a time until the server has enough of it."""
    with socket.create_connection(("127.0.0.1", server.port), 5) as connection:
        for byte in _head(server, server.token) * 99:
            connection.sendall(bytes([byte]))
            time.sleep(0.05)


def floods(server: Server) -> None:
    """Send a request without the token, and a body that nobody asked for."""
    with socket.create_connection(("127.0.0.1", server.port), 5) as connection:
        connection.sendall(_head(server, "x") + b"Content-Length: 100000\r\n\r\n" + b"x" * 100_000)
        connection.recv(1_000)


BAD: dict[str, Callable[[Server], None]] = {"dies": dies, "drips": drips, "floods": floods}


def _head(server: Server, token: str) -> bytes:
    return _HEAD % (server.port, token.encode())


def load(server: Server, bad: str, seconds: float, clients: int = CLIENTS) -> Load:
    """Let so many clients ask for so long, beside a bad one when it has a name."""
    transcript = server.projects / "load.jsonl"
    write_session(transcript, 0.2, 50, message(MESSAGE))
    result = Load([], [], [])
    end = time.monotonic() + seconds

    def ask(number: int) -> None:
        turn = 0
        while time.monotonic() < end:
            event = {
                "session_id": f"{bad}-{number}-{turn % _SESSIONS}",
                "prompt_id": f"p{turn}",
                "last_assistant_message": message(MESSAGE),
                "transcript_path": str(transcript) if turn % 2 else "",
            }
            begun = time.perf_counter()
            try:
                answer = server.ask(event)
                if b'"matches"' not in answer:
                    raise SystemExit(f"wrong answer: {answer[:200]!r}")
            except (OSError, SystemExit) as error:
                if len(result.errors) < _SHOWN:
                    result.errors.append(f"{type(error).__name__}: {error}")
                time.sleep(0.1)
            else:
                result.spent.append((time.perf_counter() - begun) * 1e3)
            turn += 1

    def disturb() -> None:
        while time.monotonic() < end:
            try:
                BAD[bad](server)
            except OSError:  # it is shown the door
                continue

    work = [threading.Thread(target=ask, args=(number,)) for number in range(clients)]
    work += [threading.Thread(target=disturb, daemon=True)] if bad else []
    for thread in work:
        thread.start()
    while time.monotonic() < end:
        result.memory.append((len(result.spent), server.memory()))
        time.sleep(min(1.0, seconds / 20))
    for thread in work[:clients]:
        thread.join()
    return result


def main(arguments: list[str]) -> int:
    """Run the phases that are asked for; print what each came to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("phases", nargs="*", help=f"of alone, {', '.join(BAD)}")
    parser.add_argument("--minutes", type=float, default=10.0, help="of each phase")
    options = parser.parse_args(arguments)
    failed = False
    for phase in options.phases or ["alone", *BAD]:
        with tempfile.TemporaryDirectory() as place:
            server = Server(Path(place).resolve())
            try:
                found = load(server, "" if phase == "alone" else phase, options.minutes * 60)
            finally:
                server.close()
        median, slow = (percentile(found.spent, share) for share in (50, 99))
        growth = grown(found.memory)
        told = "too few to tell growth" if growth is None else f"{growth:+.1f} KB/1,000 requests"
        first = (later(found.memory) or found.memory)[0][1]
        print(
            f"{phase:7} {len(found.spent):8,} requests, {len(found.errors)} errors, "
            f"p50 {median:.0f} ms, p99 {slow:.0f} ms, memory: {told}, "
            f"from {first / 1e3:.1f} to {found.memory[-1][1] / 1e3:.1f} MB",
            flush=True,
        )
        print("\n".join(found.errors), end="\n" if found.errors else "")
        failed |= bool(found.errors) or slow >= MOST * median or (growth or 0.0) > FLAT
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
