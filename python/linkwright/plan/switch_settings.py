"""Settings that switches need from their owner: groups of bundled links, and VLANs.

Several cables between the same two switches are one link only if both switches are set so (link
aggregation, LACP); otherwise they are a loop. Logical switches of one chassis are VLANs of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.network import SWITCH

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["lags", "vlan_of_cables", "vlans"]

FIRST_VLAN = 2
"""Boxes have VLAN 1 for all ports at first."""


def lags(network: Network) -> NDArray[np.int64]:
    """Return the link aggregation group of each cable, shape (m,): counted from 1, 0 for none."""
    wiring = network.wiring
    ends = np.sort(wiring.joined_devices, axis=1)
    is_bundled = (wiring.bridges & (wiring.kind == SWITCH))[ends].all(axis=1)
    _, first, pair, count = np.unique(
        ends, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    pair = pair.reshape(-1)
    is_bundled &= count[pair] > 1
    found = np.zeros(len(ends), dtype=np.int64)
    leaders = np.unique(first[pair[is_bundled]])
    found[is_bundled] = 1 + np.searchsorted(leaders, first[pair[is_bundled]])
    return found


def vlans(network: Network) -> NDArray[np.int64]:
    """Return the VLAN of each logical switch, shape (n,): 0 for devices that are no part of one.

    All logical switches of a broadcast domain have one number, the smallest that no other domain
    has in any chassis of theirs.
    """
    wiring = network.wiring
    domain = network.core.components(wiring.is_trunk).astype(np.int64)
    found = np.zeros(len(wiring.chassis), dtype=np.int64)
    logical = np.flatnonzero(wiring.chassis >= 0)
    members: dict[int, list[int]] = {}
    for device in logical.tolist():
        members.setdefault(int(domain[device]), []).append(device)
    taken: dict[int, set[int]] = {}
    for devices in members.values():
        in_use = [taken.setdefault(int(wiring.chassis[device]), set()) for device in devices]
        number = FIRST_VLAN
        while any(number in numbers for numbers in in_use):
            number += 1
        for numbers in in_use:
            numbers.add(number)
        found[devices] = number
    return found


def vlan_of_cables(network: Network) -> NDArray[np.int64]:
    """Return the VLAN that each cable belongs to, shape (m,); 0 for none."""
    found: NDArray[np.int64] = vlans(network)[network.wiring.joined_devices].max(axis=1, initial=0)
    return found
