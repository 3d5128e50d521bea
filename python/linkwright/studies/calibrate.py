"""Fit a calibration to its point-to-point figures, through the packet engine itself.

Relative errors of all targets, each divided by its tolerance, are minimised together with the
constants' relative distance from where they started: the targets fix sums of constants, not each of
them, and what they do not fix should stay where the evidence put it. Method: trust-region least
squares (SciPy), which the base installation does not need; the extra is called ``calibrate``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from linkwright import calibrations
from linkwright.calibrations import Calibration
from linkwright.calibrations.targets import PathTarget, load_targets
from linkwright.design.cluster import Cluster
from linkwright.engines import run
from linkwright.errors import CapabilityError, UsageError, unknown_name
from linkwright.network import Network, compile  # noqa: A004 - the verb of the field
from linkwright.workloads import PingPong

__all__ = ["Comparison", "Fit", "compare_with_targets", "fit"]

PRIOR_WEIGHT = 1.0
"""A constant that has moved by its whole value counts as one tolerance."""


@dataclass(frozen=True)
class Comparison:
    """One target and what the engine gives."""

    path: str
    metric: str
    size_bytes: int
    target: float
    """In s or B/s."""
    predicted: float
    tolerance: float
    origin: str

    @property
    def error(self) -> float:
        """Relative error of the prediction."""
        return self.predicted / self.target - 1.0


@dataclass(frozen=True)
class Fit:
    """A fitted calibration."""

    calibration: Calibration
    constants: Mapping[str, tuple[float, float]]
    """Value before and after, by name."""
    comparisons: tuple[Comparison, ...]


def compare_with_targets(calibration: Calibration) -> tuple[Comparison, ...]:
    """Return every point-to-point target of a calibration beside the engine's prediction."""
    return tuple(
        comparison
        for path in load_targets(calibration.name)
        for comparison in _compare_path(path, calibration)
    )


def _compare_path(path: PathTarget, calibration: Calibration) -> list[Comparison]:
    sizes = (1, *(target.size_bytes for target in path.throughput))
    workload = PingPong(dst=path.dst, size_bytes=sizes)
    result = run(_network(path), workload, calibration=calibration)
    latency_s = result.filter({"size_bytes": 1}, metric="latency").values()[0]
    latency = path.latency
    comparisons = [
        Comparison(
            path.name,
            "latency",
            1,
            latency.value_us * 1e-6,
            latency_s,
            latency.tolerance,
            latency.origin,
        )
    ]
    for target in path.throughput:
        size_bytes = target.size_bytes
        rows = result.filter({"size_bytes": size_bytes}, metric="throughput")
        comparisons.append(
            Comparison(
                path.name,
                "throughput",
                size_bytes,
                target.value_bytes_per_s,
                rows.values()[0],
                target.tolerance,
                target.origin,
            )
        )
    return comparisons


def _network(path: PathTarget) -> Network:
    return _compiled(path.name, Cluster.model_validate({"name": "path", **path.design}))


@cache
def _compiled(name: str, cluster: Cluster) -> Network:
    return compile(cluster)


def fit(name: str, free: Sequence[str]) -> Fit:
    """Return the calibration of that name with the `free` constants fitted to its targets.

    Parameters
    ----------
    name : str
        A calibration that has targets.
    free : sequence of str
        Constants that may move, by section, name and part: ``host.forward.us_per_byte``.

    Raises
    ------
    CapabilityError
        When SciPy is not installed.
    UsageError
        When a constant does not exist.
    """
    try:
        from scipy.optimize import least_squares  # type: ignore[import-untyped]
    except ImportError as error:
        raise CapabilityError(
            "fitting a calibration needs SciPy", "install linkwright with the extra 'calibrate'"
        ) from error
    start = calibrations.load(name)
    before = np.array([_get(start, constant) for constant in free])

    def residuals(scales: NDArray[np.float64]) -> NDArray[np.float64]:
        moved = _set(start, dict(zip(free, before * scales, strict=True)))
        misses = [c.error / c.tolerance for c in compare_with_targets(moved)]
        return np.concatenate([misses, PRIOR_WEIGHT * (scales - 1.0)])

    solution = least_squares(
        residuals, np.ones(len(free)), bounds=(0.2, 5.0), diff_step=0.02, max_nfev=30
    )
    after = before * solution.x
    fitted = _set(start, dict(zip(free, after, strict=True)))
    constants = dict(zip(free, zip(before.tolist(), after.tolist(), strict=True), strict=True))
    return Fit(fitted, constants, compare_with_targets(fitted))


def _get(calibration: Calibration, constant: str) -> float:
    node: object = calibration.model_dump()
    for part in constant.split("."):
        if not isinstance(node, dict) or part not in node:
            known = node if isinstance(node, dict) else {}
            raise UsageError(f"there is no constant '{constant}'", unknown_name(part, known))
        node = node[part]
    if not isinstance(node, float):
        raise UsageError(f"constant '{constant}' is no number", "name a part, such as '.us'")
    return node


def _set(calibration: Calibration, values: Mapping[str, float]) -> Calibration:
    table = calibration.model_dump()
    for constant, value in values.items():
        *parents, last = constant.split(".")
        node = table
        for part in parents:
            node = node[part]
        node[last] = value
    return Calibration.model_validate(table)
