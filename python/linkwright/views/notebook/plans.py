"""Networks, and the answers that need no run, in a notebook.

Those are cost, findings, figures for comparisons, and the cost of failures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from linkwright.design.topologies.topology import sides_text
from linkwright.views.drawing import draw
from linkwright.views.fitting_table import FittingTable, Heading
from linkwright.views.inventory import inventory
from linkwright.views.notebook.fragment import fragment
from linkwright.views.quantities import quantity, rounded, shares, span
from linkwright.views.rerouting import rerouting_table
from linkwright.views.tables import findings_table

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan import Cost, FailureProof, Properties
    from linkwright.plan.cost import CostLine
    from linkwright.plan.finding import Findings
    from linkwright.plan.properties import BestWorst

__all__ = ["MOST_DRAWN_NODES", "cost", "failure_proof", "findings", "network", "properties"]

MOST_DRAWN_NODES = 256
"""Largest network that a notebook draws: 100 kB, which the file of the notebook keeps."""


def network(found: Network) -> str:
    """Return a network: facts and drawing."""
    fallback = ""
    if found.fallback:
        fallback = " with fallback routes" + " by incoming interface" * found.by_interface
    facts = [
        ("topology", f"{found.kind} {sides_text(found.sides)}".strip()),
        ("built of", inventory(found)),
        ("parts", ", ".join(dict.fromkeys(part.key for part in found.parts.values()))),
        ("addressing", found.addressing),
        ("routing", found.routing + fallback),
        ("longest packet", f"{found.mtu:,} B"),
        ("hosts", found.calibration),
        ("without", ", ".join(found.without)),
    ]
    if found.n_nodes > MOST_DRAWN_NODES:
        note = f"Drawings in a notebook have {MOST_DRAWN_NODES} nodes at most."
        return fragment("Network", found.name, facts, Text(note))
    return fragment("Network", found.name, facts, drawing=draw(found))


def findings(found: Findings) -> str:
    """Return findings as a table."""
    return fragment("Findings", found.summary, (), findings_table(found))


def cost(found: Cost) -> str:
    """Return a cost: what is bought, and the price by the ports in use."""
    per_node = found.units_bought_per_node, found.ports_used_per_node
    facts = [
        ("units bought", f"{rounded(per_node[0])} {found.currency} per node"),
        ("ports used", f"{rounded(per_node[1])} {found.currency} per node"),
    ]
    headings = [Heading("units bought"), Heading("part"), Heading("name")]
    headings += [Heading(one, "right") for one in ("quantity", "unit price", "total")]
    table = FittingTable(headings, [_line(one) for one in found.units_bought])
    return fragment("Cost", f"of {found.n_compute} nodes", facts, table)


def _line(one: CostLine) -> list[str]:
    prices = [f"{value:,.2f} {one.currency}" for value in (one.unit_price, one.total)]
    return [one.item, one.part, one.name, rounded(one.quantity), *prices]


def properties(found: Properties) -> str:
    """Return the figures of a network as a table."""
    is_bounded, exact = found.max_nodes is not None, found.bisection.is_exact
    of = found.cost
    figures = {
        "cost, ports used": f"{rounded(of.ports_used_per_node)} {of.currency} per node",
        "cost, units bought": f"{rounded(of.units_bought_per_node)} {of.currency} per node",
        "largest network": f"{found.max_nodes:,} nodes" if is_bounded else "without a bound",
        "latency, best and worst pair": _ends(found.latency_s, 1e6, "µs"),
        "bandwidth, best and worst pair": _ends(found.bandwidth_Bps, 1e-6, "MB/s"),
        "bisection per node" if exact else "bisection per node, at most": quantity(
            found.bisection.per_node_Bps, "B/s"
        ),
        "forwards, mean": f"{found.paths.forwards_mean:.2f}",
        "forwards, worst": str(found.paths.forwards_worst),
        "balance of forwarding": rounded(found.balance),
        "single failures: heal by themselves / need new tables / cut nodes off": (
            f"{shares(found.outcomes.shares)} %"
        ),
    }
    table = FittingTable([Heading("figure"), Heading("value", "right")], list(figures.items()))
    return fragment("Properties", f"of {found.n_compute:,} nodes", (), table)


def _ends(found: BestWorst, factor: float, unit: str) -> str:
    """Return the values of the best and the worst pair in a display unit."""
    ends = [None if end is None else end * factor for end in (found.best, found.worst)]
    return span(*ends) + (f" {unit}" if ends[0] is not None else "")


def failure_proof(found: FailureProof) -> str:
    """Return the cost of failures as tables."""
    return fragment("FailureProof", found.summary, (), rerouting_table(found))
