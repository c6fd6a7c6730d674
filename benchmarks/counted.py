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
    from groundwire.analysis import Evidence, analyse
    from groundwire.evidence.assess import assess
    from groundwire.evidence.timeline import timeline_of
    from groundwire.scan.find import find
    from groundwire.service.hook import scanner_for_one
    from groundwire.settings import SHIPPED
    from groundwire.text.fold import fold
    from groundwire.text.mask import mask
    from groundwire.transcript.read import tail_entries
    from groundwire.transcript.turn import build_turn

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
        assess(findings, findings.kept, timeline, SHIPPED)


if __name__ == "__main__":
    main()
    os._exit(0)
