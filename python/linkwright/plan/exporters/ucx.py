"""Settings of UCX, which carries messages for MPI libraries and NIXL.

UCX 1.13 takes every interface. Newer versions take those by which a route of the main table leaves
(`ucs_netlink_route_exists`), so that the ports are named, not the interface of the identity.
"""

from __future__ import annotations

from linkwright.plan.exporters.comments import assignments, comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan

__all__ = ["UCX"]

PORTS = (
    "The ports of this node. By default UCX tries every interface, also one with an address that "
    "all machines have, such as 172.17.0.1 of Docker (openucx/ucx#9383). The identity's interface "
    "is not named, since newer versions refuse one by which no route leaves. Connections have "
    "addresses of ports therefore, and end with their link."
)
TCP = "TCP between machines, shared memory within one, and a process with itself."
RDMA_TO_ALL = (
    "Every node has a link to every other, so that RDMA works between all of them: if the NICs "
    "have it, add the devices that `rdma link` shows for these ports, with their port number, such "
    "as mlx5_0:1, and leave UCX_TLS out."
)
RDMA_TO_SOME = (
    "No RDMA: its connections do not follow the routes of the kernel, and not all pairs of nodes "
    "share a link (MiaAI-Lab/DeepSeek-v4.1-Flash-DGX-Sparks#3)."
)


TRANSPORTS = {"UCX_TLS": "tcp,sm,self"}


def _ports(node: NodePlan) -> dict[str, str]:
    return {"UCX_NET_DEVICES": ",".join(one.name for one in node.ports)}


def _variables(_: NetworkPlan, node: NodePlan) -> dict[str, str]:
    return {**_ports(node), **TRANSPORTS}


def _files(network: NetworkPlan, node: NodePlan) -> Files:
    lines = [
        *header(network, node, "Load it into the environment of all ranks on this machine."),
        *comment(PORTS),
        *assignments(_ports(node)),
        *comment(TCP),
        *comment(RDMA_TO_ALL if network.links_all_pairs else RDMA_TO_SOME),
        *assignments(TRANSPORTS),
    ]
    return {"environment": text_of(lines)}


UCX = Exporter(reader="UCX: environment of its programs", of_node=_files, variables=_variables)
