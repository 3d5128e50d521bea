"""Targets of a fit from measured rows: the ping-pongs of a result, class of paths by class.

A class is one target per size: the middle of its paths and repeats, with their spread as the
tolerance. Workloads are left out, so that they test the fit. Rows of runs on busy machines do not
count where there are others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any

from linkwright.calibrations import Calibration
from linkwright.calibrations.targets import FreeConstant, PathTarget, Targets
from linkwright.errors import UsageError, shown
from linkwright.hardware.playing import verdict_of
from linkwright.notebook import counted
from linkwright.results import Result, Row
from linkwright.results.measured_rows import expect_sound
from linkwright.workloads import PingPong

__all__ = [
    "PointToPoint", "calibration_of", "classes_of", "design_of", "fitted_from", "is_point_to_point",
]  # fmt: skip

LEAST_TOLERANCE, OF_ONE, OF_BUSY, MOST_TOLERANCE = 0.02, 0.03, 0.1, 0.5
"""Relative tolerances: at least that, of one run, of runs on busy machines, and at most."""
FREE = (
    "host.interrupt.us",
    "host.send.us",
    "host.receive_frame.us",
    "host.read.us_per_byte",
    "messages.take.us",
)
OF_FORWARDED = "host.forward.us"
"""Constants that ping-pongs may determine, and the one that forwarded paths do."""
DIRECT = "any path"
"""Class of rows that name none."""


@dataclass(frozen=True)
class PointToPoint:
    """A class of paths.

    Attributes
    ----------
    name : str
    ends : tuple of int
        Nodes of a path in its middle.
    n_nodes : int
        Nodes of the cluster.
    values : mapping of int to tuple of float
        Half round trips in seconds by the size of the message in bytes.
    is_busy : bool
        Whether only runs on busy machines are there.
    """

    name: str
    ends: tuple[int, int]
    n_nodes: int
    values: Mapping[int, tuple[float, ...]]
    is_busy: bool

    @property
    def placement(self) -> str:
        """Node of each rank, so that ranks 0 and 1 are the ends."""
        others = (node for node in range(self.n_nodes) if node not in self.ends)
        return ",".join(map(str, (*self.ends, *others)))

    def tolerance(self, size_bytes: int) -> float:
        """Return the relative spread of a size, within limits."""
        values, least = self.values[size_bytes], OF_BUSY if self.is_busy else LEAST_TOLERANCE
        if len(values) < 2:
            return max(least, OF_ONE)
        low, _, high = quantiles(values, n=4)
        return min(max((high - low) / 2 / median(values), least), MOST_TOLERANCE)


def is_point_to_point(row: Row) -> bool:
    """Return whether a row is a measured latency of a ping-pong, without a planted change."""
    is_latency = row.workload == PingPong.name and row.metric == "latency"
    return is_latency and row.origin == "measured" and "without" not in row.parameters


def classes_of(result: Result) -> tuple[PointToPoint, ...]:
    """Return the classes of paths of measured rows.

    Raises
    ------
    UsageError
        If there are none, one cannot be measured, or all were measured on machines that had no
        time for it.
    """
    rows = [row for row in result.rows() if is_point_to_point(row)]
    expect_sound(rows)
    if not rows:
        raise UsageError(
            "the rows have no measured ping-pong, which alone determines constants of hosts",
            "measure the paths: linkwright measure DESIGN --hosts HOSTS -o measured.parquet",
        )
    waited = {row.run: row.value for row in result.rows() if row.metric == "waited_share"}
    usable = [row for row in rows if verdict_of(waited.get(row.run, 0.0)) != "invalid"]
    if not usable:
        raise UsageError(
            "all ping-pongs were measured on machines whose processors were taken by others",
            "measure again while nothing else runs",
        )
    names = dict.fromkeys(str(row.parameters.get("path", DIRECT)) for row in usable)
    return tuple(_class(name, usable, waited) for name in names)


def _class(name: str, rows: list[Row], waited: Mapping[str, float]) -> PointToPoint:
    own = [row for row in rows if row.parameters.get("path", DIRECT) == name]
    faithful = [row for row in own if verdict_of(waited.get(row.run, 0.0)) == "faithful"]
    chosen = faithful or own
    values: dict[int, list[float]] = {}
    for row in chosen:
        values.setdefault(row.parameters["size_bytes"], []).append(row.value)
    largest = max(values)
    ranked = sorted(
        (row for row in chosen if row.parameters["size_bytes"] == largest),
        key=lambda row: row.value,
    )
    middle = ranked[len(ranked) // 2].parameters
    return PointToPoint(
        name,
        (middle["src"], middle["dst"]),
        ranked[0].nodes or 1 + max(middle["src"], middle["dst"]),
        {size: tuple(sorted(own)) for size, own in sorted(values.items())},
        not faithful,
    )


def design_of(result: Result) -> Mapping[str, Any]:
    """Return the design of measured rows: keys and values of its file.

    Raises
    ------
    UsageError
        If the rows have no design, or several.
    """
    hashes = {row.design_hash for row in result.rows() if is_point_to_point(row)}
    known = {key: one for given in result.manifests for key, one in given.designs.items()}
    found = [known[one] for one in hashes if one in known]
    if len(hashes) != 1 or not found:
        raise UsageError(
            f"the rows are of {counted(len(hashes), 'design')}, and hold {len(found)} of them",
            "give rows of one measurement, as linkwright measure writes them, with their manifest",
        )
    return found[0]


def calibration_of(result: Result) -> str:
    """Return the name of the calibration with which rows were measured; empty for several.

    The constants that NICs and users change follow the name.
    """
    names = {row.calibration.partition(" ")[0] for row in result.rows() if is_point_to_point(row)}
    return names.pop() if len(names) == 1 else ""


def fitted_from(result: Result, calibration: Calibration, source: str) -> Targets:
    """Return the targets of measured rows, and the constants that they may determine.

    Parameters
    ----------
    result : Result
        The rows, of one design.
    calibration : Calibration
        The start of the fit.
    source : str
        Name of the rows.

    Raises
    ------
    UsageError
        If there are no usable ping-pongs, or not of one design.
    """
    found = classes_of(result)
    fields = {name: value for name, value in design_of(result).items() if name != "name"}
    paths = tuple(_target(one, fields, source) for one in found)
    forwarded = any("hops" in one.name for one in found)
    names = (*FREE, OF_FORWARDED) if forwarded else FREE
    known = calibration.model_dump()
    free = tuple(
        FreeConstant(constant=name, start=_value(known, name), origin=f"start of [{source}]")
        for name in names
        if _value(known, name) > 0
    )
    return Targets(calibration=calibration.name, free=free, path=paths)


def _target(one: PointToPoint, design: dict[str, Any], source: str) -> PathTarget:
    smallest, *others = one.values
    about = f"measured [{source}]: {len(one.values[smallest])} runs of the class {shown(one.name)}"
    return PathTarget.model_validate(
        {
            "name": one.name,
            "design": design,
            "dst": 1,
            "placement": one.placement,
            "latency": {
                "size_bytes": smallest,
                "value_us": median(one.values[smallest]) * 1e6,
                "tolerance": one.tolerance(smallest),
                "origin": about,
            },
            "throughput": tuple(
                {
                    "size_bytes": size,
                    "value_bytes_per_s": size / median(one.values[size]),
                    "tolerance": one.tolerance(size),
                    "origin": about,
                }
                for size in others
            ),
        }
    )


def _value(table: Mapping[str, Any], constant: str) -> float:
    section, name, part = constant.split(".")
    cost = (table.get(section) or {}).get(name) or {}
    return float(cost.get(part, 0.0))
