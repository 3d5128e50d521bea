"""Settings of NCCL and RCCL, which connect GPUs.

Advice on some of their settings contradicts itself. Such advice stands in comments, with its
sources, and nothing of it is set.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright.plan.exporters.comments import assignments, comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.mpi import identity_of
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan

__all__ = ["NCCL"]

USE = (
    "Copy it to /etc/nccl.conf of this machine (RCCL: /etc/rccl.conf); the environment overrules "
    "it. Machines have other ports: do not copy the file of one to all (spark-arena/sparkrun#135)."
)
ONE = (
    "The interface of the node's identity, by which processes find each other; '=' means exactly "
    "this name, not all that begin with it. By default NCCL takes any interface but lo and docker*."
)
NOT_ON_LO = "NCCL cannot use an identity on lo (NVIDIA/nccl#1053): it has an interface of its own."
HCA = (
    "Every node has a link to every other, so that RDMA works between all of them. The devices are "
    "those that `rdma link` shows for the ports {ports}, by exact name, such as:"
)
NO_RDMA = (
    "TCP instead of RDMA: RDMA does not follow the kernel's routes, and not all pairs of nodes "
    "share a link. NCCL connects a tree beside its ring, and the tree wants such pairs "
    "(MiaAI-Lab/DeepSeek-v4.1-Flash-DGX-Sparks#3)."
)
RING_ALONE = (
    "RDMA between neighbours alone needs an NCCL that leaves the tree out (NVIDIA/nccl#1034 asks "
    "for a switch, FujitsuPolycom/sparkring has a patch), NCCL_ALGO=Ring, and ranks in the order "
    "of a ring of links."
)
CONTRADICTIONS = (
    "Not set, because reports on machines with two ports contradict each other; measure both with "
    "nccl-tests:"
)
MERGE = (
    "NCCL_IB_MERGE_NICS: 1 (tonyd2wild/GLM-5.3-Int4-Int8Mix-TP4-4x-DGX-Spark#2: must stay 1 in a "
    "ring), 0 (spark-arena/sparkrun#174, FujitsuPolycom/sparkring)."
)
SUBNETS = (
    "NCCL_IB_SUBNET_AWARE_ROUTING: 1 from NCCL 2.30 on, so that a connection takes the port of its "
    "subnet (tonyd2wild, as above); others do without it."
)


WITHOUT_RDMA = {"NCCL_IB_DISABLE": "1"}


def _interface(node: NodePlan) -> dict[str, str]:
    return {"NCCL_SOCKET_IFNAME": f"={identity_of(node).name}"}


def _variables(network: NetworkPlan, node: NodePlan) -> dict[str, str]:
    return _interface(node) | ({} if network.links_all_pairs else WITHOUT_RDMA)


def _settings(network: NetworkPlan, node: NodePlan) -> Iterator[str]:
    yield from comment(ONE)
    if identity_of(node).is_identity:
        yield from comment(NOT_ON_LO)
    yield from assignments(_interface(node))
    if network.links_all_pairs:
        yield from comment(HCA.format(ports=", ".join(one.name for one in node.ports)))
        yield "# NCCL_IB_HCA==mlx5_0:1"
    else:
        yield from comment(NO_RDMA)
        yield from assignments(WITHOUT_RDMA)
        yield from comment(RING_ALONE)
    if len(node.ports) > 1:
        for text in (CONTRADICTIONS, MERGE, SUBNETS):
            yield from comment(text)


def _files(network: NetworkPlan, node: NodePlan) -> Files:
    return {"nccl.conf": text_of([*header(network, node, USE), *_settings(network, node)])}


NCCL = Exporter(reader="NCCL, or RCCL as rccl.conf", of_node=_files, variables=_variables)
