"""The page of `verify`, to be read in front of the rack: the answer, the moves to tick off, the
drawing, and all findings.

It works without scripts and without a network. The frame is templates/report.html.j2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from linkwright.errors import UsageError
from linkwright.views.frame import page
from linkwright.views.inventory import inventory
from linkwright.views.provenance import provenance
from linkwright.views.verdict_drawing import verdict_drawing
from linkwright.views.verdict_state import state_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from linkwright.as_built import Verdict
    from linkwright.results import Manifest

__all__ = ["head_of", "verdict_page"]

MOST_NODES = 1024
"""Limit of the page, whose drawing shows every node."""


def verdict_page(verdict: Verdict, manifest: Manifest) -> str:
    """Return the HTML page of a comparison with real machines.

    Raises
    ------
    UsageError
        If the network is too large for a page.
    """
    return page(
        "verify.html.j2",
        title=f"{verdict.network.name}: as built",
        state=state_of(verdict),
        **head_of(verdict, manifest),
    )


def head_of(
    verdict: Verdict, manifest: Manifest, problems: Mapping[str, Sequence[int]] | None = None
) -> dict[str, Any]:
    """Return the parts that pages about real machines share: facts, drawing, provenance.

    `problems` are those of `verdict_drawing`.

    Raises
    ------
    UsageError
        If the network is too large for a page.
    """
    network = verdict.network
    if network.n_nodes > MOST_NODES:
        raise UsageError(
            f"{network.name} has {network.n_nodes} nodes: a page draws {MOST_NODES} nodes at most",
            "write the answer as .json or .csv",
        )
    return {
        "styles": ("verify.css",),
        "facts": [
            ("machines", f"{len(verdict.nodes)} of {network.n_nodes}"),
            ("facts of", verdict.when),
            ("parts", inventory(network)),
        ],
        "drawing": Markup(verdict_drawing(verdict, problems)),
        "provenance": provenance(network, manifest),
        "version": manifest.version,
    }
