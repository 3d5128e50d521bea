"""Designs and the constants of hosts, in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from linkwright.design.topologies.topology import sides_text
from linkwright.views.fitting_table import FittingTable, Heading
from linkwright.views.notebook.fragment import fragment

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.design.cluster import Cluster

__all__ = ["calibration", "cluster"]


def cluster(found: Cluster) -> str:
    """Return a design: its sections as facts."""
    shape, fallback = sides_text(found.topology.sides), found.routing.fallback
    facts = [
        ("topology", f"{found.topology.kind} {shape}".strip()),
        ("nodes", f"{found.topology.n_nodes:,}" + (" and a front end" * found.front_end)),
        ("parts", found.parts.catalogue),
        ("addressing", found.addressing_scheme),
        ("prefixes", ", ".join(map(str, found.addressing.bases))),
        ("routing", found.routing_scheme + (" with fallback routes" if fallback else "")),
        ("hosts", found.calibration),
    ]
    return fragment("Cluster", found.name, facts, Text("compile() builds its network."))


def calibration(found: Calibration) -> str:
    """Return a calibration: every constant with its origin."""
    facts = [("title", found.title), ("stack", found.stack)]
    headings = [Heading("constant"), Heading("value", "right"), Heading("origin", wraps=True)]
    rows = [[name, _value(one), str(one["origin"])] for name, one in found.published().items()]
    table = FittingTable(headings, rows)
    return fragment("Calibration", found.name, facts, table, whole="published()")


def _value(constant: Mapping[str, Any]) -> str:
    """Return the number of a constant; a cost has a part per byte, in microseconds too."""
    if "us" not in constant:
        return ", ".join(f"{cell}" for name, cell in constant.items() if name != "origin")
    per_byte = constant["us_per_byte"]
    return f"{constant['us']:g} µs" + (f" + {per_byte:g} µs per byte" if per_byte else "")
