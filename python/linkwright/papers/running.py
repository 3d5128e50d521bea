"""Running the experiments of studies: side by side, and not twice.

With a folder, every experiment's result is kept there as Parquet as soon as there is one, under a
key of all that it depends on: the program, the network, the workload, the hosts. What is
interrupted goes on where it stopped, and what has changed is run again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from linkwright import calibrations, engines
from linkwright.papers.study import Experiment, Study
from linkwright.results import Result, load, save
from linkwright.results.parquet import to_parquet
from linkwright.results.schema import canonical_json
from linkwright.views.figures import new_figure

__all__ = ["Progress", "Runner", "check_extras"]

Progress = Callable[[int, int, str], None]
"""Takes how many experiments are done, of how many, and which was the last."""

SEED = 1


@dataclass(frozen=True, kw_only=True)
class Runner:
    """How experiments are run."""

    is_brief: bool = False
    """Whether what takes long is cut short, where its experiment says how."""
    n_jobs: int = 1
    folder: Path | None = None
    """Where results are kept; nowhere unless given."""
    progress: Progress = lambda done, total, name: None

    def run(self, studies: Mapping[str, Study]) -> dict[str, dict[str, Result]]:
        """Return the result of every experiment, by study and name, in the order given."""
        wanted = [(name, one) for name, study in studies.items() for one in study.experiments]
        found: dict[tuple[str, str], Result] = {}
        pool = ThreadPoolExecutor(max_workers=self.n_jobs)
        try:
            running = {pool.submit(self._one, *each): each for each in wanted}
            for future in as_completed(running):
                study, experiment = running[future]
                found[study, experiment.name] = future.result()
                self.progress(len(found), len(wanted), f"{study}: {experiment.name}")
        finally:
            # An interrupted run ends with the experiments that are under way, not with all of them.
            pool.shutdown(wait=False, cancel_futures=True)
        return {
            name: {one.name: found[name, one.name] for one in study.experiments}
            for name, study in studies.items()
        }

    def _one(self, study: str, experiment: Experiment) -> Result:
        kept = self._place(study, experiment)
        if kept is not None and kept.exists():
            return load(kept)
        result = self._played(study, experiment)
        if kept is not None:
            kept.parent.mkdir(parents=True, exist_ok=True)
            save(result, kept)
        return result

    def _played(self, study: str, experiment: Experiment) -> Result:
        return engines.run(
            experiment.network,
            self._workload(experiment),
            seed=SEED,
            study=f"{study}/{experiment.name}",
            placement=experiment.placement,
        )

    def _workload(self, experiment: Experiment) -> Any:
        return (self.is_brief and experiment.brief) or experiment.workload

    def _place(self, study: str, experiment: Experiment) -> Path | None:
        if self.folder is None:
            return None
        workload, network = self._workload(experiment), experiment.network
        hosts = calibrations.load(network.calibration)
        inputs = [
            _program_digest(),
            network.design_hash,
            workload.name,
            workload.parameters,
            hosts.published(),
            experiment.placement,
            SEED,
        ]
        key = hashlib.sha256(canonical_json(inputs).encode()).hexdigest()[:12]
        return self.folder / "runs" / study / f"{experiment.name}.{key}.parquet"


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
