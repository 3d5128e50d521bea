"""Experiments of a paper: what was run on which cluster, and the printed numbers that it answers.

An experiment is one workload on one network. A claim is a printed number with the experiments that
predict it and how its value is read from their results. A study is a table of the paper that needs
runs: experiments, claims, and the figures that are drawn from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwright.network import Network
from linkwright.papers.clusters import network_of
from linkwright.papers.entry import Basis, Entry
from linkwright.papers.printed import Printed
from linkwright.results import Result
from linkwright.views.figures import Figure
from linkwright.workloads import Workload

__all__ = ["Claim", "Experiment", "Study", "mean_of"]

_PAGES = "the ranks exceed a node's memory, and the printed run paged; paging is not modelled"

Results = Mapping[str, Result]
"""What experiments gave, by the name of the experiment."""


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One workload on one of a paper's clusters."""

    name: str
    """Unique within its study."""
    package: str
    """Folder of the paper that has the cluster."""
    cluster: str
    """Name of a design file in `clusters/`."""
    workload: Workload
    brief: Workload | None = None
    """What is run instead when time is short; the same unless given."""
    placement: str = "row"

    @property
    def network(self) -> Network:
        """The compiled network."""
        return network_of(self.package, self.cluster)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A printed number and how it is read from results."""

    printed: Printed
    of: tuple[str, ...]
    """Names of the experiments that it is read from."""
    value: Callable[..., float]
    """Takes their results in that order."""
    basis: Basis = Basis.PREDICTED
    group: str = ""
    """Claims of one group differ in their network alone, so that their order can be compared."""
    network: str = ""
    """What it is about, within its group."""
    left_out: str = ""
    """Why it counts nowhere, if it does not."""

    def beside(self, results: Results, experiments: Mapping[str, Experiment]) -> Entry:
        """Return the printed number beside ours."""
        first = experiments[self.of[0]]
        network = first.network
        found = [results[name] for name in self.of]
        pages = any(True in result.parameter("exceeds_memory") for result in found)
        left_out = _PAGES if pages else self.left_out
        return Entry(
            **vars(self.printed),
            design=network.name,
            design_hash=network.design_hash,
            ours=self.value(*found),
            calibration=network.calibration,
            basis=self.basis,
            group=self.group,
            network=self.network,
            left_out=left_out,
        )


@dataclass(frozen=True, kw_only=True)
class Study:
    """What of a paper is answered by runs that belong together."""

    experiments: tuple[Experiment, ...]
    claims: tuple[Claim, ...] = ()
    figures: Callable[[Results], list[Figure]] = lambda _: []

    def entries(self, results: Results) -> list[Entry]:
        """Return every printed number beside ours."""
        by_name = {experiment.name: experiment for experiment in self.experiments}
        return [claim.beside(results, by_name) for claim in self.claims]


def mean_of(metric: str, **parameters: Any) -> Callable[[Result], float]:
    """Return what reads the mean of one metric, for given settings.

    It raises a KeyError where there is no such figure.
    """

    def value(result: Result) -> float:
        found = result.filter(parameters, metric=metric).values()
        if not len(found):
            raise KeyError(f"no {metric} with {parameters}")
        return float(np.mean(found))

    return value
