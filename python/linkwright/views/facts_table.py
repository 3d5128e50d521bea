"""The facts of machines as a table for people, a row per machine, and their interfaces as CSV.

Texts of machines are never markup.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.text.csv_text import csv_text
from linkwright.views.fitting_table import Cell, FittingTable, Heading

if TYPE_CHECKING:
    from linkwright.facts import ClusterFacts, MachineFacts, Managers

__all__ = ["facts_csv", "facts_table"]

COLUMNS = (
    "name", "mac", "mtu", "is_up", "carrier", "master", "kind", "speed_mbps", "driver",
)  # fmt: skip
HEADINGS = ("machine", "host name", "kernel", "managers", "ports", "with carrier", "missing")


def facts_table(facts: ClusterFacts) -> RenderableType:
    """Return a table of the machines: their names, ports and managers, and what is missing."""
    headings = [Heading(name, wraps=name in ("ports", "missing")) for name in HEADINGS]
    rows: list[list[Cell]] = [list(_cells(machine)) for machine in facts.machines]
    return Group(Text(f"Machines on {facts.when}"), FittingTable(headings, rows))


def facts_csv(facts: ClusterFacts) -> str:
    """Return the interfaces of all machines as CSV."""
    rows = (
        [machine.name, *(getattr(one, column) for column in COLUMNS), " ".join(one.addresses)]
        for machine in facts.machines
        for one in machine.interfaces
    )
    return csv_text(["machine", *COLUMNS, "addresses"], rows)


def _cells(machine: MachineFacts) -> tuple[str, ...]:
    if machine.failure is not None:
        return (machine.name, "", "", "", "", "", machine.failure)
    ports = [one for one in machine.interfaces if one.kind != "loopback"]
    n_up = sum(bool(one.carrier) for one in ports)
    needs = (f" ({one.needs})" if one.needs else "" for one in machine.missing)
    missing = (f"{one.reason}{need}" for one, need in zip(machine.missing, needs, strict=True))
    return (
        machine.name,
        machine.hostname or "",
        machine.kernel or "",
        _managers(machine.managers),
        ", ".join(one.name for one in ports),
        f"{n_up} of {len(ports)}",
        "; ".join(missing),
    )


def _managers(managers: Managers) -> str:
    """Return the managers that run, and netplan where it has files."""
    states = {
        "networkd": managers.networkd,
        "networkmanager": managers.networkmanager,
        "ifupdown2": managers.ifupdown2,
    }
    names = [name for name, state in states.items() if state == "active"]
    names += ["netplan"] if any("/netplan/" in path for path in managers.files) else []
    return ", ".join(names) or "none"
