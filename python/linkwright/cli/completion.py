"""Shell completion: each function takes the start of a word and returns the names that fit.

Names come from the registries, and the objects that they name are not loaded, since a user waits
for the answer with a finger on the key.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "backgrounds",
    "calibrations",
    "catalogues",
    "engines",
    "exporters",
    "failures",
    "lessons",
    "lists",
    "papers",
    "patterns",
    "placements",
    "workloads",
]


def workloads(start: str) -> list[str]:
    """Return workloads."""
    from linkwright.workloads import WORKLOADS

    return _starting(start, WORKLOADS)


def patterns(start: str) -> list[str]:
    """Return patterns of traffic."""
    from linkwright.workloads import PATTERNS

    return _starting(start, PATTERNS)


def backgrounds(start: str) -> list[str]:
    """Return workloads that can run in the background."""
    from linkwright.workloads import BACKGROUNDS

    return _starting(start, BACKGROUNDS)


def engines(start: str) -> list[str]:
    """Return engines."""
    from linkwright.engines import ENGINES

    return _starting(start, ENGINES)


def exporters(start: str) -> list[str]:
    """Return targets of files for machines; after the start of one, also other names."""
    from linkwright.plan.exporters import ALIASES, EXPORTERS

    return _starting(start, (*EXPORTERS, *ALIASES) if start else EXPORTERS)


def catalogues(start: str) -> list[str]:
    """Return catalogues of parts."""
    from linkwright.design.parts import catalogue_names

    return _starting(start, catalogue_names())


def calibrations(start: str) -> list[str]:
    """Return the calibrations that come with Linkwright."""
    from linkwright.calibrations import names

    return _starting(start, names())


def placements(start: str) -> list[str]:
    """Return the named placements."""
    return _starting(start, ("row", "random", "2x2", "local-pairs", "remote-pairs", "@"))


def failures(start: str) -> list[str]:
    """Return numbers of failed parts, alone and with each kind of part."""
    kinds = ("cable", "nic", "hub", "switch", "node")
    many = [f"{number}:{kind}" for number in ("single", "pairs") for kind in kinds]
    return _starting(start, ("single", "pairs", "none", *many))


def papers(start: str) -> list[str]:
    """Return papers; after the name of one and a slash, its tables."""
    from linkwright.papers import ALL, PAPERS, table_names

    paper, slash, _ = start.partition("/")
    if slash and paper in PAPERS:
        return _starting(start, [f"{paper}/{table}" for table in table_names(paper)])
    return _starting(start, (ALL, *PAPERS))


def lessons(start: str) -> list[str]:
    """Return lessons."""
    from linkwright.lessons import LESSONS

    return _starting(start, LESSONS)


def lists(start: str) -> list[str]:
    """Return the names of lists."""
    from linkwright.cli.lists import LISTS

    return _starting(start, LISTS)


def _starting(start: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(start)]
