"""Another project's Stop hook beside ours: the same messages and transcripts, in the same run.

    make bench PEER=DIR

DIR is a Claude Code plugin as it is checked out; the first command of its Stop hook is run as the
client runs it, ``${CLAUDE_PLUGIN_ROOT}`` replaced. What it needs, such as node, has to be on PATH.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

from benchmarks.cold import stop_event
from benchmarks.figures import Figure, from_quartiles, ratios
from benchmarks.messages import dense, message
from benchmarks.processes import HOOK, Case, environment, interleaved
from benchmarks.scale import Scale
from benchmarks.sessions import write_session

PART = "peer"
#: Characters of a message, and the share of the peer's time that ours may take.
SIZES = {500: 0.45, 5_000: 0.45, 50_000: 0.45, 500_000: 0.25}
#: KB of tool results behind it: four calls.
_RESULTS = 40
_ROOT = "${CLAUDE_PLUGIN_ROOT}"


def measure(scale: Scale, folder: Path, plugin: Path) -> Iterator[Figure]:
    """Yield our time as a share of the peer's, for plain and for dense messages.

    Raises SystemExit when ``plugin`` has no Stop hook that is a command.
    """
    env = environment(folder) | {"CLAUDE_PLUGIN_ROOT": str(plugin)}
    theirs = stop_command(plugin)
    for kind, make in (("plain", message), ("dense", dense)):
        for size, target in SIZES.items():
            text, transcript = make(size), folder / f"{kind}-{size}.jsonl"
            write_session(transcript, 0, _RESULTS, text)

            def event(text: str = text, path: str = str(transcript)) -> bytes:
                return stop_event(text, path)

            cases = {"ours": Case(HOOK, event), "theirs": Case(theirs, event)}
            rounds = scale.rounds if size < max(SIZES) else max(1, scale.rounds // 6)
            spent = interleaved(cases, rounds, env)
            found = ratios(spent["ours"], spent["theirs"])
            name = f"{kind} message of {size / 1e3:g} KB, ours against theirs"
            yield from_quartiles(PART, name, found, "x", target=target)


def stop_command(plugin: Path) -> list[str]:
    """Return the first command of a plugin's Stop hook, as words."""
    try:
        hooks = json.loads((plugin / "hooks" / "hooks.json").read_text(encoding="utf-8"))
        groups = hooks.get("hooks", hooks)["Stop"]
        command = next(
            one["command"] for group in groups for one in group["hooks"] if "command" in one
        )
    except (OSError, ValueError, KeyError, StopIteration) as problem:
        raise SystemExit(
            f"{plugin}: no command for Stop in hooks/hooks.json ({problem!r})"
        ) from None
    return [word.replace(_ROOT, str(plugin)) for word in shlex.split(command)]
