"""The facts of machines as a table for people, a row per machine, and their interfaces as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.table import Table

from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from linkwright.facts import ClusterFacts, MachineFacts

__all__ = ["facts_csv", "facts_table"]

COLUMNS = ("name", "mac", "mtu", "is_up", "has_carrier", "master", "kind", "speed_mbps", "pci")


def facts_table(facts: ClusterFacts) -> Table:
    """Return a table of the machines: who they are, their ports, and what is missing."""
    table = Table(title=f"Machines on {facts.when}")
    for heading in ("machine", "host name", "kernel", "managers", "ports", "with carrier", "notes"):
        table.add_column(heading, overflow="fold")
    for machine in facts.machines:
        table.add_row(*_cells(machine))
    return table


def facts_csv(facts: ClusterFacts) -> str:
    """Return the interfaces of all machines as CSV."""
    rows = (
        [machine.name, *(link.get(column) for column in COLUMNS)]
        for machine in facts.machines
        for link in machine.facts.get("links") or []
    )
    return csv_text(["machine", *COLUMNS], rows)


def _cells(machine: MachineFacts) -> tuple[str, ...]:
    if machine.failure is not None:
        return (machine.name, "", "", "", "", "", machine.failure)
    system: Mapping[str, Any] = machine.facts.get("system") or {}
    ports = [one for one in machine.facts.get("links") or [] if one.get("name") != "lo"]
    n_up = sum(bool(one.get("has_carrier")) for one in ports)
    names = ", ".join(str(one.get("name")) for one in ports)
    managers = ", ".join(map(str, system.get("managers") or ())) or "none"
    who = (str(system.get("hostname") or ""), str(system.get("kernel") or ""), managers)
    return (machine.name, *who, names, f"{n_up} of {len(ports)}", "; ".join(machine.notes))
