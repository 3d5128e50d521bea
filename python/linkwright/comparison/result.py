"""The result of a comparison: a row per architecture, and the figures for tables and scripts.

Latency and bandwidth come from a ping-pong between the nearest and the farthest pair, or from the
additive path model if none ran; `Range.origin` tells which. Nothing here runs or prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from linkwright.errors import LinkwrightError
from linkwright.frames import FrameColumn, Tabular, kind_of
from linkwright.notebook import PLOTS, Brief, Shown, counted
from linkwright.plan import Finding, Properties
from linkwright.records.nested import flat
from linkwright.records.plain_numbers import significant
from linkwright.results import Result, Row, interval_of
from linkwright.results.interval import Interval

if TYPE_CHECKING:
    from linkwright.design.cluster import Cluster
    from linkwright.network import Network

__all__ = [
    "BY_PATH_MODEL",
    "BY_PING_PONG",
    "FARTHEST",
    "NEAREST",
    "Architecture",
    "ArchitectureComparison",
    "LeftOut",
    "Measured",
    "Range",
]

BY_PING_PONG, BY_PATH_MODEL = "ping-pong", "path model"
"""Origins of a latency or a bandwidth: a run on the engine, or closed forms without a run."""

DIGITS = 6
"""Significant digits of figures as JSON."""

NEAREST, FARTHEST = "nearest", "farthest"
"""Names of the pairs between which a ping-pong runs."""


@dataclass(frozen=True)
class Measured:
    """One run of a workload on an architecture."""

    workload: str
    pair: str
    """NEAREST or FARTHEST for a workload of two nodes, else empty."""
    nodes: tuple[int, int] | None
    """The two nodes of such a workload."""
    result: Result
    """Rows of one run, or of one for each draw of the hosts' constants."""

    def rows_of(self, metric: str) -> list[list[Row]]:
        """Return the rows of one metric, by draw."""
        return _by_repeat(row for row in self.result.rows() if row.metric == metric)


@dataclass(frozen=True)
class Range:
    """A figure for the best and for the worst pair; None if unknown."""

    best: float | None
    worst: float | None
    origin: str | None = None
    """BY_PING_PONG or BY_PATH_MODEL; None if both ends are unknown."""
    intervals: tuple[Interval, Interval] | None = None
    """Intervals of both ends, if the hosts' constants are drawn."""

    def scaled(self, factor: float) -> dict[str, float | None]:
        """Return both ends in another unit, with the digits of the JSON."""
        ends = {"best": _figure(self.best, factor), "worst": _figure(self.worst, factor)}
        for name, one in zip(ends.copy(), self.intervals or (), strict=False):
            ends |= _ends(name, one, factor)
        return ends


@dataclass(frozen=True)
class LeftOut:
    """A design that was not compared, and the reason: it cannot be loaded, built or cabled."""

    name: str
    """Architecture, or the file of a design."""
    reason: str
    hint: str = ""
    """The remedy, in words for the author of a design."""
    is_given: bool = False
    """Whether the user gave this design, so that its absence is an error."""

    @classmethod
    def because(cls, error: LinkwrightError, name: str, *, is_given: bool) -> LeftOut:
        """Return the design that an error excludes from the comparison."""
        return cls(name, error.message.removeprefix(f"{name}: "), error.hint, is_given)


