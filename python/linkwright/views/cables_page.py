"""The page to print before the cables are plugged: sheet, backs of the machines, labels.

It works without scripts: a form of plain radio buttons, read by the style sheet alone, selects what
is printed and on which paper. The same network gives the same bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from linkwright.version import VERSION
from linkwright.views.cable_groups import cable_groups
from linkwright.views.cable_sheet import backs_of_boxes, backs_of_nodes, sheet_cables
from linkwright.views.drawing import draw
from linkwright.views.drawing.back import SYMBOLS, draw_back
from linkwright.views.frame import page
from linkwright.views.inventory import inventory

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["MOST_CABLES", "cables_page"]

MOST_CABLES = 4096
"""Limit of the page: some 5 MB, and 126 sheets of labels."""


def cables_page(network: Network) -> str:
    """Return the HTML page of a network's cables, or nothing if there are too many.

    Parameters
    ----------
    network : Network
        The network with all its parts.
    """
    n_cables = len(network.wiring.cable_a) + network.wiring.n_stack_cables
    if n_cables > MOST_CABLES:
        return ""
    groups, cables = cable_groups(network), sheet_cables(network)
    return page(
        "cables.html.j2",
        styles=("cables.css",),
        version=VERSION,
        title=f"{network.name}: cables",
        facts=[("parts", inventory(network)), ("design", network.design_hash)],
        drawing=Markup(draw(network, {c: one.hue for one in groups for c in one.cables})),
        groups=[(one, [cables[number] for number in one.cables]) for one in groups],
        cables=cables,
        has_lengths=any(one.length for one in cables),
        symbols=Markup(SYMBOLS),
        nodes=[Markup(draw_back(one)) for one in backs_of_nodes(network, cables)],
        boxes=[Markup(draw_back(one)) for one in backs_of_boxes(network, cables)],
    )
