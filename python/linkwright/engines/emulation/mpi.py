"""Settings with which unmodified MPI programs run in nodes: Open MPI and MPICH.

Both start their processes by a remote shell, here a script of the sandbox, and are told which
address of a node is its identity, so that they do not try those of its links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwright.engines.emulation.init import FOLDER
from linkwright.engines.emulation.nodes import interface_of_identities

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["mpi_settings"]


def mpi_settings(network: Network) -> dict[str, str]:
    """Return the environment of a command that may start MPI programs."""
    agent, hosts = str(FOLDER / "rsh"), str(FOLDER / "hostfile")
    names = interface_of_identities(network)
    identities = [str(network.addresses.ip[at].ip) for at in network.addresses.identity.tolist()]
    # Open MPI takes prefixes for names, so that nodes may differ.
    prefixes = names[0] if len(set(names)) == 1 else ",".join(f"{ip}/32" for ip in identities)
    return {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_plm_rsh_agent": agent,
        "OMPI_MCA_orte_default_hostfile": hosts,
        "OMPI_MCA_routed": "direct",
        "OMPI_MCA_pml": "ob1",
        "OMPI_MCA_btl": "tcp,self",
        "OMPI_MCA_btl_tcp_if_include": prefixes,
        "OMPI_MCA_oob_tcp_if_include": prefixes,
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "HYDRA_LAUNCHER": "ssh",
        "HYDRA_LAUNCHER_EXEC": agent,
        "HYDRA_HOST_FILE": hosts,
        "UCX_TLS": "tcp,self",
        "UCX_NET_DEVICES": ",".join(sorted(set(names))),
    }
