"""A study: a file that asks a question of many runs, the runs, and the folder of their rows.

The file names designs, workloads, hosts and seeds, each with axes. Every combination is a point,
every point has one run per seed. Runs are made here or on other machines, and each worker writes
its own rows. docs/design/studies.md has the choices.
"""

from linkwright.registry import Registry, attribute_of

__all__ = ["Database", "Study", "StudyFolder", "again", "pivot", "run", "sensitivity"]

_PARTS: Registry[object] = Registry(
    __name__,
    {
        "study": "study_file:Study",
        "folder": "folder:StudyFolder",
        "database": "database:Database",
        "run": "runner:run",
        "again": "repetition:again",
        "pivot": "pivots:pivot",
        "sensitivity": "sensitivities:sensitivity",
    },
)

__getattr__ = attribute_of(__name__, _PARTS)
