"""One request to the resident server: how long, how many at once, and whether memory stays flat.

    python benchmarks/resident.py [--requests N] [--soak N | --day] [--json FILE]

Each request has a connection of its own. Times stand beside those of a bare server that reads the
same request and analyses nothing, asked in turn with ours. Every answer is checked.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from messages import EXPECTED, message
from sessions import write_session

from groundwire.server.client import running_version, stop_server
from groundwire.server.token import ensure_token

DAY = 86_400
MESSAGE = 5_000
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
        env = {"HOME": str(home), "PATH": os.defpath}
        self.token = ensure_token(env)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        command = [sys.executable, "-I", "-m", "groundwire.server", str(self.port)]
        self.process = subprocess.Popen(command, env=env)
        self.bare = subprocess.Popen([sys.executable, "-I", "-c", _BARE], stdout=subprocess.PIPE)
        self.bare_port = int(self.bare.stdout.readline())  # type: ignore[union-attr]
        while not running_version(self.port, self.token):
            time.sleep(0.02)

    def close(self) -> None:
        """End both."""
        stop_server(self.port, self.token)
        self.process.wait(20)
        self.bare.kill()
        self.bare.wait()

    def ask(self, event: dict[str, Any], port: int = 0) -> bytes:
        """Send one event and return the answer; ``port`` names the bare server."""
        port = port or self.port
        body = json.dumps({"hook_event_name": "Stop", **event}).encode()
        head = (
            f"POST /hook HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        answer = b""
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(head.encode() + body)
            while chunk := connection.recv(1 << 16):
                answer += chunk
        if not answer.startswith(b"HTTP/1.1 200 "):
            raise SystemExit(f"wrong answer: {answer[:200]!r}")
        return answer.partition(b"\r\n\r\n")[2]

    def memory(self) -> float:
        """Return the server's resident memory in MB (Linux)."""
        rows = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").splitlines()
        return int(next(row for row in rows if row.startswith("VmRSS")).split()[1]) / 1000


def check(answer: bytes) -> None:
    """Stop the run when an answer lacks what the message says at its beginning."""
    found = [match["evidence"] for match in json.loads(answer or b"{}").get("matches", [])]
    if not set(EXPECTED) <= set(found):
        raise SystemExit(f"wrong answer: {found}")


def timed(call: Callable[[], bytes]) -> tuple[float, bytes]:
    """Return the milliseconds of one call and what it returned."""
    begun = time.perf_counter()
    answer = call()
    return (time.perf_counter() - begun) * 1e3, answer


def latency(server: Server, transcript: str, requests: int) -> dict[str, float]:
    """Return percentiles of one case in milliseconds, and those of the bare server beside it."""
    text = message(MESSAGE)
    ours, bare = [], []
    for number in range(requests + 20):  # the first ones warm up
        event = {"session_id": f"l{number}", "last_assistant_message": text}
        event["transcript_path"] = transcript
        bare.append(timed(lambda event=event: server.ask(event, server.bare_port))[0])
        milliseconds, answer = timed(lambda event=event: server.ask(event))
        check(answer)
        ours.append(milliseconds)
    return {**percentiles(ours[20:], ""), **percentiles(bare[20:], "bare_")}


def percentiles(values: list[float], name: str) -> dict[str, float]:
    """Return p25, p50, p75 and p99."""
    cuts = statistics.quantiles(values, n=100)
    return {f"{name}p{at}": round(cuts[at - 1], 2) for at in (25, 50, 75, 99)}


def at_once(server: Server, transcript: str, clients: int, requests: int) -> dict[str, float]:
    """Let so many clients ask at the same time; return requests a second and the slowest ones."""
    text = message(MESSAGE)

    def client(number: int) -> list[float]:
        spent = []
        for turn in range(requests // clients):
            event = {"session_id": f"c{number}-{turn}", "last_assistant_message": text}
            event["transcript_path"] = transcript if turn % 2 else ""
            milliseconds, answer = timed(lambda event=event: server.ask(event))
            check(answer)
            spent.append(milliseconds)
        return spent

    begun = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        spent = [one for found in pool.map(client, range(clients)) for one in found]
    rate = len(spent) / (time.perf_counter() - begun)
    return {"clients": clients, "per_second": round(rate, 1), **percentiles(spent, "")}


def soak(server: Server, requests: int) -> dict[str, Any]:
    """Send varied requests; return memory over time and its slope in KB per 1,000 requests."""
    transcripts = []
    for number in range(12):
        path = server.projects / f"soak-{number}.jsonl"
        write_session(path, 0.05 + 0.03 * number, 20 + 5 * number)
        transcripts.append(str(path))
    points: list[tuple[int, float]] = []
    every = max(1, requests // 100)
    for number in range(requests):
        if number % every == 0:
            points.append((number, server.memory()))
        text = (
            f"Case {number}: see `src/m{number}.py:{number % 90}`. {message(400, number % 3 == 0)}"
        )
        event = {
            "session_id": f"soak-{number // 3}",
            "prompt_id": f"p{number}",
            "cwd": f"/home/dev/w{number % 500}",
            "last_assistant_message": text,
            "transcript_path": transcripts[number % 12] if number % 4 == 0 else "",
        }
        answer = server.ask(event)
        if number % 3 == 0 and b'"matches"' not in answer:
            raise SystemExit(f"wrong answer to request {number}: {answer[:200]!r}")
    later = points[len(points) // 10 :]  # what is made once is made by then
    slope = statistics.linear_regression(*zip(*later, strict=True)).slope * 1e6
    return {
        "requests": requests,
        "memory_first_mb": points[0][1],
        "memory_last_mb": points[-1][1],
        "slope_kb_per_1000": round(slope, 1),
    }


def measure(requests: int = 300, soaked: int = 2_000) -> dict[str, Any]:
    """Return all figures: milliseconds, requests a second, memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder).resolve())
        try:
            transcript = server.projects / "1mb.jsonl"
            write_session(transcript, 1, 200)
            return {
                "message_alone": latency(server, "", requests),
                "transcript_1mb": latency(server, str(transcript), requests),
                "eight_clients": at_once(server, str(transcript), 8, requests),
                "soak": soak(server, soaked),
            }
        finally:
            server.close()


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--soak", type=int, default=2_000)
    parser.add_argument("--day", action="store_true", help=f"soak with {DAY} requests")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    figures = measure(options.requests, DAY if options.day else options.soak)
    for name, row in figures.items():
        print(f"{name:16} " + "  ".join(f"{key} {value}" for key, value in row.items()))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
