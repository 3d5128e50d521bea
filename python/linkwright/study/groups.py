"""The groups of a study: points that only their axes distinguish, with the values of a metric.

A sensitivity analysis is of one group. Groups are in the order of designs, workloads, hosts,
engines, placements, failed parts and faults.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linkwright.errors import UsageError
from linkwright.study.database import Database, quoted
from linkwright.study.points import Point, circumstances, every_point, first_runs
from linkwright.study.study_file import DesignEntry, HostsEntry, Study, Values

__all__ = ["LABELS", "Group", "Repeats", "expect_all", "groups", "repeats_of"]

LABELS = ("design", "workload", "calibration", "engine", "placement", "without", "faults")
"""Names that tell groups apart."""

Repeats = Mapping[int, Sequence[float]]
"""Values of a metric by the number of a point, one per seed."""


@dataclass(frozen=True)
class Group:
    """Points that only their axes distinguish.

    Attributes
    ----------
    labels : mapping of str
        The entries and circumstances of the group by `LABELS`, and the axes that tell it apart.
    axes : mapping of str to Values
        Axes by path.
    points : sequence of Point
        In the order of the sampling; equal ones have one number.
    """

    labels: Mapping[str, Any]
    axes: Mapping[str, Values]
    points: Sequence[Point]


def groups(study: Study) -> list[Group]:
    """Return the groups of a study whose designs are written out."""
    points: dict[int, list[Point]] = {}
    for point in every_point(study):
        points.setdefault(point.group, []).append(point)
    entries = itertools.product(
        zip(_unique(map(_design_name, study.designs)), study.designs, strict=True),
        zip(_unique(one.name for one in study.workloads), study.workloads, strict=True),
        zip(_unique(map(_hosts_name, study.hosts)), study.hosts, strict=True),
        circumstances(study),
    )
    found = []
    for number, (design, workload, hosts, around) in enumerate(entries):
        engine, placement, without, faults = around
        names = (design[0], workload[0], hosts[0], engine, placement)
        labels = (*names, ", ".join(without), ", ".join(faults))
        axes = design[1].axes | workload[1].axes | hosts[1].axes
        found.append(Group(dict(zip(LABELS, labels, strict=True)), axes, points.get(number, [])))
    return found


def repeats_of(database: Database, metric: str, where: str) -> tuple[Repeats, bool]:
    """Return the values of a metric, and whether they are means over several rows of a run.

    Raises
    ------
    UsageError
        If the metric is unknown, no row is left, or the rows are of other points.
    """
    if not database.metrics:
        raise UsageError(
            "no run of the study has rows",
            "the table 'runs' of `linkwright query` has their errors",
        )
    database.expect([], metric)
    answer = database.query(
        "select point, repeat, avg(value) as value, count(*) as n from rows "
        f"where metric = ? and ({where}) group by point, repeat order by point, repeat",
        [metric],
    )
    found: dict[int, list[float]] = {}
    for point, _, value, _ in answer.rows():
        found.setdefault(point, []).append(value)
    if not found:
        raise UsageError(f"no row has metric '{metric}' there", "widen --where")
    return found, max(answer.column("n")) > 1


def expect_all(database: Database, group: Group, repeats: Repeats) -> None:
    """Check that every point of a group has its runs, and that its rows are of this point.

    Raises
    ------
    UsageError
        If runs failed or are missing, if rows are, or if they have other values of the axes.
    """
    study = database.folder.study
    errors = database.query("select point, repeat, error from runs").rows()
    ended = {(point, repeat): error for point, repeat, error in errors}
    wanted = [
        (point.number, planned.repeat)
        for point in {one.number: one for one in group.points}.values()
        for planned in first_runs(study, point)
    ]
    n_missing = sum(one not in ended for one in wanted)
    n_failed = sum(bool(ended.get(one)) for one in wanted)
    if n_missing or n_failed:
        raise UsageError(
            f"the analysis needs all {len(wanted):,} runs, of which {n_failed:,} failed and "
            f"{n_missing:,} are missing",
            "resume with `linkwright study`, narrow the axes where runs fail, or correct the study",
        )
    if any(point.number not in repeats for point in group.points):
        raise UsageError(
            "some points have no row of the metric", "choose another --metric, or widen --where"
        )
    _expect_cells(database, group.points)


def _expect_cells(database: Database, points: Iterable[Point]) -> None:
    columns = list(database.folder.axes)
    listed = ", ".join(f"any_value({quoted(name)})" for name in columns)
    answer = database.query(f"select point, {listed} from rows group by point") if columns else None
    cells = {} if answer is None else {point: tuple(rest) for point, *rest in answer.rows()}
    if any(cells.get(point.number, point.cells) != point.cells for point in points):
        raise UsageError(
            "the points of the folder are not those of its study: another version made them",
            "use the versions of Linkwright and SALib in its manifest, or run the study again",
        )


def _design_name(entry: DesignEntry) -> str:
    fields = entry.design or {}
    return str(fields.get("name") or (fields.get("topology") or {}).get("kind") or "design")


def _hosts_name(entry: HostsEntry) -> str:
    return entry.calibration or "default"


def _unique(names: Iterable[str]) -> list[str]:
    """Return names, numbered where they repeat.

    Examples
    --------
    >>> _unique(["ring", "hub", "ring"])
    ['ring', 'hub', 'ring (2)']
    """
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found
