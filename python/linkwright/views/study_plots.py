"""The usual figures of a study: lines with confidence bands, a heat map, a Pareto front, boxes.

The numbers come from the study's database.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from linkwright.errors import UsageError, unknown_name
from linkwright.notebook import counted
from linkwright.results.interval import interval_of
from linkwright.views.chart import Axis, Boxes, Cells, Chart, Series
from linkwright.views.study_figure import StudyFigure, is_number

if TYPE_CHECKING:
    from linkwright.results.interval import Interval
    from linkwright.study.database import Database

__all__ = ["FIGURES", "Asked", "study_figure"]

MOST_SERIES = 24
"""Series that one figure can show apart."""
SIZE = (8.0, 5.0)
"""Width and height of a figure in inches."""
WHISKER = 1.5
"""Length of a whisker, in ranges between the quartiles, within which values are no outliers."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The wish for a figure.

    Attributes
    ----------
    x : str
        Column of the horizontal axis; a metric for a Pareto front.
    metric : str
        Metric of the vertical axis, or of the colours of a heat map.
    y : str
        Column of the vertical axis of a heat map.
    by : sequence of str
        Columns that distinguish the series.
    where : str
        Condition on the rows, in SQL.
    log : str
        Axes with a logarithmic scale: "x", "y", "xy" or "".
    """

    x: str
    metric: str
    y: str = ""
    by: Sequence[str] = ()
    where: str = "true"
    log: str = ""


def study_figure(kind: str, database: Database, asked: Asked) -> StudyFigure:
    """Return a figure of a study.

    Parameters
    ----------
    kind : str
        One of `FIGURES`.
    database : Database
        The study.
    asked : Asked
        What it shall show.

    Raises
    ------
    UsageError
        If a name is unknown, nothing is left to show, or there are too many series.
    """
    if kind not in FIGURES:
        raise UsageError(f"there is no figure '{kind}'", unknown_name(kind, FIGURES))
    return FIGURES[kind](database, asked)


def _lines(database: Database, asked: Asked) -> StudyFigure:
    """Draw means over one axis, with the 90 % confidence band of each mean."""
    database.expect([asked.x, *asked.by], asked.metric)
    values = _values(database, asked, [asked.x, *asked.by])
    unit = _unit(database, asked.metric)
    series: dict[tuple[Any, ...], dict[Any, list[float]]] = {}
    for place, found in values.items():
        # A run without the axis has no place on it.
        if place[0] is not None:
            series.setdefault(place[1:], {})[place[0]] = found
    if not series:
        raise UsageError(f"no row has a value of '{asked.x}' there", "widen --where")
    if "x" in asked.log:
        _expect_positive([x for points in series.values() for x in points], asked.x)
    if "y" in asked.log:
        _expect_positive([interval_of(one).mean for one in values.values()], asked.metric)
    if len(series) > MOST_SERIES:
        raise _too_many(len(series))
    xs = [x for points in series.values() for x in points]
    axis, positions = _axis(asked, xs)
    curves, rows = [], []
    for by, points in series.items():
        ordered = sorted(points, key=lambda x: positions[x])
        means = [interval_of(points[x]) for x in ordered]
        curves.append(_curve(_label(by, asked.by), [positions[x] for x in ordered], means))
        rows += [
            [*by, x, one.mean, one.error_of_mean, one.n]
            for x, one in zip(ordered, means, strict=True)
        ]
    chart = Chart("", axis, Axis(asked.metric, unit, log=_log(asked, "y")), tuple(curves))
    return StudyFigure(
        f"{asked.metric} by {asked.x}",
        (chart,),
        [*asked.by, asked.x, f"mean ({unit})", f"± 90 % ({unit})", "runs"],
        rows,
        size=SIZE,
    )


def _curve(name: str, at: Sequence[float], means: Sequence[Interval]) -> Series:
    """Return a curve with the 90 % confidence band of its means, if they have any."""
    low = [one.mean - one.error_of_mean for one in means]
    high = [one.mean + one.error_of_mean for one in means]
    has_band = low != high
    return Series(
        name,
        at,
        [one.mean for one in means],
        low=low if has_band else (),
        high=high if has_band else (),
    )


def _heat(database: Database, asked: Asked) -> StudyFigure:
    """Draw the means of a metric over two axes as colours, with their numbers."""
    if not asked.y:
        raise UsageError("a heat map has two columns", "name the other one with --y")
    database.expect([asked.x, asked.y], asked.metric)
    found = _values(database, asked, [asked.x, asked.y])
    unit = _unit(database, asked.metric)
    means = {place: interval_of(values).mean for place, values in found.items()}
    if asked.log:
        _expect_positive(list(means.values()), asked.metric)
    xs, ys = (_ordered(_asked_of(database, asked, name)) for name in (asked.x, asked.y))
    cells = [[means.get((x, y)) for x in xs] for y in ys]
    n_missing = sum(value is None for line in cells for value in line)
    missing = f"no value: {counted(n_missing, 'cell')} whose runs failed or were not made"
    values_axis = Axis(asked.metric, unit, log=10 if asked.log else 0)
    chart = Chart(
        "",
        Axis(_words(asked.x), places=tuple(map(_tick, xs))),
        Axis(_words(asked.y), places=tuple(map(_tick, ys))),
        (Cells(cells, values_axis, missing if n_missing else ""),),
    )
    rows = [[x, y, means.get((x, y))] for y in ys for x in xs]
    return StudyFigure(
        f"{asked.metric} by {asked.x} and {asked.y}",
        (chart,),
        [asked.x, asked.y, f"mean ({unit})"],
        rows,
        size=SIZE,
    )


def _pareto(database: Database, asked: Asked) -> StudyFigure:
    """Draw two metrics against each other, and those points that no other beats in both."""
    names = list(asked.by) or ["design"]
    database.expect(names, asked.metric)
    database.expect([], asked.x)
    across, upwards = (
        {place: interval_of(found).mean for place, found in _values(database, one, names).items()}
        for one in (_with_metric(asked, asked.x), asked)
    )
    both = {place: (across[place], upwards[place]) for place in across if place in upwards}
    if not both:
        raise UsageError(
            f"no {', '.join(names)} has both '{asked.x}' and '{asked.metric}'",
            "name columns that the rows of both metrics share with --by",
        )
    for axis, name, found in (("x", asked.x, across), ("y", asked.metric, upwards)):
        if axis in asked.log:
            _expect_positive([found[place] for place in both], name)
    units = [_unit(database, asked.x), _unit(database, asked.metric)]
    # More throughput is better; all other metrics are better when less.
    signs = [-1 if unit.endswith("/s") else 1 for unit in units]
    front = _front({place: (signs[0] * x, signs[1] * y) for place, (x, y) in both.items()})
    chart = Chart(
        "",
        Axis(asked.x, units[0], log=_log(asked, "x")),
        Axis(asked.metric, units[1], log=_log(asked, "y")),
        (
            _points({place: at for place, at in both.items() if place not in front}, colour=-1),
            _points({place: both[place] for place in front}, colour=1),
            _steps(sorted(both[place] for place in front)),
        ),
    )
    rows = [
        [*place, x, y, "yes" if place in front else ""]
        for place, (x, y) in ((one, both[one]) for one in _ordered(both))
    ]
    return StudyFigure(
        f"{asked.metric} against {asked.x}",
        (chart,),
        [*names, f"{asked.x} ({units[0]})", f"{asked.metric} ({units[1]})", "best"],
        rows,
        size=SIZE,
    )


def _points(places: Mapping[tuple[Any, ...], tuple[float, float]], colour: int) -> Series:
    xs, ys = ([at[axis] for at in places.values()] for axis in (0, 1))
    return Series("", xs, ys, look="points", colour=colour, texts=[*map(_label, places)])


def _steps(line: Sequence[tuple[float, float]]) -> Series:
    return Series("", [x for x, _ in line], [y for _, y in line], look="steps", colour=1)


def _box(database: Database, asked: Asked) -> StudyFigure:
    """Draw the values of all runs in groups: median, quartiles, the most distant inside 1.5
    quartile ranges, and all others.
    """
    names = [asked.x, *asked.by]
    database.expect(names, asked.metric)
    values = _values(database, asked, names)
    unit = _unit(database, asked.metric)
    if "x" in asked.log:
        raise UsageError("boxes stand in groups, which have no scale", "leave x out of --log")
    if "y" in asked.log:
        _expect_positive([one for found in values.values() for one in found], asked.metric)
    groups = _ordered(values)
    if len(groups) > 4 * MOST_SERIES:
        raise _too_many(len(groups))
    quartiles = [_quartiles(values[one]) for one in groups]
    boxes = [_box_of(values[one], found) for one, found in zip(groups, quartiles, strict=True)]
    outliers = [
        (place, value)
        for place, (one, (least, *_, most)) in enumerate(zip(groups, boxes, strict=True))
        for value in values[one]
        if not least <= value <= most
    ]
    chart = Chart(
        "",
        Axis(_words(", ".join(names)), places=tuple(map(_label, groups))),
        Axis(asked.metric, unit, log=_log(asked, "y")),
        (Boxes("", boxes, outliers),),
    )
    rows = [[*one, *found, len(values[one])] for one, found in zip(groups, quartiles, strict=True)]
    headings = [f"{name} ({unit})" for name in ("min", "quartile", "median", "quartile", "max")]
    title, columns = f"{asked.metric} by {asked.x}", [*names, *headings, "runs"]
    return StudyFigure(title, (chart,), columns, rows, size=SIZE)


def _box_of(
    values: Sequence[float], quartiles: Sequence[float]
) -> tuple[float, float, float, float, float]:
    """Return quartiles and median between the most distant values that are no outliers."""
    _, low, median, high, _ = quartiles
    reach = WHISKER * (high - low)
    within = [value for value in values if low - reach <= value <= high + reach]
    return min(within), low, median, high, max(within)


FIGURES: Mapping[str, Callable[[Database, Asked], StudyFigure]] = {
    "lines": _lines,
    "heat": _heat,
    "pareto": _pareto,
    "box": _box,
}
"""Every figure by name."""


def _asked_of(database: Database, asked: Asked, column: str) -> set[Any]:
    """Return the values of a column: those of its rows and, for an axis, of runs that failed.

    A condition on the rows leaves out runs without rows, since it cannot be asked of them.
    """
    from linkwright.study.database import quoted

    name = quoted(column)
    rows = database.query(
        f"select distinct {name} from rows where metric = ? and ({asked.where})", [asked.metric]
    )
    found = {line[0] for line in rows.rows()}
    return found if asked.where != "true" else found | database.folder.axis_values(column)


def _values(
    database: Database, asked: Asked, names: Sequence[str]
) -> dict[tuple[Any, ...], list[float]]:
    """Return the values of the metric by those of some columns.

    Raises
    ------
    UsageError
        If there are none.
    """
    from linkwright.study.database import quoted

    columns = ", ".join(map(quoted, names))
    answer = database.query(
        f"select {columns}, list(value order by point, repeat) from rows "
        f"where metric = ? and ({asked.where}) group by {columns} order by {columns}",
        [asked.metric],
    )
    found = {tuple(line[:-1]): line[-1] for line in answer.rows()}
    if not found:
        raise UsageError(f"no row has metric '{asked.metric}' there", "widen --where")
    return found


def _with_metric(asked: Asked, metric: str) -> Asked:
    return Asked(x=asked.x, metric=metric, by=asked.by, where=asked.where)


def _unit(database: Database, metric: str) -> str:
    units = database.query("select any_value(unit) from rows where metric = ?", [metric])
    return str(units.rows()[0][0])


def _too_many(n: int) -> UsageError:
    return UsageError(
        f"{n} series are more than a figure shows apart",
        "name fewer columns with --by, or fewer rows with --where",
    )


def _axis(asked: Asked, xs: Sequence[Any]) -> tuple[Axis, dict[Any, float]]:
    """Return the horizontal axis, and where each value is on it; texts stand side by side."""
    name = _words(asked.x)
    if all(map(is_number, xs)):
        return Axis(name, log=_log(asked, "x")), {x: float(x) for x in xs}
    ordered = _ordered(set(xs))
    positions = {x: float(place) for place, x in enumerate(ordered)}
    return Axis(name, places=tuple(map(_tick, ordered))), positions


def _log(asked: Asked, axis: str) -> Literal[0, 10]:
    return 10 if axis in asked.log else 0


def _ordered(values: Any) -> list[Any]:
    """Return values in order: shapes by their sides, those without a value last."""

    def key(value: Any) -> tuple[Any, ...]:
        cells = value if isinstance(value, tuple) else (value,)
        return tuple((one is None, *_parsed(one)) for one in cells)

    return sorted(values, key=key)


def _parsed(cell: Any) -> tuple[Any, ...]:
    """Return the numbers or the text by which a cell is sorted."""
    if cell is None:
        return ()
    if isinstance(cell, int | float):
        return (0, float(cell))
    sides = str(cell).split("x")
    if all(side.isdigit() for side in sides):
        return (1, len(sides), tuple(map(int, sides)))
    return (2, str(cell))


def _front(points: Mapping[tuple[Any, ...], tuple[float, float]]) -> set[tuple[Any, ...]]:
    """Return the points that no other beats in both numbers, of which less is better."""
    best, front = math.inf, set()
    for place, (_, y) in sorted(points.items(), key=lambda one: one[1]):
        if y < best:
            best = y
            front.add(place)
    return front


def _quartiles(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    last = len(ordered) - 1
    found = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        low = math.floor(share * last)
        rest = share * last - low
        found.append(ordered[low] + rest * (ordered[min(low + 1, last)] - ordered[low]))
    return found


def _expect_positive(values: Sequence[Any], name: str) -> None:
    """Refuse values that a logarithmic scale would leave out.

    Raises
    ------
    UsageError
        If one is no positive number.
    """
    n_others = sum(value is None or not is_number(value) or value <= 0 for value in values)
    if n_others:
        raise UsageError(
            f"{n_others:,} of {len(values):,} values of '{name}' are not positive numbers, and a "
            "logarithmic scale has no place for them",
            "leave the axis out of --log, or choose rows with --where",
        )


def _label(by: Sequence[Any], names: Sequence[str] = ()) -> str:
    """Return the values of some columns; those that are no text with the names of the columns."""
    named = list(names) or [""] * len(by)
    return ", ".join(
        _tick(one) if isinstance(one, str) else f"{_words(name)} {_tick(one)}".strip()
        for name, one in zip(named, by, strict=True)
    )


def _tick(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _words(name: str) -> str:
    return name.replace("_", " ")
