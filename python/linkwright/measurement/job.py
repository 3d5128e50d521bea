"""The settings of jobs for a user's command: lists of hosts, and variables of libraries, as the
exporters of the plan have them.

A command starts on the first node, and launchers hand its environment on. Variables that are not
the same on all nodes are therefore left out, and named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from linkwright.network import Network
from linkwright.plan.exporters import EXPORTERS
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan

__all__ = ["Job", "job_of"]

LIBRARIES = ("mpich", "ucx", "gloo", "nccl", "openmpi")
"""Targets whose variables a job has."""
HOSTFILES = {
    "OMPI_MCA_orte_default_hostfile": "openmpi",
    "PRTE_MCA_prte_default_hostfile": "openmpi",
    "HYDRA_HOST_FILE": "mpich",
}
"""Variables that name the list of hosts, with the target that has it."""


@dataclass(frozen=True)
class Job:
    """The settings of a job.

    Attributes
    ----------
    texts : mapping of str to str
        Files of its temporary folder.
    environment : mapping of str to str
        Variables; `{folder}` in a value is that folder.
    left_out : tuple of str
        Variables that differ from node to node.
    """

    texts: Mapping[str, str]
    environment: Mapping[str, str]
    left_out: tuple[str, ...]


def job_of(network: Network) -> Job:
    """Return the settings of a job on all nodes of a network."""
    plan = NetworkPlan(network)
    nodes = [one for one in plan.nodes() if one.host.is_compute]
    of_nodes = [_variables(plan, one) for one in nodes]
    names = dict.fromkeys(name for own in of_nodes for name in own)
    common = {
        name: of_nodes[0][name]
        for name in names
        if all(own.get(name) == of_nodes[0].get(name) for own in of_nodes)
    }
    texts = {
        f"{target}.hosts": EXPORTERS[target].of_all(plan)["hostfile"]
        for target in ("openmpi", "mpich")
    }
    lists = {name: f"{{folder}}/{target}.hosts" for name, target in HOSTFILES.items()}
    left_out = tuple(name for name in names if name not in common)
    return Job(texts, {**common, **lists, "LINKWRIGHT_HOSTS": "{folder}/openmpi.hosts"}, left_out)


def _variables(plan: NetworkPlan, node: NodePlan) -> dict[str, str]:
    """Return the variables of a node."""
    found: dict[str, str] = {}
    for target in LIBRARIES:
        found.update(EXPORTERS[target].variables(plan, node))
    return found
