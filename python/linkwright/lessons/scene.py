"""A scene of a lesson: one run on one network, which the page plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkwright.calibrations import Calibration
from linkwright.design.cluster import Cluster
from linkwright.engines import Run
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.results import Result
from linkwright.workloads import Workload

__all__ = ["Scene", "network_of", "value"]


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One run on one network."""

    key: str
    """Its place in the page, as in a link."""
    name: str
    caption: str
    """One sentence: what there is to see."""
    design: Mapping[str, Any]
    """A design as its file says it."""
    workload: Workload
    calibration: str | Calibration | None = None
    """Hosts; default: those of the catalogue."""
    faults: Sequence[str] = ()
    seed: int = 1

    @property
    def run(self) -> Run:
        """The inputs of its run."""
        return Run.of(
            network_of(self.design),
            self.workload,
            calibration=self.calibration,
            faults=self.faults,
            seed=self.seed,
        )


def network_of(design: Mapping[str, Any]) -> Network:
    """Return the network of a design."""
    return compile_network(Cluster.from_fields(design))


def value(result: Result, metric: str) -> float:
    """Return the figure of a run that has one row of the metric."""
    return float(result.filter(metric=metric).values()[0])
