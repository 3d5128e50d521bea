"""The names on the real machines: those of the section `nodes`, else those of the plan."""

from __future__ import annotations

from linkwright.design.machines import Nic, RealMachine
from linkwright.design.names import nic_name
from linkwright.network import Network

__all__ = ["host_name", "machine_of", "nic_on_machine"]


def machine_of(network: Network, node: int) -> RealMachine:
    """Return the real machine of a node; its fields are empty where the design has none."""
    return network.machines.get(node, RealMachine())


def host_name(network: Network, node: int) -> str:
    """Return the host name of a node."""
    return machine_of(network, node).name or network.device_names[node]


def nic_on_machine(network: Network, node: int, port: int) -> str:
    """Return the name of a NIC on its machine."""
    name = nic_name(network.wiring, node, port)
    return machine_of(network, node).nics.get(port, Nic()).name_on_machine(port, name)
