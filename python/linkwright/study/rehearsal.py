"""A study without its runs: the outlook, and nothing in its folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from linkwright.execution.pools import opener
from linkwright.study.folder import MANIFEST, StudyFolder
from linkwright.study.outlook import Outlook
from linkwright.study.runner import StudyWork, jobs_of
from linkwright.study.study_file import Study

__all__ = ["rehearse"]


def rehearse(
    study: Study,
    folder: str | os.PathLike[str],
    *,
    on: str = "local",
    jobs: int | None = None,
    again_failed: bool = False,
) -> Outlook:
    """Return the outlook of a study: the runs that its folder lacks, and the time for them.

    Parameters
    ----------
    study : Study
    folder : path-like
        The folder of the study, which is only read, and need not exist.
    on, jobs, again_failed
        As for `run`.

    Raises
    ------
    LinkwrightError
        If the study or the folder is wrong.
    """
    opener(on)
    with tempfile.TemporaryDirectory(prefix="linkwright-") as other:
        place = StudyFolder.create(folder if (Path(folder) / MANIFEST).exists() else other, study)
        work = StudyWork(place, again_failed=again_failed)
        return work.outlook(on, jobs_of(place.study, jobs))
