"""Runs by name, each of which is made once: on the threads of this process, kept in a folder.

Runs with the same inputs are one, whatever question they belong to. With a folder, each result is
saved there as Parquet as soon as it is complete, so that after an interruption only the rest is
made. Name and key of a file stand for all inputs, the program among them by its files
(`study.code`): its version does not change during development.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from linkwright.engines import Run, observe
from linkwright.errors import UsageError
from linkwright.execution.calls import called
from linkwright.progress import Report
from linkwright.results import Result, load, save
from linkwright.results.schema import canonical_json
from linkwright.study.code import code_digest

__all__ = ["results_of"]


def results_of(
    runs: Mapping[str, Run],
    *,
    n_jobs: int | None = None,
    folder: Path | None = None,
    command: Sequence[str] = (),
    progress: Report | None = None,
) -> dict[str, Result]:
    """Return the results of runs by name.

    Parameters
    ----------
    runs : mapping of str to Run
        The runs by name; a name with slashes is a place in the folder.
    n_jobs : int, optional
        Runs at the same time. Default: one per core. Repeats of one run are not.
    folder : Path, optional
        Folder of saved results. Default: none.
    command : sequence of str
        Command line, for the manifests.
    progress : callable, optional
        Called after each run with the numbers of runs done and of all, and its names.
    """
    alike: dict[str, list[str]] = {}
    for name, run in runs.items():
        alike.setdefault(_key(run), []).append(name)

    def made(key: str, names: Sequence[str]) -> list[Result]:
        found: list[Result] = []
        for name in names:
            file = None if folder is None else folder / f"{name}.{key}.parquet"
            result = None if file is None else _kept(file)
            if result is None:
                result = (
                    _of_study(found[0], runs[name].study)
                    if found
                    else observe(runs[name], n_jobs=1).result.with_command(command)
                )
                if file is not None:
                    file.parent.mkdir(parents=True, exist_ok=True)
                    save(result, file)
            found.append(result)
        return found

    calls = [(", ".join(names), partial(made, key, names)) for key, names in alike.items()]
    answers = called(calls, n_jobs=n_jobs, progress=progress)
    by_name = {
        name: result
        for names, found in zip(alike.values(), answers, strict=True)
        for name, result in zip(names, found, strict=True)
    }
    return {name: by_name[name] for name in runs}


def _key(run: Run) -> str:
    """Return a digest of all inputs of a result except its question."""
    inputs = [
        code_digest(),
        {name: value for name, value in run.columns("predicted").items() if name != "study"},
        run.workload.parameters,
        run.conditions,
        run.repeats,
        run.hosts.published(),
        run.hosts.published_draws() if run.draw is not None else None,
    ]
    return hashlib.sha256(canonical_json(inputs).encode()).hexdigest()[:12]


def _kept(place: Path) -> Result | None:
    """Return the result in a file; None if it is missing or damaged, so that it is made again."""
    try:
        return load(place) if place.exists() else None
    except UsageError:
        return None


def _of_study(result: Result, study: str) -> Result:
    """Return a result under the name of another question."""
    return Result({**result.columns, "study": (study,) * len(result)}, result.manifests)
