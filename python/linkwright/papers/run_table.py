"""A table of a paper that needs runs: its experiments, and the paper's claims about them.

An experiment is one workload on one network, with one seed or, if chance matters, several. The
paper's claims about it are in `claims.toml`; a table joins the two, and draws the runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import numpy as np

from linkwright.engines import Run
from linkwright.errors import DesignError, unknown_name
from linkwright.network import Network
from linkwright.papers.claim import Claim
from linkwright.papers.clusters import network_of
from linkwright.papers.entry import Entry
from linkwright.papers.reading import Reading, Results, n_seeds, read
from linkwright.results import interval_of
from linkwright.views.plots import Plot
from linkwright.workloads import Background, Workload
from linkwright.workloads.workload import FIRST_SEED

__all__ = ["Experiment", "RunTable"]


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One workload on one of a paper's clusters."""

    name: str
    """Unique within its table."""
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
    draws: int = 0
    """Number of runs with drawn constants of the hosts instead; 0 for the constants as they are."""

    @property
    def network(self) -> Network:
        """The compiled network."""
        return network_of(self.package, self.cluster)

    def run(self, study: str, *, is_brief: bool = False) -> Run:
        """Return the run of all its seeds, or draws, for rows with the name of a study."""
        return Run.of(
            self.network,
            self.brief if is_brief and self.brief else self.workload,
            seed=FIRST_SEED,
            repeats=None if self.draws else self.seeds,
            draws=self.draws or None,
            study=study,
            placement=self.placement,
            background=self.background,
        )


@dataclass(frozen=True, kw_only=True)
class RunTable:
    """Experiments that belong together, the paper's claims about them, and plots."""

    experiments: tuple[Experiment, ...]
    claims: tuple[Claim, ...] = ()
    plots: Callable[[Results], list[Plot]] = lambda _: []
    further: tuple[Experiment, ...] = ()
    """Experiments beyond print, which are run on request only."""

    def __post_init__(self) -> None:
        names = [experiment.name for experiment in self.experiments]
        for claim in self.claims:
            for name in claim.experiments:
                if name not in names:
                    raise DesignError(
                        f"{claim.place}: there is no experiment '{name}'", unknown_name(name, names)
                    )

    def also(self, patterns: Sequence[str]) -> RunTable:
        """Return the table with the further experiments whose names match a pattern."""
        chosen: list[Experiment] = []
        left: list[Experiment] = []
        for one in self.further:
            is_asked_for = any(fnmatchcase(one.name, pattern) for pattern in patterns)
            (chosen if is_asked_for else left).append(one)
        return replace(self, experiments=(*self.experiments, *chosen), further=tuple(left))

    def drawn(self, n_draws: int) -> RunTable:
        """Return the experiments behind printed numbers, with drawn constants of the hosts."""
        printed = tuple(claim for claim in self.claims if not claim.is_qualitative)
        names = {name for claim in printed for name in claim.experiments}
        experiments = (one for one in self.experiments if one.name in names)
        return replace(
            self,
            experiments=tuple(replace(one, draws=n_draws) for one in experiments),
            claims=printed,
            further=(),
        )

    def entries(self, results: Results, drawn: Results | None = None) -> list[Entry]:
        """Return every claim beside ours, with its interval from runs with drawn constants."""
        return [self._entry(claim, results, drawn or {}) for claim in self.claims]

    def without_a_number(self) -> Iterator[Experiment]:
        """Yield the experiments without a printed number here."""
        printed = {
            name for claim in self.claims if not claim.is_qualitative for name in claim.experiments
        }
        return (one for one in self.experiments if one.name not in printed)

    def _entry(self, claim: Claim, results: Results, drawn: Results) -> Entry:
        readings = _readings(claim, results)
        values = [reading.value for reading in readings]
        is_drawn = not claim.is_qualitative and bool(drawn)
        further = [one.value for one in _readings(claim, drawn)] if is_drawn else values
        first = next(one for one in self.experiments if one.name == claim.experiments[0])
        return Entry(
            claim=claim,
            ours=float(np.mean(values)),
            spread=interval_of(values).deviation,
            seeds=len(values),
            interval=interval_of(further) if len(further) > 1 else None,
            draws=len(further) if is_drawn else 0,
            network=first.network,
            calibration=first.network.calibration,
            numbers={
                label: float(np.mean([reading.numbers[label] for reading in readings]))
                for label in readings[0].numbers
            },
            numbers_unit=readings[0].unit,
        )


def _readings(claim: Claim, results: Results) -> list[Reading]:
    """Return the value of a claim from the runs of every seed, or draw."""
    found = [results[name] for name in claim.experiments]
    return [read(claim, results, seed) for seed in range(max(map(n_seeds, found)))]
