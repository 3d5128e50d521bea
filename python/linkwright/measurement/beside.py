"""Measured rows beside their predictions: per workload, and for paths class by class.

Each measured figure is predicted by a run of an engine with the same workload and settings. A
difference that the spread of the measurements does not cover gets the most likely reason, or is
named as unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

from linkwright.engines import Run, observe
from linkwright.errors import LinkwrightError, UsageError
from linkwright.hardware.playing import verdict_of
from linkwright.progress import Report
from linkwright.results import Result, Row
from linkwright.results.measured_rows import (
    OF_EXCHANGES,
    OF_PATHS,
    expect_sound,
    is_measured_figure,
)
from linkwright.results.schema import canonical_json
from linkwright.workloads import WORKLOADS, PingPong, Workload

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.network import Network

__all__ = ["LIMIT", "Beside", "Pair", "beside"]

LIMIT = 0.1
"""Relative difference up to which a prediction is good."""
OUTLIER = 0.3
"""Relative difference of one path from the middle of its class from which it is named."""


@dataclass(frozen=True)
class Pair:
    """A measured figure and its prediction.

    Attributes
    ----------
    workload : str
    path : str
        Class of paths; empty for other workloads.
    size_bytes : int or None
    metric, unit : str
    measured : float
        Middle of all measurements, in base units.
    predicted : float or None
        None if the engine cannot run the workload.
    spread : float
        Half the range of the measurements, relative to their middle.
    n : int
        Measurements.
    verdict : str
        The worst of their runs: "faithful", "stretched" or "invalid"; empty if it is not known.
    reason : str
        The most likely reason of a difference; empty if there is none.
    """

    workload: str
    path: str
    size_bytes: int | None
    metric: str
    unit: str
    measured: float
    predicted: float | None
    spread: float
    n: int
    verdict: str
    reason: str

    @property
    def residual(self) -> float | None:
        """The measured figure relative to the predicted one, less 1."""
        return self.measured / self.predicted - 1 if self.predicted else None

    def to_json(self) -> dict[str, Any]:
        """Return the pair as JSON values."""
        return {**asdict(self), "residual": self.residual}


@dataclass(frozen=True, eq=False)
class Beside:
    """Measured figures beside predicted ones.

    Attributes
    ----------
    design, engine, calibration : str
    pairs : tuple of Pair
    """

    design: str
    engine: str
    calibration: str
    pairs: tuple[Pair, ...]

    @property
    def answer(self) -> str:
        """The answer in one sentence."""
        known = [one for one in self.pairs if one.residual is not None]
        good = sum(abs(one.residual or 0.0) <= LIMIT for one in known)
        odd = [one for one in known if one.reason]
        text = (
            f"{good} of {len(known)} figures of {self.design} are within {LIMIT:.0%} of the "
            f"prediction ({self.engine}, {self.calibration})"
        )
        if not odd:
            return f"{text}; the spread of the measurements covers the others."
        worst = max(odd, key=lambda one: abs(one.residual or 0.0))
        name = worst.path or worst.workload
        return f"{text}; most of all {name} differs: {worst.reason}."


def beside(
    network: Network,
    result: Result,
    *,
    engine: str,
    calibration: Calibration,
    report: Report = lambda *_: None,
) -> Beside:
    """Return measured rows beside predicted ones.

    Parameters
    ----------
    network : Network
        The network of the rows.
    result : Result
        Measured rows; others are left out.
    engine : str
        The engine that predicts.
    calibration : Calibration
        Its hosts.
    report : callable
        Called with the number of figures that are predicted, of all, and the next workload.

    Raises
    ------
    UsageError
        If no row is a measurement of this network, or one cannot be measured.
    """
    rows = [row for row in result.rows() if _is_comparable(row, network)]
    if not rows:
        raise UsageError(
            f"no row is a measurement of design {network.name}",
            "give rows of linkwright measure, and the design that was measured",
        )
    expect_sound(rows)
    waited = {row.run: row.value for row in result.rows() if row.metric == "waited_share"}
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(_key(row), []).append(row)
    predictions = _Predictions(network, engine, calibration)
    pairs = []
    for number, own in enumerate(groups.values()):
        report(number, len(groups), own[0].workload)
        pairs.append(_pair(own, waited, predictions))
    return Beside(network.name, engine, calibration.name, tuple(_explained(pairs, groups)))


def _is_comparable(row: Row, network: Network) -> bool:
    is_own = row.design_hash == network.design_hash
    return is_own and is_measured_figure(row) and row.workload in WORKLOADS


def _key(row: Row) -> tuple[str, ...]:
    """Return the values in which rows that count together agree."""
    path = str(row.parameters.get("path", ""))
    ends = ("src", "dst", *OF_EXCHANGES) if path else ()
    settings = {
        name: value
        for name, value in row.parameters.items()
        if name not in OF_PATHS and name not in ends
    }
    return row.workload, path, row.metric, canonical_json(settings)


class _Predictions:
    """Runs of an engine, each made once."""

    def __init__(self, network: Network, engine: str, calibration: Calibration) -> None:
        self.network, self.engine, self.calibration = network, engine, calibration
        self._made: dict[str, Result | None] = {}

    def value(self, row: Row) -> float | None:
        """Return the prediction of a measured figure; None if there is none."""
        settings = _settings(row)
        placement = str(row.parameters.get("placement", "row"))
        key = canonical_json([row.workload, settings, placement])
        if key not in self._made:
            self._made[key] = self._run(row.workload, settings, placement)
        made = self._made[key]
        if made is None:
            return None
        size = (
            {"size_bytes": row.parameters["size_bytes"]} if "size_bytes" in row.parameters else {}
        )
        found = made.filter(size, metric=row.metric).values()
        return float(found[0]) if len(found) else None

    def _run(self, name: str, settings: Mapping[str, Any], placement: str) -> Result | None:
        try:
            workload: Workload = WORKLOADS[name](**settings)
            run = Run.of(
                self.network,
                workload,
                engine=self.engine,
                calibration=self.calibration,
                placement=placement,
                seed=1,
            )
            return observe(run).result
        except LinkwrightError:
            return None


def _settings(row: Row) -> dict[str, Any]:
    """Return the settings of the workload of a row."""
    known = WORKLOADS[row.workload].setting_names()
    given = {name: value for name, value in row.parameters.items() if name in known}
    if row.workload == PingPong.name:
        # The number of exchanges changes nothing but the time that the prediction takes.
        repeats = given.get("repeats")
        given |= {"repeats": min(repeats, 4) if isinstance(repeats, int) else 4, "warm_up": 2}
    # The row has the algorithm that the library chose, which it chooses again.
    given.pop("algorithm", None)
    return given


def _pair(rows: Sequence[Row], waited: Mapping[str, float], predictions: _Predictions) -> Pair:
    first, values = rows[0], sorted(row.value for row in rows)
    predicted = [one for one in map(predictions.value, rows) if one is not None]
    shares = [waited[row.run] for row in rows if row.run in waited]
    middle = median(values)
    return Pair(
        workload=first.workload,
        path=str(first.parameters.get("path", "")),
        size_bytes=first.parameters.get("size_bytes"),
        metric=first.metric,
        unit=first.unit,
        measured=middle,
        predicted=median(predicted) if predicted else None,
        spread=(values[-1] - values[0]) / 2 / middle if middle else 0.0,
        n=len(values),
        verdict=verdict_of(max(shares)) if shares else "",
        reason="",
    )


def _explained(
    pairs: Sequence[Pair], groups: Mapping[tuple[str, ...], Sequence[Row]]
) -> Iterator[Pair]:
    """Yield the pairs with the reasons of their differences."""
    bad = {(one.path, one.metric, one.size_bytes) for one in pairs if _differs(one)}
    for one, rows in zip(pairs, groups.values(), strict=True):
        reason = _reason(one, rows, bad) if _differs(one) else ""
        yield Pair(**{**asdict(one), "reason": reason})


def _differs(one: Pair) -> bool:
    residual = one.residual
    return residual is not None and abs(residual) > max(LIMIT, one.spread)


def _reason(one: Pair, rows: Sequence[Row], bad: set[tuple[str, str, int | None]]) -> str:
    """Return the most likely reason of a difference."""
    middle, outliers = one.measured, {}
    for row in rows:
        if abs(row.value - middle) > OUTLIER * abs(middle):
            outliers[str(row.parameters.get("place", row.run))] = row.value
    is_faster = (one.residual or 0.0) < 0 if one.unit == "s" else (one.residual or 0.0) > 0
    # Busy processors make nothing faster.
    if one.verdict in ("stretched", "invalid") and not is_faster:
        return f"the run is {one.verdict}: ranks waited for busy processors"
    if 0 < len(outliers) < len(rows) / 2:
        return f"only {', '.join(sorted(outliers))} differs from its class"
    if "hops" in one.path and ("one hop", one.metric, one.size_bytes) not in bad:
        return "nodes that forward, alone: look at their offloads and processors"
    if one.path and is_faster:
        return "machines are faster than the constants of the hosts, or have faster parts"
    if one.path:
        return "constants of the hosts: fit them with linkwright calibrate --from these rows"
    if bad - {(one.path, one.metric, one.size_bytes)} and any(path for path, _, _ in bad):
        return "its paths differ from the prediction already: calibrate first"
    return "the model does not explain it: contention, or another algorithm of the library"
