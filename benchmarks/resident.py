"""The resident server over loopback: how long, how many at once, and whether memory stays flat.

Each request has a connection of its own. Times stand beside those of a bare server that reads the
same request and analyses nothing, asked in turn with ours. Every answer is checked.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.cold import check_found
from benchmarks.figures import Figure, percentile, quartiles, slope
from benchmarks.messages import message
from benchmarks.scale import Scale
from benchmarks.sessions import write_session
from groundwire_server.resident.client import running_version, stop_server
from groundwire_server.resident.token import ensure_token

PART = "resident"
MESSAGE = 5_000
CLIENTS = 32
#: KB that memory may grow in 1,000 requests: 1 MB in a day of one request a second.
#: Requests that leave 100 bytes each come to 100.
FLAT = 12.0
#: Requests until tables and the heap of each thread have their size, and points that tell a slope.
_SETTLED, _FEWEST = 10_000, 20
_WARM = 20
#: For the server to start, and for one answer.
_SECONDS = 30.0
#: Transcripts of the long run; a multiple of 12, so that turns and claims meet in each way.
_TURNS = 48
_BARE = """
import socket, sys
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    client, _ = server.accept()
    data = client.recv(1 << 16)
    head, _, body = data.partition(b"\\r\\n\\r\\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\\r\\n")[0])
    while len(body) < length:
        body += client.recv(1 << 16)
    client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nConnection: close\\r\\n\\r\\n")
    client.close()
"""


class Server:
    """A resident server and a bare one, in processes of their own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.projects = home / ".claude" / "projects" / "bench"
        self.projects.mkdir(parents=True)
        self.env = env = {"HOME": str(home), "PATH": os.defpath, "TMPDIR": str(home)}
        self.token = ensure_token(env)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        command = [sys.executable, "-I", "-m", "groundwire_server.resident", str(self.port)]
        self.process = subprocess.Popen(command, env=env)
        self.bare = subprocess.Popen([sys.executable, "-I", "-c", _BARE], stdout=subprocess.PIPE)
        self.bare_port = int(self.bare.stdout.readline())  # type: ignore[union-attr]
        deadline = time.monotonic() + _SECONDS
        while not running_version(self.port, self.token):
            if time.monotonic() > deadline:
                raise SystemExit("the resident server does not start")
            time.sleep(0.02)

    def close(self) -> None:
        """End both."""
        stop_server(self.port, self.env)
        self.process.wait(20)
        self.bare.kill()
        self.bare.communicate()

    def ask(self, event: dict[str, Any], port: int = 0) -> bytes:
        """Send one event and return the answer; ``port`` names the bare server."""
        port = port or self.port
        body = json.dumps({"hook_event_name": "Stop", **event}).encode()
        head = (
            f"POST /hook HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        answer = b""
        with socket.create_connection(("127.0.0.1", port), _SECONDS) as connection:
            connection.sendall(head.encode() + body)
            while chunk := connection.recv(1 << 16):
                answer += chunk
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"wrong answer: {answer[:200]!r}")
        return answer.partition(b"\r\n\r\n")[2]

    def memory(self) -> float:
        """Return the server's resident memory in KB (Linux)."""
        rows = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").splitlines()
        return int(next(row for row in rows if row.startswith("VmRSS")).split()[1]) * 1.024


