"""Logs of other programs as measured rows of a design.

A point-to-point log says nothing of its ends: they are nodes 0 and 1, unless others are named.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.errors import UsageError
from linkwright.files import MEBIBYTE, read_text
from linkwright.results import Manifest, Result, Row
from linkwright.results.design_columns import design_columns
from linkwright.results.readers import read_log
from linkwright.workloads import WORKLOADS, PingPong

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["rows_of_logs"]

MOST_BYTES = 64 * MEBIBYTE


def rows_of_logs(
    network: Network, logs: Sequence[Path], ends: tuple[int, int] = (0, 1), calibration: str = ""
) -> Result:
    """Return the figures of logs as rows.

    Parameters
    ----------
    network : Network
        The network that was measured.
    logs : sequence of Path
        Files, each of any program that has a reader.
    ends : tuple of int
        Nodes between which point-to-point logs were measured.
    calibration : str
        Name of the hosts.

    Raises
    ------
    UsageError
        If a file cannot be read, no reader knows it, or there is no such node.
    """
    for node in ends:
        if not 0 <= node < network.n_compute:
            raise UsageError(
                f"there is no node {node} in {network.name}",
                f"nodes count from 0 to {network.n_compute - 1}",
            )
    started, rows = datetime.now(UTC), []
    for path in logs:
        rows += _rows(network, path, ends, calibration)
    runs = tuple(dict.fromkeys(row.run for row in rows))
    finished = datetime.now(UTC)
    return Result.from_rows(rows, [Manifest.of(runs=runs, started=started, finished=finished)])


def _rows(network: Network, path: Path, ends: tuple[int, int], calibration: str) -> list[Row]:
    text = read_text(path, "log", most_bytes=MOST_BYTES, hint="give the output of a program")
    run = hashlib.sha256(text.encode()).hexdigest()[:12]
    between = {"src": ends[0], "dst": ends[1]}
    return [
        Row(
            run=run,
            study="measure",
            engine="hardware",
            calibration=calibration,
            workload=one.workload,
            # A workload of every rank has no ends.
            parameters={
                **({} if _has_all_ranks(one.workload) else between),
                **one.parameters,
                "log": path.name,
            },
            metric=one.metric,
            value=one.value,
            unit=one.unit,
            repeat=0,
            origin="measured",
            **design_columns(network),
        )
        for one in read_log(text, path.name)
    ]


def _has_all_ranks(workload: str) -> bool:
    return workload in WORKLOADS and workload != PingPong.name
