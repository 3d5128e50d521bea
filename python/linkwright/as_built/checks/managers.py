"""Managers of the network: addresses that no file keeps, and two managers for one interface.

Facts have the states of the managers' services and the paths of their files. Machines whose states
are not known, such as those without systemd, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched, MatchedNode
from linkwright.as_built.planned import Planned
from linkwright.facts import Managers

__all__ = ["check_managers"]

FOLDERS: Mapping[str, tuple[str, ...]] = {
    "networkd": ("/etc/systemd/network/", "/run/systemd/network/", "/etc/netplan/"),
    "networkmanager": ("/etc/NetworkManager/", "/etc/netplan/"),
    "ifupdown2": ("/etc/network/",),
}
"""Places of the files that each manager reads."""
TITLES = {"networkd": "networkd", "networkmanager": "NetworkManager", "ifupdown2": "ifupdown2"}
TAKES_ALL = "networkmanager"
"""Manager that sets up every interface which no file keeps from it."""


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
    if any(_files_of(node.facts.managers, name) for name in active):
        return
    titles = " and ".join(TITLES[name] for name in active)
    why = f"{titles} has no file" if active else "no manager of the network is active"
    for one in node.plan.interfaces:
        found = node.interfaces.get(one.name)
        kept = [address for address in one.addresses if found and address in found.addresses]
        if kept:
            yield Deviation(
                kind="unkept-address",
                node=node.name,
                nic=one.name,
                planned=", ".join(kept),
                found="in no file",
                reason=f"the next boot of {node.name} loses {', '.join(kept)} of {one.name}: {why}",
                fix="load files of the plan: linkwright plan --for networkd (or netplan, "
                "ifupdown2, networkmanager)",
            )


def _fighting(node: MatchedNode, active: list[str]) -> Iterator[Deviation]:
    managers = node.facts.managers
    claiming = [name for name in active if name == TAKES_ALL or _files_of(managers, name)]
    if len(claiming) < 2:
        return
    titles = " and ".join(TITLES[name] for name in claiming)
    ports = ", ".join(one.name for one in node.plan.ports)
    yield Deviation(
        kind="fighting-managers",
        node=node.name,
        planned="one manager of the network",
        found=titles,
        reason=f"{titles} are both active on {node.name}, and each may set up {ports}",
        fix="switch one of them off, or tell NetworkManager to leave these ports alone "
        "(unmanaged-devices)",
    )
