"""Settings of Open MPI and MPICH: each node names the interface of its own identity.

Libraries that may choose take any address of a node, such as that of a bridge of Docker, which all
nodes have alike, and wait forever. Names of interfaces differ between nodes, so that each node has
files of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkwright.plan.exporters.comments import assignments, comment, header, text_of
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
OVER_TCP = {"MPIR_CVAR_CH4_NETMOD": "ofi", "FI_PROVIDER": "tcp"}


@dataclass(frozen=True)
class Parameters:
    """Parameters of one part of Open MPI that name an interface: their file and its use, their
    names, and the prefix of their names in the environment.
    """

    file: str
    use: str
    names: tuple[str, ...]
    prefix: str


PARTS = (
    Parameters(
        "openmpi/mca-params.conf",
        "Open MPI 4 and 5. Copy it to ~/.openmpi or to openmpi/etc of the installation.",
        ("btl_tcp_if_include", "oob_tcp_if_include"),
        "OMPI_MCA_",
    ),
    Parameters(
        "prte/mca-params.conf",
        "The launcher of Open MPI 5. Copy it to ~/.prte.",
        ("prte_if_include",),
        "PRTE_MCA_",
    ),
    Parameters(
        "pmix/mca-params.conf",
        "The start of processes in Open MPI 5. Copy it to ~/.pmix.",
        ("ptl_base_if_include",),
        "PMIX_MCA_",
    ),
)


def identity_of(node: NodePlan) -> InterfacePlan:
    """Return the interface that carries the identity of a node."""
    return next(one for one in node.interfaces if node.has_identity(one))


def _compute_nodes(network: NetworkPlan) -> list[str]:
    return [host.name for host in network.hosts if host.is_compute]


def _open_mpi(network: NetworkPlan, node: NodePlan) -> Files:
    interface = identity_of(node).name
    return {
        part.file: text_of(
            [
                *header(network, node, part.use),
                *comment(ONE),
                *(f"{name} = {interface}" for name in part.names),
            ]
        )
        for part in PARTS
    }


def _open_mpi_variables(_: NetworkPlan, node: NodePlan) -> dict[str, str]:
    interface = identity_of(node).name
    return {f"{part.prefix}{name}": interface for part in PARTS for name in part.names}


def _hosts(network: NetworkPlan) -> str:
    n_ranks = network.ranks_per_node
    return f"{'One rank' if n_ranks == 1 else f'{n_ranks} ranks'} per node; {NAMES}"


def _open_mpi_hosts(network: NetworkPlan) -> Files:
    lines = header(network, None, _hosts(network), "Use it with: mpirun --hostfile hostfile")
    slots = (f"{name} slots={network.ranks_per_node}" for name in _compute_nodes(network))
    return {"hostfile": text_of([*lines, *slots])}


def _interfaces(node: NodePlan) -> dict[str, str]:
    name = identity_of(node).name
    return {"HYDRA_IFACE": name, "FI_TCP_IFACE": name}


def _mpich_variables(_: NetworkPlan, node: NodePlan) -> dict[str, str]:
    return {**_interfaces(node), **OVER_TCP}


def _mpich(network: NetworkPlan, node: NodePlan) -> Files:
    lines = [
        *header(network, node, "Load it into the environment of mpiexec and of all ranks."),
        *comment(ONE),
        *assignments(_interfaces(node)),
        *comment("TCP over libfabric: UCX refuses an interface by which no route leaves."),
        *assignments(OVER_TCP),
    ]
    return {"environment": text_of(lines)}


def _mpich_hosts(network: NetworkPlan) -> Files:
    lines = header(network, None, _hosts(network), "Use it with: mpiexec -f hostfile")
    slots = (f"{name}:{network.ranks_per_node}" for name in _compute_nodes(network))
    return {"hostfile": text_of([*lines, *slots])}


OPENMPI = Exporter(
    reader="Open MPI 4 and 5",
    of_node=_open_mpi,
    of_all=_open_mpi_hosts,
    variables=_open_mpi_variables,
)
MPICH = Exporter(
    reader="MPICH with libfabric",
    of_node=_mpich,
    of_all=_mpich_hosts,
    variables=_mpich_variables,
)
