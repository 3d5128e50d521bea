"""Point-to-point targets of a calibration, compared with the packet engine.

Each path runs once, with all sizes of message that its targets need.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

from linkwright.calibrations import Calibration
from linkwright.calibrations.targets import PathTarget, RatioTarget, Targets, load_targets
from linkwright.design.cluster import Cluster
from linkwright.engines import run
from linkwright.execution.calls import called
from linkwright.network import Network, compile  # noqa: A004 - the verb of the field
from linkwright.workloads import PingPong

__all__ = ["TargetCheck", "compare_with_targets"]


@dataclass(frozen=True)
class TargetCheck:
    """One target and the engine's value."""

    path: str
    metric: str
    size_bytes: int
    target: float
    """Target in s or B/s; a ratio has no unit."""
    predicted: float
    tolerance: float
    origin: str

    @property
    def error(self) -> float:
        """Relative error of the prediction."""
        return self.predicted / self.target - 1.0


def compare_with_targets(
    calibration: Calibration, targets: Targets | None = None
) -> tuple[TargetCheck, ...]:
    """Return every point-to-point target of a calibration with the engine's prediction."""
    paths = (targets or load_targets(calibration.name)).path
    calls = [(path.name, partial(_curve, path, paths, calibration)) for path in paths]
    curves = {path.name: curve for path, curve in zip(paths, called(calls), strict=True)}
    return tuple(one for path in paths for one in _compared(path, curves))


def _curve(
    path: PathTarget, paths: Sequence[PathTarget], calibration: Calibration
) -> dict[int, float]:
    """Return half the round trip in seconds by size of message, for all sizes of the targets."""
    sizes = {path.latency.size_bytes} if path.latency else set()
    sizes |= {target.size_bytes for target in path.throughput}
    for other in paths:
        for ratio in other.ratio:
            sizes |= {ratio.size_bytes} if other is path else set()
            sizes |= {_second_size(ratio)} if path.name == (ratio.to_path or other.name) else set()
    workload = PingPong(dst=path.dst, size_bytes=tuple(sorted(sizes)))
    result = run(
        _network(path), workload, calibration=calibration, placement=path.placement
    ).filter(metric="latency")
    return {row.parameters["size_bytes"]: row.value for row in result.rows()}


def _second_size(ratio: RatioTarget) -> int:
    return ratio.to_size_bytes or ratio.size_bytes


def _compared(path: PathTarget, curves: dict[str, dict[int, float]]) -> Iterator[TargetCheck]:
    times_s = curves[path.name]
    if latency := path.latency:
        size, value = latency.size_bytes, latency.value_us * 1e-6
        about = (latency.tolerance, latency.origin)
        yield TargetCheck(path.name, "latency", size, value, times_s[size], *about)
    for target in path.throughput:
        size, value = target.size_bytes, target.value_bytes_per_s
        about = (target.tolerance, target.origin)
        yield TargetCheck(path.name, "throughput", size, value, size / times_s[size], *about)
    for ratio in path.ratio:
        size, second = ratio.size_bytes, _second_size(ratio)
        other = second / curves[ratio.to_path or path.name][second]
        about = (ratio.tolerance, ratio.origin)
        yield TargetCheck(
            path.name, "ratio", size, ratio.value, size / times_s[size] / other, *about
        )


def _network(path: PathTarget) -> Network:
    return _compiled(json.dumps(path.design, sort_keys=True))


@cache
def _compiled(design: str) -> Network:
    return compile(Cluster.from_fields({"name": "path", **json.loads(design)}))
