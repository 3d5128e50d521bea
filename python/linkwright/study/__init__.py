"""A study: a file that asks a question of many runs, the runs, and the folder of their rows.

The file names designs, workloads, hosts and seeds, each with axes. Every combination is a point,
every point has one run per seed. Runs are made here or on other machines, and each worker writes
its own rows. docs/design/studies.md has the choices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwright.registry import Registry, attribute_of

if TYPE_CHECKING:
    from linkwright.study.database import Database
    from linkwright.study.folder import StudyFolder
    from linkwright.study.pivots import pivot
    from linkwright.study.rehearsal import rehearse
    from linkwright.study.repetition import again
    from linkwright.study.runner import run
    from linkwright.study.sensitivities import sensitivity
    from linkwright.study.study_file import Study

__all__ = ["Database", "Study", "StudyFolder", "again", "pivot", "rehearse", "run", "sensitivity"]

_PARTS: Registry[Any] = Registry(
    __name__,
    {
        "study": "study_file:Study",
        "folder": "folder:StudyFolder",
        "database": "database:Database",
        "run": "runner:run",
        "rehearse": "rehearsal:rehearse",
        "again": "repetition:again",
        "pivot": "pivots:pivot",
        "sensitivity": "sensitivities:sensitivity",
    },
)

__getattr__ = attribute_of(__name__, _PARTS)
