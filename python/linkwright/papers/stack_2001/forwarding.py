"""The cost of forwarding: throughput of forwarded messages, and time of the forwarding node.

Two pairs share a forwarder on a ring with a forwarder in each stage; if every node forwards, each
of two pairs of one stage has its own.
"""

from __future__ import annotations

from linkwright.papers.claims_file import claims_of
from linkwright.papers.run_table import Experiment, RunTable
from linkwright.papers.stack_2001.bystander import Bystander
from linkwright.workloads import Token

__all__ = ["forwarding"]

_MEDIUM = (4096, 8192, 16384, 32768)
"""Our reading of a medium size, in bytes."""
_NETWORKS = {"switched": "star-8", "forwarded": "ring-5x2-forwarders"}
_PAIRS = {1: "0,4", 2: "0,4,1,5"}
"""Producer and consumer of each pair, two stages apart on the ring."""
_BYSTANDERS = {"while it forwards": "0,4,2", "while another does": "0,4,3"}
"""The pair, and a node between them that computes."""


def forwarding() -> RunTable:
    """Return the runs of pairs that share a forwarder, and of a forwarder that computes."""
    tokens = (
        Experiment(
            name=f"{network}-{pairs}",
            package=__package__,
            cluster=cluster,
            workload=Token(pairs=pairs, exchanges=100, runs=1, size_bytes=_MEDIUM),
            placement=placement,
        )
        for pairs, placement in _PAIRS.items()
        for network, cluster in _NETWORKS.items()
    )
    bystanders = (
        Experiment(
            name=name,
            package=__package__,
            cluster="ring-5x2",
            workload=Bystander(),
            placement=placement,
        )
        for name, placement in _BYSTANDERS.items()
    )
    return RunTable(experiments=(*tokens, *bystanders), claims=claims_of(__package__, "forwarding"))
