"""Texts of designs that the page would make, and whether each can be built: what a form offers, and
which change mends a mistake.

A choice is tried as a whole text, so nothing here knows the rules of designs a second time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from linkwright.design.cluster import Cluster
from linkwright.errors import LinkwrightError, UsageError
from linkwright.network import compile as compile_network
from linkwright.progress import Report

__all__ = ["tried"]

MOST_TEXTS = 500
MOST_NODES = 256
"""Nodes of a network that is built to see whether it can be; a larger one is only read."""
MOST_S = 20.0
"""Processor time of one request; texts that are left have no answer."""

Event = tuple[str, Any]


def tried(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield for each text whether a network can be built from it.

    Parameters
    ----------
    request : mapping
        The `texts` by name, and the `folder` that their paths are relative to.
    report : callable
        Called before each text; an exception that it raises ends the task.
    """
    texts = request["texts"]
    if not isinstance(texts, dict) or len(texts) > MOST_TEXTS:
        raise UsageError("the request has no texts, or too many", "open the page again")
    folder, start = Path(request["folder"]), time.process_time()
    for number, (name, text) in enumerate(texts.items()):
        report(number, len(texts), "trying")
        if time.process_time() - start > MOST_S:
            return
        yield "tried", {"name": name, "reasons": _reasons(str(text), folder)}


def _reasons(text: str, folder: Path) -> list[str]:
    """Return the mistakes of a text; none if a network can be built from it."""
    try:
        cluster = Cluster.parse(text, folder)
        if cluster.topology.n_nodes <= MOST_NODES:
            compile_network(cluster)
        else:
            cluster.resolve_parts()
    except LinkwrightError as error:
        return [one.message for one in error.each or (error,)]
    return []
