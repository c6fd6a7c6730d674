"""The figures of the second look, from recorded answers and readings: ``benchmarks/judge``.

``twins.jsonl`` has what a large model found in everyday messages, each over a session that makes it
true and one that makes it false; ``readings.jsonl`` its findings on turns that nobody prepared,
each with the verdicts of two readers who saw the whole transcript. Prints both by the thresholds
that are shipped, and what 100 turns cost.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from groundwire.base.settings import CLAUDE_CODE, SHIPPED
from groundwire_judge.prices import LADDER, PRICED, dollars

HERE = Path(__file__).with_name("judge")
#: Turns that the model was asked about, single ones and those of whole sessions.
ASKED = {"turns": 156, "sessions": 72}
#: Tokens read and written for 100 of these turns, at 3.5 characters a token.
TOKENS = (434_000, 18_000)
_RIGHT = ["right", "right"]


def main() -> None:
    """Print the figures."""
    wake, note = SHIPPED.judge.wake, SHIPPED.judge.note
    _twins(_lines("twins"), note)
    for name, asked in ASKED.items():
        rows = [one for one in _lines("readings") if one["set"] == name]
        _turns(f"{asked} {name}", rows, wake, note)
        _statements(rows, wake, note)
    read, written = TOKENS
    costs = ", ".join(
        f"${dollars(CLAUDE_CODE, one, read, written):.2f} {one}" for one in LADDER[CLAUDE_CODE]
    )
    print(f"100 turns: {read} tokens read, {written} written: {costs} (list prices of {PRICED})")


def _twins(rows: list[dict[str, Any]], note: int) -> None:
    for is_true in (False, True):
        some = [one for one in rows if one["true"] is is_true]
        found = sum(_highest(one["found"]) >= note for one in some)
        alone = sum(one["alone"] >= note for one in some)
        stopped = sum(one["stopped"] for one in some)
        kind = "true" if is_true else "false"
        print(f"{len(some)} {kind} messages: {found} accused from {note} on; by the message alone")
        print(f"  {alone}; stopped by words and facts {stopped}")


def _turns(title: str, rows: list[dict[str, Any]], wake: int, note: int) -> None:
    by_turn: dict[str, list[dict[str, Any]]] = {}
    for one in rows:
        by_turn.setdefault(one["turn"], []).append(one)
    acts: dict[str, list[bool]] = {"woken": [], "noted": []}
    for some in by_turn.values():
        highest = _highest(some)
        if highest >= note:
            best = [one for one in some if one["probability"] == highest and "dropped" not in one]
            act = "woken" if highest >= wake else "noted"
            acts[act].append(any(one["verdicts"] == _RIGHT for one in best))
    shown = ", ".join(f"{len(one)} {act}, {sum(one)} of them right" for act, one in acts.items())
    print(f"{title}: {shown}")


def _statements(rows: list[dict[str, Any]], wake: int, note: int) -> None:
    for low, high in ((wake, 101), (note, wake), (50, note)):
        some = [one for one in rows if low <= one["probability"] < high and "verdicts" in one]
        kept = Counter(_verdict(one) for one in some if "dropped" not in one)
        dropped = Counter(_verdict(one) for one in some if "dropped" in one)
        print(f"  statements from {low} to {high - 1}: kept {dict(kept)}, dropped {dict(dropped)}")


def _verdict(row: dict[str, Any]) -> str:
    both: list[str] = row["verdicts"]
    return both[0] if both[0] == both[1] else "disputed"


def _highest(found: list[dict[str, Any]]) -> int:
    return max((one["probability"] for one in found if "dropped" not in one), default=0)


def _lines(name: str) -> list[dict[str, Any]]:
    text = (HERE / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


if __name__ == "__main__":
    main()
