"""Claims that need no run: ours is counted in the built networks."""

from __future__ import annotations

from linkwright.papers.claims_file import claims_of
from linkwright.papers.clusters import network_of
from linkwright.papers.entry import Entry
from linkwright.papers.measures import MEASURES, calibration_of
from linkwright.papers.named import Named

__all__ = ["counted"]


def counted(package: str, table: str) -> list[Entry]:
    """Return the claims of one table of a paper beside ours."""
    found = []
    for claim in claims_of(package, table):
        measure = claim.measure or Named(name=claim.metric)
        networks = [network_of(package, cluster) for cluster in claim.cluster]
        ours = measure.of(MEASURES, *networks)
        found.append(Entry.of(claim, networks[0], ours, calibration_of(measure.name)))
    return found
