"""The numbers of nodes, hubs, switches and cables of a network, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwright.network import HUB, NODE, SWITCH

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["inventory"]


def inventory(network: Network) -> str:
    """Return all counts that are not zero."""
    counts = {
        "node": int((network.wiring.kind == NODE).sum()),
        "hub": int((network.wiring.kind == HUB).sum()),
        "logical switch" if network.chassis_names else "switch": int(
            (network.wiring.kind == SWITCH).sum()
        ),
        "chassis": len(network.chassis_names),
        "cable": len(network.wiring.cable_a),
    }
    return ", ".join(f"{n} {_plural(one, n)}" for one, n in counts.items() if n)


def _plural(noun: str, count: int) -> str:
    if count == 1 or noun == "chassis":
        return noun
    return f"{noun}es" if noun.endswith("switch") else f"{noun}s"
