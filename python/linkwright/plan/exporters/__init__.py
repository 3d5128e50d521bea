"""Files for machines and programs: one target per file, registered here by name.

Only exporters know the formats of other programs. They return text; `linkwright plan --for` writes
it into the plan folder: `nodes/<node>/<target>/`, and `nodes/all/<target>/` for files that are the
same for all nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from linkwright.errors import (
    CapabilityError,
    DesignError,
    LinkwrightError,
    UsageError,
    shown,
    unknown_name,
)
from linkwright.network import Network
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan
from linkwright.plan.lan_ports import REMEDY, taken_lan_ports
from linkwright.registry import Registry
from linkwright.text.csv_text import csv_text

__all__ = ["ALIASES", "EXPORTERS", "Exported", "Exporter", "export", "target_named"]

EXPORTERS: Registry[Exporter] = Registry(
    __name__,
    {
        "ip": "ip_script:IP",
        "networkd": "networkd:NETWORKD",
        "netplan": "netplan:NETPLAN",
        "ifupdown2": "ifupdown2:IFUPDOWN2",
        "networkmanager": "networkmanager:NETWORKMANAGER",
        "hosts": "names:HOSTS",
        "dnsmasq": "names:DNSMASQ",
        "frr": "frr:FRR",
        "openmpi": "mpi:OPENMPI",
        "mpich": "mpi:MPICH",
        "ucx": "ucx:UCX",
        "nccl": "nccl:NCCL",
        "gloo": "gloo:GLOO",
        "mlx": "mlx:MLX",
        "slurm": "slurm:SLURM",
        "ansible": "ansible:ANSIBLE",
        "dot": "dot:DOT",
        "graphml": "graphml:GRAPHML",
        "node-link": "graphml:NODE_LINK",
        "netbox": "netbox:NETBOX",
        "simgrid": "simgrid:SIMGRID",
        "containerlab": "containerlab:CONTAINERLAB",
        "netlab": "netlab:NETLAB",
    },
)
"""Name of a target -> exporter."""

ALIASES: Mapping[str, str] = {
    "iproute2": "ip",
    "shell": "ip",
    "systemd": "networkd",
    "systemd-networkd": "networkd",
    "arch": "networkd",
    "ubuntu": "netplan",
    "dgx-spark": "netplan",
    "proxmox": "ifupdown2",
    "pve": "ifupdown2",
    "nm": "networkmanager",
    "fedora": "networkmanager",
    "rhel": "networkmanager",
    "rocky": "networkmanager",
    "alma": "networkmanager",
    "open-mpi": "openmpi",
    "rccl": "nccl",
    "pytorch": "gloo",
    "graphviz": "dot",
    "networkx": "node-link",
    "clab": "containerlab",
}
"""Other name of a target -> target: systems by the network manager that they install, and programs.

Debian is none of them: its installer sets up ifupdown, NetworkManager or networkd.
"""

NAME_COLUMNS = ("node", "nic", "hostname", "interface", "mac", "path", "management")
MISSING_COLUMNS = ("node", "nic", "missing", "used_instead")


@dataclass(frozen=True)
class Exported:
    """Files of some targets.

    Attributes
    ----------
    files : mapping of str to str
        Text per file, relative to the plan folder.
    n_missing : int
        Number of facts about machines that the design lacks; a file lists them.
    """

    files: Mapping[str, str]
    n_missing: int


def export(
    network: Network,
    targets: Sequence[str],
    *,
    routed: Network | None = None,
    refused: dict[str, LinkwrightError] | None = None,
    ranks_per_node: int = 1,
) -> Exported:
    """Return the files of some targets for every node, and for routed switches where they can be
    boxes that run Linux.

    Parameters
    ----------
    network : Network
        The network with all its parts.
    targets : sequence of str
        Names of targets, also those of `ALIASES`.
    routed : Network, optional
        The same design without failed parts, which gives the routes. Default: `network`.
    refused : dict of str to LinkwrightError, optional
        Takes the reason of each target that refuses the design; the other targets have their files.
        Without it, the first reason is raised.
    ranks_per_node : int
        Ranks that host files of MPI launchers put on a node.

    Raises
    ------
    UsageError
        If a target is unknown.
    CapabilityError
        If a target cannot express the design.
    DesignError
        If a node has a name that is not safe in files, or a target would take the only LAN port of
        a machine.
    PlanError
        If a management address is one of the plan.
    """
    targets = list(dict.fromkeys(map(target_named, targets)))
    plan = NetworkPlan(network, routed, ranks_per_node=ranks_per_node)
    collected = _Collected({name: EXPORTERS[name] for name in targets}, refused)
    taken = taken_lan_ports(network)
    if taken is not None:
        collected.keep_ports(DesignError(taken.reason(network), REMEDY))
    collected.add("all", lambda exporter: exporter.of_all(plan))
    for node in plan.nodes():
        collected.add(node.node, partial(_of_node, plan, node))
    files = {f"nodes/{name}": text for name, text in _tables(plan)}
    return Exported(files | collected.files, sum(1 for _ in plan.missing()))


@dataclass
class _Collected:
    """Files of targets, without those of targets that refuse the design."""

    exporters: dict[str, Exporter]
    refused: dict[str, LinkwrightError] | None
    """Takes the reasons; None to raise the first one."""
    files: dict[str, str] = field(default_factory=dict)

    def add(self, folder: str, files_of: Callable[[Exporter], Files]) -> None:
        """Add the files of one folder from every target."""
        for name, exporter in list(self.exporters.items()):
            try:
                texts = files_of(exporter)
            except (CapabilityError, DesignError) as error:
                self._refuse(name, error)
                continue
            self.files.update({f"nodes/{folder}/{name}/{file}": texts[file] for file in texts})

    def keep_ports(self, error: LinkwrightError) -> None:
        """Refuse the files of targets that set up ports."""
        for name in [name for name, one in self.exporters.items() if one.takes_ports]:
            self._refuse(name, error)

    def _refuse(self, name: str, error: LinkwrightError) -> None:
        """Leave a target out, with the files that it has so far."""
        if self.refused is None:
            raise error
        self.refused[name] = error
        del self.exporters[name]
        self.files = {file: self.files[file] for file in self.files if file.split("/")[2] != name}


def _of_node(plan: NetworkPlan, node: NodePlan, exporter: Exporter) -> Files:
    if node.host.is_switch and not exporter.for_switches:
        return {}
    return exporter.of_node(plan, node)


def target_named(name: str) -> str:
    """Return the target of a name, which may be another name of it.

    Raises
    ------
    UsageError
        If there is none.

    Examples
    --------
    >>> target_named("netplan"), target_named("Proxmox")
    ('netplan', 'ifupdown2')
    """
    plain = name.strip().lower()
    target = ALIASES.get(plain, plain)
    if target not in EXPORTERS:
        known = unknown_name(name, [*EXPORTERS, *ALIASES])
        raise UsageError(f"there is no target {shown(name)}", known)
    return target


def _tables(plan: NetworkPlan) -> Iterator[tuple[str, str]]:
    """Yield the names of real machines and NICs, and the facts that the design lacks."""
    rows = (
        (host.node, one.nic, host.name, one.name, one.mac, one.path, host.management)
        for host, one in plan.interfaces()
    )
    yield "names.csv", csv_text(NAME_COLUMNS, rows)
    yield "missing.csv", csv_text(MISSING_COLUMNS, plan.missing())
