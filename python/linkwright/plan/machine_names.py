"""The names on the real machines: those of the section `nodes`, else those of the plan; and the
node that a machine is by its own name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from linkwright.design.machines import Machine, Nic
from linkwright.design.names import nic_name
from linkwright.network import Network

if TYPE_CHECKING:
    from linkwright.plan.exporters.node_plan import Host

__all__ = ["CORRECT_HOSTS", "answers_as", "host_name", "machine_of", "nic_on_machine"]

CORRECT_HOSTS = "correct the hosts, or the host name of the machine"
"""The remedy where a machine answers as another node."""


def machine_of(network: Network, node: int) -> Machine:
    """Return the real machine of a node; its fields are empty where the design has none."""
    return network.machines.get(node, Machine())


def host_name(network: Network, node: int) -> str:
    """Return the host name of a node."""
    return machine_of(network, node).name or network.device_names[node]


def nic_on_machine(network: Network, node: int, port: int) -> str:
    """Return the name of a NIC on its machine."""
    name = nic_name(network.wiring, node, port)
    return machine_of(network, node).nics.get(port, Nic()).name_on_machine(port, name)


def answers_as(hostname: str, own: Host, hosts: Iterable[Host]) -> Host | None:
    """Return the other node whose name a machine has.

    Parameters
    ----------
    hostname : str
        The machine's own name, with or without a domain.
    own : Host
        The node that it is said to be.
    hosts : iterable of Host
        All nodes.

    Returns
    -------
    Host or None
        None if the name is that of the node itself, or of no node.
    """
    names = {hostname.lower(), hostname.lower().partition(".")[0]}
    if names & {own.node.lower(), own.name.lower()}:
        return None
    others = (one for one in hosts if one.node != own.node)
    return next((one for one in others if names & {one.node.lower(), one.name.lower()}), None)
