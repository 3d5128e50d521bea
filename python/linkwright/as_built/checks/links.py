"""The links of interfaces: up, rate, duplex, PCI slot and MTU.

Some drivers do not say a rate; then nothing is found. A link of USB4 is slow if it trains to less
than the connector has, even where IP would not use more.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import LinkRate, Planned
from linkwright.design.rates import rate_text
from linkwright.facts import Interface, Pci
from linkwright.plan.exporters.node_plan import InterfacePlan

__all__ = ["check_links", "slot_mbps"]


def check_links(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about links."""
    for node in machines.nodes.values():
        for one, found in node.ports:
            if not found.is_up:
                yield _down(node, one)
            rate = planned.rates.get((node.name, one.name))
            if rate is not None and found.is_up:
                yield from _rates(planned, node, one, found, rate)
        for one in node.plan.interfaces:
            interface = node.interfaces.get(one.name)
            if interface is not None and not one.is_identity:
                yield from _mtu(node, one, interface)


def _down(node: MatchedNode, one: InterfacePlan) -> Deviation:
    return Deviation(
        kind="interface-down",
        node=node.name,
        nic=one.name,
        planned="up",
        found="down",
        reason=f"{node.name}:{one.name} is switched off",
        fix=f"ip link set dev {one.name} up, and let the manager of the network do so at boot",
    )


def _rates(
    planned: Planned, node: MatchedNode, one: InterfacePlan, found: Interface, rate: LinkRate
) -> Iterator[Deviation]:
    cable = planned.cable_of[node.name, one.name].name
    place = {"node": node.name, "nic": one.name, "cable": cable}
    speed, wanted = _slow(node, found, rate)
    if speed:
        yield Deviation(
            kind="slow-cable",
            **place,
            planned=rate_text(wanted),
            found=rate_text(speed),
            reason=f"the link at {node.name}:{one.name} runs at {rate_text(speed)} instead of "
            f"{rate_text(wanted)}",
            fix="plug the cable in again, then try another cable; if it stays slow, look for a "
            "fixed speed on either side",
        )
    if found.duplex == "half" and not _is_on_hub(planned, node.name, one.name):
        yield Deviation(
            kind="half-duplex",
            **place,
            planned="full duplex",
            found="half duplex",
            reason=f"the link at {node.name}:{one.name} has one direction at a time",
            fix="let both sides negotiate: ethtool -s NIC autoneg on",
        )
    slot = found.pci and slot_mbps(found.pci)
    if slot and slot < rate.cable_mbps:
        assert found.pci is not None
        yield Deviation(
            kind="slow-slot",
            **place,
            planned=rate_text(rate.cable_mbps),
            found=_slot(found.pci),
            reason=f"the slot of {node.name}:{one.name} has {_slot(found.pci)}, which carries "
            f"{rate_text(slot)} of {rate_text(rate.cable_mbps)}",
            fix=_remedy_of_slot(found.pci),
        )


def _slow(node: MatchedNode, found: Interface, rate: LinkRate) -> tuple[float, float]:
    """Return the rate of a slow link and the wanted one; zeros for one that is not slow."""
    trained = [
        1000 * min(one.rx_gbps or one.tx_gbps or 0, one.tx_gbps or one.rx_gbps or 0)
        for one in node.facts.usb4
        if one.interface == found.name
    ]
    for speed in trained:
        if 0 < speed < rate.trained_mbps:
            return speed, rate.trained_mbps
    speed = float(found.speed_mbps or 0)
    if 0 < speed < rate.cable_mbps:
        return speed, rate.cable_mbps
    if rate.cable_mbps < speed < rate.trained_mbps:
        return speed, rate.trained_mbps
    return 0.0, 0.0


def _is_on_hub(planned: Planned, node: str, port: str) -> bool:
    """Return whether a port of the plan is on a hub, where one station sends at a time."""
    from linkwright.network import HUB

    network = planned.network
    names = {end.node for end in planned.cable_of[node, port].ends if end.place}
    return any(
        network.wiring.kind[network.device_names.index(name)] == HUB
        for name in names
        if name in network.device_names
    )


def slot_mbps(pci: Pci) -> float:
    """Return the rate of a slot, in Mb/s after the line code; 0 if it is not known.

    Lanes up to 5 GT/s send 10 bits per byte; those up to 32 GT/s 130 bits per 16 bytes, and 64 GT/s
    units of 256 bytes of which 242 carry data [PCIE-6].

    Examples
    --------
    >>> slot_mbps(Pci("0000:01:00.0", width=4, rate_gts=5.0))
    16000.0
    """
    if not pci.width or not pci.rate_gts:
        return 0.0
    share = 0.8 if pci.rate_gts <= 5 else 128 / 130 if pci.rate_gts <= 32 else 242 / 256
    return 1000 * pci.width * pci.rate_gts * share


def _slot(pci: Pci) -> str:
    return f"{pci.width} lanes at {pci.rate_gts:g} GT/s"


def _remedy_of_slot(pci: Pci) -> str:
    if (pci.width or 0) < (pci.most_width or 0):
        return f"move the NIC into a slot with {pci.most_width} lanes, or seat it again"
    if (pci.rate_gts or 0) < (pci.most_rate_gts or 0):
        return f"let the slot run at {pci.most_rate_gts:g} GT/s in the firmware's setup"
    return "choose a NIC with more lanes, or plan with the rate of the slot"


def _mtu(node: MatchedNode, one: InterfacePlan, found: Interface) -> Iterator[Deviation]:
    if found.mtu is not None and found.mtu != one.mtu:
        effect = "larger packets of others are lost" if found.mtu < one.mtu else (
            "its larger packets are lost where others keep to the plan"
        )  # fmt: skip
        yield Deviation(
            kind="wrong-mtu",
            node=node.name,
            nic=one.name,
            planned=str(one.mtu),
            found=str(found.mtu),
            reason=f"{node.name}:{one.name} has an MTU of {found.mtu} instead of "
            f"{one.mtu}: {effect}",
            fix=f"set the MTU of {one.name} to {one.mtu}",
        )
