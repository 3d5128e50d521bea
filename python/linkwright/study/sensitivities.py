"""Sensitivity: the axes of a study that matter for a metric, and how much.

The sampling of the study decides the method: Morris' elementary effects, Sobol indices, or a
tornado of a grid or of one axis at a time. The value of a point is the mean over its seeds. There
is one analysis for each design, workload and so on; docs/design/sensitivity.md has the choices.
"""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pvariance, variance
from typing import Any

from linkwright.errors import UsageError, unknown_name
from linkwright.study.columns import axis_columns
from linkwright.study.database import Database
from linkwright.study.folder import StudyFolder
from linkwright.study.groups import LABELS, Group, Repeats, expect_all, groups, repeats_of
from linkwright.study.salib import (
    MORRIS_FIGURES,
    SOBOL_FIGURES,
    elementary_effects,
    sobol_indices,
)
from linkwright.study.study_file import Study
from linkwright.study.tornadoes import TORNADO_FIGURES, first_cells, tornado

__all__ = ["Analysis", "Sensitivity", "sensitivity"]

METHODS: Mapping[str, tuple[str, Sequence[str]]] = {
    "morris": ("morris", MORRIS_FIGURES),
    "saltelli": ("sobol", SOBOL_FIGURES),
    "grid": ("tornado", TORNADO_FIGURES),
    "one-at-a-time": ("tornado", TORNADO_FIGURES),
}
"""Method of analysis and its figures, by the kind of sampling."""
WIDE = 0.2
"""Half width of an interval of a Sobol index from which on more points are advised."""
ERRORS = 2.0
"""Standard errors of a mean over seeds up to which an effect may be chance."""


@dataclass(frozen=True)
class Analysis:
    """The analysis of one group of points.

    Attributes
    ----------
    place : tuple
        The values that tell it apart, by the names of the `Sensitivity`.
    base : float
        Mean of the metric over all points; of a tornado, the metric at the first values.
    effects : mapping of str to mapping
        Figures of each axis, the largest effect first.
    error : float
        Standard error of the mean over the seeds of a point; 0 for one seed.
    doubtful : tuple of str
        Axes whose effect the spread over seeds can explain.
    """

    place: tuple[Any, ...]
    base: float
    effects: Mapping[str, Mapping[str, Any]]
    error: float
    doubtful: tuple[str, ...]


@dataclass(frozen=True)
class Sensitivity:
    """The sensitivity of a metric to the axes of a study.

    Attributes
    ----------
    method : str
        `morris`, `sobol` or `tornado`.
    metric, unit : str
    names : tuple of str
        Names that tell the analyses apart.
    figures : sequence of str
        Names of the figures of an axis. Morris: `mu_star`, the mean absolute elementary effect,
        with the half width of its 90 % confidence interval, `sigma`, their deviation, and `mu`,
        their mean. Sobol: first-order and total index, with half widths. Tornado: lowest and
        highest value of the axis, the metric there, and its change.
    analyses : sequence of Analysis
    notes : sequence of str
    """

    method: str
    metric: str
    unit: str
    names: tuple[str, ...]
    figures: Sequence[str]
    analyses: Sequence[Analysis]
    notes: Sequence[str]

    def headings(self) -> list[str]:
        """Return the headings of the table."""
        return [*self.names, "axis", *self.figures, "unit"]

    def rows(self) -> list[list[Any]]:
        """Return the rows of the table; Sobol indices have unit 1."""
        unit = "1" if self.method == "sobol" else self.unit
        return [
            [*one.place, axis, *(figures[name] for name in self.figures), unit]
            for one in self.analyses
            for axis, figures in one.effects.items()
        ]


