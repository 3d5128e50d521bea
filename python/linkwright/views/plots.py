"""Plots for pages and papers, as SVG: the same bytes for the same numbers.

Drawn by Matplotlib, which the extra `plots` installs. What is plotted comes from studies; nothing
is computed here.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from linkwright.errors import CapabilityError
from linkwright.studies.agreement import Departure

__all__ = ["agreement_plot"]

COLOURS = ("#1f6f8b", "#c8553d", "#5b8c5a", "#8a5a9e", "#b8860b", "#444444", "#d1689a")


def agreement_plot(departures: Sequence[Departure], engine: str) -> str:
    """Return an SVG of one engine's departures: a panel per network, a curve per workload.

    The horizontal axis is the size of a message in bytes, the vertical one by how many per cent the
    engine says more than the packet engine.

    Raises
    ------
    CapabilityError
        When Matplotlib is missing.
    """
    shown = [one for one in departures if one.engine == engine]
    networks = list(dict.fromkeys(one.network for one in shown))
    names = list(dict.fromkeys(one.workload for one in shown))
    colours = dict(zip(names, COLOURS, strict=False))
    figure, axes = _panels(len(networks))
    for panel, network in zip(axes, networks, strict=True):
        _curves(panel, [one for one in shown if one.network == network], colours)
        panel.set_title(network)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right center", fontsize=8)
    figure.supxlabel("size of a message (bytes)")
    figure.supylabel(f"{engine} beside packet (%)")
    return _svg(figure)


def _curves(panel: Any, departures: Sequence[Departure], colours: Mapping[str, str]) -> None:
    for name in dict.fromkeys(one.workload for one in departures):
        curve = [one for one in departures if one.workload == name]
        sizes = [one.size_bytes for one in curve]
        per_cent = [100 * one.relative for one in curve]
        panel.plot(sizes, per_cent, marker="o", markersize=3, label=name, color=colours[name])
    panel.axhline(0, color="#999999", linewidth=0.8)
    panel.set_xscale("log", base=2)
    panel.set_yscale("symlog", linthresh=5)
    panel.grid(visible=True, linewidth=0.3)


def _panels(n: int) -> tuple[Any, list[Any]]:
    """Return a figure of `n` panels in rows of three."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise CapabilityError(
            "plots need Matplotlib", "install it: pip install 'linkwright[plots]'"
        ) from error
    # Names of parts of an SVG are random unless salted.
    mpl.rcParams["svg.hashsalt"] = "linkwright"
    n_rows = -(-n // 3)
    figure = Figure(figsize=(10, 3.2 * n_rows), layout="constrained")
    panels = figure.subplots(n_rows, 3, sharex=True, sharey=True, squeeze=False).flatten()
    return figure, list(panels[:n])


def _svg(figure: Any) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"
