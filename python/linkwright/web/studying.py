"""A study that the page writes: its runs, made in a folder below that of the server.

The runs and the folder are those of `linkwright study`. A study that was stopped is resumed by the
same request: only missing runs are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linkwright.progress import Report
from linkwright.study import Study, run
from linkwright.study.parts import Done
from linkwright.threads import n_cores
from linkwright.web.answers import Studied

__all__ = ["studied"]

MOST_RUNS = 10_000
"""As for `linkwright study` without `--many`."""
MOST_REASONS = 10
"""Failed runs whose reasons are given."""
Event = tuple[str, Any]


def studied(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the numbers of runs of a study, once all are made.

    Parameters
    ----------
    request : mapping
        The `text` of the study; the `folder` that its paths are relative to; the `name` and the
        `path` of the folder for its rows.
    report : callable
        Called with the number of runs that are done; an exception that it raises ends the study.
    """
    study = Study.parse(request["text"], Path(request["folder"]))
    failed: list[Done] = []
    report(0, 0, "trying runs")
    made = run(
        study,
        Path(request["path"]),
        jobs=max(1, n_cores() - 1),  # one is left for the page
        most_runs=MOST_RUNS,
        command=["linkwright", "study", f"{request['name']}.yaml", "-o", request["name"]],
        progress=report,
        failed=failed.append,
    )
    progressed = made.progressed()
    reasons = [f"{one.place}, seed {one.seed}: {one.message}" for one in failed]
    found: Studied = {
        "name": request["name"],
        "n_runs": len(progressed.done),
        "n_failed": sum(one.has_failed for one in progressed.done),
        "reasons": reasons[:MOST_REASONS],
        "remarks": list(progressed.remarks)[:MOST_REASONS],
    }
    yield "studied", found
