"""Data that pages embed for their scripts: bytes in few characters, and the cabling."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["cabling", "deflated", "deflated_json"]


def deflated(data: bytes) -> str:
    """Return bytes deflated (zlib) and in base64; frontend/src/inflated.ts reads them."""
    return b64encode(zlib.compress(data, level=9)).decode("ascii")


def deflated_json(value: Mapping[str, Any]) -> str:
    """Return a value as JSON text, deflated."""
    return deflated(json.dumps(value, separators=(",", ":"), allow_nan=False).encode())


def cabling(network: Network) -> dict[str, Any]:
    """Return the ports and links of a network; `Cabling` in frontend/src/failures/fabric.ts."""
    wiring = network.wiring
    return {
        "n_nodes": network.n_nodes,
        "port_start": network.port_start.tolist(),
        "link_a": network.port_ids(wiring.cable_a).tolist(),
        "link_b": network.port_ids(wiring.cable_b).tolist(),
    }
