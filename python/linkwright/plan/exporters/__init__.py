"""Files for machines and programs: one target per file, registered here by name.

Only exporters know the formats of other programs. They return text; `linkwright plan --for` writes
it into the plan folder: `nodes/<node>/<target>/`, and `nodes/all/<target>/` for files that are the
same for all nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.network import Network
from linkwright.plan.exporters.exporter import Exporter
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.registry import Registry
from linkwright.text.csv_text import csv_text

__all__ = ["EXPORTERS", "Exported", "Exporter", "expect_targets", "export"]

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


def export(network: Network, targets: Sequence[str], *, routed: Network | None = None) -> Exported:
    """Return the files of some targets for every node.

    Parameters
    ----------
    network : Network
        The network with all its parts.
    targets : sequence of str
        Names of targets.
    routed : Network, optional
        The same design without failed parts, which gives the routes. Default: `network`.

    Raises
    ------
    UsageError
        If a target is unknown.
    CapabilityError
        If a target cannot express the design.
    DesignError
        If a node has a name that is not safe in files.
    PlanError
        If a management address is one of the plan.
    """
    expect_targets(targets)
    plan = NetworkPlan(network, routed)
    files = {f"nodes/{name}": text for name, text in _tables(plan)}
    exporters = {name: EXPORTERS[name] for name in targets}
    for name, exporter in exporters.items():
        for file, text in exporter.of_all(plan).items():
            files[f"nodes/all/{name}/{file}"] = text
    for node in plan.nodes():
        for name, exporter in exporters.items():
            for file, text in exporter.of_node(plan, node).items():
                files[f"nodes/{node.node}/{name}/{file}"] = text
    return Exported(files, sum(1 for _ in plan.missing()))


def expect_targets(names: Sequence[str]) -> None:
    """Check the names of targets.

    Raises
    ------
    UsageError
        If one is unknown.
    """
    for name in names:
        if name not in EXPORTERS:
            raise UsageError(f"there is no target {shown(name)}", unknown_name(name, EXPORTERS))


def _tables(plan: NetworkPlan) -> Iterator[tuple[str, str]]:
    """Yield the names of real machines and NICs, and the facts that the design lacks."""
    rows = (
        (host.node, one.nic, host.name, one.name, one.mac, one.path, host.management)
        for host, one in plan.interfaces()
    )
    yield "names.csv", csv_text(NAME_COLUMNS, rows)
    yield "missing.csv", csv_text(MISSING_COLUMNS, plan.missing())
