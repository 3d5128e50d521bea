"""An exporter: the files of one target, as text, and how a machine loads them.

Libraries read the environment too: their exporters have the same settings as variables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from linkwright.plan.exporters.loading import Loading
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan

__all__ = ["Exporter", "Files"]

Files = Mapping[str, str]
"""Text per file name, relative to the folder of a target."""


def _none(network: NetworkPlan, node: NodePlan) -> Files:
    del network, node
    return {}


def _no_variables(network: NetworkPlan, node: NodePlan) -> Mapping[str, str]:
    del network, node
    return {}


def _none_for_all(network: NetworkPlan) -> Files:
    del network
    return {}


@dataclass(frozen=True, kw_only=True)
class Exporter:
    """The files of one target.

    Attributes
    ----------
    reader : str
        The program that reads the files, for the list of targets.
    of_node : callable
        Returns the files of one node. Names that begin with `etc/` are places below `/`.
    of_all : callable
        Returns the files that are the same for all nodes.
    takes_ports : bool
        Whether the files set up ports of the machine, with addresses, MTU and no DHCP.
    for_switches : bool
        Whether routed switches get files of their own too, for boxes that run Linux.
    variables : callable
        Returns the variables of the environment that say the same as the files of one node.
    loading : Loading or None
        How a machine loads the files and takes them back, of targets that set up addresses and
        routes.
    """

    reader: str
    of_node: Callable[[NetworkPlan, NodePlan], Files] = _none
    of_all: Callable[[NetworkPlan], Files] = _none_for_all
    takes_ports: bool = False
    for_switches: bool = False
    variables: Callable[[NetworkPlan, NodePlan], Mapping[str, str]] = _no_variables
    loading: Loading | None = None
