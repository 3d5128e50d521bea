"""The points of a study, and the runs of each: every combination of its axes, without running any.

The key of a run is a hash of all that its rows depend on: design, workload, hosts, seed and
version. Two studies that ask for the same run know it by the same key, unless their names or
metrics differ.
"""

from __future__ import annotations

import hashlib
import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from linkwright.errors import DesignError, shown
from linkwright.results.schema import canonical_json
from linkwright.study.code import code_digest
from linkwright.study.columns import axis_columns, cell
from linkwright.study.inputs import put
from linkwright.study.sampling import MOST_POINTS, points
from linkwright.study.study_file import (
    DesignEntry,
    HostsEntry,
    SeedsUntil,
    Study,
    WorkloadEntry,
)
from linkwright.version import VERSION
from linkwright.workloads.workload import FIRST_SEED

__all__ = ["Planned", "Point", "circumstances", "every_point", "first_runs", "plan"]


@dataclass(frozen=True, slots=True)
class Point:
    """One combination of the axes of a study: all inputs of its runs but the seed."""

    number: int
    design: str
    """The design as JSON text."""
    workload: str
    settings: str
    """Settings of the workload as JSON text."""
    calibration: str | None
    constants: str
    """Changed constants of the hosts as JSON text."""
    engine: str
    placement: str
    without: tuple[str, ...]
    faults: tuple[str, ...]
    cells: tuple[Any, ...]
    """Values of the axes, by the columns of the study."""
    digest: str
    """Hash of all inputs but the seed."""
    group: int
    """Number of its group: the points that only axes distinguish (groups.py)."""

    def described(self, axes: Iterable[str]) -> str:
        """Return the point in words, given the names of the columns of the axes."""
        design = json.loads(self.design)
        topology = design.get("topology")
        kind = topology.get("kind") if isinstance(topology, Mapping) else None
        named = design.get("name") or kind or "design"
        cells = zip(axes, self.cells, strict=True)
        values = (f"{name} {value}" for name, value in cells if value is not None)
        return ", ".join([str(named), *values, self.workload, self.engine])

    def key(self, seed: int) -> str:
        """Return the key of the run with a seed."""
        return hashlib.sha256(f"{self.digest} {seed}".encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Planned:
    """A run to make."""

    point: Point
    repeat: int
    """Index among the runs of the point."""
    seed: int
    key: str = field(default="")

    @classmethod
    def of(cls, point: Point, repeat: int, seed: int) -> Planned:
        """Return the run of a point with a seed."""
        return cls(point, repeat, seed, point.key(seed))


def plan(study: Study) -> list[Point]:
    """Return the points of a study whose designs are written out, in their order.

    Equal combinations are one point: trajectories meet, and a rounded span has equal values.

    Raises
    ------
    DesignError
        If axes do not fit, or nothing is left to run.
    """
    chosen: dict[str, Point] = {}
    for point in every_point(study):
        chosen.setdefault(point.digest, point)
        if len(chosen) > MOST_POINTS:
            raise DesignError(
                f"the study has more than {MOST_POINTS:,} points", "take fewer values, or sample"
            )
    if not chosen:
        raise DesignError("'leave_out' leaves nothing to run", "leave out fewer points")
    return list(chosen.values())


def every_point(study: Study) -> Iterator[Point]:
    """Yield the point of each combination, in their order; equal ones have one number.

    Raises
    ------
    DesignError
        If axes do not fit.
    """
    common = canonical_json(
        {
            "study": study.name,
            "background": study.background and study.background.model_dump(mode="json"),
            "options": study.options,
            "metrics": study.metrics,
            "plan": study.plan,
            "version": (VERSION, code_digest()),
        }
    )
    columns = {path: kind for path, (_, kind) in axis_columns(study).items()}
    keep = _kept(study, columns)
    numbers: dict[str, int] = {}
    for each in _combinations(study):
        if keep(each):
            yield _point(numbers, each, common, columns)


def first_runs(study: Study, point: Point) -> Iterator[Planned]:
    """Yield the runs of a point that are certain before any is made."""
    seeds = study.seeds
    if isinstance(seeds, SeedsUntil):
        seeds = seeds.least
    if isinstance(seeds, int):
        seeds = list(range(FIRST_SEED, FIRST_SEED + seeds))
    return (Planned.of(point, repeat, seed) for repeat, seed in enumerate(seeds))


@dataclass(frozen=True, slots=True)
class _Combination:
    """Entries of a study with a value for each of their axes."""

    design: DesignEntry
    workload: WorkloadEntry
    hosts: HostsEntry
    values: Mapping[tuple[str, str], Any]
    """Value by "design", "workload" or "hosts", and path."""
    engine: str
    placement: str
    without: tuple[str, ...]
    faults: tuple[str, ...]
    group: int

    def of(self, entry: str) -> dict[str, Any]:
        """Return the values by path in one entry."""
        return {path: value for (place, path), value in self.values.items() if place == entry}

    def named(self) -> dict[str, Any]:
        """Return the names that `leave_out` knows, with their values."""
        return {
            "workload": self.workload.name,
            "calibration": self.hosts.calibration,
            "engine": self.engine,
            "placement": self.placement,
            **{path: value for (_, path), value in self.values.items()},
        }


def circumstances(study: Study) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """Return the combinations of engine, placement, failed parts and faults, in their order."""
    return [
        (engine, placement, tuple(without), tuple(faults))
        for engine in study.engines
        for placement in study.placements
        for without in study.without
        for faults in study.faults
    ]


def _combinations(study: Study) -> Iterator[_Combination]:
    around, first = circumstances(study), 0
    for design in study.designs:
        for workload in study.workloads:
            for hosts in study.hosts:
                entries = {"design": design, "workload": workload, "hosts": hosts}
                axes = {
                    (place, path): values
                    for place, entry in entries.items()
                    for path, values in entry.axes.items()  # type: ignore[attr-defined]
                }
                by_text = {f"{place}: {path}": axes[place, path] for place, path in axes}
                for point in points(by_text, study.sampling):
                    values = dict(zip(axes, point, strict=True))
                    for group, circumstance in enumerate(around, start=first):
                        yield _Combination(design, workload, hosts, values, *circumstance, group)
                first += len(around)


def _point(
    numbers: dict[str, int], each: _Combination, common: str, columns: Mapping[str, str]
) -> Point:
    """Return a point; `numbers` has the numbers by digest so far."""
    design: Mapping[str, Any] = each.design.design or {}
    for path, value in each.of("design").items():
        design = put(design, path, value)
    found = each.of("workload") | each.of("hosts") | each.of("design")
    fields: dict[str, Any] = {
        "design": json.dumps(design, allow_nan=False),
        "workload": each.workload.name,
        "settings": canonical_json({**each.workload.settings, **each.of("workload")}),
        "calibration": each.hosts.calibration,
        "constants": canonical_json({**each.hosts.constants, **each.of("hosts")}),
        "engine": each.engine,
        "placement": each.placement,
        "without": each.without,
        "faults": each.faults,
    }
    identity = canonical_json({**fields, "design": canonical_json(design), "common": common})
    digest = hashlib.sha256(identity.encode()).hexdigest()
    return Point(
        number=numbers.setdefault(digest, len(numbers)),
        cells=tuple(cell(found.get(path), kind) for path, kind in columns.items()),
        digest=digest,
        group=each.group,
        **fields,
    )


_COMPARED = re.compile(r"(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")
_SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _kept(study: Study, axes: Mapping[str, str]) -> Callable[[_Combination], bool]:
    """Return whether a combination is kept.

    Raises
    ------
    DesignError
        If `leave_out` names something that the study has not.
    """
    known = {*axes, "workload", "calibration", "engine", "placement"}
    for one in study.leave_out:
        for name, value in one.items():
            if name not in known:
                raise DesignError(
                    f"'leave_out' names '{name}', which is no axis",
                    f"known: {', '.join(sorted(known))}",
                )
            if isinstance(value, str) and value[:1] in "<>" and not _COMPARED.fullmatch(value):
                raise DesignError(
                    f"'leave_out' compares '{name}' with {shown(value)}, which is no number",
                    'write "> 64", "<= 0.5" and the like',
                )

    def keep(each: _Combination) -> bool:
        named = each.named()
        return not any(
            all(name in named and _matches(named[name], value) for name, value in one.items())
            for one in study.leave_out
        )

    return keep


def _matches(value: Any, wanted: Any) -> bool:
    compared = _COMPARED.fullmatch(wanted.strip()) if isinstance(wanted, str) else None
    if compared is None:
        return bool(value == wanted)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and _SIGNS[compared[1]](value, float(compared[2]))
