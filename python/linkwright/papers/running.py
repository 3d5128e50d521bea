"""Running the experiments of studies: side by side, and not twice.

What several studies ask for is played once and given to each. With a folder, every experiment's
result is kept there as Parquet as soon as there is one, under a key of all that it depends on: the
program, the network, the workload, the hosts. What is interrupted goes on where it stopped; what
has changed, or cannot be read, is run again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from linkwright import calibrations, engines
from linkwright.errors import UsageError
from linkwright.papers.study import Experiment, Study
from linkwright.progress import Report
from linkwright.results import Result, load, save
from linkwright.results.parquet import to_parquet
from linkwright.results.schema import canonical_json
from linkwright.views.figures import new_figure

__all__ = ["Runner", "check_extras"]

SEED = 1


@dataclass(frozen=True, kw_only=True)
class Runner:
    """How experiments are run."""

    is_brief: bool = False
    """Whether what takes long is cut short, where its experiment says how."""
    n_jobs: int = 1
    folder: Path | None = None
    """Where results are kept; nowhere unless given."""
    command: tuple[str, ...] = ()
    """Command line that the manifests of kept results name."""
    progress: Report = lambda done, total, name: None

    def run(self, studies: Mapping[str, Study]) -> dict[str, dict[str, Result]]:
        """Return the result of every experiment, by study and name, in the order given."""
        wanted = [(name, one) for name, study in studies.items() for one in study.experiments]
        alike: dict[str, list[tuple[str, Experiment]]] = {}
        for study, experiment in wanted:
            alike.setdefault(self._key(experiment), []).append((study, experiment))
        found: dict[tuple[str, str], Result] = {}
        pool = ThreadPoolExecutor(max_workers=self.n_jobs)
        try:
            running = {pool.submit(self._each, *each): each[1] for each in alike.items()}
            for future in as_completed(running):
                for (study, experiment), result in zip(
                    running[future], future.result(), strict=True
                ):
                    found[study, experiment.name] = result
                    self.progress(len(found), len(wanted), f"{study}: {experiment.name}")
        finally:
            # An interrupted run ends with the experiments that are under way, not with all of them.
            pool.shutdown(wait=False, cancel_futures=True)
        return {
            name: {one.name: found[name, one.name] for one in study.experiments}
            for name, study in studies.items()
        }

    def _each(self, key: str, askers: Sequence[tuple[str, Experiment]]) -> list[Result]:
        """Return one result for each of the studies that ask for the same."""
        results: list[Result] = []
        for study, experiment in askers:
            place = self._place(key, study, experiment)
            kept = None if place is None else _kept(place)
            if kept is not None:
                results.append(kept)
                continue
            results.append(
                _named(results[0], study, experiment)
                if results
                else self._played(study, experiment)
            )
            if place is not None:
                place.parent.mkdir(parents=True, exist_ok=True)
                save(results[-1], place)
        return results

    def _played(self, study: str, experiment: Experiment) -> Result:
        result = engines.run(
            experiment.network,
            self._workload(experiment),
            seed=SEED,
            repeats=experiment.seeds,
            n_jobs=1,  # experiments are what runs side by side
            study=f"{study}/{experiment.name}",
            placement=experiment.placement,
            background=experiment.background,
        )
        return result.with_command(self.command)

    def _workload(self, experiment: Experiment) -> Any:
        return (self.is_brief and experiment.brief) or experiment.workload

    def _key(self, experiment: Experiment) -> str:
        """Return a digest of everything that the result depends on."""
        workload, network = self._workload(experiment), experiment.network
        inputs = [
            _program_digest(),
            network.design_hash,
            workload.name,
            workload.parameters,
            calibrations.load(network.calibration).published(),
            experiment.placement,
            experiment.background and experiment.background.condition,
            SEED,
            experiment.seeds,
        ]
        return hashlib.sha256(canonical_json(inputs).encode()).hexdigest()[:12]

    def _place(self, key: str, study: str, experiment: Experiment) -> Path | None:
        if self.folder is None:
            return None
        return self.folder / "runs" / study / f"{experiment.name}.{key}.parquet"


def _kept(place: Path) -> Result | None:
    """Return the result in a file; None where there is none, or a damaged one: it is run again."""
    try:
        return load(place) if place.exists() else None
    except UsageError:
        return None


def _named(result: Result, study: str, experiment: Experiment) -> Result:
    """Return a result under the name of another study that asked for it."""
    name = f"{study}/{experiment.name}"
    return Result.from_rows((replace(row, study=name) for row in result.rows()), result.manifests)


def check_extras() -> None:
    """Refuse to begin what could not be kept or drawn in the end.

    Raises
    ------
    CapabilityError
        When what writes Parquet or draws figures is missing.
    """
    to_parquet(Result.from_rows([]))
    new_figure(1, width=1, height=1, columns=1)


@cache
def _program_digest() -> str:
    """Return a digest of all files of the package that can change a result."""
    digest = hashlib.sha256()
    for file in sorted(_files(resources.files("linkwright")), key=str):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(folder: Any) -> list[Any]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += [] if entry.name in _WITHOUT_EFFECT else _files(entry)
        elif entry.name.endswith((".py", ".so", ".toml", ".yaml")):
            found.append(entry)
    return found


_WITHOUT_EFFECT = ("__pycache__", "papers", "views", "cli", "plan", "studies")
"""Parts of the package that no run depends on."""
