"""The plot of the agreement page. The data come from a study; nothing is computed here."""

from __future__ import annotations

from collections.abc import Sequence

from linkwright.agreement.agreement import Departure
from linkwright.views.chart import Axis, Chart, Mark, Series
from linkwright.views.plots import Plot

__all__ = ["agreement_plot"]


def agreement_plot(departures: Sequence[Departure], engine: str) -> Plot:
    """Return the plot of one engine's departures: a panel per network, a curve per workload.

    The horizontal axis is the size of a message in bytes, the vertical one the relative difference
    from the packet engine in per cent.
    """
    shown = [one for one in departures if one.engine == engine]
    names = list(dict.fromkeys(one.workload for one in shown))
    panels = [
        _panel(network, [one for one in shown if one.network == network], names, engine)
        for network in dict.fromkeys(one.network for one in shown)
    ]
    return Plot(
        f"agreement-{engine}",
        f"{engine} beside packet",
        tuple(panels),
        columns=3,
        size=(10 / 3, 3.2),
        has_common_axes=True,
    )


def _panel(
    network: str, departures: Sequence[Departure], names: Sequence[str], engine: str
) -> Chart:
    curves = {name: [one for one in departures if one.workload == name] for name in names}
    return Chart(
        network,
        Axis("size of a message (bytes)", log=2),
        Axis(f"{engine} beside packet (%)", log=10),
        tuple(
            Series(
                name,
                [one.size_bytes for one in curve],
                [100 * one.relative for one in curve],
                colour=names.index(name),
            )
            for name, curve in curves.items()
            if curve
        ),
        marks=(Mark(0, "y"),),
    )
