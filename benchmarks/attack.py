"""``python -m benchmarks.attack --minutes 5``: campaigns against the hook as processes of its own,
and against what takes requests and pattern files; 1 with any fault.

Whatever comes, a hook ends with 0 in time, prints one JSON object or nothing, runs nothing of a
repository, writes nothing into it, and leaves no torn line behind. `tests/fuzz` makes the inputs.
"""

import argparse
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import groundwire
from benchmarks.fuzz import Run
from groundwire.hook.resident import connected, socket_path
from groundwire_server.resident.local import stop_local
from groundwire_server.resident.token import ADMIN_TOKEN, ensure_token
from tests.fuzz.mutate import Mutator
from tests.fuzz.targets import TARGETS, corpus

RUN = Path(groundwire.__file__).parent / "hook" / "run.py"
GUESS = "I think the crash is probably caused by a race condition."
#: Seconds of CPU that a hook may take on whatever it is given, and until it has to be gone.
CPU_SECONDS, SECONDS = 6.0, 30.0
_AT_ONCE = 32
#: What a repository offers under the names that Python, git and the hook may look for.
_PYTHON = ("json", "sitecustomize", "usercustomize", "groundwire", "os", "pydantic", "tomllib")
_PROGRAMS = ("git", "python3", "claude", "groundwire-hook", "groundwire", "uname", "sh", "cat")
_SETTINGS = ("", 'mode = "off"', "[judge]\nwhen = 'always'", "\0", "[" * 9000, "a.b" * 9000)
_VALUES = (
    "",
    ".",
    "relative",
    "/nonexistent",
    "/dev/null",
    "\udcff",
    "x" * 70_000,
    "1",
    "[",
    "off",
)
_VARIABLES = (
    *("HOME", "USERPROFILE", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR"),
    *("GROUNDWIRE_STATE_DIR", "GROUNDWIRE_CONFIG", "GROUNDWIRE_MODE", "GROUNDWIRE_JUDGE__WHEN"),
    *("GROUNDWIRE_TRANSCRIPT", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "PATH", "LANG", "TZ"),
    *("PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PYTHONWARNINGS", "PYTHONIOENCODING"),
)
_LIMITS = (
    (resource.RLIMIT_NOFILE, 16),
    (resource.RLIMIT_FSIZE, 0),
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_STACK, 1 << 20),
)
_TAILS = (b"{\n" * 400_000, b"{}\n" * 400_000, b'{"type":"user"}\n' * 80_000, b"[" * 1_000_000)


class Done(NamedTuple):
    """How a hook ended."""

    code: int
    output: bytes
    cpu: float


class Campaign:
    """One set of attacks in a folder of its own, counted, with the faults that it found."""

    def __init__(self, folder: Path, seed: int, seconds: float) -> None:
        self.folder, self.random = folder, Random(seed)
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        self.env = {"HOME": str(self.home), "PATH": os.defpath, "LANG": "C.UTF-8"}
        self.end = time.monotonic() + seconds
        self.count, self.faults = 0, dict[str, str]()

    def goes_on(self) -> bool:
        """Tell whether there is time for one more."""
        return time.monotonic() < self.end

    def fault(self, what: str, of: object) -> None:
        """Keep a fault, with the first input that shows it."""
        self.faults.setdefault(what, ascii(of)[:300])

    def event(self, **fields: object) -> bytes:
        """Return a Stop event of this folder."""
        known = {"hook_event_name": "Stop", "session_id": f"s{self.count}", "cwd": str(self.folder)}
        return json.dumps({**known, "last_assistant_message": GUESS, **fields}).encode()

    def hook(
        self, data: bytes, *words: str, env: dict[str, str] | None = None, **more: Any
    ) -> Done | None:
        """Run the hook on ``data``, and check how it ends; None when it did not."""
        self.count += 1
        command = [sys.executable, "-I", "-S", str(RUN), *words]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        given: dict[str, Any] = (
            {"cwd": self.folder} | ({} if "stdin" in more else {"input": data}) | more
        )
        try:
            found: subprocess.CompletedProcess[bytes] = subprocess.run(
                command,
                env=env or self.env,
                capture_output=True,
                timeout=SECONDS,
                check=False,
                **given,
            )
        except subprocess.TimeoutExpired:
            self.fault(f"not gone after {SECONDS:g} s", data)
            return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        done = Done(found.returncode, found.stdout, cpu)
        if done.code != 0:
            self.fault(f"ended with {done.code}", (data, found.stderr))
        if not is_answer(done.output):
            self.fault("no JSON object on stdout", (data, done.output))
        return done

    def check_lines(self) -> None:
        """Check that each line of the decision log is whole."""
        for path in self.home.rglob("decisions*.jsonl"):
            for line in path.read_bytes().splitlines():
                if not is_answer(line):
                    self.fault("a torn line in the decision log", line)


