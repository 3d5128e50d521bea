"""Findings about marks: what connections of IPv6 need besides backup routes.

See docs/design/fallback-routes.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from linkwright.nodes.marks import marks_of
from linkwright.plan.finding import Finding, Severity

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["check_marks"]


def check_marks(network: Network) -> Iterator[Finding]:
    """Yield the need for marks, if routes of IPv6 have backups."""
    for mark in marks_of(network):
        yield Finding(
            Severity.INFO,
            network.name,
            "marks",
            "sockets of IPv6 keep a route whose link is dark, those of IPv4 do not: open "
            "connections of the nodes at a cut stand still for 6 s or more, and forever where a "
            "node only acknowledges, unless the route of each packet is looked up",
            f"mark the nodes' own packets to {mark.destination}, as marks.csv of the plan and the "
            "files of 'plan --for' do",
        )
