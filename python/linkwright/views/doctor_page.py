"""The page of `doctor`: the answer, problems to tick off in their order, the drawing, the numbers.

It works without scripts and without a network. The frame is templates/report.html.j2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from linkwright.errors import UsageError
from linkwright.views.doctor_table import NUMBER_HEADINGS, number_texts
from linkwright.views.frame import page
from linkwright.views.inventory import inventory
from linkwright.views.provenance import provenance
from linkwright.views.verdict_drawing import verdict_drawing
from linkwright.views.verdict_page import MOST_NODES

if TYPE_CHECKING:
    from linkwright.doctor import Diagnosis
    from linkwright.results import Manifest

__all__ = ["doctor_page"]


def doctor_page(diagnosis: Diagnosis, manifest: Manifest) -> str:
    """Return the HTML page of a diagnosis.

    Raises
    ------
    UsageError
        If the network is too large for a page.
    """
    verdict = diagnosis.verdict
    network = verdict.network
    if network.n_nodes > MOST_NODES:
        raise UsageError(
            f"{network.name} has {network.n_nodes} nodes: a page draws {MOST_NODES} nodes at most",
            "write the answer as .json or .csv",
        )
    return page(
        "doctor.html.j2",
        styles=("verify.css",),
        title=f"{network.name}: its state",
        facts=[
            ("machines", f"{verdict.n_machines} of {network.n_nodes}"),
            ("facts of", verdict.when),
            ("parts", inventory(network)),
        ],
        diagnosis=diagnosis,
        headings=NUMBER_HEADINGS,
        numbers=[number_texts(one) for one in diagnosis.numbers],
        drawing=Markup(verdict_drawing(verdict)),
        provenance=provenance(network, manifest),
        version=manifest.version,
    )
