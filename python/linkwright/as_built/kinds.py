"""The kinds of findings about real machines: each with its severity and its meaning.

An error stops traffic, or sends it where the plan does not; a warning costs speed, or breaks
something later, such as at the next boot.
"""

from __future__ import annotations

from dataclasses import dataclass

from linkwright.plan.finding import Severity

__all__ = ["KINDS", "Kind"]

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING


@dataclass(frozen=True)
class Kind:
    """A kind of finding."""

    name: str
    severity: Severity
    meaning: str


_ALL = (
    Kind("missing-machine", _ERROR, "a node has no facts, or its machine did not answer"),
    Kind("wrong-machine", _ERROR, "a node's machine answers as another node: hosts are mixed up"),
    Kind("other-machine", _WARNING, "a machine is no node of the design"),
    Kind("missing-interface", _ERROR, "a machine has no interface for a NIC of the plan"),
    Kind("swapped-cable", _ERROR, "cables are in each other's ports"),
    Kind("wrong-port", _ERROR, "a cable is in a port that the plan does not give it"),
    Kind("missing-cable", _ERROR, "no cable joins two ports that the plan joins"),
    Kind("extra-cable", _ERROR, "a cable joins ports that the plan does not join"),
    Kind("unseen-cable", _WARNING, "both ports have a carrier, and nothing says who is opposite"),
    Kind("unplanned-switch", _WARNING, "a switch or bridge is between two ports of one cable"),
    Kind("lost-neighbour", _WARNING, "`watch`: a neighbour that answered before does not any more"),
    Kind("unsteady-cable", _WARNING, "`watch`: a port lost its carrier for a moment"),
    Kind("joined-segments", _ERROR, "segments that the plan keeps apart are one"),
    Kind("interface-down", _ERROR, "an interface of the plan is switched off"),
    Kind("slow-cable", _WARNING, "a link runs at a lower rate than its ports and cable have"),
    Kind("half-duplex", _WARNING, "one direction of a link waits for the other"),
    Kind("slow-slot", _WARNING, "the PCI slot of a NIC carries less than its port"),
    Kind("wrong-mtu", _ERROR, "an interface has another MTU"),
    Kind("missing-address", _ERROR, "an interface lacks an address of the plan"),
    Kind("extra-address", _WARNING, "an interface of the plan has another address besides"),
    Kind("duplicate-address", _ERROR, "two machines have one address of the plan"),
    Kind("shared-subnet", _ERROR, "two interfaces of a machine are in one subnet"),
    Kind("dhcp-address", _ERROR, "an interface of the plan got its address by DHCP"),
    Kind("unkept-address", _WARNING, "no file of the machine has an address: a reboot loses it"),
    Kind("missing-route", _ERROR, "a route of the plan is missing"),
    Kind("wrong-route", _ERROR, "a route leads another way"),
    Kind("wrong-metric", _ERROR, "a route has another metric, so that another may be preferred"),
    Kind("wrong-source", _WARNING, "packets of the machine itself get another source address"),
    Kind("stale-route", _ERROR, "a route to the network of the plan is not of the plan"),
    Kind("missing-rule", _ERROR, "a rule that chooses a table is missing"),
    Kind("stale-rule", _ERROR, "a rule that is not of the plan captures packets of the plan"),
    Kind("wrong-sysctl", _ERROR, "a parameter of the kernel has another value"),
    Kind("old-kernel", _ERROR, "the kernel is too old for a parameter of the plan"),
    Kind("dropped-forwards", _ERROR, "the firewall of a relay drops packets that it forwards"),
    Kind("segment-offload", _WARNING, "an offload makes forwarded packets crawl or get lost"),
    Kind("bridged-port", _ERROR, "an interface of the plan is a port of a bridge"),
    Kind("bridge-loop", _ERROR, "bridges and cables form a circle in which frames run forever"),
    Kind("fighting-managers", _WARNING, "two managers of the network set up one interface"),
    Kind("wrong-name", _WARNING, "a node's name stands for an address outside the plan"),
    Kind("wrong-setting", _ERROR, "a setting of jobs names a network that is not the plan's"),
)
KINDS: dict[str, Kind] = {kind.name: kind for kind in _ALL}
"""Kind of finding by its name, in the order of a report."""
