"""The page of a run that cannot be played again, such as a rehearsed or a measured one.

It has the drawing, the results and their origin, as the page of a played run, and no scripts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from linkwright.views.drawing import draw
from linkwright.views.frame import page
from linkwright.views.inventory import inventory
from linkwright.views.metric_words import figure, metric_words
from linkwright.views.provenance import provenance
from linkwright.views.run_answer import run_answer, size_of

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.results import Manifest, Result, Row

__all__ = ["run_page"]

MOST_DRAWN_NODES = 2000
"""Largest network that is drawn."""


def run_page(network: Network, result: Result, manifest: Manifest) -> str:
    """Return the HTML page of a run, from its rows.

    Parameters
    ----------
    network : Network
        The network.
    result : Result
        The rows, which have their origin: predicted, rehearsed or measured.
    manifest : Manifest
        The command, versions, times.
    """
    rows = result.rows()
    first = rows[0]
    workloads = ", ".join(dict.fromkeys(row.workload for row in rows))
    origins = ", ".join(dict.fromkeys(str(row.origin) for row in rows))
    return page(
        "run.html.j2",
        title=f"{workloads} on {network.name}",
        facts=[
            ("topology", network.kind),
            ("parts", inventory(network)),
            ("hosts", first.calibration),
            ("engine", first.engine),
            ("origin", origins),
            *([] if first.seed is None else [("seed", str(first.seed))]),
            ("made", f"{manifest.finished:%Y-%m-%d}"),
        ],
        answer=run_answer(result),
        drawing=Markup(draw(network)) if network.n_nodes <= MOST_DRAWN_NODES else "",
        rows=[_cells(row) for row in rows],
        remarks=result.remarks,
        provenance=provenance(network, manifest),
        version=manifest.version,
    )


def _cells(row: Row) -> dict[str, str]:
    return {
        "metric": row.metric,
        "words": metric_words(row.metric),
        "size": size_of(row),
        "value": figure(row.value, row.unit),
        "origin": str(row.origin),
    }
