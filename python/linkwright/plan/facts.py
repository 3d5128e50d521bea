"""Facts of one network, each computed once, for the plan folder, the summary, the checks, the
comparison and the commands.

Facts are computed on demand. For a network that lost parts, the devices, cables, addresses and
parts to buy are those of the whole network; the routes and the figures are those of the surviving
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from linkwright.files import Pieces
from linkwright.network import Network
from linkwright.nodes.marks import marks_of
from linkwright.plan.cabling import CABLE_COLUMNS, DEVICE_COLUMNS, cable_rows, device_rows
from linkwright.plan.cost import Cost, cost_of
from linkwright.plan.difference import Difference, difference
from linkwright.plan.forwarding import ForwardingLoad, forwarding_load
from linkwright.plan.marks import MARK_COLUMNS, mark_rows
from linkwright.plan.outcomes import Outcomes, outcomes
from linkwright.plan.path_model import PathModel
from linkwright.plan.paths import PathCounts, count_paths
from linkwright.plan.properties import (
    BestWorst,
    BisectionFigure,
    Properties,
    bandwidth,
    bisection,
    latency,
)
from linkwright.plan.resilience import Connectivity, connectivity
from linkwright.plan.routes import count_routes, has_rules, routes_text
from linkwright.plan.sysctls import SYSCTL_COLUMNS, sysctl_rows
from linkwright.plan.tables import (
    BOM_COLUMNS,
    BOND_COLUMNS,
    HOST_COLUMNS,
    INTERFACE_COLUMNS,
    RULE_COLUMNS,
    bom_rows,
    bond_rows,
    host_rows,
    interface_rows,
    rule_rows,
)
from linkwright.plan.typed_parts import nic_rates_bps
from linkwright.plan.units import RackedUnits
from linkwright.text.csv_text import csv_text

__all__ = ["Facts"]


@dataclass(frozen=True, eq=False)
class Facts:
    """Facts of one network.

    Parameters
    ----------
    network : Network
        The compiled network.
    model : PathModel, optional
        Gives latency and bandwidth; they are unknown without it, and on links of another rate than
        the model's.
    whole : Facts, optional
        Facts of the same design with all its parts, if the network was compiled without some.
    """

    network: Network
    model: PathModel | None = None
    whole: Facts | None = None

    @property
    def owned(self) -> Facts:
        """The facts of the network with all its parts."""
        return self.whole or self

    @cached_property
    def racked(self) -> RackedUnits:
        """Hubs and switches as they are sold."""
        return RackedUnits.of(self.network)

    @cached_property
    def cost(self) -> Cost:
        """The price of the whole network, counted in both ways."""
        return cost_of(self.network, self.racked) if self.whole is None else self.whole.cost

    @cached_property
    def paths(self) -> PathCounts:
        """Forwards and switches between compute nodes."""
        return count_paths(self.network)

    @cached_property
    def latency_s(self) -> BestWorst:
        """Latency of the best and of the worst pair of compute nodes."""
        return latency(self.paths, self._model_of_links)

    @cached_property
    def bandwidth_Bps(self) -> BestWorst:  # noqa: N802  the unit is spelled as units are
        """Bandwidth of the best and of the worst pair of compute nodes."""
        return bandwidth(self.paths, self._model_of_links)

    @cached_property
    def bisection(self) -> BisectionFigure:
        """Bandwidth across the worst equal split, with limiting backplanes."""
        return bisection(self.network)

    @cached_property
    def forwarding(self) -> ForwardingLoad | None:
        """Packets that the nodes forward under uniform traffic; None if no node forwards."""
        return forwarding_load(self.network)

    @cached_property
    def balance(self) -> float | None:
        """Packets of the busiest forwarder over the mean of all, if pairs were counted.

        Without dimension order, packets are followed one by one; networks whose paths are not
        counted
        pair by pair have no balance either.
        """
        is_known = self.paths.is_counted or self.network.routing == "dimension-order"
        if not is_known or self.paths.forwards_worst == 0:
            return None
        return self.forwarding.balance if self.forwarding else None

    @cached_property
    def connectivity(self) -> Connectivity:
        """Connectivity after single failures."""
        return connectivity(self.network)

    @cached_property
    def outcomes(self) -> Outcomes:
        """Outcomes of single failures."""
        return outcomes(self.network, self.connectivity)

    @cached_property
    def properties(self) -> Properties:
        """The figures for comparisons of networks."""
        return Properties(
            n_compute=self.network.n_compute,
            max_nodes=self.network.closed.max_nodes,
            cost=self.cost,
            latency_s=self.latency_s,
            bandwidth_Bps=self.bandwidth_Bps,
            bisection=self.bisection,
            paths=self.paths,
            balance=self.balance,
            connectivity=self.connectivity,
            outcomes=self.outcomes,
        )

    @cached_property
    def tables(self) -> dict[str, str | Pieces]:
        """The CSV files of the plan folder, by name; the table of routes is made as it is read."""
        network, of_routes = self.network, self._route_tables
        if self.whole is not None:
            return {**self.whole.tables, **of_routes}
        return {
            "devices.csv": csv_text(DEVICE_COLUMNS, device_rows(network, self.racked)),
            "cables.csv": csv_text(CABLE_COLUMNS, cable_rows(network, self.racked)),
            "interfaces.csv": csv_text(INTERFACE_COLUMNS, interface_rows(network)),
            **self._of_bonds,
            **of_routes,
            "hosts.csv": csv_text(HOST_COLUMNS, host_rows(network)),
            "bom.csv": csv_text(BOM_COLUMNS, bom_rows(self.cost)),
        }

    @property
    def _of_bonds(self) -> dict[str, str]:
        """The table of bonds, for networks that have any."""
        has_any = len(self.network.wiring.bonds) > 0
        return {"bonds.csv": csv_text(BOND_COLUMNS, bond_rows(self.network))} if has_any else {}

    @property
    def _route_tables(self) -> dict[str, str | Pieces]:
        network = self.network
        rules, marks = {}, {}
        if has_rules(network):
            rules = {"rules.csv": csv_text(RULE_COLUMNS, rule_rows(network))}
        if marks_of(network):
            marks = {"marks.csv": csv_text(MARK_COLUMNS, mark_rows(network))}
        return {
            "routes.csv": routes_text(network),
            **rules,
            **marks,
            "sysctl.csv": csv_text(SYSCTL_COLUMNS, sysctl_rows(network)),
        }

    @cached_property
    def n_routes(self) -> int:
        """Number of rows of the table of routes."""
        return count_routes(self.network)

    @cached_property
    def changes(self) -> Difference:
        """The changes from the plan of the whole network."""
        return difference(self.owned.tables, self.tables)

    @property
    def _model_of_links(self) -> PathModel | None:
        """The path model, if it holds for links of the rate of this network."""
        model = self.model
        if model is None or set(nic_rates_bps(self.network)) != {model.link_rate_bps}:
            return None
        return model
