"""Figures of a design that need no run: its cost, parts and paths, as rows beside those of a run.

They are those of the plan (`plan/facts.py`). Nothing is counted that no study asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from linkwright.errors import CapabilityError
from linkwright.network import Network
from linkwright.plan import Cost, CostLine, Facts, why_not_proved
from linkwright.plan.cost import n_nics
from linkwright.results import Result, Row
from linkwright.study.study_file import PlanFigure

__all__ = ["FIGURES", "DesignFigure", "design_figures", "with_figures"]


@dataclass(frozen=True)
class DesignFigure:
    """A figure of a design.

    Attributes
    ----------
    value : float
        In base units.
    unit : str
        The currency of a cost; 1 for a count or a share.
    parameters : mapping
        The dates and the reliability of prices, or the method, as JSON values.
    """

    value: float
    unit: str = "1"
    parameters: Mapping[str, Any] = field(default_factory=dict)


def design_figures(
    whole: Network, left: Network, names: Sequence[PlanFigure]
) -> dict[PlanFigure, DesignFigure]:
    """Return some figures of a design, by name.

    Parameters
    ----------
    whole : Network
        The network with all its parts, which gives cost, NICs, cables, hubs and switches.
    left : Network
        The same network without its failed parts, which gives the paths; `whole` if none failed.
    names : sequence of str
        Names of `FIGURES`.

    Raises
    ------
    PlanError
        If a cost is asked for and the network cannot be priced.
    CapabilityError
        If `heals` is asked for and the network is too large for the proof.
    """
    facts = Facts(whole)
    if left.without:
        facts = Facts(left, whole=facts)
    return {name: FIGURES[name](facts) for name in names}


def with_figures(result: Result, figures: Mapping[PlanFigure, DesignFigure]) -> Result:
    """Return the rows of a run, and the figures of its design as further rows of the run."""
    if not figures or not len(result):
        return result
    run = {name: column[0] for name, column in result.columns.items()} | {"origin": "predicted"}
    rows = (Row(**{**run, "metric": name, **vars(one)}) for name, one in figures.items())
    return Result.concatenate([result, Result.from_rows(rows)])


def _cost(lines: Callable[[Cost], Sequence[CostLine]], per_node: Callable[[Cost], float]) -> _Made:
    def made(facts: Facts) -> DesignFigure:
        cost = facts.cost
        prices = {
            "price_dates": sorted({line.price_date.isoformat() for line in lines(cost)}),
            "price_confidence": sorted({line.confidence for line in lines(cost)}),
        }
        return DesignFigure(per_node(cost), cost.currency, prices)

    return made


def _count(number: Callable[[Facts], float]) -> _Made:
    return lambda facts: DesignFigure(float(number(facts)))


def _units(kind: str) -> _Made:
    return _count(lambda facts: sum(unit.kind == kind for unit in facts.owned.racked.units))


def _n_cables(facts: Facts) -> int:
    wiring = facts.owned.network.wiring
    return len(wiring.cable_a) + wiring.n_stack_cables


def _bisection(facts: Facts) -> DesignFigure:
    found = facts.bisection
    how = {"exact": found.is_exact, "method": found.method}
    return DesignFigure(found.per_node_Bps, "B/s", how)


def _heals(facts: Facts) -> DesignFigure:
    heals = facts.outcomes.heals
    if heals is None:
        why = (
            why_not_proved(facts.network)
            or "its pairs are too many to be followed after every failure"
        )
        raise CapabilityError(
            f"'{facts.network.name}' has no figure 'heals': {why}", "ask for 'survives' alone"
        )
    return DesignFigure(heals)


_Made = Callable[[Facts], DesignFigure]

FIGURES: Mapping[PlanFigure, _Made] = {
    "cost_per_node_units_bought": _cost(
        lambda cost: cost.units_bought, lambda cost: cost.units_bought_per_node
    ),
    "cost_per_node_ports_used": _cost(
        lambda cost: cost.ports_used, lambda cost: cost.ports_used_per_node
    ),
    "nics": _count(lambda facts: n_nics(facts.owned.network)),
    "cables": _count(_n_cables),
    "hubs": _units("hub"),
    "switches": _units("switch"),
    "forwards_mean": _count(lambda facts: facts.paths.forwards_mean),
    "forwards_worst": _count(lambda facts: facts.paths.forwards_worst),
    "bisection_per_node": _bisection,
    "heals": _heals,
    "survives": _count(lambda facts: facts.connectivity.fraction),
}
"""Every figure by name."""

assert tuple(FIGURES) == get_args(PlanFigure)
