"""The plots of the agreement page, as SVG.

The data come from a study; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from linkwright.agreement.agreement import Departure
from linkwright.views.curve_plots import COLOURS, new_figure, svg

__all__ = ["agreement_plot"]


def agreement_plot(departures: Sequence[Departure], engine: str) -> str:
    """Return an SVG of one engine's departures: a panel per network, a curve per workload.

    The horizontal axis is the size of a message in bytes, the vertical one the relative difference
    from the packet engine in per cent.

    Raises
    ------
    CapabilityError
        If Matplotlib is missing.
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
    return svg(figure)


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
    """Return a figure of `n` panels in rows of three, with common axes."""
    figure, panels = new_figure(n, width=10 / 3, height=3.2, columns=3)
    for panel in panels[1:]:
        panel.sharex(panels[0])
        panel.sharey(panels[0])
    return figure, panels
