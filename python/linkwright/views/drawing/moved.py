"""Devices at the places in the drawing that a design gives; their cables are straight then.

The layout of the topology stays for all others, with the curves of the cables between them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from linkwright.views.drawing.picture import Picture, Wire, line

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["move_devices"]


def move_devices(picture: Picture, network: Network) -> None:
    """Move the devices whose place in the drawing the design gives, and their cables with them."""
    moved = {
        device: place.drawn
        for device, place in network.places.items()
        if device in picture.boxes and place.drawn
    }
    if not moved:
        return
    for device, (x, y) in moved.items():
        picture.boxes[device] = replace(picture.boxes[device], x=x, y=y)
    picture.wires = [_with_ends(wire, picture, network, moved) for wire in picture.wires]
    picture.frames.clear()
    picture.frame_chassis(network)


def _with_ends(
    wire: Wire, picture: Picture, network: Network, moved: dict[int, tuple[float, ...]]
) -> Wire:
    """Return a wire between the places of its devices."""
    ends = network.wiring.joined_devices[wire.cables[0]].tolist()
    if not any(device in moved for device in ends):
        return wire
    a, b = (picture.boxes[device] for device in ends)
    return replace(wire, path=line((a.x, a.y), (b.x, b.y)))
