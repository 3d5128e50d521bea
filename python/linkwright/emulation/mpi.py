"""Settings with which unmodified MPI programs run in nodes: Open MPI and MPICH.

Both start their processes by a remote shell, here a script of the sandbox, and learn which
address of a node is its identity, so that they do not try those of its links.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from linkwright.emulation.init import FOLDER, TEMPORARY
from linkwright.nodes import IDENTITY

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["hostfiles", "mpi_settings"]

OPEN_MPI, HYDRA = "hosts.open-mpi", "hosts.hydra"
"""Names of the lists of hosts, one rank each, in the form of either."""


def hostfiles(names: Sequence[str]) -> dict[str, str]:
    """Return the lists of hosts by file name."""
    return {
        OPEN_MPI: "".join(f"{name} slots=1\n" for name in names),
        HYDRA: "".join(f"{name}:1\n" for name in names),
    }


def mpi_settings(network: Network, *, can_sleep: bool) -> dict[str, str]:
    """Return the environment of a command that may start MPI programs.

    Parameters
    ----------
    network : Network
        The network of the nodes.
    can_sleep : bool
        Whether the preloaded library lets waiting ranks sleep; they yield the processor otherwise.
    """
    agent = str(FOLDER / "rsh")
    # A loopback identity is the source of all that a node sends. Without one, a connection comes
    # from the address of the interface that it leaves by, so that all must be known.
    has_loopbacks = bool((network.addresses.port < 0).any())
    used, unused = (IDENTITY, "") if has_loopbacks else ("", "lo")
    return {
        # Session folders of two sandboxes have the same names.
        "TMPDIR": str(TEMPORARY),
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_plm_rsh_agent": agent,
        "OMPI_MCA_orte_default_hostfile": str(FOLDER / OPEN_MPI),
        "OMPI_MCA_routed": "direct",
        "OMPI_MCA_pml": "ob1",
        "OMPI_MCA_btl": "tcp,self",
        **{
            f"OMPI_MCA_{layer}_tcp_if_{which}": name
            for layer in ("btl", "oob")
            for which, name in (("include", used), ("exclude", unused))
            if name
        },
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        # A rank that yields returns too late to appear to wait, and would not sleep.
        "OMPI_MCA_mpi_yield_when_idle": "0" if can_sleep else "1",
        "HYDRA_LAUNCHER": "ssh",
        "HYDRA_LAUNCHER_EXEC": agent,
        "HYDRA_HOST_FILE": str(FOLDER / HYDRA),
        # MPICH that has both libfabric and UCX uses libfabric: UCX 1.20 refuses an interface by
        # which no route leaves.
        "MPIR_CVAR_CH4_NETMOD": "ofi",
        "FI_PROVIDER": "tcp",
        **({"FI_TCP_IFACE": used} if used else {}),
        "UCX_TLS": "tcp,self",
        "UCX_NET_DEVICES": used or "all",
    }
