"""More seeds, until the mean of a metric is known well enough.

After the first runs of a point, and after each addition, the 90 % confidence interval of the mean
decides; the widest counts if a run has several rows of the metric.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from linkwright.errors import UsageError
from linkwright.results.interval import interval_of
from linkwright.study.points import Planned, Point
from linkwright.study.study_file import SeedsUntil
from linkwright.workloads.workload import FIRST_SEED

__all__ = ["Confidence"]


@dataclass
class Confidence:
    """The values of all points so far.

    Parameters
    ----------
    seeds : SeedsUntil
        The wish of the study.
    """

    seeds: SeedsUntil
    _values: dict[int, dict[int, tuple[float, ...]]] = field(default_factory=dict)
    """By point and repeat."""
    _n_planned: dict[int, int] = field(default_factory=dict)

    def more(self, point: Point, repeat: int, values: tuple[float, ...]) -> Iterator[Planned]:
        """Note the values of a run, and yield further runs if they are too far apart.

        A run without the metric asks for none.
        """
        if not values:
            return
        found = self._values.setdefault(point.number, {})
        found[repeat] = values
        n = self._n_planned.setdefault(point.number, self.seeds.least)
        if len(found) < n:
            return
        wanted = min(self._n_wanted(found), self.seeds.most)
        self._n_planned[point.number] = max(n, wanted)
        for another in range(n, wanted):
            yield Planned.of(point, another, FIRST_SEED + another)

    def expect_values(self) -> None:
        """Check that some run had the metric.

        Raises
        ------
        UsageError
            If none had.
        """
        if not self._values:
            raise UsageError(
                f"no run has the metric '{self.seeds.metric}' of 'seeds.until'",
                "name a metric that `linkwright simulate` shows for the workload",
            )

    def _n_wanted(self, found: Mapping[int, tuple[float, ...]]) -> int:
        """Return the number of runs at which the mean is known, at most twice as many as now."""
        n, width = len(found), 0.0
        for column in zip(*found.values(), strict=False):
            interval = interval_of(column)
            if interval.mean:
                width = max(width, interval.error_of_mean / abs(interval.mean))
        if width <= self.seeds.until:
            return n
        return min(2 * n, math.ceil(n * (width / self.seeds.until) ** 2))