def is_answer(data: bytes) -> bool:
    """Tell whether ``data`` is nothing or one JSON object in ASCII."""
    try:
        return not data or isinstance(json.loads(data.decode("ascii")), dict)
    except ValueError:
        return False


def events(one: Campaign) -> None:
    """Events by the fuzzer's mutations, and broken pipes."""
    target, pool = TARGETS["events"], corpus("events")
    mutate = Mutator(one.random.randrange(1 << 30), target.shape, target.words)
    odd = [b"", b"{", b"\xff\xfe", b"[]", b"null", b"{}" * 9, b'{"a":' * 100_000, b" " * (17 << 20)]
    for data in odd:
        one.hook(data)
    with open("/dev/zero", "rb") as zero, open(os.devnull, "rb") as null:
        for stream in (zero, null):
            one.hook(b"", stdin=stream)
    while one.goes_on():
        one.hook(mutate(one.random.choice(pool), one.random.choice(pool)))


def transcripts(one: Campaign) -> None:
    """Transcripts by the fuzzer's mutations, and files that are none."""
    target, pool = TARGETS["transcripts"], corpus("transcripts")
    mutate = Mutator(one.random.randrange(1 << 30), target.shape, target.words)
    path, pipe, loop = one.folder / "t.jsonl", one.folder / "pipe", one.folder / "loop"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    for odd in (pipe, loop, one.folder, "/dev/zero", "/dev/tty", "x\0y", "/" + "x/" * 3000):
        one.hook(one.event(transcript_path=str(odd)))
    tails = iter(_TAILS)
    while one.goes_on():
        data = next(tails, None) or mutate(one.random.choice(pool), one.random.choice(pool))
        path.write_bytes(data)
        done = one.hook(one.event(transcript_path=str(path)))
        if done and done.cpu > CPU_SECONDS:
            one.fault(f"more than {CPU_SECONDS:g} s of CPU", data[:60])


def repositories(one: Campaign) -> None:
    """Repositories with programs, modules and settings that would act if they were run."""
    while one.goes_on():
        place, ran = one.folder / f"repo-{one.count}", one.folder / "ran"
        (place / "bin").mkdir(parents=True)
        (place / ".git" / "hooks").mkdir(parents=True)
        for name in _PYTHON:
            (place / f"{name}.py").write_text(f"open({str(ran)!r}, 'w')\n")
        for name in _PROGRAMS:
            for file in (place / name, place / "bin" / name):
                file.write_text(f"#!/bin/sh\n: > '{ran}'\n")
                file.chmod(0o755)
        (place / ".git/HEAD").write_text("ref: refs/heads/main\n")
        act = f"!touch {ran}"
        (place / ".git/config").write_text(f'[core]\n fsmonitor = "{act}"\n pager = "{act}"\n')
        (place / ".groundwire.toml").write_text(one.random.choice(_SETTINGS))
        known = snapshot(place)
        path = one.random.choice((f"{place}/bin:", ":", ".:", "bin:", f"{place}:")) + os.defpath
        env = {**one.env, "PATH": path, "CLAUDE_PROJECT_DIR": str(place), "PYTHONPATH": str(place)}
        for name in ("SessionStart", "Stop"):
            data = one.event(hook_event_name=name, cwd=str(place), source="startup")
            one.hook(data, env=env, cwd=place)
        if ran.exists():
            one.fault("a program of the repository was run", path)
            ran.unlink()
        if snapshot(place) != known:
            one.fault("something was written into the repository", path)
        shutil.rmtree(place)


