"""A study: a table of the paper that needs runs.

An experiment is one workload on one network, with one seed or, if chance matters, several. The
paper's claims about it are in `claims.toml`; a study joins the two, and draws the runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from linkwright import calibrations, engines
from linkwright.errors import DesignError, unknown_name
from linkwright.network import Network
from linkwright.papers.claim import Claim
from linkwright.papers.clusters import network_of
from linkwright.papers.entry import Entry, spread_of
from linkwright.papers.reading import Results, exceeds_memory, n_seeds, read
from linkwright.results import Result
from linkwright.views.curve_plots import Plot
from linkwright.workloads import Background, Workload

__all__ = ["Experiment", "Study"]

FIRST_SEED = 1


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
    """Shorter workload for brief runs. Default: the same."""
    placement: str = "row"
    background: Background | None = None
    """Background traffic of the front end."""
    seeds: int = 1
    """Number of runs with different seeds; more than one if chance matters."""

    @property
    def network(self) -> Network:
        """The compiled network."""
        return network_of(self.package, self.cluster)

    @property
    def inputs(self) -> list[Any]:
        """All inputs of its result except the program, as JSON values."""
        return [
            self.network.design_hash,
            self.workload.name,
            self.workload.parameters,
            calibrations.load(self.network.calibration).published(),
            self.placement,
            self.background and self.background.condition,
            FIRST_SEED,
            self.seeds,
        ]

    def shortened(self) -> Experiment:
        """Return the shorter experiment for brief runs."""
        return replace(self, workload=self.brief or self.workload, brief=None)

    def run(self, study: str) -> Result:
        """Return the rows of all its seeds."""
        return engines.run(
            self.network,
            self.workload,
            seed=FIRST_SEED,
            repeats=self.seeds,
            n_jobs=1,  # whole experiments run in parallel
            study=study,
            placement=self.placement,
            background=self.background,
        )


@dataclass(frozen=True, kw_only=True)
class Study:
    """Experiments that belong together, the paper's claims about them, and plots."""

    experiments: tuple[Experiment, ...]
    claims: tuple[Claim, ...] = ()
    plots: Callable[[Results], list[Plot]] = lambda _: []

    def __post_init__(self) -> None:
        names = [experiment.name for experiment in self.experiments]
        for claim in self.claims:
            for name in claim.experiments:
                if name not in names:
                    raise DesignError(
                        f"{claim.place}: there is no experiment '{name}'", unknown_name(name, names)
                    )

    def entries(self, results: Results) -> list[Entry]:
        """Return every claim beside ours."""
        return [self._entry(claim, results) for claim in self.claims]

    def without_a_number(self) -> Iterator[Experiment]:
        """Yield the experiments without a printed number here."""
        printed = {
            name for claim in self.claims if not claim.is_qualitative for name in claim.experiments
        }
        return (one for one in self.experiments if one.name not in printed)

    def _entry(self, claim: Claim, results: Results) -> Entry:
        found = [results[name] for name in claim.experiments]
        readings = [read(claim, results, seed) for seed in range(max(map(n_seeds, found)))]
        values = [reading.value for reading in readings]
        first = next(one for one in self.experiments if one.name == claim.experiments[0])
        return Entry(
            claim=claim,
            ours=float(np.mean(values)),
            spread=spread_of(values),
            seeds=len(values),
            design=first.network.name,
            design_hash=first.network.design_hash,
            calibration=first.network.calibration,
            numbers={
                label: float(np.mean([reading.numbers[label] for reading in readings]))
                for label in readings[0].numbers
            },
            numbers_unit=readings[0].unit,
            pages=any(map(exceeds_memory, found)),
        )
