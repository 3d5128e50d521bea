"""The columns of a row that name its network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from linkwright.design.topologies.topology import sides_text

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["design_columns"]


def design_columns(network: Network) -> dict[str, Any]:
    """Return the columns that tell which network a row is about."""
    return {
        "design": network.name,
        "design_hash": network.design_hash,
        "kind": network.kind,
        "shape": sides_text(network.sides),
        "nodes": network.n_compute,
        "parts": {role: part.key for role, part in network.parts.items()},
    }
