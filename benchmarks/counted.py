"""A turn up to one of its stages, in a process of its own, so that instructions can be counted.

    python -I -S counted.py SOURCES LIBRARIES STAGE MESSAGE TRANSCRIPT

What a stage costs is the difference between two of these processes, as ``instructions`` takes it.
Each does its work once, and the collector rests, as in the hook.
"""

import gc
import os
import sys


def main() -> None:
    sources, libraries, stage, message, transcript = sys.argv[1:]
    sys.path[:0] = [sources, libraries]
    gc.disable()  # as the hook does
    from groundwire.base.settings import SHIPPED
    from groundwire.hook.handle import scanner_for_one
    from groundwire.inputs.transcript import tail_entries
    from groundwire.inputs.turns import build_turn
    from groundwire.language.find import find
    from groundwire.language.fold import fold
    from groundwire.language.markdown import mask
    from groundwire.turn.timeline import timeline_of
    from groundwire.verdict.analysis import analyse
    from groundwire.verdict.assess import assess
    from groundwire.verdict.claims import claims_of
    from groundwire.verdict.evidence import Evidence

    with open(message, encoding="utf-8") as file:
        text = file.read()
    scanner = scanner_for_one(None)
    if stage == "imports":
        return
    if stage in ("mask", "fold", "scan"):
        masked = mask(text)
        folded = fold(text, masked) if stage != "mask" else None
        if folded and stage == "scan":
            scanner.scan(folded.text)
        return
    if stage == "score":
        turn = build_turn(tail_entries(transcript).entries)
        analyse(text, scanner, SHIPPED, Evidence(timeline_of(turn)))
        return
    findings = find(text, scanner)
    if stage == "filter":
        return
    turn = build_turn(tail_entries(transcript).entries)
    if stage == "read":
        return
    timeline = timeline_of(turn)
    if stage == "assess":
        assess(findings, findings.kept, claims_of(findings, findings.kept), timeline, SHIPPED)


if __name__ == "__main__":
    main()
    os._exit(0)
