"""Logs of `iperf3 -J`: the rate at the receiver, segments sent again, and lost datagrams.

One stream or several, TCP or UDP; `-R` turns the direction of the traffic, not of the ends.
"""

from __future__ import annotations

from typing import Any

from linkwright.errors import UsageError
from linkwright.results.readers.figure import MOST, Figure, Reader
from linkwright.text.json_text import JsonError, read_json

__all__ = ["IPERF3"]


def _is_own(text: str) -> bool:
    return text.lstrip().startswith("{") and '"test_start"' in text and '"end"' in text


def _read(text: str, name: str) -> list[Figure]:
    try:
        found = read_json(text)
    except JsonError as error:
        raise UsageError(f"{name} is not JSON: {error}", "give the output of iperf3 -J") from None
    if isinstance(found, dict) and "error" in found:
        raise UsageError(f"{name} is a run of iperf3 that failed", "repeat it")
    start, end = (_table(found, key) for key in ("start", "end"))
    about = _table(start, "test_start")
    protocol = str(about.get("protocol", "TCP")).lower()
    settings = {
        "protocol": protocol,
        "streams": int(_number(about, "num_streams") or 1),
        "size_bytes": int(_number(about, "blksize") or 0),
        "reverse": bool(about.get("reverse", 0)),
    }
    received = _table(end, "sum_received") or _table(end, "sum")
    figures = []
    rate_bps = _number(received, "bits_per_second")
    if rate_bps is not None:
        figures.append(Figure("stream", "throughput", rate_bps / 8, "B/s", settings))
    again = _number(_table(end, "sum_sent"), "retransmits")
    if again is not None:
        figures.append(Figure("stream", "retransmissions", again, "1", settings))
    lost = _number(_table(end, "sum"), "lost_percent")
    if protocol == "udp" and lost is not None:
        figures.append(Figure("stream", "loss", lost / 100, "1", settings))
    return figures


def _table(value: Any, key: str) -> dict[str, Any]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _number(table: dict[str, Any], key: str) -> float | None:
    value = table.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST:
        return float(value)
    return None


IPERF3 = Reader(_is_own, _read)