def snapshot(folder: Path) -> dict[str, int]:
    """Return the paths below ``folder`` with their sizes."""
    return {str(path): path.lstat().st_size for path in folder.rglob("*")}


def environments(one: Campaign) -> None:
    """Variables of all kinds, and limits of the system."""
    place = one.folder / "place"
    place.mkdir()
    while one.goes_on():
        names = one.random.sample(_VARIABLES, one.random.choice((1, 1, 2, 4)))
        env = one.env | {name: one.random.choice(_VALUES) for name in names}
        limits = one.random.sample(_LIMITS, one.random.choice((0, 0, 1)))

        def limit(limits: list[tuple[int, int]] = limits) -> None:
            for kind, most in limits:
                resource.setrlimit(kind, (most, most))

        one.hook(one.event(cwd=str(place)), env=env, cwd=place, preexec_fn=limit)
        if left := snapshot(place):
            one.fault(f"written into the working folder by {sorted(names)}", left)
            shutil.rmtree(place)
            place.mkdir()


def kills(one: Campaign) -> None:
    """Hooks, and resident ones, killed at any moment; what they leave serves the next one."""
    for part in ("plain", "resident"):
        words = ["--resident"] if part == "resident" else []
        end = time.monotonic() + max(0.0, one.end - time.monotonic()) / (2 if not words else 1)
        while time.monotonic() < end:
            one.count += 1
            command = [sys.executable, "-I", "-S", str(RUN), *words]
            with subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=one.env
            ) as hook:
                assert hook.stdin
                hook.stdin.write(one.event(session_id=f"k{one.count % 3}"))
                hook.stdin.close()
                time.sleep(one.random.random() * 0.12)
                hook.kill()
            connection = connected(one.env) if words and one.count % 9 == 0 else None
            if connection:
                data = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)
                connection.close()
                os.kill(int.from_bytes(data[:4], sys.byteorder), signal.SIGKILL)
            if one.count % 20 == 0:
                one.check_lines()
                done = one.hook(one.event(session_id=f"new{one.count}"), *words)
                if done and b'"block"' not in done.output:
                    one.fault("no decision after a kill", done.output)


def at_once(one: Campaign) -> None:
    """So many hooks with one message of one session: one stops the turn; plain, and resident."""
    while one.goes_on():
        words = ["--resident"] if one.count // _AT_ONCE % 2 else []
        data = one.event(session_id=f"o{one.count}")
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            asked = [pool.submit(one.hook, data, *words) for _ in range(_AT_ONCE)]
        found = [each.result() for each in asked]
        stops = sum(b'"block"' in done.output for done in found if done)
        if stops != 1:
            one.fault(f"{stops} stops for one message of {_AT_ONCE} hooks", words)
        one.check_lines()


def requests(one: Campaign) -> None:
    """Requests without a good token, and noise on the Unix socket; then it still answers."""
    with served(one) as port:
        pool = corpus("requests")
        target = TARGETS["requests"]
        mutate = Mutator(one.random.randrange(1 << 30), target.shape, target.words)
        while one.goes_on():
            data = mutate(one.random.choice(pool), one.random.choice(pool))
            data = data.replace(b"8765", str(port).encode())
            answer = told(("127.0.0.1", port), data)
            is_open = b" 200 " not in answer[:20] or b'"version"' in answer
            if b'"decision"' in answer or not is_open:
                one.fault("answered without the token", (data, answer[:200]))
            told(socket_path(one.env), data)
            one.count += 2
            if one.count % 200 == 0:
                check_alive(one, port)
        check_alive(one, port)


