"""``python -m benchmarks.guided TARGET SECONDS SEED FOLDER``: inputs led by coverage, by atheris.

It reaches more code with fewer inputs, each of which takes three times as long; those that reached
something new stay in FOLDER. The changes are those of ``mutate``, the oracles those of ``targets``.
"""

import json
import sys
from pathlib import Path

import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

#: Its classes exchange the code of their constructors, which instrumented code does not survive.
EXCHANGED = ["groundwire.base.record"]

with atheris.instrument_imports(include=["groundwire"], exclude=EXCHANGED):
    from benchmarks.fuzz import Run

LONGEST = 4_000


def main(name: str, seconds: str, seed: str, folder: Path) -> None:
    """Fuzz until the time is up, print the count as a line of JSON, and end the process."""
    run = Run(name, int(seed))
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(run.pool):
        (folder / f"seed-{number}").write_bytes(data)

    def changed(data: bytes, size: int, number: int) -> bytes:
        run.mutator.random.seed(number)
        return run.mutator(data, run.mutator.random.choice(run.pool))[:size]

    def attempt(data: bytes) -> None:
        run.attempt(data)
        if run.count % 100 == 1:
            (folder.parent / f"{name}.json").write_text(json.dumps([run.count, run.seconds]))

    options = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", f"-seed={seed}"]
    atheris.Setup(
        [sys.argv[0], *options, "-verbosity=0", str(folder)], attempt, custom_mutator=changed
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]))
