"""The reliability plot: how often sentences of a confidence are flagged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from groundwire.calibrate.figures import reliability
from groundwire.calibrate.predict import Unit

_COLOURS = ("#1f77b4", "#d95f02", "#4d9221", "#7b3294")
_SHIFT = 0.8  # confidences, so that the bars of several series stand beside each other


def save_plot(path: Path, series: Mapping[str, Sequence[Unit]]) -> None:
    """Write a PNG with one line for each named set of units; raises OSError.

    Above: mean confidence and share flagged of each bin of ten, with 95 % intervals. Below: how
    many sentences with a match the bins hold.
    """
    figure = Figure(figsize=(7, 7), layout="constrained")
    FigureCanvasAgg(figure)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    upper.plot((0, 100), (0, 100), color="#999999", linestyle=":", label="perfect")
    for number, (name, units) in enumerate(series.items()):
        bins = reliability(units)
        colour = _COLOURS[number % len(_COLOURS)]
        shares = [100 * one.flagged.value for one in bins]
        ends = [one.flagged.interval for one in bins]
        below = [share - 100 * low for share, (low, _) in zip(shares, ends, strict=True)]
        above = [100 * high - share for share, (_, high) in zip(shares, ends, strict=True)]
        at = [one.mean + _SHIFT * number for one in bins]
        upper.errorbar(
            at, shares, yerr=(below, above), color=colour, marker="o", capsize=2, label=name
        )
        edges = [int(one.name.partition("-")[0]) + 5 + _SHIFT * number for one in bins]
        counts = [one.flagged.count for one in bins]
        lower.bar(edges, counts, width=8, color=colour, alpha=0.5, label=name)
    upper.set(ylabel="flagged by raters (%)", xlim=(0, 100), ylim=(0, 100))
    upper.legend(loc="upper left")
    lower.set(xlabel="confidence", ylabel="sentences")
    figure.savefig(path, format="png", dpi=120)