@dataclass(frozen=True, repr=False)
class Architecture(Brief):
    """One row of a comparison: a network that can be plugged together."""

    name: str
    design: Cluster
    network: Network
    properties: Properties
    findings: tuple[Finding, ...] = ()
    chosen_parts: Mapping[str, str] = field(default_factory=dict)
    """Role -> key of the parts that replace the catalogue's usual ones."""
    measured: tuple[Measured, ...] = ()
    is_modelled: bool = True
    """Whether latency and bandwidth in `properties` use the hosts of this comparison."""

    @property
    def summary(self) -> str:
        """The network, and the workloads that ran on it."""
        ran = ", ".join(dict.fromkeys(one.workload for one in self.measured))
        return self.network.summary + f"; {ran}" * bool(ran)

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return self.network.n_compute

    def runs_of(self, workload: str) -> tuple[Measured, ...]:
        """Return the runs of one workload."""
        return tuple(one for one in self.measured if one.workload == workload)

    @property
    def latency_s(self) -> Range:
        """Half a round trip of the smallest message, for the better and the worse of two pairs: the
        nearest and the farthest.
        """
        found = self._by_ping_pong("latency", _latency_of, is_less_better=True)
        return found or self._modelled("latency_s")

    @property
    def bandwidth_Bps(self) -> Range:  # noqa: N802  the unit is spelled as units are
        """Best throughput over all sizes, for the better and the worse of the same pairs."""
        return self._by_ping_pong("throughput", _throughput_of) or self._modelled("bandwidth_Bps")

    def _by_ping_pong(
        self, metric: str, choose: Callable[[Sequence[Row]], float], *, is_less_better: bool = False
    ) -> Range | None:
        found = [
            interval_of([choose(rows) for rows in one.rows_of(metric)])
            for one in self.runs_of("ping-pong")
        ]
        if not found:
            return None
        # Nearest is not always best: bonds and held interrupts can favour the farthest pair.
        found.sort(key=lambda one: one.mean, reverse=not is_less_better)
        best, worst = found[0], found[-1]
        intervals = (best, worst) if best.n > 1 else None
        return Range(best.mean, worst.mean, BY_PING_PONG, intervals)

    def _modelled(self, name: str) -> Range:
        if not self.is_modelled:
            return Range(None, None)
        pair = getattr(self.properties, name)
        is_known = pair.best is not None or pair.worst is not None
        return Range(pair.best, pair.worst, BY_PATH_MODEL if is_known else None)

    def figures_of(self, workload: str) -> dict[str, float]:
        """Return one value per metric of a workload, in base units: the latency of the smallest
        message, the least of other times, the most of anything else.

        Of several draws, the mean of these values. Metrics of the farthest pair end in `_farthest`.
        """
        return {metric: one.mean for metric, one in self.intervals_of(workload).items()}

    def intervals_of(self, workload: str) -> dict[str, Interval]:
        """Return the same figures with their intervals over the draws of the hosts' constants."""
        figures: dict[str, Interval] = {}
        for one in self.runs_of(workload):
            suffix = "_farthest" if one.pair == FARTHEST else ""
            for metric, rows in _by_metric(one.result).items():
                choose = _figure_of(metric, rows[0].unit)
                figures[metric + suffix] = interval_of([choose(each) for each in _by_repeat(rows)])
        return figures

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON values; unknown values are null."""
        found = self.properties
        return {
            "architecture": self.name,
            "design": self.design.name,
            "shape": list(self.network.shape),
            "nodes": self.n_nodes,
            "cost_per_node": _figure(found.cost.ports_used_per_node),
            "cost_per_node_units_bought": _figure(found.cost.units_bought_per_node),
            "currency": found.cost.currency,
            "max_nodes": found.max_nodes,
            "latency_us": self.latency_s.scaled(1e6),
            "latency_origin": self.latency_s.origin,
            "bandwidth_MBps": self.bandwidth_Bps.scaled(1e-6),
            "bandwidth_origin": self.bandwidth_Bps.origin,
            "bisection_MBps_per_node": _figure(found.bisection.per_node_Bps, 1e-6),
            "forwards": {
                "mean": _figure(found.paths.forwards_mean),
                "worst": found.paths.forwards_worst,
                "balance": found.balance and _figure(found.balance),
            },
            "heals": _figure(found.outcomes.heals),
            "survives": _figure(found.outcomes.survives),
            "failures": found.outcomes.to_json(),
            "parts": {role: part.key for role, part in self.network.parts.items()},
            "workloads": {
                name: _figures(self.intervals_of(name))
                for name in dict.fromkeys(one.workload for one in self.measured)
            },
            "findings": [finding.to_json() for finding in self.findings],
        }


@dataclass(frozen=True, repr=False)
class ArchitectureComparison(Shown, Tabular):
    """Architectures compared by the same workloads and figures."""

    architectures: tuple[Architecture, ...]
    left_out: tuple[LeftOut, ...]
    workloads: tuple[str, ...]
    engine: str
    calibration: str
    seed: int
    inputs: Mapping[str, Any] = field(default_factory=dict)
    """The parameters of the comparison, as JSON values."""
    draws: int | None = None
    """Number of draws of the hosts' constants, each with its own seed; None if none are drawn."""

    @property
    def summary(self) -> str:
        """The number of architectures, the workloads and the engine."""
        ran = ", ".join(self.workloads) or "no workload"
        return f"of {counted(len(self.architectures), 'architecture')}: {ran}, {self.engine} engine"

    @property
    def seeds(self) -> range:
        """Seeds of the runs."""
        return range(self.seed, self.seed + (self.draws or 1))

    @property
    def result(self) -> Result:
        """The rows of every run, in the order of architectures and workloads."""
        return Result.concatenate(one.result for row in self.architectures for one in row.measured)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks on all runs, each once, after the names of the architectures it concerns."""
        ran = [row for row in self.architectures if row.measured]
        names: dict[str, list[str]] = {}
        for row in ran:
            for remark in Result.concatenate(one.result for one in row.measured).remarks:
                names.setdefault(remark, []).append(row.name)
        return tuple(_about(those, len(ran)) + remark for remark, those in names.items())

    def to_json(self) -> list[dict[str, Any]]:
        """Return the rows as JSON values."""
        return [row.to_json() for row in self.architectures]

    def frame_columns(self) -> list[FrameColumn]:
        """Return the columns of a row per architecture, in the units of the JSON.

        The rows of the runs are in `result`.
        """
        records = [flat(one) for one in self.to_json()]
        names = dict.fromkeys(name for record in records for name in record)
        cells = {name: [record.get(name) for record in records] for name in names}
        return [FrameColumn(name, kind_of(column), column) for name, column in cells.items()]

    def plot(self) -> Any:
        """Return a plot: curves of the ping-pong, and bars of every workload.

        Returns
        -------
        Plot
            A notebook shows it; `Plot.save` writes it.

        Raises
        ------
        UsageError
            If no workload ran.
        CapabilityError
            If Matplotlib is missing.
        """
        return PLOTS["ArchitectureComparison"](self)


def _about(names: Sequence[str], n_ran: int) -> str:
    """Return the prefix of a remark: the architectures that it concerns."""
    if n_ran == 1:
        return ""
    return "all architectures: " if len(names) == n_ran else f"{', '.join(names)}: "


def _latency_of(rows: Sequence[Row]) -> float:
    """Return the latency of the smallest message; held interrupts may make a longer one faster."""
    return min(rows, key=lambda row: int(row.parameters.get("size_bytes", 0))).value


def _figure_of(metric: str, unit: str) -> Callable[[Sequence[Row]], float]:
    """Return the function that chooses one of the values of a metric."""
    if metric == "latency":
        return _latency_of
    return _least_of if unit == "s" else _throughput_of


def _least_of(rows: Sequence[Row]) -> float:
    return min(row.value for row in rows)


def _throughput_of(rows: Sequence[Row]) -> float:
    return max(row.value for row in rows)


def _by_metric(result: Result) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in result.reproducible().rows():
        found.setdefault(row.metric, []).append(row)
    return found


def _by_repeat(rows: Iterable[Row]) -> list[list[Row]]:
    """Return rows by draw."""
    found: dict[int | None, list[Row]] = {}
    for row in rows:
        found.setdefault(row.repeat, []).append(row)
    return list(found.values())


def _figures(found: Mapping[str, Interval]) -> dict[str, float | None]:
    """Return the values of metrics, and those of several draws with the ends of their intervals."""
    figures: dict[str, float | None] = {}
    for metric, one in found.items():
        figures[metric] = _figure(one.mean)
        if one.n > 1:
            figures |= _ends(metric, one)
    return figures


def _ends(name: str, one: Interval, factor: float = 1.0) -> dict[str, float | None]:
    return {f"{name}_low": _figure(one.low, factor), f"{name}_high": _figure(one.high, factor)}


def _figure(value: float | None, factor: float = 1.0) -> float | None:
    """Return a value in another unit, with the digits of the JSON."""
    return None if value is None else significant(value * factor, DIGITS)
