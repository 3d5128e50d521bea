"""The page of a check: one self-contained HTML file in which the reader fails parts of a network.

What follows from a failure is worked out by the page's script (frontend/src/failures) from the
tables of all nodes, which are written into the page; `docs/design/check-page.md` says why. The
frame is templates/report.html.j2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from linkwright.design.names import plugged_cable_names
from linkwright.errors import UsageError
from linkwright.network import HUB, NODE, SWITCH
from linkwright.plan.failures import columns, failures_of
from linkwright.views.drawing import draw
from linkwright.views.frame import page
from linkwright.views.inventory import inventory
from linkwright.views.packed import Packed, packed

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan import FailureProof, Finding
    from linkwright.results import Manifest

__all__ = ["MOST_NODES", "check_page"]

MOST_NODES = 1024
"""The page holds the route of every pair: 5 MB for 600 nodes."""
COUNTS = {
    "untouched": "n_untouched",
    "rerouted": "n_rerouted",
    "replanned": "n_replanned",
    "daemon": "n_daemon",
    "cut_off": "n_cut_off",
    "looping": "n_looping",
    "unanswered": "n_unanswered",
    "worst_extra_hops": "worst_extra_hops",
}
"""What the page shows of a toll, `Shown` in frontend/src/check/model.ts, and where it has it."""
PLURALS = {
    "cable": "cables",
    "nic": "NICs",
    "hub": "hubs",
    "switch": "switches",
    "node": "nodes",
}
MOST_ROWS = 5000
"""How many failures the page lists: what costs most."""
KIND_NAMES = {NODE: "node", HUB: "hub", SWITCH: "switch"}


def check_page(
    network: Network,
    findings: Sequence[Finding],
    proof: FailureProof | None,
    manifest: Manifest,
) -> str:
    """Return the HTML page of a check.

    Parameters
    ----------
    network : Network
        What was checked.
    findings : sequence of Finding
        What was found.
    proof : FailureProof, optional
        What failures cost; without it the page has no table of them.
    manifest : Manifest
        How it came about: command, versions, times.

    Raises
    ------
    UsageError
        When the network is too large for a page.
    """
    if network.n_nodes > MOST_NODES:
        raise UsageError(
            f"{network.name} has {network.n_nodes} nodes: a page holds the route of every pair and "
            f"takes {MOST_NODES} nodes at most",
            "write the answer as .json or .csv",
        )
    data = _data(network, proof)
    return page(
        "check.html.j2",
        styles=("report.css", "check.css"),
        script="check.js",
        title=f"{network.name}: what a failure costs",
        facts=_facts(network, manifest),
        drawing=Markup(draw(network)),
        is_explicit=data["is_explicit"],
        failing_kinds=list(dict.fromkeys(data["failures"]["kinds"])),
        plurals=PLURALS,
        proof=proof,
        findings=findings,
        provenance=_provenance(network, manifest),
        manifest=manifest,
        data=data,
    )


def _facts(network: Network, manifest: Manifest) -> list[tuple[str, str]]:
    fallback = " with fallback routes" if network.fallback else ""
    return [
        ("topology", network.kind),
        ("parts", inventory(network)),
        ("addressing", network.addressing),
        ("routing", network.routing + fallback),
        *([("without", ", ".join(network.without))] if network.without else []),
        ("made", f"{manifest.finished:%Y-%m-%d}"),
    ]


def _provenance(network: Network, manifest: Manifest) -> list[tuple[str, str]]:
    return [
        ("command", " ".join(manifest.command)),
        ("Linkwright", manifest.version),
        ("Python", manifest.python),
        ("finished", f"{manifest.finished:%Y-%m-%d %H:%M:%S %Z}"),
        ("design", f"{network.name} {network.design_hash}"),
    ]


def _data(network: Network, proof: FailureProof | None) -> dict[str, Any]:
    """Return what the script works with; `Written` in frontend/src/check/model.ts."""
    start = network.core.fabric.port_start.astype(np.int64)
    identities = _identities(network)
    return {
        "n_nodes": network.n_nodes,
        "is_explicit": network.routing == "explicit",
        "names": network.device_names,
        "cable_names": plugged_cable_names(network.wiring),
        "kinds": [KIND_NAMES[kind] for kind in network.wiring.kind.tolist()],
        "parts": [network.part_of(device).key for device in range(len(network.device_names))],
        "port_start": packed(start),
        "bonds": network.wiring.bonds.tolist(),
        "cable_a": packed(start[network.wiring.cable_a[:, 0]] + network.wiring.cable_a[:, 1]),
        "cable_b": packed(start[network.wiring.cable_b[:, 0]] + network.wiring.cable_b[:, 1]),
        "port_address": _port_addresses(network),
        "identity_node": packed(network.addresses.node[identities]),
        "ways": _ways(network, identities, start),
        **_proof(network, proof),
    }


def _identities(network: Network) -> NDArray[np.uint32]:
    """Return the identity addresses of the nodes that have a cable: the pairs are between them."""
    ends = np.unique(np.concatenate([network.wiring.cable_a[:, 0], network.wiring.cable_b[:, 0]]))
    found: NDArray[np.uint32] = network.addresses.identity[ends[ends < network.n_nodes]]
    return found


def _proof(network: Network, proof: FailureProof | None) -> dict[str, Any]:
    """Return the failures that were tried and what each costs, the worst where they are many."""
    tried = [] if proof is None else failures_of(network, proof.failures)
    rows = [*zip(tried, () if proof is None else proof.tolls, strict=True)]
    if len(rows) > MOST_ROWS:
        rows = sorted(rows, key=lambda row: (row[1].n_cut_off, row[1].n_lost), reverse=True)
        rows = rows[:MOST_ROWS]
    failures, tolls = [failure for failure, _ in rows], [toll for _, toll in rows]
    return {
        "failures": {
            "kinds": [one.kind for one in failures],
            "names": [one.name for one in failures],
            **{name: packed(column) for name, column in columns(failures)._asdict().items()},
        },
        "tolls": {
            name: packed([getattr(toll, field) for toll in tolls]) for name, field in COUNTS.items()
        },
    }


def _port_addresses(network: Network) -> list[str]:
    """Return the first address of each node port; empty where it has none."""
    start = network.core.fabric.port_start
    found = [""] * int(start[network.n_nodes])
    owners = zip(network.addresses.node.tolist(), network.addresses.port.tolist(), strict=True)
    for interface, (node, port) in zip(network.addresses.ip, owners, strict=True):
        place = int(start[node]) + port
        if port >= 0 and not found[place]:
            found[place] = str(interface.ip)
    return found


def _ways(
    network: Network, identities: NDArray[np.uint32], start: NDArray[np.int64]
) -> dict[str, Packed]:
    """Return all nodes' routes; a node's ports as numbers on it, which are small."""
    ways = network.core.ways(identities, with_fallback=network.fallback)
    first = np.broadcast_to(start[: network.n_nodes], ways.port.shape)
    n_standby = ways.standby_start[1:] - ways.standby_start[:-1]
    return {
        "port": packed(np.where(ways.port >= 0, ways.port - first, ways.port)),
        "via": packed(ways.via),
        "n_standby": packed(n_standby),
        "standby_port": packed(ways.standby_port - np.repeat(first.ravel(), n_standby)),
        "standby_via": packed(ways.standby_via),
    }
