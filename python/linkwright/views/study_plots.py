"""The usual figures of a study: lines with confidence bands, a heat map, a Pareto front, boxes.

The numbers come from the study's database. A figure is SVG or PNG, or a page with the figure and
its table.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwright.errors import UsageError, unknown_name
from linkwright.notebook import counted
from linkwright.results.interval import interval_of
from linkwright.version import VERSION
from linkwright.views.curve_plots import COLOURS, DASHES, new_figure, svg
from linkwright.views.frame import page
from linkwright.views.page_plots import plot_of_page
from linkwright.views.quantities import quantity
from linkwright.views.unit_axes import name_axis

if TYPE_CHECKING:
    from linkwright.study.database import Database

__all__ = ["FIGURES", "Asked", "StudyFigure", "study_figure"]

MOST_SERIES = 24
"""Series that one figure can show apart."""
WIDTH, HEIGHT = 8.0, 5.0
"""Inches of a figure."""
PNG_DPI = 150
LEAST_PX_PER_INCH = 60
"""Size of a figure on a phone, where it scrolls: its numbers stay readable."""
CELL_TEXTS = ("#fdfdfd", "#101418")
"""Texts on dark and on light cells of a heat map, whose colours no theme changes."""
MISSING_FILL, MISSING_HATCH = "#dddddd", "#888888"
"""Cells of a heat map without a value."""


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


@dataclass(frozen=True)
class StudyFigure:
    """A figure with the numbers that it shows."""

    title: str
    drawing: Any
    """Matplotlib's figure."""
    headings: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def svg(self) -> str:
        """Return the figure as SVG; the same bytes for the same numbers."""
        return svg(self.drawing)

    def png(self) -> bytes:
        """Return the figure as PNG."""
        buffer = io.BytesIO()
        self.drawing.savefig(buffer, format="png", dpi=PNG_DPI, metadata={"Software": None})
        return buffer.getvalue()

    def page(self, question: str) -> str:
        """Return a page with the figure and its table, which needs no network."""
        cells = [[_shown(cell) for cell in row] for row in self.rows]
        return page(
            "study.html.j2",
            styles=("study.css",),
            facts=[],
            version=VERSION,
            title=self.title,
            question=question,
            drawing=plot_of_page(self.svg()),
            least_px=round(LEAST_PX_PER_INCH * self.drawing.get_figwidth()),
            headings=self.headings,
            numeric=[all(map(_is_number, column)) for column in zip(*self.rows, strict=True)],
            rows=cells,
        )


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
    CapabilityError
        If Matplotlib is missing.
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
    drawing, axes = _figure(series)
    positions = _positions(axes, [x for points in series.values() for x in points])
    rows: list[list[Any]] = []
    for number, (by, points) in enumerate(series.items()):
        xs = sorted(points, key=lambda x: positions[x])
        means = [interval_of(points[x]) for x in xs]
        at = [positions[x] for x in xs]
        style = _style(number)
        axes.plot(
            at, [one.mean for one in means], label=_label(by, asked.by), marker="o", ms=4, **style
        )
        low = [one.mean - one.error_of_mean for one in means]
        high = [one.mean + one.error_of_mean for one in means]
        if low != high:
            axes.fill_between(at, low, high, color=style["color"], alpha=0.2, linewidth=0)
        rows += [
            [*by, x, one.mean, one.error_of_mean, one.n] for x, one in zip(xs, means, strict=True)
        ]
    _finish(axes, asked, asked.x, unit, has_legend=bool(asked.by))
    return StudyFigure(
        f"{asked.metric} by {asked.x}",
        drawing,
        [*asked.by, asked.x, f"mean ({unit})", f"± 90 % ({unit})", "runs"],
        rows,
    )


def _heat(database: Database, asked: Asked) -> StudyFigure:
    """Draw the means of a metric over two axes as colours, with their numbers."""
    if not asked.y:
        raise UsageError("a heat map has two columns", "name the other one with --y")
    database.expect([asked.x, asked.y], asked.metric)
    values = _values(database, asked, [asked.x, asked.y])
    unit = _unit(database, asked.metric)
    means = {place: interval_of(found).mean for place, found in values.items()}
    if asked.log:
        _expect_positive(list(means.values()), asked.metric)
    xs, ys = (_ordered(_asked_of(database, asked, name)) for name in (asked.x, asked.y))
    cells = [[means.get((x, y), math.nan) for x in xs] for y in ys]
    drawing, (axes,) = new_figure(1, width=WIDTH, height=HEIGHT, columns=1)
    image = axes.imshow(cells, aspect="auto", origin="lower", cmap="viridis", norm=_norm(asked))
    name_axis(drawing.colorbar(image).ax.yaxis, asked.metric, unit)
    axes.set_xticks(range(len(xs)), map(_tick, xs))
    axes.set_yticks(range(len(ys)), map(_tick, ys))
    _mark_missing(axes, cells)
    for row, line in enumerate(cells):
        for column, value in enumerate(line):
            if not math.isnan(value) and len(xs) * len(ys) <= 200:
                is_dark = image.norm(value) < 0.6
                colour = CELL_TEXTS[0 if is_dark else 1]
                text = quantity(value, unit)
                axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=8)
    axes.set(xlabel=_words(asked.x), ylabel=_words(asked.y))
    rows = [[x, y, means.get((x, y))] for y in ys for x in xs]
    return StudyFigure(
        f"{asked.metric} by {asked.x} and {asked.y}",
        drawing,
        [asked.x, asked.y, f"mean ({unit})"],
        rows,
    )