def later(memory: Sequence[tuple[int, float]]) -> Sequence[tuple[int, float]]:
    """Return the later half of memory by requests, once it is settled."""
    begin = max(_SETTLED, memory[-1][0] // 2)
    return [point for point in memory if point[0] >= begin]


def grown(memory: Sequence[tuple[int, float]]) -> float | None:
    """Return KB of memory for 1,000 requests in the later half; None: too few to tell."""
    points = later(memory)
    if len(points) < _FEWEST:
        return None
    return slope([at for at, _ in points], [kilobytes for _, kilobytes in points]) * 1e3


def measure(scale: Scale, folder: Path) -> Iterator[Figure]:
    """Yield milliseconds of requests, requests a second, and how memory grows."""
    home = (folder / "resident-home").resolve()
    home.mkdir()
    server = Server(home)
    try:
        transcript = server.projects / "1mb.jsonl"
        write_session(transcript, 1, 200, message(MESSAGE))
        yield from _latency(server, scale.requests, "message alone", "", (2.5, 8.0))
        name = "1 MB transcript"
        yield from _latency(server, scale.requests, name, str(transcript), (8.0, None))
        yield from _at_once(server, str(transcript), scale.requests)
        yield from _soak(server, scale.soaked)
    finally:
        server.close()


def _timed(server: Server, event: dict[str, Any], port: int = 0) -> tuple[float, bytes]:
    """Return the milliseconds of one request and its answer."""
    begun = time.perf_counter()
    answer = server.ask(event, port)
    return (time.perf_counter() - begun) * 1e3, answer


def _latency(
    server: Server, requests: int, name: str, transcript: str, targets: tuple[float, float | None]
) -> Iterator[Figure]:
    """Yield median and 99th percentile of our server, and of the bare one beside it."""
    text = message(MESSAGE)
    ours, bare = [], []
    for number in range(requests + _WARM):
        event = {
            "session_id": f"{name}-{number}",
            "last_assistant_message": text,
            "transcript_path": transcript,
        }
        bare.append(_timed(server, event, server.bare_port)[0])
        milliseconds, answer = _timed(server, event)
        check_found(answer)
        ours.append(milliseconds)
    ours, bare = ours[_WARM:], bare[_WARM:]
    low, median, high = quartiles(ours)
    yield Figure(PART, f"{name}, p50", median, "ms", low, high, target=targets[0])
    yield Figure(PART, f"{name}, p99", percentile(ours, 99), "ms", target=targets[1])
    yield Figure(PART, f"{name}, bare server, p50", quartiles(bare).median, "ms")


def _at_once(server: Server, transcript: str, requests: int) -> Iterator[Figure]:
    """Let several clients ask at the same time, and count the answers that are missing or wrong."""
    text = message(MESSAGE)
    failed: list[str] = []
    each = max(1, requests // CLIENTS)

    def client(number: int) -> list[float]:
        spent = []
        for turn in range(each):
            event = {
                "session_id": f"client-{number}-{turn}",
                "last_assistant_message": text,
                "transcript_path": transcript if turn % 2 else "",
            }
            try:
                milliseconds, answer = _timed(server, event)
                check_found(answer)
            except (OSError, SystemExit) as error:
                failed.append(str(error))
            else:
                spent.append(milliseconds)
        return spent

    begun = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        spent = [one for found in pool.map(client, range(CLIENTS)) for one in found]
    rate = len(spent) / (time.perf_counter() - begun)
    if not spent:
        raise SystemExit(f"no client got an answer: {failed[0]}")
    low, median, high = quartiles(spent)
    yield Figure(PART, f"{CLIENTS} clients at once, p50", median, "ms", low, high)
    yield Figure(PART, f"{CLIENTS} clients at once, p99", percentile(spent, 99), "ms")
    yield Figure(PART, f"{CLIENTS} clients at once, errors", len(failed), target=0)
    yield Figure(PART, f"{CLIENTS} clients at once", rate, "requests/s")


def _soak(server: Server, requests: int) -> Iterator[Figure]:
    """Send varied requests, and fit a line to the memory of the later half of them."""
    turns = []
    for number in range(_TURNS):
        path, text = server.projects / f"soak-{number}.jsonl", _varied_message(number)
        write_session(path, 0.15 + 0.01 * number, 100 + 2 * number, text)
        turns.append({"transcript_path": str(path), "last_assistant_message": text})
    points: list[tuple[int, float]] = []
    every = max(1, requests // 200)
    begun = time.perf_counter()
    for number in range(requests):
        if number % every == 0:
            points.append((number, server.memory()))
        answer = server.ask(_varied(number, turns))
        if number % 3 == 0 and b'"matches"' not in answer:
            raise SystemExit(f"wrong answer to request {number}: {answer[:200]!r}")
    rate = requests / (time.perf_counter() - begun)
    if (growth := grown(points)) is not None:
        name = f"{requests:,} requests, memory slope"
        yield Figure(PART, name, growth, "KB/1,000", target=FLAT)
    yield Figure(PART, f"{requests:,} requests, memory at the end", points[-1][1] / 1e3, "MB")
    yield Figure(PART, f"{requests:,} requests, one client", rate, "requests/s")


def _varied(number: int, turns: list[dict[str, str]]) -> dict[str, Any]:
    """Return the event of one request: each third one makes a claim, each fourth has a turn."""
    event = {
        "session_id": f"soak-{number // 3}",
        "prompt_id": f"p{number}",
        "cwd": f"/home/dev/w{number % 500}",
        "last_assistant_message": _varied_message(number),
    }
    return event | turns[number % _TURNS] if number % 4 == 0 else event


def _varied_message(number: int) -> str:
    return f"Case {number}: see `src/m{number}.py:{number % 90}`. {message(400, number % 3 == 0)}"
