"""Designs of the page side by side: the rows of a comparison, and the front of cost against time.

The comparison is that of `linkwright compare`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast, get_type_hints

from linkwright import workloads
from linkwright.comparison.compare import compare
from linkwright.comparison.result import ArchitectureComparison
from linkwright.design.cluster import Cluster
from linkwright.errors import LinkwrightError, UsageError
from linkwright.placement import with_ranks_per_node
from linkwright.progress import Report
from linkwright.views.drawing import draw
from linkwright.views.report import MOST_DRAWN_NODES
from linkwright.web.answers import Compared, LeftOut, Row

__all__ = ["compared"]

MOST_DESIGNS = 24
FIGURES = [name for name in get_type_hints(Row) if name != "svg"]
"""Figures of a network that the page shows."""
Event = tuple[str, Any]


def compared(request: Mapping[str, Any], report: Report) -> Iterator[Event]:
    """Yield the rows of a comparison.

    Parameters
    ----------
    request : mapping
        Either `designs`, each with a name, a text and the folder of its paths, or `nodes` and a
        `catalogue` for every architecture; `workloads`, `engine`, `seed`,
        and the `placement` of ranks with the `ranks_per_node`.
    report : callable
        Called at each step.
    """
    chosen = [
        workloads.parse(one["name"], one.get("settings") or {}) for one in request["workloads"]
    ]
    common: dict[str, Any] = {
        "engine": request["engine"],
        "seed": int(request["seed"]),
        "placement": with_ranks_per_node(request["placement"], int(request["ranks_per_node"])),
        "n_jobs": 1,
        "progress": report,
    }
    left_out: list[LeftOut] = []
    if request.get("designs"):
        designs = _designs(request["designs"], left_out)
        found = compare(workloads=chosen, designs=designs, **common)
    elif "nodes" not in request:
        raise UsageError("there are no designs to compare", "choose one or more")
    else:
        nodes, catalogue = int(request["nodes"]), str(request["catalogue"])
        found = compare(nodes, catalogue, chosen, every_kind=True, **common)
    left_out += [{"name": one.name, "reason": one.reason} for one in found.left_out]
    yield "rows", _rows(found, left_out)


def _designs(given: list[Mapping[str, str]], left_out: list[LeftOut]) -> list[Cluster]:
    """Return the designs that can be read; the others become messages."""
    if len(given) > MOST_DESIGNS:
        raise UsageError(
            f"{len(given)} designs are too many to see apart", f"choose {MOST_DESIGNS} at most"
        )
    designs = []
    for one in given:
        try:
            design = Cluster.parse(one["text"], Path(one["folder"]))
            designs.append(design)
        except LinkwrightError as error:
            left_out.append({"name": one["name"], "reason": error.message})
    return designs


def _rows(found: ArchitectureComparison, left_out: list[LeftOut]) -> Compared:
    rows: list[Row] = []
    for row in found.architectures:
        is_drawn = row.network.n_nodes <= MOST_DRAWN_NODES
        figures = {name: row.figures_of(name) for name in found.workloads}
        entry = row.to_json() | {"figures": figures}
        svg = draw(row.network) if is_drawn else ""
        rows.append(cast(Row, {name: entry[name] for name in FIGURES} | {"svg": svg}))
    workloads = list(found.workloads)
    return {"engine": found.engine, "workloads": workloads, "rows": rows, "left_out": left_out}
