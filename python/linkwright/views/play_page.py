"""The page of a played run: one self-contained HTML file that holds a run and the engine.

The engine, compiled to WebAssembly, plays the run in the page, and again after each change of
the reader; `docs/design/played-runs.md` gives the reasons. The frame is
templates/report.html.j2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from linkwright.design.names import plugged_cable_names
from linkwright.errors import UsageError
from linkwright.faults import DOWN
from linkwright.plan.units import KIND_NAMES
from linkwright.views.drawing import draw
from linkwright.views.embedded import cabling, deflated
from linkwright.views.frame import page
from linkwright.views.inventory import inventory
from linkwright.views.metric_words import METRIC_WORDS, figure, metric_words
from linkwright.views.provenance import provenance
from linkwright.views.quantities import size
from linkwright.views.run_answer import run_answer

if TYPE_CHECKING:
    from linkwright.engines.played import PackedRun
    from linkwright.network import Network
    from linkwright.results import Manifest, Result, Row
    from linkwright.workloads import Workload

__all__ = ["MOST_NODES", "SCRIPTS", "STYLES", "expect_playable", "play_page", "played"]

STYLES, SCRIPTS = ("play.css",), ("play.js",)
MOST_NODES = 1024
"""Limit of the page, whose drawing has every device and cable."""
MOST_SINGLE = 64
"""Nodes up to which single frames are drawn; in larger networks, cables show how busy they are."""
WORKS = ("compute", "send", "receive", "forward", "acknowledge", "other")
"""Work that holds a processor, in the order of the recording (frontend/src/play/recording.ts)."""
STATES = (
    ("compute", "computes"),
    ("send", "sends"),
    ("wait", "waits for data"),
    ("sleep", "sleeps"),
)
"""States of a rank, with their words, in the order of the recording."""
FEW_SIZES = 3
"""Sizes that are listed one by one."""
DEVICE = 2
"""Code of a device among the parts of a fault; the others are `PART_NAMES`."""
PART_NAMES = ("cable", "nic")


def play_page(
    network: Network, run: PackedRun, result: Result, manifest: Manifest, *, is_part: bool = False
) -> str:
    """Return the HTML page of a played run.

    Parameters
    ----------
    network : Network
        The network.
    run : PackedRun
        The run.
    result : Result
        Its rows, which the page shows where there are no scripts.
    manifest : Manifest
        The origin: command, versions, times.
    is_part : bool
        Whether the page is part of another one, which has the style and the script.

    Raises
    ------
    UsageError
        If the network is too large for a page.
    """
    files: dict[str, Any] = {} if is_part else {"styles": STYLES, "scripts": SCRIPTS}
    return page(
        "play.html.j2",
        **files,
        title=f"{result.rows()[0].workload} on {network.name}",
        answer=run_answer(result),
        facts=_facts(network, run, result, manifest),
        provenance=provenance(network, manifest),
        version=manifest.version,
        **played(network, run, result),
    )


def played(network: Network, run: PackedRun, result: Result) -> dict[str, Any]:
    """Return the variables of the template that show one run; parameters as for `play_page`.

    Raises
    ------
    UsageError
        If the network is too large for a page.
    """
    expect_playable(network)
    rows = result.rows()
    return {
        "drawing": Markup(draw(network)),
        "works": WORKS,
        "states": STATES,
        "workload": rows[0].workload,
        "has_figures": run.has_figures,
        "rows": [(_words(row, rows), row.metric, figure(row.value, row.unit)) for row in rows],
        "data": _data(network, run),
    }


def expect_playable(network: Network) -> None:
    """Refuse a network that is too large for a page."""
    if network.n_nodes > MOST_NODES:
        raise UsageError(
            f"{network.name} has {network.n_nodes} nodes: the page of a run takes {MOST_NODES}",
            "choose a smaller network, or write the answer as .json, .csv or .parquet",
        )


def _facts(
    network: Network, run: PackedRun, result: Result, manifest: Manifest
) -> list[tuple[str, str]]:
    row = result.rows()[0]
    return [
        ("topology", network.kind),
        ("parts", inventory(network)),
        ("hosts", row.calibration),
        ("engine", row.engine),
        ("origin", str(row.origin)),
        ("seed", str(run.seed)),
        *([("faults", "; ".join(fault.text for fault in run.faults))] if run.faults else []),
        ("made", f"{manifest.finished:%Y-%m-%d}"),
    ]


def _data(network: Network, run: PackedRun) -> dict[str, Any]:
    """Return the data of the script; `Written` in frontend/src/play/cluster.ts."""
    wiring = network.wiring
    given = wiring.particulars
    return {
        "cabling": cabling(network),
        "is_dense": network.n_nodes > MOST_SINGLE,
        "names": network.device_names,
        "kinds": [KIND_NAMES[kind] for kind in wiring.kind.tolist()],
        "cable_names": plugged_cable_names(wiring),
        "port_names": [name for names in given.port_names for name in names] if given else [],
        "node_of_rank": run.node_of_rank.tolist(),
        "programs": [_sizes(one) for one in run.workloads],
        "seed": run.seed,
        "has_seeds": run.has_seeds,
        "pulled": _pulled(network, run),
        "metric_words": METRIC_WORDS,
        "run": deflated(run.packed),
    }


def _words(row: Row, rows: Sequence[Row]) -> str:
    """Return the words of a figure, with the size of its messages if the run has it for several."""
    words, n_bytes = metric_words(row.metric), row.parameters.get("size_bytes")
    is_only = sum(one.metric == row.metric for one in rows) == 1
    return words if is_only or not isinstance(n_bytes, int) else f"{words}, {size(n_bytes)}"


def _sizes(workload: Workload) -> str:
    """Return the sizes of a workload's messages."""
    given = getattr(workload, "size_bytes", None)
    if given is None:
        return workload.name
    sizes = given if isinstance(given, tuple) else (given,)
    if len(sizes) <= FEW_SIZES:
        return ", ".join(map(size, sizes))
    return f"{size(min(sizes))} to {size(max(sizes))}, {len(sizes)} sizes"


def _pulled(network: Network, run: PackedRun) -> list[dict[str, Any]] | None:
    """Return the faults of a run as parts that the page can put back; None if it has others."""
    found = []
    for fault in run.faults:
        if fault.kind != DOWN or len(fault.parts) != 1:
            return None
        [(kind, part)] = fault.parts
        name = KIND_NAMES[int(network.wiring.kind[part])] if kind == DEVICE else PART_NAMES[kind]
        until = {} if fault.until_s == math.inf else {"until": fault.until_s}
        found.append({"kind": name, "id": part, "time": fault.from_s, **until})
    return found
