"""The hosts of a network: a calibration with the constants of the NICs that the network has.

The engines know one kind of host. Where nodes have NICs of several classes, all hosts have the
constants of the class with the most ports, and a remark says so.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright import calibrations, choices
from linkwright.calibrations import Calibration, nics
from linkwright.design.parts import NicPart, NodePart
from linkwright.errors import expect_kind
from linkwright.network import Network
from linkwright.nodes.routes import relays_of

__all__ = ["doubts", "hosts_of", "nic_classes", "uses_rdma"]


def hosts_of(network: Network, calibration: str | Calibration | None = None) -> Calibration:
    """Return the hosts of a network.

    Parameters
    ----------
    network : Network
        The compiled network, whose NICs name their class.
    calibration : str or Calibration, optional
        Hosts: a name, a TOML file, or constants. Default: those of the catalogue.

    Raises
    ------
    DesignError
        If there is no such calibration.
    UsageError
        If it is neither a name nor constants.
    """
    given = network.calibration if calibration is None else calibration
    hosts = calibrations.load(given) if isinstance(given, str) else given
    expect_kind("calibration", hosts, Calibration)
    reason = "the catalogue names it" if hosts.name == network.calibration else "it was asked for"
    choices.note("%s: calibration %s, %s", network.name, hosts.name, reason)
    named = [name for name in nic_classes(network) if name]
    if not hosts.nics or not named:
        return hosts
    forwards = bool(relays_of(network, with_fallback=network.fallback).any())
    return hosts.with_nic(nics.load(named[0]), forwards=forwards)


def nic_classes(network: Network) -> dict[str, int]:
    """Return the number of cabled ports by class of NIC, most first; "" for NICs without one."""
    found: dict[str, int] = {}
    for role, ports in network.wiring.nic_ports.items():
        part = network.parts[role]
        if isinstance(part, NicPart):
            found[part.nic_class] = found.get(part.nic_class, 0) + int(ports.sum())
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def uses_rdma(network: Network) -> bool:
    """Return whether programs would use RDMA or a GPU's own library between nodes."""
    has_gpu = any(isinstance(part, NodePart) and part.gpu for part in network.parts.values())
    return has_gpu or any(nics.load(name).rdma for name in nic_classes(network) if name)


def doubts(network: Network, hosts: Calibration) -> Iterator[str]:
    """Yield doubts about the constants of the NICs and of the kernels."""
    if not hosts.nics:
        return
    classes = nic_classes(network)
    for name in classes:
        if name and nics.load(name).doubt:
            yield nics.load(name).doubt
    if "" in classes:
        yield (
            "NICs of the design name no class: their latency is not known, the constants are those "
            f"of {_source(classes, hosts)}"
        )
    if len(classes) > 1:
        ports = ", ".join(f"{name or 'none'} ({n} ports)" for name, n in classes.items())
        yield (
            f"NICs of several classes, and one kind of host is modelled: {ports}; all hosts have "
            f"the constants of {_source(classes, hosts)}"
        )
    yield from _foreign_kernels(network, hosts)


def _source(classes: dict[str, int], hosts: Calibration) -> str:
    """Return the origin of the constants of all NICs, in words."""
    return next((f"the class {name}" for name in classes if name), f"calibration {hosts.name}")


def _foreign_kernels(network: Network, hosts: Calibration) -> Iterator[str]:
    """Yield the nodes whose kernel is another than that of the hosts."""
    for part in network.parts.values():
        if isinstance(part, NodePart) and part.system == "macos":
            yield (
                f"nodes '{part.key}' run macOS, whose constants are not known: those of Linux are "
                f"used ({hosts.name}), about 300 us for TCP over Thunderbolt are reported "
                "[THUNDERBOLT-RDMA]"
            )