def check_alive(one: Campaign, port: int) -> None:
    """Check that both servers answer those who may ask."""
    hook, admin = ensure_token(one.env), ensure_token(one.env, ADMIN_TOKEN)
    for path, token, wanted in (
        ("hook", hook, b"200"),
        ("stop", hook, b"401"),
        ("x", admin, b"404"),
    ):
        head = (
            f"POST /{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
        )
        body = one.event()
        data = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        answer = told(("127.0.0.1", port), data)
        if answer[9:12] != wanted:
            one.fault(f"/{path} was answered otherwise than with {wanted!r}", answer[:200])
    connection = connected(one.env)
    if connection is None:
        one.fault("the resident hook does not answer", socket_path(one.env))
    else:
        connection.close()


def told(address: Any, data: bytes) -> bytes:
    """Send ``data`` to an address or socket; return what comes back."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    answer = b""
    with socket.socket(family) as connection, suppress(OSError):
        connection.settimeout(10)
        connection.connect(address)
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        while chunk := connection.recv(1 << 16):
            answer += chunk
    return answer


@contextmanager
def served(one: Campaign) -> Iterator[int]:
    """Run both servers of a home; yield the port of the one over HTTP."""
    ensure_token(one.env)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    command = [sys.executable, "-I", "-m", "groundwire_server.resident"]
    started = [subprocess.Popen([*command, *words], env=one.env) for words in ([], [str(port)])]
    try:
        limit = time.monotonic() + SECONDS
        while not (connected(one.env) and told(("127.0.0.1", port), b"x\r\n\r\n")):
            assert time.monotonic() < limit, "the servers do not start"
            time.sleep(0.05)
        yield port
    finally:
        for process in started:
            process.send_signal(signal.SIGTERM)
        for process in started:
            process.wait(SECONDS)


def inside(name: str) -> Callable[[Campaign], None]:
    """Return the campaign that lets the fuzzer run on a target in this process."""

    def run(one: Campaign) -> None:
        fuzz = Run(name, one.random.randrange(1 << 30))
        fuzz.replay()
        fuzz.some(max(0.0, one.end - time.monotonic()))
        one.count += fuzz.count
        for what, data in fuzz.faults.items():
            one.fault(what, data)

    return run


CAMPAIGNS: dict[str, Callable[[Campaign], None]] = {
    "events": events,
    "transcripts": transcripts,
    "repositories": repositories,
    "environments": environments,
    "kills": kills,
    "32 at once": at_once,
    "requests": requests,
    "admin requests": inside("admin"),
    "packs": inside("packs"),
}


def main() -> int:
    """Run the campaigns, each for its part of the time; print counts and faults."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description=__doc__)
    parser.add_argument("campaigns", nargs="*", metavar="CAMPAIGN", help=", ".join(CAMPAIGNS))
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    chosen = options.campaigns or [*CAMPAIGNS]
    faults = total = 0
    for number, name in enumerate(chosen):
        with tempfile.TemporaryDirectory(prefix="groundwire-attack-") as folder:
            part = 60 * options.minutes / len(chosen)
            one = Campaign(Path(folder).resolve() / "a", options.seed + number, part)
            try:
                CAMPAIGNS[name](one)
                one.check_lines()
            finally:
                stop_local(one.env)
        total, faults = total + one.count, faults + len(one.faults)
        print(f"{name:16} {one.count:10,} inputs {len(one.faults):3} faults", flush=True)
        for what, shown in one.faults.items():
            print(f"  {what}: {shown}", flush=True)
    print(f"{'all':16} {total:10,} inputs {faults:3} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
