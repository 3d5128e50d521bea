"""Faults as columns for the compiled core: the packet engine and the wires of an emulation take the
same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.faults import Fault
    from linkwright.network import Network

__all__ = ["fault_columns"]


def fault_columns(
    faults: Sequence[Fault], network: Network, hosts: Calibration
) -> dict[str, object]:
    """Return faults, and the reaction of nodes to them, as columns for the core."""
    ends = np.cumsum([0, *(len(fault.parts) for fault in faults)])
    parts = [part for fault in faults for part in fault.parts]
    return {
        "kind": [fault.kind for fault in faults],
        "probability": [fault.probability for fault in faults],
        "from_s": [fault.from_s for fault in faults],
        "until_s": [fault.until_s for fault in faults],
        "part_start": ends.tolist(),
        "part_kind": [kind for kind, _ in parts],
        "part_id": [part for _, part in parts],
        "with_fallback": network.fallback,
        "bond_poll_s": hosts.links.bond_poll_us.value / 1e6,
    }
