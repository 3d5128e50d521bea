"""The page of a check: one self-contained HTML file in which the reader fails parts of a network.

The page computes the effect of a failure by the compiled proof (crates/page) from the packed tables
of all nodes; `docs/design/check-page.md` gives the reasons. The frame is
templates/report.html.j2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from linkwright.comparison.detours import hop_times
from linkwright.design.names import plugged_cable_names
from linkwright.errors import UsageError
from linkwright.plan.failures import columns, failures_of, wired_nodes
from linkwright.plan.units import KIND_NAMES
from linkwright.views.check_answer import check_answer
from linkwright.views.detours import step_data
from linkwright.views.drawing import draw
from linkwright.views.embedded import cabling, deflated, deflated_json
from linkwright.views.frame import page
from linkwright.views.inventory import inventory
from linkwright.views.provenance import provenance

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.plan import FailureProof, Finding
    from linkwright.plan.failures import Failure
    from linkwright.plan.resilience import FailureImpact
    from linkwright.results import Manifest
    from linkwright.views.played_runs import PlayedRuns

__all__ = ["MOST_NODES", "check_page", "proof_data"]

MOST_NODES = 1024
"""Limit of the page, which holds the routes of every pair and counts them in 32 bits."""
SHOWN = (
    "n_untouched",
    "n_rerouted",
    "n_recomputed",
    "n_daemon",
    "n_disconnected",
    "n_looping",
    "n_unanswered",
    "worst_extra_hops",
)
"""Fields of an impact on the page; `Shown` in frontend/src/check/model.ts."""
PLURALS = {
    "cable": "cables",
    "nic": "NICs",
    "hub": "hubs",
    "switch": "switches",
    "node": "nodes",
}
MOST_ROWS = 5000
"""Largest number of failures in the page's table, the costliest ones."""

Tried = Sequence[tuple["Failure", "FailureImpact"]]
"""Failures with their impacts."""


def check_page(
    network: Network,
    findings: Sequence[Finding],
    proof: FailureProof | None,
    manifest: Manifest,
    *,
    played: PlayedRuns | None = None,
) -> str:
    """Return the HTML page of a check.

    Parameters
    ----------
    network : Network
        The checked network.
    findings : sequence of Finding
        The findings of the check.
    proof : FailureProof, optional
        Cost of the failures; without it the page has no table of them.
    manifest : Manifest
        The origin: command, versions, times.
    played : PlayedRuns, optional
        A run on the network, number 0, or the reason why there is none.

    Raises
    ------
    UsageError
        If the network is too large for a page.
    """
    if network.n_nodes > MOST_NODES:
        raise UsageError(
            f"{network.name} has {network.n_nodes} nodes: a page holds the route of every pair and "
            f"takes {MOST_NODES} nodes at most",
            "write the answer as .json or .csv",
        )
    tried = _tried(network, proof)
    answer = check_answer(network.name, findings, proof)
    return page(
        "check.html.j2",
        styles=("check.css",),
        scripts=("check.js",),
        title=f"{network.name}: the cost of failures",
        facts=_facts(network, manifest),
        drawing=Markup(draw(network)),
        is_explicit=network.routing == "explicit",
        n_listed=len(tried),
        failing_kinds=list(dict.fromkeys(failure.kind for failure, _ in tried)),
        plurals=PLURALS,
        proof=proof,
        findings=findings,
        answer=answer,
        provenance=provenance(network, manifest),
        version=manifest.version,
        played=played,
        data=proof_data(network, tried),
    )


def _facts(network: Network, manifest: Manifest) -> list[tuple[str, str]]:
    fallback = " with fallback routes" if network.fallback else ""
    fallback += " by incoming interface" if network.by_interface else ""
    return [
        ("topology", network.kind),
        ("parts", inventory(network)),
        ("addressing", network.addressing),
        ("routing", network.routing + fallback),
        *([("without", ", ".join(network.without))] if network.without else []),
        ("made", f"{manifest.finished:%Y-%m-%d}"),
    ]


def proof_data(network: Network, tried: Tried = ()) -> dict[str, Any]:
    """Return the data of the script, `Written` in frontend/src/check/model.ts, with the failures
    of a proof for its table.
    """
    identities = _identities(network)
    packed = network.core.packed_failures(identities, with_fallback=network.fallback)
    return {
        "cabling": cabling(network),
        "is_explicit": network.routing == "explicit",
        "names": network.device_names,
        "cable_names": plugged_cable_names(network.wiring),
        "kinds": [KIND_NAMES[kind] for kind in network.wiring.kind.tolist()],
        "parts": [network.part_of(device).key for device in range(len(network.device_names))],
        "port_names": _port_names(network),
        "port_address": _port_addresses(network),
        "owner": network.addresses.node[identities].tolist(),
        "network": deflated(packed),
        "steps": step_data(network, hop_times(network)),
        "failures": deflated_json(_failures(tried)),
    }


def _port_names(network: Network) -> list[str]:
    """Return the name of each port if the design gives names, else nothing."""
    given = network.wiring.particulars
    return [name for names in given.port_names for name in names] if given else []


def _identities(network: Network) -> NDArray[np.uint32]:
    """Return the identity addresses of the nodes that have a cable, which form the pairs."""
    return network.addresses.identity[wired_nodes(network)]


def _tried(network: Network, proof: FailureProof | None) -> Tried:
    """Return the failures of a proof with their impacts; of many failures the worst ones."""
    if proof is None:
        return ()
    rows = [*zip(failures_of(network, proof.failures), proof.impacts, strict=True)]
    if len(rows) > MOST_ROWS:
        rows.sort(key=lambda row: (row[1].n_disconnected, row[1].n_lost), reverse=True)
    return rows[:MOST_ROWS]


def _failures(tried: Tried) -> dict[str, Any]:
    parts = columns([failure for failure, _ in tried])
    return {
        "kinds": [failure.kind for failure, _ in tried],
        "names": [failure.name for failure, _ in tried],
        **{name: column.tolist() for name, column in parts._asdict().items()},
        "impacts": {name: [getattr(impact, name) for _, impact in tried] for name in SHOWN},
    }


def _port_addresses(network: Network) -> list[str]:
    """Return the first address of each node port; empty if it has none."""
    found = [""] * int(network.port_start[network.n_nodes])
    owners = zip(network.addresses.node.tolist(), network.addresses.port.tolist(), strict=True)
    for interface, (node, port) in zip(network.addresses.ip, owners, strict=True):
        place = network.port_id(node, port)
        if port >= 0 and not found[place]:
            found[place] = str(interface.ip)
    return found
