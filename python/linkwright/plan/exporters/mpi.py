"""Settings of Open MPI and MPICH: each node names the interface of its own identity.

Libraries that may choose take any address of a node, such as that of a bridge of Docker, which all
nodes have alike, and wait forever. Names of interfaces differ between nodes, so that each node has
files of its own.
"""

from __future__ import annotations

from linkwright.plan.exporters.comments import comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import InterfacePlan, NodePlan

__all__ = ["MPICH", "OPENMPI"]

ONE = (
    "The interface of the node's identity, which every node reaches and no failed link takes away. "
    "Without it, the library tries every address, also those that all nodes have alike, such as "
    "172.17.0.1 of Docker."
)
NAMES = "names stand for the identities, as in the target 'hosts'."


def identity_of(node: NodePlan) -> InterfacePlan:
    """Return the interface that carries the identity of a node."""
    return next(one for one in node.interfaces if node.has_identity(one))


def _compute_nodes(network: NetworkPlan) -> list[str]:
    return [host.name for host in network.hosts if host.is_compute]


def _open_mpi(network: NetworkPlan, node: NodePlan) -> Files:
    name = identity_of(node).name
    files = {
        "openmpi/mca-params.conf": (
            "Open MPI 4 and 5. Copy it to ~/.openmpi or to openmpi/etc of the installation.",
            {"btl_tcp_if_include": name, "oob_tcp_if_include": name},
        ),
        "prte/mca-params.conf": (
            "The launcher of Open MPI 5. Copy it to ~/.prte.",
            {"prte_if_include": name},
        ),
        "pmix/mca-params.conf": (
            "The start of processes in Open MPI 5. Copy it to ~/.pmix.",
            {"ptl_base_if_include": name},
        ),
    }
    return {
        place: text_of(
            [
                *header(network, node, use),
                *comment(ONE),
                *(f"{key} = {value}" for key, value in settings.items()),
            ]
        )
        for place, (use, settings) in files.items()
    }


def _hosts(network: NetworkPlan) -> str:
    n_ranks = network.ranks_per_node
    return f"{'One rank' if n_ranks == 1 else f'{n_ranks} ranks'} per node; {NAMES}"


def _open_mpi_hosts(network: NetworkPlan) -> Files:
    lines = header(network, None, _hosts(network), "Use it with: mpirun --hostfile hostfile")
    slots = (f"{name} slots={network.ranks_per_node}" for name in _compute_nodes(network))
    return {"hostfile": text_of([*lines, *slots])}


def _mpich(network: NetworkPlan, node: NodePlan) -> Files:
    name = identity_of(node).name
    lines = [
        *header(network, node, "Load it into the environment of mpiexec and of all ranks."),
        *comment(ONE),
        f"HYDRA_IFACE={name}",
        f"FI_TCP_IFACE={name}",
        *comment("TCP over libfabric: UCX refuses an interface by which no route leaves."),
        "MPIR_CVAR_CH4_NETMOD=ofi",
        "FI_PROVIDER=tcp",
    ]
    return {"environment": text_of(lines)}


def _mpich_hosts(network: NetworkPlan) -> Files:
    lines = header(network, None, _hosts(network), "Use it with: mpiexec -f hostfile")
    slots = (f"{name}:{network.ranks_per_node}" for name in _compute_nodes(network))
    return {"hostfile": text_of([*lines, *slots])}


OPENMPI = Exporter(reader="Open MPI 4 and 5", of_node=_open_mpi, of_all=_open_mpi_hosts)
MPICH = Exporter(reader="MPICH with libfabric", of_node=_mpich, of_all=_mpich_hosts)
