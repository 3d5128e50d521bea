"""Running the experiments of studies: in parallel, and each only once.

An experiment that several studies need is run once and given to each. With a folder, its result is
saved there as Parquet when it is complete, since all of them take twenty minutes: after an
interruption only the rest is run. Name and key of the file represent all inputs of the result. The
program is among them by its files, not by its version, which does not change during development.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from linkwright.errors import UsageError
from linkwright.papers.study import Experiment, Study
from linkwright.progress import Report
from linkwright.records.plain_numbers import plain
from linkwright.results import Result, expect_parquet, load, save
from linkwright.results.schema import canonical_json
from linkwright.study.calls import Calls
from linkwright.study.code import code_digest
from linkwright.threads import threads
from linkwright.views.curve_plots import new_figure

__all__ = ["Runner", "check_extras"]


@dataclass(frozen=True, kw_only=True)
class Runner:
    """Runs experiments."""

    is_brief: bool = False
    """Whether long runs are shortened as their experiment defines."""
    n_jobs: int = 1
    n_draws: int = 0
    """Number of draws of the hosts' constants behind intervals. Default: seeds alone make them."""
    folder: Path | None = None
    """Folder of saved results. Default: none."""
    command: tuple[str, ...] = ()
    """Command line for the manifests of saved results."""
    progress: Report = lambda done, total, name: None

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_draws", plain(self.n_draws))

    def run(self, studies: Mapping[str, Study]) -> dict[str, dict[str, Result]]:
        """Return the result of every experiment, by study and name, in the order given."""
        alike: dict[str, list[tuple[str, Experiment]]] = {}
        for study, experiment in _experiments(studies, is_brief=self.is_brief):
            alike.setdefault(_key(experiment), []).append((study, experiment))
        found: dict[tuple[str, str], Result] = {}
        calls = [
            (
                ", ".join(f"{study}: {one.name}" for study, one in askers),
                partial(self._each, key, askers),
            )
            for key, askers in alike.items()
        ]
        with threads(self.n_jobs) as pool:
            results = Calls(pool, self.progress).run(calls)
        for askers, given in zip(alike.values(), results, strict=True):
            for (study, experiment), result in zip(askers, given, strict=True):
                found[study, experiment.name] = result
        return {
            name: {one.name: found[name, one.name] for one in study.experiments}
            for name, study in studies.items()
        }

    def drawn(self, studies: Mapping[str, Study]) -> dict[str, dict[str, Result]]:
        """Return results with drawn constants for the printed numbers; none without draws."""
        if not self.n_draws:
            return {name: {} for name in studies}
        return self.run({name: study.drawn(self.n_draws) for name, study in studies.items()})

    def _each(self, key: str, askers: Sequence[tuple[str, Experiment]]) -> list[Result]:
        """Return one result for each of the studies that need the same experiment."""
        results: list[Result] = []
        for study, experiment in askers:
            name = f"{study}/{experiment.name}"
            file = None if self.folder is None else self.folder / "runs" / f"{name}.{key}.parquet"
            kept = None if file is None else _kept(file)
            if kept is None:
                kept = (
                    _named(results[0], name)
                    if results
                    else experiment.run(name).with_command(self.command)
                )
                if file is not None:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    save(kept, file)
            results.append(kept)
        return results


def _experiments(
    studies: Mapping[str, Study], *, is_brief: bool
) -> Iterator[tuple[str, Experiment]]:
    for name, study in studies.items():
        for experiment in study.experiments:
            yield name, experiment.shortened() if is_brief else experiment


def _key(experiment: Experiment) -> str:
    """Return a digest of all inputs of a result except the name of its study."""
    return hashlib.sha256(canonical_json([code_digest(), *experiment.inputs]).encode()).hexdigest()[
        :12
    ]


def _kept(place: Path) -> Result | None:
    """Return the result in a file; None if it is missing or damaged, so that it is run again."""
    try:
        return load(place) if place.exists() else None
    except UsageError:
        return None


def _named(result: Result, study: str) -> Result:
    """Return a result under the name of another study."""
    return Result({**result.columns, "study": (study,) * len(result)}, result.manifests)


def check_extras() -> None:
    """Refuse to begin work whose output could not be saved or drawn.

    Raises
    ------
    CapabilityError
        If the library that writes Parquet or draws figures is missing.
    """
    expect_parquet()
    new_figure(1, width=1, height=1, columns=1)
