"""Experiments of a paper: what was run on which cluster, and the printed numbers that it answers.

An experiment is one workload on one network, played with one seed or, where chance matters, with
several. A claim is a printed number with the experiments that predict it and how its value is read
from their results; a word claim is the same for what is said without a number. A study is a table
of the paper that needs runs: experiments, claims, and the figures that are drawn from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwright.network import Network
from linkwright.papers.clusters import network_of
from linkwright.papers.entry import Basis, Entry
from linkwright.papers.printed import Printed
from linkwright.papers.words import WordEntry, Words
from linkwright.results import Result
from linkwright.views.figures import Figure
from linkwright.workloads import Background, Workload

__all__ = [
    "WORST_PAIR",
    "Claim",
    "Experiment",
    "Prediction",
    "Study",
    "WordClaim",
    "by_setting",
    "mean_of",
]

_PAGES = "the ranks exceed a node's memory, and the printed run paged; paging is not modelled"

WORST_PAIR = "worst pair"
"""Group of the claims about the worst pair of a network, over all papers."""

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
    background: Background | None = None
    """What the front end sends meanwhile."""
    seeds: int = 1
    """How many runs with a seed of its own each; more than one where chance matters."""

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
        network = experiments[self.of[0]].network
        found = [results[name] for name in self.of]
        pages = any(map(_pages, found))
        values = [self.value(*each) for each in _seed_by_seed(found)]
        return Entry(
            **vars(self.printed),
            design=network.name,
            design_hash=network.design_hash,
            ours=float(np.mean(values)),
            seeds=len(values),
            spread=_spread(values),
            calibration=network.calibration,
            basis=self.basis,
            group=self.group,
            network=self.network,
            left_out=_PAGES if pages else self.left_out,
        )


@dataclass(frozen=True, kw_only=True)
class WordClaim:
    """What is said in words, and how it is judged by results."""

    words: Words
    of: tuple[str, ...]
    """Names of the experiments that it is read from."""
    numbers: Callable[..., Mapping[str, float]]
    """Takes their results in that order and returns what is compared, by label."""
    judged: Callable[[Mapping[str, float]], float]
    """Makes the one figure of these numbers, see `shapes`."""
    unit: str = "B/s"
    """Unit of the numbers."""
    basis: Basis = Basis.PREDICTED

    def beside(self, results: Results, experiments: Mapping[str, Experiment]) -> WordEntry:
        """Return the words beside what we find."""
        network = experiments[self.of[0]].network
        read = [self.numbers(*each) for each in _seed_by_seed([results[name] for name in self.of])]
        figures = [self.judged(numbers) for numbers in read]
        return WordEntry(
            words=self.words,
            design=network.name,
            design_hash=network.design_hash,
            calibration=network.calibration,
            ours=float(np.mean(figures)),
            spread=_spread(figures),
            seeds=len(figures),
            numbers={label: float(np.mean([one[label] for one in read])) for label in read[0]},
            unit=self.unit,
            basis=self.basis,
        )


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """What a run gave of which nothing is printed here."""

    experiment: Experiment
    metric: str
    value: float
    unit: str
    spread: float
    """Standard deviation over the seeds."""
    pages: bool
    """Whether the ranks exceed a node's memory, which makes the real run slower than ours."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """What of a paper is answered by runs that belong together."""

    experiments: tuple[Experiment, ...]
    claims: tuple[Claim, ...] = ()
    words: tuple[WordClaim, ...] = ()
    figures: Callable[[Results], list[Figure]] = lambda _: []

    def entries(self, results: Results) -> list[Entry]:
        """Return every printed number beside ours."""
        return [claim.beside(results, self._by_name) for claim in self.claims]

    def word_entries(self, results: Results) -> list[WordEntry]:
        """Return everything said in words beside what we find."""
        return [claim.beside(results, self._by_name) for claim in self.words]

    def predictions(self, results: Results) -> Iterator[Prediction]:
        """Yield the time or throughput of every run that has but one, and no number beside it."""
        claimed = {name for claim in self.claims for name in claim.of}
        for one in self.experiments:
            if one.name not in claimed:
                yield from _prediction(one, results[one.name])

    @property
    def _by_name(self) -> dict[str, Experiment]:
        return {experiment.name: experiment for experiment in self.experiments}


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


def by_setting(result: Result, metric: str, setting: str = "size_bytes") -> dict[Any, float]:
    """Return one metric for each value of a setting, in their order, means over the seeds."""
    rows = result.filter(metric=metric)
    found: dict[Any, list[float]] = {}
    for at, value in zip(rows.parameter(setting), rows.values().tolist(), strict=True):
        found.setdefault(at, []).append(value)
    return {at: float(np.mean(values)) for at, values in found.items()}


_SINGLE = ("aggregate_throughput", "time")
"""What stands for a run without a printed number, the first that it has."""


def _prediction(experiment: Experiment, result: Result) -> Iterator[Prediction]:
    for metric in _SINGLE:
        rows = result.filter(metric=metric)
        values = rows.values().tolist()
        if len(values) == experiment.seeds:
            yield Prediction(
                experiment=experiment,
                metric=metric,
                value=float(np.mean(values)),
                unit=rows.rows()[0].unit,
                spread=_spread(values),
                pages=_pages(result),
            )
            return


def _pages(result: Result) -> bool:
    return True in result.parameter("exceeds_memory")


def _seed_by_seed(results: Sequence[Result]) -> list[list[Result]]:
    """Return the results of every seed; what was played once stands beside each."""
    n_seeds = [len({row.repeat for row in result.rows()}) for result in results]
    return [
        [
            result.filter(repeat=seed) if own > 1 else result
            for result, own in zip(results, n_seeds, strict=True)
        ]
        for seed in range(max(n_seeds))
    ]


def _spread(values: Sequence[float]) -> float:
    """Return the standard deviation, 0 where all seeds give the same but for rounding."""
    if np.allclose(values, values[0], rtol=1e-9, atol=0.0):
        return 0.0
    return float(np.std(values, ddof=1))
