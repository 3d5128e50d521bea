"""The predictions of one engine for one network as JSON values: curves of the ping-pong by message
size, and one figure per workload and metric. Units are base units; the page that draws them
(frontend/src/workbench) chooses those of the display.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from linkwright.results import ENGINE_FIGURES

if TYPE_CHECKING:
    from linkwright.comparison.result import Measured
    from linkwright.network import Network

__all__ = ["prediction_record"]

PING_PONG = "ping-pong"
CURVES = {"latency": "s", "throughput": "B/s"}
"""Metrics of a ping-pong that are curves, with their units."""


def prediction_record(network: Network, measured: Sequence[Measured]) -> dict[str, Any]:
    """Return the curves and the figures of some runs.

    Parameters
    ----------
    network : Network
        The network that they ran on, for the names of its nodes.
    measured : sequence of Measured
        Runs of one engine, one for each workload and pair of nodes.
    """
    return {
        "curves": [curve for one in measured for curve in _curves(network, one)],
        "figures": [figure for one in measured for figure in _figures(one)],
    }


def _curves(network: Network, one: Measured) -> Iterator[dict[str, Any]]:
    if one.workload != PING_PONG or one.nodes is None:
        return
    for metric, unit in CURVES.items():
        rows = [row for rows in one.rows_of(metric) for row in rows]
        points = [(int(row.parameters["size_bytes"]), row.value) for row in rows]
        yield {
            "metric": metric,
            "unit": unit,
            "pair": one.pair,
            "nodes": [network.device_names[node] for node in one.nodes],
            # A message without bytes has no place on an axis of powers of two.
            "points": [point for point in points if point[0] > 0],
        }


def _figures(one: Measured) -> Iterator[dict[str, Any]]:
    if one.workload == PING_PONG:
        return
    for row in one.result.reproducible().rows():
        if row.metric not in ENGINE_FIGURES:
            yield {
                "workload": one.workload,
                "metric": row.metric,
                "value": row.value,
                "unit": row.unit,
                "size_bytes": row.parameters.get("size_bytes"),
            }
