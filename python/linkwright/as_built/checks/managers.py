"""Managers of the network: addresses that no file keeps, and two managers for one interface.

Facts have the states of the managers' services, the paths of their files and the addresses in them.
Machines whose states are not known, such as those without systemd, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from linkwright.as_built.checks.addresses import interface_of
from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import Planned
from linkwright.facts import Managers

__all__ = ["check_managers"]

FOLDERS: Mapping[str, tuple[str, ...]] = {
    "networkd": ("/etc/systemd/network/", "/run/systemd/network/", "/etc/netplan/"),
    "networkmanager": ("/etc/NetworkManager/", "/etc/netplan/"),
    "ifupdown2": ("/etc/network/",),
    "dhcpcd": ("/etc/dhcpcd.conf",),
    "connman": ("/var/lib/connman/",),
}
"""Places of the files that each manager reads."""
SCRIPT = "/etc/linkwright/up.sh"
"""Script that a unit of `linkwright apply --via ip` starts at each boot."""
TITLES = {"networkmanager": "NetworkManager"}
TAKES_ALL = ("networkmanager", "dhcpcd", "connman")
"""Managers that set up every interface which no file keeps from them."""


def check_managers(planned: Planned, machines: Matched) -> Iterator[Deviation]:
    """Yield the findings about managers."""
    del planned
    for node in machines.nodes.values():
        states = _states(node.facts.managers)
        if any(state is not None for state in states.values()):
            active = [name for name, state in states.items() if state == "active"]
            yield from _unkept(node, active)
            yield from _fighting(node, active)


def _states(managers: Managers) -> dict[str, str | None]:
    return {name: getattr(managers, name) for name in FOLDERS}


def _files_of(managers: Managers, name: str) -> list[str]:
    return [path for path in managers.files if path.startswith(FOLDERS[name])]


def _unkept(node: MatchedNode, active: list[str]) -> Iterator[Deviation]:
    for one in node.plan.interfaces:
        found = node.interfaces.get(one.name)
        there = [address for address in one.addresses if found and address in found.addresses]
        lost = [address for address in there if not _is_kept(node.facts.managers, active, address)]
        if lost:
            yield Deviation(
                kind="unkept-address",
                node=node.name,
                nic=one.name,
                planned=", ".join(lost),
                found="in no file",
                reason=f"the next boot of {node.name} loses {', '.join(lost)} of {one.name}: "
                f"{_why_lost(active)}",
                fix="apply the plan: linkwright apply DESIGN --hosts HOSTS, or load files of "
                "linkwright plan --for networkd (or netplan, ifupdown2, networkmanager)",
            )


def _is_kept(managers: Managers, active: list[str], address: str) -> bool:
    """Return whether a file of an active manager, or the script of each boot, has an address.

    Facts that do not say which addresses the files have are believed to have all of them.
    """
    has_script = SCRIPT in managers.files
    if not has_script and not any(_files_of(managers, name) for name in active):
        return False
    if not managers.configured_addresses and not managers.interfaces:
        return True
    wanted = interface_of(address)
    return any(interface_of(one) == wanted for one in managers.configured_addresses)


def _why_lost(active: list[str]) -> str:
    if not active:
        return "no manager of the network is active"
    return f"{_titled(active)} has it in no file"


def _fighting(node: MatchedNode, active: list[str]) -> Iterator[Deviation]:
    managers = node.facts.managers
    if managers.interfaces:
        of_ports = {
            one.name: list(managers.interfaces.get(found.name, ())) for one, found in node.ports
        }
    else:
        claiming = [name for name in active if name in TAKES_ALL or _files_of(managers, name)]
        of_ports = {one.name: claiming for one, _ in node.ports}
    fighting = {port: names for port, names in of_ports.items() if len(names) > 1}
    if not fighting:
        return
    titles = _titled(next(iter(fighting.values())))
    yield Deviation(
        kind="fighting-managers",
        node=node.name,
        nic=next(iter(fighting)),
        planned="one manager of the network",
        found=titles,
        reason=f"{titles} are both active on {node.name}, and each sets up {', '.join(fighting)}",
        fix="switch one of them off, or keep it from these ports (NetworkManager: "
        "unmanaged-devices)",
    )


def _titled(names: Sequence[str]) -> str:
    return " and ".join(TITLES.get(name, name) for name in names)
