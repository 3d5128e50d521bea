"""Facts of real machines, verdicts of `verify` and the state of `watch`, beside the open design.

The machines themselves are not asked: the page shows files of the folder, that of a running `watch`
again and again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from markupsafe import Markup

from linkwright.as_built import verify
from linkwright.design.cluster import Cluster
from linkwright.facts import ClusterFacts
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.views.frame import fragment
from linkwright.views.verdict_drawing import marks_of, state_drawing, verdict_drawing
from linkwright.views.verdict_state import State, state_of, stored_state
from linkwright.web.answers import Machines, Marks

__all__ = ["is_of_machines", "machines_shown"]

LEAST_S, MOST_S = 1.0, 10.0
"""Bounds of the time between two looks at the state of a watch."""
LATE = 3
"""Intervals without a comparison after which a watch has ended, or hangs."""


def is_of_machines(value: Any) -> bool:
    """Return whether a JSON value has facts, a verdict, or the state of a watch."""
    if not isinstance(value, dict):
        return False
    return {"schema", "machines"} <= value.keys() or {"findings", "moves"} <= value.keys()


def machines_shown(value: Mapping[str, Any], request: Mapping[str, Any]) -> Machines:
    """Return the answer of the page: HTML, marks of the drawing, and the time of the next look.

    Parameters
    ----------
    value : mapping
        The content of the file.
    request : mapping
        The `name` of the file, and the `text` of the open design with the `folder` of its paths.

    Raises
    ------
    LinkwrightError
        If the design has a mistake, or no machine is one of its nodes.
    """
    network = compile_network(Cluster.parse(request["text"], Path(request["folder"])))
    state, svg = _state(network, value)
    watch = value.get("watch")
    remark, next_s = _time_of(watch) if isinstance(watch, dict) else ("", None)
    html = fragment(
        "bench_machines.html.j2",
        style="",
        name=request["name"],
        state=state,
        drawing=Markup(svg),
        remark=remark or _when(value),
    )
    return {"html": html, "marks": cast(Marks, marks_of(network, state.findings)), "next_s": next_s}


def _state(network: Network, value: Mapping[str, Any]) -> tuple[State, str]:
    if "schema" in value:
        verdict = verify(network, ClusterFacts.parse(json.dumps(value)))
        return state_of(verdict), verdict_drawing(verdict)
    state = stored_state(value, network)
    return state, state_drawing(network, state)


def _when(value: Mapping[str, Any]) -> str:
    when = value.get("when")
    return f"facts of {when[:40]}" if isinstance(when, str) else ""


def _time_of(watch: Mapping[str, Any]) -> tuple[str, float | None]:
    """Return the age of a state in words, and the time until the next look at it in seconds."""
    try:
        interval_s = float(watch["interval_s"])
        age = datetime.now(UTC) - datetime.fromisoformat(watch["when"])
        is_late = age > timedelta(seconds=LATE * interval_s) + timedelta(seconds=MOST_S)
    except (KeyError, OverflowError, TypeError, ValueError):
        return "", None
    next_s = min(max(interval_s / 2, LEAST_S), MOST_S)
    if is_late:
        return f"the watch has ended or hangs: its last comparison was at {watch['when']}", next_s
    return f"watched; last comparison at {watch['when']}", next_s
