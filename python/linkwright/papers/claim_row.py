"""A row of `claims.toml`: its keys for one claim, and the rules between them.

Its place in the file, `[table.row.metric]`, makes a claim of it (claim.py). Rules read "rule;
remedy"; claims_file.py reports the place where they are broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from linkwright.papers.axes import Axes, Point, names_in, points
from linkwright.papers.measures import MEASURES
from linkwright.papers.named import Named, known_in
from linkwright.papers.reductions import REDUCTIONS

__all__ = ["ClaimRow"]


def _listed(given: Any) -> Any:
    return given if isinstance(given, list | tuple) else [given]


_Reductions = Annotated[
    tuple[Annotated[Named, known_in(REDUCTIONS, "reduction")], ...], BeforeValidator(_listed)
]
_Measure = Annotated[Named, known_in(MEASURES, "measure")]


class ClaimRow(BaseModel):
    """A statement of a paper, the derivation of our value, and the conditions of agreement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    printed: float | None = None
    corrected: float | None = None
    """The right value if the printed one is wrong."""
    erratum: str = ""
    """Key of the entry in docs/errata.md."""
    tolerance: Annotated[float, Field(ge=0)] = 0.0
    """Relative deviation allowed instead of rounding."""
    says: str = ""
    """The statement of a qualitative claim, paraphrased."""
    figure: str = ""
    """The number of ours that judges a qualitative claim."""
    at_least: float | None = None
    at_most: float | None = None
    reason: str = ""
    """Reason for a difference, for the reading of values, or for the bounds."""

    experiment: str = ""
    """Name of the run, in which `{name}` is replaced by the value of an axis."""
    reads: str = ""
    """Metric of the run's rows. Default: the printed metric."""
    at: dict[str, Any] = {}
    """Parameters that the rows have; a list matches any of its members."""
    over: Axes = {}
    """The axes, outermost first. A name that is not in `experiment` is a parameter of rows."""
    label: str = ""
    """Label of each number that is shown, in which `{axis}` is replaced by a label of that axis.
    Default: the labels of all axes. Axes missing here are reduced before numbers are shown."""
    beside: dict[str, float] = {}
    """Constants added to the numbers of the outermost axis, by label."""
    reduction: _Reductions = ()
    """One for each axis, outermost first. One more reduces the sizes of a run. Default: the mean of
    its rows."""
    fitted: bool = False
    """Whether the hosts were fitted to this very number."""

    cluster: Annotated[tuple[str, ...], BeforeValidator(_listed)] = ()
    """Design file of the network in which ours is counted, then those it is compared with."""
    measure: _Measure | None = None
    """Name of the counted quantity. Default: the printed metric."""

    group: str = ""
    """Claims of one group differ only in their network, so that their order can be compared."""
    network: str = ""
    """The network within the group."""
    left_out: str = ""
    """Reason why the claim does not count; empty if it counts."""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        for rule, is_kept, remedy in self._rules():
            if not is_kept:
                raise ValueError(f"{rule}; {remedy}")
        return self

    def _rules(self) -> Iterator[tuple[str, bool, str]]:
        """Yield each rule, whether it is kept, and the remedy if it is not."""
        has_bounds = (self.at_least, self.at_most) != (None, None)
        if self.is_qualitative:
            is_judged = bool(has_bounds and self.says and self.figure and self.reason)
            remedy = "give printed, or for words says, figure, reason and at_least or at_most"
            yield "there is neither a printed number nor words with bounds", is_judged, remedy
        else:
            yield "a printed number has no bounds", not has_bounds, "give a tolerance instead"
        yield (
            "a value that is corrected is an erratum",
            self.corrected is None or bool(self.erratum),
            "name its entry in docs/errata.md as erratum",
        )
        yield from self._rules_of_reading()

    def _rules_of_reading(self) -> Iterator[tuple[str, bool, str]]:
        n, axes = len(self.reduction), len(self.over)
        set_by_axes: set[str] = set()
        for axis in self.over.values():
            set_by_axes |= set.intersection(*map(set, axis.values()))
        yield (
            "ours is either read from runs or counted",
            not (self.experiment and self.cluster),
            "give experiment or cluster, not both",
        )
        yield (
            "words are read from runs",
            not self.is_qualitative or bool(self.experiment and self.reads),
            "name an experiment, and the metric that is read from it as reads",
        )
        yield (
            f"reduction names {n} where over has {axes} axes",
            n in (axes, axes + 1),
            "name one for each axis, and one more where each run has several sizes",
        )
        yield (
            "beside joins the numbers of one axis",
            not self.beside or self.n_shown_axes == 1,
            "give over one axis, or a label that names the first one alone",
        )
        for unknown in sorted(names_in(self.experiment) - set_by_axes):
            remedy = f"give its values as over.{unknown}, or in each table of an axis"
            yield f"no axis sets {{{unknown}}}", False, remedy
        outermost = set(list(self.over)[: self.n_shown_axes])
        yield (
            "label names the outermost axes",
            not self.label or names_in(self.label) == outermost,
            f"write it with {', '.join(f'{{{axis}}}' for axis in self.over) or 'no braces'}",
        )

    @property
    def is_qualitative(self) -> bool:
        """Whether the paper states it without a number."""
        return self.printed is None

    @property
    def points(self) -> list[Point]:
        """All points from which ours is read."""
        return points(self.over, self.experiment, self.at, self.label)

    @property
    def n_shown_axes(self) -> int:
        """Number of axes of the shown numbers; the others are reduced before."""
        return len(names_in(self.label)) if self.label else len(self.over)

    @property
    def experiments(self) -> list[str]:
        """Names of the runs from which ours is read; the network of the first is shown."""
        return list(dict.fromkeys(point.experiment for point in self.points))
