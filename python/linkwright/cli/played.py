"""Played runs behind the buttons of a page of another command.

Only small networks have one: the run is made anew by the packet engine, which has to be quick, and
the page stays small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkwright.network import Network
    from linkwright.results import Manifest
    from linkwright.studies import ArchitectureComparison
    from linkwright.workloads import Workload

__all__ = ["played_comparison", "played_on"]

MOST_NODES = 64
"""Largest network that is played unasked, frame by frame."""
MOST_PLAYED = 8
"""Number of networks of a comparison up to which they are played: a page of up to 1.2 MB."""


def played_on(
    network: Network,
    workload: Workload,
    manifest: Manifest,
    *,
    calibration: str | None = None,
    seed: int = 1,
) -> str | None:
    """Return the page of a run; None where the network is large, or the run cannot finish."""
    from linkwright import engines
    from linkwright.errors import LinkwrightError
    from linkwright.views.play_page import play_page

    if network.n_nodes > MOST_NODES:
        return None
    try:
        result, run = engines.play(network, workload, calibration=calibration, seed=seed)
        return play_page(network, run, result, manifest)
    except LinkwrightError:
        return None


def played_comparison(
    found: ArchitectureComparison, workloads: Sequence[Workload], manifest: Manifest
) -> tuple[str, dict[int, str]] | None:
    """Return the name and the pages of the first workload that all nodes of a network run.

    None where the comparison has another engine than that of a page, or too many networks.
    """
    from linkwright.workloads import PingPong

    chosen = next((one for one in workloads if not isinstance(one, PingPong)), None)
    if chosen is None or found.engine != "packet" or len(found.architectures) > MOST_PLAYED:
        return None
    pages = {
        index: page
        for index, row in enumerate(found.architectures)
        if (
            page := played_on(
                row.network, chosen, manifest, calibration=found.calibration, seed=found.seed
            )
        )
    }
    return (chosen.name, pages) if pages else None
