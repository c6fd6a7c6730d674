"""How each stage grows with the message, its matches and the turn's tool calls, and a chart of it.

The figure is the exponent of the line that fits the times in a double logarithmic chart: 1 is
linear. Times of small inputs hold constant parts, so exponents below 1 are common.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.figures import Figure, exponent
from benchmarks.messages import FINDING, message
from benchmarks.scale import Scale
from benchmarks.sessions import write_calls
from benchmarks.stages import Stages
from groundwire.base.model import Turn
from groundwire.base.rules import shipped_rules
from groundwire.inputs.turns import all_entries, build_turn
from groundwire.language.automaton import Scanner

PART = "growth"
#: What a stage may show when its work is linear.
LINEAR = 1.05
#: Characters from which one run is enough: the noise is small beside it.
_LONG = 2_000_000
_TEXT_STAGES = ("mask", "fold", "scan", "filter", "score")
_TURN_STAGES = ("read", "timeline")
_CLAIM = "It might be that the worker is slow, and the tests pass. "


class Curve(NamedTuple):
    """The milliseconds of one stage over the sizes of what it works on."""

    stage: str
    axis: str
    sizes: tuple[int, ...]
    costs: tuple[float, ...]

    @property
    def exponent(self) -> float:
        """The exponent of the fitted power."""
        return exponent(self.sizes, self.costs)


def measure(scale: Scale, folder: Path) -> Iterator[Figure]:
    """Yield the exponents, and draw the curves as ``growth.png`` in ``folder``."""
    curves = [*_over_messages(scale), *_over_matches(scale), *_over_calls(scale, folder)]
    draw(curves, folder / "growth.png")
    for curve in curves:
        name = f"exponent of {curve.stage} over {curve.axis}"
        yield Figure(PART, name, curve.exponent, target=LINEAR)


def _over_messages(scale: Scale) -> Iterator[Curve]:
    sizes = scale.message_sizes
    texts = [message(size) for size in sizes]
    yield from _curves("characters", sizes, texts, [Turn()] * len(sizes), scale, _TEXT_STAGES)


def _over_matches(scale: Scale) -> Iterator[Curve]:
    """A message in which each sentence makes claims."""
    sizes = tuple(size // 100 for size in scale.message_sizes)
    texts = [f"{FINDING}\n\n" + (_CLAIM * 4 + "\n\n") * (size // 4) for size in sizes]
    stages = ("filter", "score")
    yield from _curves("claims", sizes, texts, [Turn()] * len(sizes), scale, stages)


def _over_calls(scale: Scale, folder: Path) -> Iterator[Curve]:
    sizes = scale.call_counts
    paths = [folder / f"calls-{size}.jsonl" for size in sizes]
    for path, size in zip(paths, sizes, strict=True):
        write_calls(path, size)
    texts = [message(2_000)] * len(sizes)
    stages = (*_TURN_STAGES, "assess")
    yield from _curves("tool calls", sizes, texts, paths, scale, stages)


def _curves(
    axis: str,
    sizes: tuple[int, ...],
    texts: Sequence[str],
    turns: Sequence[Turn | Path],
    scale: Scale,
    names: tuple[str, ...],
) -> Iterator[Curve]:
    stages = Stages(Scanner(shipped_rules()))
    costs: dict[str, list[float]] = {name: [] for name in names}
    for text, turn in zip(texts, turns, strict=True):

        def read(turn: Turn | Path = turn) -> Turn:
            return turn if isinstance(turn, Turn) else build_turn(list(all_entries(str(turn))))

        repeats = scale.repeats if len(text) < _LONG else 0
        rounds = [stages.run(text, read) for _ in range(repeats + 1)][-max(1, repeats) :]
        for name in names:
            costs[name].append(statistics.median(one[name] for one in rounds))
    for name in names:
        yield Curve(name, axis, sizes, tuple(costs[name]))


def draw(curves: Sequence[Curve], path: Path) -> None:
    """Draw the curves over each axis side by side, and write them as PNG."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    axes = list(dict.fromkeys(curve.axis for curve in curves))
    figure, charts = pyplot.subplots(1, len(axes), figsize=(5 * len(axes), 5), squeeze=False)
    for name, chart in zip(axes, charts[0], strict=True):
        for curve in curves:
            if curve.axis == name:
                label = f"{curve.stage}: exponent {curve.exponent:.2f}"
                chart.loglog(curve.sizes, curve.costs, marker="o", label=label)
        chart.set_xlabel(name)
        chart.set_ylabel("milliseconds")
        chart.grid(visible=True, which="both", alpha=0.3)
        chart.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
