"""Faults planted into facts of a ring of six machines: each with the finding that must name it.

No two faults change the same value, so that any two can be planted together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.as_built.rendered import Rendered

__all__ = ["DESIGN", "FAULTS", "Fault"]

DESIGN = """
name: six
topology: {kind: ring, shape: [6]}
parts: {catalogue: ethernet-2026, node: mini-pc, nic: usb4, cable: usb4-cable}
addressing: {scheme: per-link, ipv4: 10.99.0.0/24}
routing: {fallback: by-interface}
"""


@dataclass(frozen=True)
class Fault:
    """A fault: the change that plants it, and kind, node and interface of its finding."""

    plant: Callable[[Rendered], None]
    kind: str
    node: str
    nic: str | None = None


def _ends(facts: Rendered, a: int, b: int) -> list[list[list[str]]]:
    return [facts.given["cables"][a]["ends"], facts.given["cables"][b]["ends"]]


def _swap(facts: Rendered) -> None:
    first, second = _ends(facts, 0, 1)
    first[1], second[1] = second[1], first[1]


def _unplug(facts: Rendered) -> None:
    """Take out the cable between n2 and n3."""
    facts.given["cables"] = [
        one for one in facts.given["cables"] if sorted(e[0] for e in one["ends"]) != ["n2", "n3"]
    ]
    facts.interface("n2", "eth0")["carrier"] = False
    facts.interface("n3", "eth1")["carrier"] = False


def _add_cable(facts: Rendered) -> None:
    for name in ("n0", "n3"):
        facts.machine(name)["interfaces"].append(
            {"name": "eth7", "mac": f"02:07:00:00:00:0{name[1]}", "is_up": True, "carrier": True}
        )
    ends = [["n0", "eth7"], ["n3", "eth7"]]
    facts.given["cables"].append({"ends": ends, "evidence": "probe", "certainty": "sure"})


def _other_port(facts: Rendered) -> None:
    facts.machine("n4")["interfaces"].append(
        {"name": "eth6", "mac": "02:06:00:00:00:04", "is_up": True, "carrier": True}
    )
    for cable in facts.given["cables"]:
        cable["ends"] = [["n4", "eth6"] if one == ["n4", "eth0"] else one for one in cable["ends"]]
    facts.interface("n4", "eth0")["carrier"] = False


def _set(node: str, nic: str, **values: Any) -> Callable[[Rendered], None]:
    return lambda facts: facts.interface(node, nic).update(values)


def _usb4(facts: Rendered) -> None:
    link = {"path": "0-1", "interface": "eth1", "rx_gbps": 20, "tx_gbps": 20}
    facts.machine("n2")["usb4"] = [link]


def _narrow(facts: Rendered) -> None:
    facts.interface("n3", "eth0")["pci"].update(width=1, rate_gts=8)


def _address(facts: Rendered) -> None:
    own = facts.interface("n1", "eth0")
    own["addresses"] = ["10.99.0.77/31"]


def _main_route(facts: Rendered, node: str) -> dict[str, Any]:
    return next(
        one
        for one in facts.machine(node)["routes"]
        if one.get("table") == "main" and "gateway" in one
    )


def _remove_route(facts: Rendered) -> None:
    facts.machine("n2")["routes"].remove(_main_route(facts, "n2"))


def _other_way(facts: Rendered) -> None:
    route = _main_route(facts, "n3")
    other = next(
        one
        for one in facts.machine("n3")["routes"]
        if one.get("gateway") and one["dev"] not in (route["dev"], "mgmt0")
    )
    route.update(gateway=other["gateway"], dev=other["dev"])


def _metric(facts: Rendered) -> None:
    _main_route(facts, "n4")["metric"] = 77


def _source(facts: Rendered) -> None:
    del _main_route(facts, "n1")["prefsrc"]


def _more_addresses(facts: Rendered) -> None:
    facts.interface("n3", "eth1")["addresses"].append("10.55.0.1/24")


def _stale_route(facts: Rendered) -> None:
    route = {"dst": "10.99.0.131", "gateway": "192.168.77.9", "dev": "mgmt0", "table": "main"}
    facts.machine("n5")["routes"].append(route)


def _remove_rule(facts: Rendered) -> None:
    rules = facts.machine("n0")["rules"]
    rules.remove(next(one for one in rules if one["table"] == "1000"))


def _stale_rule(facts: Rendered) -> None:
    rule = {"priority": 500, "src": "10.99.0.0", "srclen": 24, "table": "250", "family": 4}
    facts.machine("n1")["rules"].append(rule)


def _sysctl(node: str, key: str, value: str) -> Callable[[Rendered], None]:
    return lambda facts: facts.machine(node)["sysctls"].update({key: value})


def _of(node: str, key: str, value: Any) -> Callable[[Rendered], None]:
    return lambda facts: facts.machine(node).update({key: value})


def _twins(facts: Rendered) -> None:
    facts.interface("n4", "mgmt0")["addresses"].append("10.99.0.9/24")
    facts.interface("n4", "eth1")["addresses"].append("10.99.0.10/24")


def _dhcp(facts: Rendered) -> None:
    own = facts.interface("n5", "eth0")
    own["addresses"] += ["10.7.0.5/24"]
    own["dynamic_addresses"] = ["10.7.0.5/24"]


def _bridge(facts: Rendered) -> None:
    facts.machine("n2")["interfaces"].append({"name": "vmbr1", "kind": "bridge", "is_up": True})
    facts.interface("n2", "eth0")["master"] = "vmbr1"


def _bridges(facts: Rendered) -> None:
    for machine in facts.given["machines"]:
        machine["interfaces"].append({"name": "br0", "kind": "bridge", "is_up": True})
        for one in machine["interfaces"]:
            if one["name"] in ("eth0", "eth1"):
                one["master"] = "br0"


def _environment(node: str, name: str, value: str) -> Callable[[Rendered], None]:
    def plant(facts: Rendered) -> None:
        facts.machine(node)["settings"]["environment"][name] = value

    return plant


def _file(node: str, path: str, text: str) -> Callable[[Rendered], None]:
    def plant(facts: Rendered) -> None:
        facts.machine(node)["settings"]["files"][path] = text

    return plant


def _name(facts: Rendered) -> None:
    facts.machine("n4")["names"]["n5"] = ["192.168.77.6"]


def _same_address(facts: Rendered) -> None:
    facts.interface("n2", "mgmt0")["addresses"].append("10.99.0.130/32")


def _strict_for_all(facts: Rendered) -> None:
    sysctls = facts.machine("n5")["sysctls"]
    sysctls |= {f"net.ipv4.conf.{one}.rp_filter": "0" for one in ("eth0", "eth1")}
    sysctls["net.ipv4.conf.all.rp_filter"] = "1"


OFFLOADS = {"tso": True, "gso": True, "gro": True, "lro": False}
LARGE = {"tso": False, "gso": True, "gro": True, "lro": True}
BOTH = {"networkd": "active", "networkmanager": "active", "files": ["/etc/systemd/network/a"]}
FAULTS: Mapping[str, Fault] = {
    "swapped cables": Fault(_swap, "swapped-cable", "n1", "eth0"),
    "missing cable": Fault(_unplug, "missing-cable", "n2", "eth0"),
    "extra cable": Fault(_add_cable, "extra-cable", "n0", "eth7"),
    "wrong port": Fault(_other_port, "wrong-port", "n4", "eth0"),
    "half speed": Fault(_set("n0", "eth1", speed_mbps=13_000), "slow-cable", "n0", "eth1"),
    "20 of 40 Gb/s": Fault(_usb4, "slow-cable", "n2", "eth1"),
    "narrow slot": Fault(_narrow, "slow-slot", "n3", "eth0"),
    "half duplex": Fault(_set("n4", "eth1", duplex="half"), "half-duplex", "n4", "eth1"),
    "interface down": Fault(
        _set("n5", "eth1", is_up=False, carrier=None), "interface-down", "n5", "eth1"
    ),
    "MTU": Fault(_set("n0", "eth0", mtu=1400), "wrong-mtu", "n0", "eth0"),
    "wrong address": Fault(_address, "missing-address", "n1", "eth0"),
    "another address": Fault(_more_addresses, "extra-address", "n3", "eth1"),
    "the same address": Fault(_same_address, "duplicate-address", "n2", "mgmt0"),
    "no route": Fault(_remove_route, "missing-route", "n2"),
    "other way": Fault(_other_way, "wrong-route", "n3"),
    "source": Fault(_source, "wrong-source", "n1"),
    "metric": Fault(_metric, "wrong-metric", "n4"),
    "stale route": Fault(_stale_route, "stale-route", "n5", "mgmt0"),
    "no rule": Fault(_remove_rule, "missing-rule", "n0", "eth0"),
    "stale rule": Fault(_stale_rule, "stale-rule", "n1"),
    "no forwarding": Fault(_sysctl("n2", "net.ipv4.ip_forward", "0"), "wrong-sysctl", "n2"),
    "port does not forward": Fault(
        _sysctl("n3", "net.ipv4.conf.eth0.forwarding", "0"), "wrong-sysctl", "n3", "eth0"
    ),
    "strict filter": Fault(
        _sysctl("n4", "net.ipv4.conf.eth1.rp_filter", "1"), "wrong-sysctl", "n4", "eth1"
    ),
    "strict filter of all": Fault(_strict_for_all, "wrong-sysctl", "n5", "eth0"),
    "old kernel": Fault(_of("n0", "kernel", "3.10.0-1160.el7"), "old-kernel", "n0"),
    "FORWARD DROP": Fault(
        _of("n1", "firewall", {"forward_policy": "DROP", "has_docker": True}),
        "dropped-forwards",
        "n1",
    ),
    "TSO": Fault(_set("n2", "eth0", offloads=OFFLOADS), "segment-offload", "n2", "eth0"),
    "LRO": Fault(_set("n3", "eth1", offloads=LARGE), "segment-offload", "n3", "eth1"),
    "twins": Fault(_twins, "shared-subnet", "n4", "eth1"),
    "DHCP": Fault(_dhcp, "dhcp-address", "n5", "eth0"),
    "kept nowhere": Fault(
        _of("n0", "managers", {"networkd": "active", "files": []}), "unkept-address", "n0", "eth0"
    ),
    "two managers": Fault(_of("n1", "managers", BOTH), "fighting-managers", "n1"),
    "a bridge": Fault(_bridge, "bridged-port", "n2", "eth0"),
    "bridges": Fault(_bridges, "bridge-loop", "n5"),
    "name": Fault(_name, "wrong-name", "n4"),
    "NCCL": Fault(_environment("n0", "NCCL_SOCKET_IFNAME", "mgmt"), "wrong-setting", "n0"),
    "UCX": Fault(_environment("n1", "UCX_NET_DEVICES", "eth0,eth9"), "wrong-setting", "n1"),
    "Open MPI": Fault(
        _environment("n2", "OMPI_MCA_btl_tcp_if_include", "192.168.77.0/24"), "wrong-setting", "n2"
    ),
    "Gloo": Fault(
        _file("n3", "/etc/job.env", 'export GLOO_SOCKET_IFNAME="mgmt0"\n'), "wrong-setting", "n3"
    ),
    "host file": Fault(
        _file("n4", "/srv/hostfile", "n0 slots=1\n192.168.77.3 slots=1\n"), "wrong-setting", "n4"
    ),
}
