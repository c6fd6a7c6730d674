"""Every stop and note on a folder of recorded turns, for a reader to mark: ``make audit``.

``python -m benchmarks.audit TURNS OUT``: TURNS holds ``OWNER+NAME.jsonl.xz``, a turn a line with
``id``, ``text`` and ``transcript``, and ``sessions.jsonl.xz``, a whole session a line with
``session`` and ``records``. A session is relived: its transcript grows from turn to turn and the
memory is kept, so that earlier turns are known. The transcripts are written to OUT, and
``OUT/audit.md`` names them. Notes are what an accuser without the right to stop says; with
``--notes`` also what is reported from that confidence on.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from groundwire.base.model import BLOCK, Match
from groundwire.base.rules import shipped_rules
from groundwire.base.settings import SHIPPED
from groundwire.inputs.event import STOP, Event
from groundwire.inputs.transcript import is_human_prompt, text_of
from groundwire.language.automaton import Scanner
from groundwire.report.reason import missing_in, reason_text
from groundwire.verdict.decision import Memory
from groundwire.verdict.examine import Examined, examine, turn_of

SESSIONS = "sessions.jsonl.xz"
_FIELDS = ("right", "wrong", "unclear")


def lines_of(packed: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a packed file."""
    with lzma.open(packed, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def turns_of(folder: Path, out: Path) -> Iterator[tuple[str, Event, bool]]:
    """Yield name and event of each turn, and whether its session goes on; writes transcripts."""
    for packed in sorted(folder.glob("*.jsonl.xz")):
        if packed.name == SESSIONS:
            continue
        for turn in lines_of(packed):
            path = out / f"{turn['id']}.jsonl"
            rows = [json.dumps(entry, ensure_ascii=False) for entry in turn["transcript"]]
            path.write_text("\n".join([*rows, ""]), encoding="utf-8")
            yield turn["id"], _event(turn["id"], path, turn["text"]), False
    if (folder / SESSIONS).exists():
        for session in lines_of(folder / SESSIONS):
            yield from _relived(session, out)


def _relived(session: dict[str, Any], out: Path) -> Iterator[tuple[str, Event, bool]]:
    name = session["session"].replace("/", "_")[:80]
    path, number, said = out / f"session-{name}.jsonl", 0, ""
    entries = session["records"]
    with path.open("w", encoding="utf-8") as transcript:
        for entry, following in zip(entries, [*entries[1:], None], strict=True):
            transcript.write(json.dumps(entry, ensure_ascii=False) + "\n")
            if entry.get("type") != "assistant":
                continue
            text = text_of(entry.get("message", {}).get("content"))
            said = text if text.strip() else said
            if said and (following is None or is_human_prompt(following)):
                transcript.flush()
                number += 1
                yield f"{name} turn {number}", _event(name, path, said), number > 1
                said = ""


def _event(name: str, path: Path, text: str) -> Event:
    return Event(STOP, name, cwd="/nonexistent", transcript_path=str(path), message=text)


def told(examined: Examined, least: int) -> Iterator[tuple[str, Match]]:
    """Yield what a reader has to judge: stops, what accusers say, reports from ``least`` on."""
    seen = set()
    for match in examined.decision.blocking:
        seen.add(match.sentence)
        yield "stop", match
    for match in examined.analysis.matches:
        if match.sentence not in seen and (match.accuser or match.confidence >= least):
            seen.add(match.sentence)
            yield "note", match


def main() -> None:
    """Write the page and print how often each accuser spoke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("turns", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--notes", type=int, default=101)
    wanted = parser.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    scanner, memory, counts, turns = Scanner(shipped_rules()), Memory(), Counter[str](), 0
    page: list[str] = []
    for name, event, goes_on in turns_of(wanted.turns, wanted.out):
        memory = memory if goes_on else Memory()
        examined = examine(event, turn_of(event), scanner, SHIPPED, memory)
        memory, turns = examined.memory, turns + 1
        counts["turns stopped"] += examined.decision.action == BLOCK
        text = examined.analysis.text
        for act, match in told(examined, wanted.notes):
            counts[f"{act} by {match.accuser or 'confidence'}"] += 1
            reason = reason_text(text, examined.decision, interactive=True)
            says = f"{act}, {match.accuser or match.marker.id}, {match.confidence}"
            page.append(
                f"## {len(page) + 1}. {name}\n\n- {says}; transcript: {event.transcript_path}\n"
                f"- says: {text[slice(*match.sentence)].strip()}\n- against it: "
                f"{missing_in(match)}\n- mark: {', '.join(f'[ ] {it}' for it in _FIELDS)}\n"
                + (f"\n```\n{reason}\n```\n" if act == "stop" else "")
            )
    head = f"# {turns} turns\n\n" + "\n".join(f"- {key}: {it}" for key, it in counts.items())
    (wanted.out / "audit.md").write_text("\n\n".join([head, *page]), encoding="utf-8")
    print(head)


if __name__ == "__main__":
    main()