def sensitivity(
    folder: StudyFolder | str | os.PathLike[str],
    metric: str = "time",
    by: Sequence[str] = (),
    *,
    where: str = "true",
) -> Sensitivity:
    """Return the sensitivity of a metric to the axes of a study.

    Parameters
    ----------
    folder : StudyFolder or path-like
        The folder of a study with sampling `morris`, `saltelli`, `one-at-a-time` or `grid`.
    metric : str
    by : sequence of str
        Names to show for each analysis, of `design`, `workload`, `calibration`, `engine`,
        `placement`, `without`, `faults`; those that differ are always shown. Axes of a grid too:
        then there is an analysis for each of their values.
    where : str
        Condition on the rows, in SQL.

    Raises
    ------
    UsageError
        If the sampling has no analysis, a name is unknown, or runs are missing.
    CapabilityError
        If SALib is missing.

    Examples
    --------
    >>> import tempfile
    >>> from linkwright.study import Study, run
    >>> study = Study.parse('''
    ... designs: [{design: {topology: {kind: ring}}, axes: {topology.shape: [[4], [8]]}}]
    ... workloads: [{name: broadcast, axes: {size_bytes: [64, 65536]}}]
    ... engines: [analytic]
    ... ''')
    >>> list(sensitivity(run(study, tempfile.mkdtemp(), jobs=1)).analyses[0].effects)
    ['size_bytes', 'topology.shape']
    """
    place = folder if isinstance(folder, StudyFolder) else StudyFolder(folder)
    study = place.study
    kind = study.sampling.kind
    if kind not in METHODS:
        raise UsageError(
            f"sampling '{kind}' has no sensitivity analysis",
            "run the study with sampling: {kind: morris, points: 16}, or saltelli, one-at-a-time "
            "or grid",
        )
    method, figures = METHODS[kind]
    with Database(place) as database:
        repeats, is_mixed = repeats_of(database, metric, where)
        every = [part for one in groups(study) for part in _divided(one, study, by) if part.axes]
        if not every:
            raise UsageError("the study has no axes to analyse", "give it axes")
        names, analyses = _names(every, by), []
        mixed = f"a run has several rows of '{metric}'; their mean counts, --where chooses"
        notes = [mixed] if is_mixed else []
        for group in every:
            labels = tuple(group.labels[name] for name in names)
            if any(point.number in repeats for point in group.points):
                needed = _needed(group, study)
                expect_all(database, needed, repeats)
                analyses.append(_analysis(labels, needed, study, repeats))
            else:
                notes.append(f"{_joined(labels)}no row of '{metric}'")
        unit = database.query("select any_value(unit) from rows where metric = ?", [metric])
    found = Sensitivity(method, metric, unit.rows()[0][0], names, figures, analyses, ())
    return replace(found, notes=(*notes, *_doubts(found)))


def _names(every: Sequence[Group], by: Sequence[str]) -> tuple[str, ...]:
    """Return the names that the user wants or that differ."""
    differ = [name for name in LABELS if len({one.labels[name] for one in every}) > 1]
    return tuple(dict.fromkeys((*by, *differ)))


def _divided(group: Group, study: Study, by: Sequence[str]) -> Iterator[Group]:
    """Yield a group, or one for each combination of values of some axes of a grid.

    Raises
    ------
    UsageError
        If a name is unknown, or an axis that the analysis needs.
    """
    columns = axis_columns(study)
    paths = {name: path for path, (name, _) in columns.items()} | {path: path for path in columns}
    wanted = [name for name in by if name not in LABELS]
    for name in wanted:
        if name not in paths:
            raise UsageError(
                f"there is no '{name}' to tell analyses apart",
                unknown_name(name, [*LABELS, *paths]),
            )
        if study.sampling.kind != "grid":
            raise UsageError(
                f"sampling '{study.sampling.kind}' has one analysis for all values of '{name}'",
                "run one study for each of its values, or a grid",
            )
    places = [list(columns).index(paths[name]) for name in wanted]
    parts: dict[tuple[Any, ...], list[Any]] = {}
    for point in group.points:
        parts.setdefault(tuple(point.cells[one] for one in places), []).append(point)
    apart = {paths[name] for name in wanted}
    axes = {axis: values for axis, values in group.axes.items() if axis not in apart}
    for values, points in parts.items():
        yield Group({**group.labels, **dict(zip(wanted, values, strict=True))}, axes, points)


