"""Played runs behind the buttons of a page of another command.

Only small networks have one: the run is repeated by the packet engine, which has to be quick, and
the page stays small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from linkwright.cli.work import Report
    from linkwright.comparison import ArchitectureComparison
    from linkwright.network import Network
    from linkwright.results import Manifest
    from linkwright.views.played_runs import PlayedRuns
    from linkwright.workloads import Workload

__all__ = ["played_check", "played_comparison"]

MOST_NODES = 64
"""Largest network that is played unasked, frame by frame."""
MOST_PLAYED = 8
"""Number of networks of a comparison up to which they are played: a page of up to 1.2 MB."""


def played_check(network: Network, manifest: Manifest, report: Report) -> PlayedRuns:
    """Return a broadcast on a network, as its page, or the reason why there is none."""
    from linkwright.views.played_runs import PlayedRuns
    from linkwright.workloads import Broadcast

    workload = Broadcast(repeats=3)
    report(0, 1, f"playing a {workload.name}")
    page, reason = _played(network, workload, manifest)
    return PlayedRuns(workload=workload.name, pages={0: page} if page else {}, reasons={0: reason})


def played_comparison(
    found: ArchitectureComparison,
    workloads: Sequence[Workload],
    manifest: Manifest,
    report: Report,
) -> PlayedRuns:
    """Return runs of the first workload that all nodes of a network run, as pages."""
    from linkwright.views.played_runs import PlayedRuns
    from linkwright.workloads import PingPong

    chosen = next((one for one in workloads if not isinstance(one, PingPong)), None)
    why_none = _why_none(found, chosen)
    if chosen is None or why_none:
        return PlayedRuns(workload="", why_none=why_none)
    pages, reasons = {}, {}
    for place, row in enumerate(found.architectures):
        report(place, len(found.architectures), f"playing {chosen.name}: {row.name}")
        pages[place], reasons[place] = _played(
            row.network, chosen, manifest, calibration=found.calibration, seed=found.seed
        )
    return PlayedRuns(
        workload=chosen.name,
        pages={place: page for place, page in pages.items() if page},
        reasons=reasons,
    )


def _why_none(found: ArchitectureComparison, chosen: Workload | None) -> str:
    """Return the reason why no network of a comparison is played; empty if they are."""
    from linkwright.engines.engine import ENGINES

    n_networks = len(found.architectures)
    if not ENGINES[found.engine].has_pages:
        return f"The {found.engine} engine has no frames to play; leave out --engine to play runs."
    if chosen is None:
        return "A ping-pong alone is not played here; add -w broadcast to play runs."
    if n_networks > MOST_PLAYED:
        return (
            f"Runs are played for {MOST_PLAYED} networks at most, and here are {n_networks}; "
            "leave out --all, or name fewer designs."
        )
    return ""


def _played(
    network: Network,
    workload: Workload,
    manifest: Manifest,
    *,
    calibration: str | None = None,
    seed: int = 1,
) -> tuple[str, str]:
    """Return the page of a run, or the reason why there is none; the other is empty."""
    from linkwright import engines
    from linkwright.errors import LinkwrightError
    from linkwright.views.play_page import play_page

    if network.n_nodes > MOST_NODES:
        return "", (
            f"Runs are played here up to {MOST_NODES} nodes; for more, "
            f"use linkwright simulate DESIGN -w {workload.name} -o run.html."
        )
    try:
        run = engines.Run.of(network, workload, calibration=calibration, seed=seed)
        seen = engines.observe(run, engines.Observation(page=True))
        return play_page(*seen.played, manifest), ""
    except LinkwrightError as error:
        hint = f"; {error.hint}" if error.hint else ""
        return "", f"Run of {workload.name} not played: {error.message}{hint}."
