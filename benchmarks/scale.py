"""How much is measured: everything, or each benchmark once and small."""

from __future__ import annotations

from typing import NamedTuple


class Scale(NamedTuple):
    """Rounds and sizes of all parts; the defaults are those of ``make bench``."""

    rounds: int = 60  # whole processes of each command
    large_transcript: float = 300.0  # MB
    repeats: int = 9  # of a stage in this process
    message_sizes: tuple[int, ...] = (
        *(1_000, 4_000, 16_000, 64_000, 256_000, 1_000_000),
        *(4_000_000, 10_000_000),  # once each
    )
    call_counts: tuple[int, ...] = (10, 20, 40, 80, 160, 320, 640)
    prose: int = 4_000_000  # characters
    requests: int = 1_000  # to the resident server, of each kind
    soaked: int = 86_400  # requests while its memory is watched
    replayed: float = 200.0  # MB of transcripts
    sessions: int = 10_000
    compiles: int = 15
    history: int = 20  # rounds


SHORT = Scale(
    rounds=2,
    large_transcript=5.0,
    repeats=1,
    message_sizes=(2_000, 8_000),
    call_counts=(10, 40),
    prose=50_000,
    requests=20,
    soaked=300,
    replayed=3.0,
    sessions=200,
    compiles=1,
    history=1,
)
