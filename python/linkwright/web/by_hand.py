"""A design of any kind as a drawing by hand: the changes of its text that name every cable, and
keep each device where it is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linkwright.design.cluster import Cluster
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan.by_hand import DROPPED, fields_by_hand
from linkwright.progress import Report
from linkwright.views.drawing import picture_of

__all__ = ["by_hand"]

Event = tuple[str, Any]


def by_hand(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the changes that make a design one whose cables are drawn by hand.

    Parameters
    ----------
    request : mapping
        The `text` of the design, and the `folder` that its paths are relative to.
    report : callable
        Called now and then; an exception that it raises ends the task.
    """
    cluster = Cluster.parse(request["text"], Path(request["folder"]))
    network = compile_network(cluster, report=report)
    changes: list[dict[str, Any]] = [
        {"path": ["topology"], "value": fields_by_hand(network)},
        {"path": ["places"], "value": _places(network)},
    ]
    fields = cluster.model_dump(mode="json", exclude_none=True)
    gone = [
        list(path)
        for path, values in DROPPED.items()
        if fields.get(path[0], {}).get(path[1]) in values
    ]
    if "names" in fields:
        gone.append(["names"])
    yield "changes", {"changes": changes, "gone": gone}


def _places(network: Network) -> dict[str, dict[str, Any]]:
    """Return the place of each device in the drawing, beside its place in the room."""
    boxes = picture_of(network).boxes
    found: dict[str, dict[str, Any]] = {}
    for device, name in enumerate(network.device_names):
        own: dict[str, Any] = {}
        if device in network.places and (metres := network.places[device].metres):
            own["metres"] = list(metres)
        if device in boxes:
            own["drawn"] = [round(boxes[device].x), round(boxes[device].y)]
        found[name] = own
    return {name: own for name, own in found.items() if own}