def _needed(group: Group, study: Study) -> Group:
    """Return a group with the points of its analysis.

    A tornado needs only those that differ from the first in one axis at most.
    """
    if study.sampling.is_analysed_whole:
        return group
    cells, first = _cells_of(group, study), first_cells(group.axes, _kinds(group, study))
    near = [sum(a != b for a, b in zip(one, first, strict=True)) <= 1 for one in cells]
    return replace(group, points=list(itertools.compress(group.points, near)))


def _cells_of(group: Group, study: Study) -> list[tuple[Any, ...]]:
    """Return the values of the axes of a group, point by point."""
    columns = list(axis_columns(study))
    places = [columns.index(axis) for axis in group.axes]
    return [tuple(point.cells[place] for place in places) for point in group.points]


def _kinds(group: Group, study: Study) -> list[str]:
    columns = axis_columns(study)
    return [columns[axis][1] for axis in group.axes]


def _analysis(place: tuple[Any, ...], group: Group, study: Study, repeats: Repeats) -> Analysis:
    axes, sampling = group.axes, study.sampling
    values = [fmean(repeats[point.number]) for point in group.points]
    effects: Mapping[str, Mapping[str, Any]]
    base = fmean(values) if values else 0.0
    if sampling.kind == "morris":
        effects = elementary_effects(axes, sampling, values)
        changes = {axis: one["mu_star"] for axis, one in effects.items()}
    elif sampling.kind == "saltelli":
        effects, all_variance = sobol_indices(axes, values), pvariance(values)
        changes = {
            axis: math.sqrt(max(one["ST"], 0.0) * all_variance) for axis, one in effects.items()
        }
    else:
        means = dict(zip(_cells_of(group, study), values, strict=True))
        kinds = _kinds(group, study)
        effects = tornado(axes, kinds, means)
        base = means[first_cells(axes, kinds)]
        changes = {axis: abs(one["effect"]) for axis, one in effects.items()}
    order = sorted(changes, key=lambda axis: -changes[axis])
    error = _error([repeats[point.number] for point in group.points])
    doubtful = tuple(axis for axis in order if 0 < changes[axis] <= ERRORS * error)
    return Analysis(place, base, {axis: effects[axis] for axis in order}, error, doubtful)


def _error(values: Sequence[Sequence[float]]) -> float:
    """Return the standard error of a point's mean over seeds; 0 if no point has several."""
    several = [variance(one) / len(one) for one in values if len(one) > 1]
    return math.sqrt(fmean(several)) if several else 0.0


def _doubts(found: Sensitivity) -> Iterator[str]:
    """Yield notes on effects that may be none, and on indices that are not known well."""
    for one in found.analyses:
        if one.doubtful:
            yield (
                f"{_joined(one.place)}the spread over seeds, {one.error:.3g} {found.unit} per "
                f"point, can explain the effect of {', '.join(one.doubtful)}; more seeds tell"
            )
        if not any(_size(figures) for figures in one.effects.values()):
            yield f"{_joined(one.place)}'{found.metric}' does not depend on any axis"
        widths = [figures.get("S1_conf", 0.0) for figures in one.effects.values()]
        if max(widths) > WIDE:
            yield (
                f"{_joined(one.place)}the indices have intervals up to ± {max(widths):.2g}; more "
                "points narrow them"
            )


def _joined(place: Sequence[Any]) -> str:
    """Return the beginning of a note on one analysis."""
    return f"{', '.join(map(str, place))}: " if place else ""


def _size(figures: Mapping[str, Any]) -> float:
    """Return the figure by which axes are compared."""
    return float(figures[next(name for name in ("mu_star", "ST", "effect") if name in figures)])
