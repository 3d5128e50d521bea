"""The page of two runs side by side: one file in which both are played on one axis of time.

Each run is the page of `play_page`, in a frame that the page around it leads
(frontend/src/play/beside.ts); script and style are in the file once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwright.views.frame import page
from linkwright.views.play_page import SCRIPTS, STYLES, play_page
from linkwright.views.provenance import provenance
from linkwright.views.run_answer import run_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkwright.engines.played import PackedRun
    from linkwright.network import Network
    from linkwright.results import Manifest, Result

__all__ = ["beside_page"]


def beside_page(runs: Sequence[tuple[Network, PackedRun, Result, Manifest]]) -> str:
    """Return the HTML page of two runs of one workload.

    Parameters
    ----------
    runs : sequence of tuple
        Network, packed run, rows and origin of each, as for `play_page`.

    Raises
    ------
    UsageError
        If a network is too large for a page.
    """
    names = [network.name for network, *_ in runs]
    workload = runs[0][2].rows()[0].workload
    return page(
        "play_beside.html.j2",
        styles=STYLES,
        scripts=SCRIPTS,
        title=f"{workload} on {' and on '.join(names)}",
        facts=[],
        answers=[(network.name, run_answer(result)) for network, _, result, _ in runs],
        provenance=[
            line for network, _, _, manifest in runs for line in provenance(network, manifest)
        ],
        version=runs[0][3].version,
        data={"pages": [play_page(*run, is_part=True) for run in runs], "names": names},
    )