def _mark_missing(axes: Any, cells: Sequence[Sequence[float]]) -> None:
    """Hatch the cells of a heat map without a value, and name them in a legend."""
    from matplotlib.patches import Rectangle

    places = [
        (column, row)
        for row, line in enumerate(cells)
        for column, value in enumerate(line)
        if math.isnan(value)
    ]
    look: dict[str, Any] = {
        "facecolor": MISSING_FILL,
        "edgecolor": MISSING_HATCH,
        "hatch": "///",
        "linewidth": 0,
    }
    for column, row in places:
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, **look))
    if places:
        text = f"no value: {counted(len(places), 'cell')} whose runs failed or were not made"
        key = Rectangle((0, 0), 1, 1, label=text, **look)
        axes.legend(handles=[key], fontsize=8, loc="lower left", bbox_to_anchor=(0, 1))


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
    drawing, (axes,) = new_figure(1, width=WIDTH, height=HEIGHT, columns=1)
    for place, (x, y) in both.items():
        is_best = place in front
        colour = COLOURS[1] if is_best else "#888888"
        axes.plot([x], [y], marker="o", ms=7 if is_best else 5, color=colour, linestyle="")
        axes.annotate(_label(place), (x, y), xytext=(6, 4), textcoords="offset points", fontsize=8)
    axes.margins(x=0.15)  # for the texts
    line = sorted(both[place] for place in front)
    axes.plot(*zip(*line, strict=True), color=COLOURS[1], linewidth=1, drawstyle="steps-post")
    _finish(axes, asked, "", units[1], has_legend=False)
    name_axis(axes.xaxis, asked.x, units[0])
    rows = [
        [*place, x, y, "yes" if place in front else ""] for place, (x, y) in sorted(both.items())
    ]
    return StudyFigure(
        f"{asked.metric} against {asked.x}",
        drawing,
        [*names, f"{asked.x} ({units[0]})", f"{asked.metric} ({units[1]})", "best"],
        rows,
    )


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
    drawing, (axes,) = new_figure(1, width=WIDTH, height=HEIGHT, columns=1)
    axes.boxplot(
        [values[one] for one in groups],
        tick_labels=[_label(one) for one in groups],
        medianprops={"color": COLOURS[1]},
    )
    axes.tick_params(axis="x", rotation=45 if len(groups) > 6 else 0)
    _finish(axes, asked, ", ".join(names), unit, has_legend=False)
    rows = [[*one, *_quartiles(values[one]), len(values[one])] for one in groups]
    headings = [f"{name} ({unit})" for name in ("min", "quartile", "median", "quartile", "max")]
    return StudyFigure(f"{asked.metric} by {asked.x}", drawing, [*names, *headings, "runs"], rows)


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


def _figure(series: Mapping[tuple[Any, ...], Any]) -> tuple[Any, Any]:
    if len(series) > MOST_SERIES:
        raise _too_many(len(series))
    drawing, (axes,) = new_figure(1, width=WIDTH, height=HEIGHT, columns=1)
    return drawing, axes


def _too_many(n: int) -> UsageError:
    return UsageError(
        f"{n} series are more than a figure shows apart",
        "name fewer columns with --by, or fewer rows with --where",
    )


def _positions(axes: Any, xs: Sequence[Any]) -> dict[Any, float]:
    """Return where each value of the horizontal axis is; texts stand side by side."""
    if all(map(_is_number, xs)):
        if all(isinstance(x, int) for x in xs):
            # Counts have no halves.
            axes.xaxis.get_major_locator().set_params(integer=True)
        return {x: float(x) for x in xs}
    ordered = _ordered(set(xs))
    axes.set_xticks(range(len(ordered)), map(_tick, ordered))
    return {x: float(place) for place, x in enumerate(ordered)}


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


def _finish(axes: Any, asked: Asked, x: str, unit: str, *, has_legend: bool) -> None:
    """Set the scales of the axes, and name them: the vertical one is the metric's."""
    if "x" in asked.log:
        axes.set_xscale("log")
    if "y" in asked.log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel(_words(x))
    name_axis(axes.yaxis, asked.metric, unit)
    axes.grid(visible=True, linewidth=0.3)
    if has_legend:
        axes.legend(fontsize=8)


def _expect_positive(values: Sequence[Any], name: str) -> None:
    """Refuse values that a logarithmic scale would leave out.

    Raises
    ------
    UsageError
        If one is no positive number.
    """
    n_others = sum(value is None or not _is_number(value) or value <= 0 for value in values)
    if n_others:
        raise UsageError(
            f"{n_others:,} of {len(values):,} values of '{name}' are not positive numbers, and a "
            "logarithmic scale has no place for them",
            "leave the axis out of --log, or choose rows with --where",
        )


def _norm(asked: Asked) -> Any:
    from matplotlib.colors import LogNorm

    return LogNorm() if asked.log else None


def _style(place: int) -> dict[str, Any]:
    colour = COLOURS[place % len(COLOURS)]
    return {"color": colour, "linestyle": DASHES[place // len(COLOURS) % len(DASHES)]}


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


def _is_number(cell: Any) -> bool:
    return cell is None or (isinstance(cell, int | float) and not isinstance(cell, bool))


def _shown(cell: Any) -> str:
    if cell is None:
        return "–"
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)
