"""How the instructions of the hook grow along each axis of a turn, counted by valgrind.

The exponent is 1 for what grows as its input and 2 for its square. What an
empty message takes after ten calls is left out of it.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ahocorasick

import groundwire
from benchmarks.figures import Figure, exponent
from benchmarks.growing import AXES
from benchmarks.instructions import count
from benchmarks.processes import environment
from benchmarks.scale import Scale

PART = "steepness"
#: What linear work may show, and the growth of what is compared.
LINEAR, FACTOR = 1.1, 4
_GROWING = Path(__file__).with_name("growing.py")


def measure(_scale: Scale, folder: Path) -> Iterator[Figure]:
    """Yield the exponent of the instructions along each axis."""
    if not shutil.which("valgrind"):
        print("  no valgrind here (apt-get install valgrind): nothing is counted")
        return
    env = environment(folder)
    sources = Path(groundwire.__file__).parent.parent
    start = [sys.executable, "-I", "-S", str(_GROWING), str(sources)]
    start.append(str(Path(ahocorasick.__file__).parent))
    sizes = [(axis, size * times) for axis, size in AXES.items() for times in (1, FACTOR)]
    sizes.append(("claims", 0))
    with ThreadPoolExecutor(2) as pool:  # counts do not mind company
        counts = pool.map(lambda one: count([*start, one[0], str(one[1])], b"", env), sizes)
    counted = dict(zip(sizes, counts, strict=True))
    for axis, size in AXES.items():
        grown = [counted[axis, size * times] - counted["claims", 0] for times in (1, FACTOR)]
        found = exponent((1, FACTOR), grown)
        yield Figure(PART, f"exponent of instructions over {axis}", found, target=LINEAR)
