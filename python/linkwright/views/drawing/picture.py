"""A drawing before it is SVG: boxes for devices, wires for cables, frames for chassis; lengths in
pixels.

Layouts (grid, lines, star, tree, circle) fill a picture from a network; `svg.py` writes it out. A
picture has no colours: each shape carries a CSS class, to which the page gives a colour in light
and in dark.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from linkwright.network import HUB, NODE

if TYPE_CHECKING:
    from linkwright.network import Network

Point = tuple[float, float]
_ARC: tuple[float, ...] = (1 / 8, 3 / 8, 3 / 8, 1 / 8)
"""Weights of the points of an arc (a cubic Bezier curve) in its middle."""
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")

NODE_WIDTH, NODE_HEIGHT = 36.0, 22.0
SWITCH_WIDTH, SWITCH_HEIGHT = 46.0, 24.0
PITCH_X, PITCH_Y = 62.0, 56.0
"""Distance between neighbouring nodes of a grid."""
MOST_OF_NAME = 7
"""Letters of a name that fit between two neighbours."""
LETTER_WIDTH = 6.4
"""Width of a letter of the labels, font size 10."""


@dataclass(frozen=True)
class Box:
    """A device or a chassis."""

    x: float
    """Centre."""
    y: float
    width: float
    height: float
    style: str
    label: str
    title: str
    device: int | None = None
    """Device of the box; None for a chassis."""

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        return (
            self.x - self.width / 2,
            self.y - self.height / 2,
            self.x + self.width / 2,
            self.y + self.height / 2,
        )


@dataclass(frozen=True)
class Wire:
    """A cable, or several between the same two devices, as an SVG path."""

    path: str
    style: str
    title: str
    cables: tuple[int, ...]

    @property
    def middle(self) -> Point:
        """The point between both ends of the path: on it, if it is a line or one arc."""
        values = [float(one) for one in _NUMBER.findall(self.path)]
        points = list(zip(values[::2], values[1::2], strict=False))
        is_arc = "C" in self.path and len(points) == len(_ARC)
        weights, points = (_ARC, points) if is_arc else ((0.5, 0.5), [points[0], points[-1]])
        pairs = list(zip(weights, points, strict=True))
        return sum(w * p[0] for w, p in pairs), sum(w * p[1] for w, p in pairs)


@dataclass(frozen=True)
class Badge:
    """A number in a circle, at a point of the drawing."""

    x: float
    y: float
    style: str
    label: str
    title: str


@dataclass
class Picture:
    """The content of a drawing: `frames` lie under `wires`, `wires` under `boxes`, and these under
    `badges`.
    """

    frames: list[Box] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    boxes: dict[int, Box] = field(default_factory=dict)
    """Box per device."""
    badges: list[Badge] = field(default_factory=list)
    note: str = ""
    """Remark on parts of the network that are not drawn."""

    def place(self, network: Network, device: int, x: float, y: float, width: float = 0) -> None:
        """Put a device with its centre at (x, y)."""
        name = shortened(network.device_names[device])
        is_node = bool(network.wiring.kind[device] == NODE)
        least, height = (NODE_WIDTH, NODE_HEIGHT) if is_node else (SWITCH_WIDTH, SWITCH_HEIGHT)
        self.boxes[device] = Box(
            x,
            y,
            max(width, least, LETTER_WIDTH * len(name) + 10),
            height,
            device_style(network, device),
            name,
            device_title(network, device),
            device,
        )

    def connect(self, pair: CablePair, path: str, style: str = "cable") -> None:
        """Draw the cables between two devices along a path."""
        bundle = " bundle" if pair.count > 1 else ""
        self.wires.append(Wire(path, style + bundle, pair.title, pair.cables))

    def place_rest(self, network: Network) -> None:
        """Put the devices that no cable connects to the others in rows below them."""
        rest = [device for device in range(len(network.device_names)) if device not in self.boxes]
        if not rest:
            return
        left, _, right, bottom = extent(self.boxes.values()) if self.boxes else (0.0,) * 4
        n_columns = max(8, int((right - left) / PITCH_X))
        for index, device in enumerate(rest):
            row, column = divmod(index, n_columns)
            self.place(network, device, left + column * PITCH_X, bottom + (row + 1) * PITCH_Y)

    def frame_chassis(self, network: Network) -> None:
        """Draw a frame around the logical switches of each chassis."""
        margin = 6
        for chassis, name in enumerate(network.chassis_names):
            inside = [box for d, box in self.boxes.items() if network.wiring.chassis[d] == chassis]
            if not inside:
                continue
            left, top = min(b.corners[0] for b in inside), min(b.corners[1] for b in inside)
            right, bottom = max(b.corners[2] for b in inside), max(b.corners[3] for b in inside)
            self.frames.append(
                Box(
                    (left + right) / 2,
                    (top + bottom) / 2,
                    right - left + 2 * margin,
                    bottom - top + 2 * margin,
                    "chassis",
                    name,
                    f"{name}: {network.parts['switch'].key}, {len(inside)} logical switches",
                )
            )


@dataclass(frozen=True)
class CablePair:
    """Two cabled devices, and the cables between them."""

    a: int
    b: int
    cables: tuple[int, ...]
    title: str

    @property
    def count(self) -> int:
        """Number of cables between them."""
        return len(self.cables)


def cable_pairs(network: Network) -> list[CablePair]:
    """Return the cabled pairs of devices in the order of their first cable."""
    found: dict[tuple[int, int], list[tuple[int, str]]] = {}
    both_ends = zip(network.wiring.cable_a.tolist(), network.wiring.cable_b.tolist(), strict=True)
    for cable, ((a, a_port), (b, b_port)) in enumerate(both_ends):
        ends = (
            f"{network.device_names[a]}:{network.port_name(a, a_port)} - "
            f"{network.device_names[b]}:{network.port_name(b, b_port)}"
        )
        found.setdefault((a, b), []).append((cable, ends))
    return [
        CablePair(a, b, tuple(cable for cable, _ in cables), "\n".join(ends for _, ends in cables))
        for (a, b), cables in found.items()
    ]


def shortened(name: str) -> str:
    """Return a name that fits into a box; the tooltip has the whole one.

    Examples
    --------
    >>> shortened("workstation-12")
    'wor…-12'
    """
    return name if len(name) <= MOST_OF_NAME else f"{name[:3]}…{name[-3:]}"


def device_style(network: Network, device: int) -> str:
    """Return the CSS class of a device."""
    gone = " gone" if network.is_dead[device] else ""
    if device == network.front_end:
        return "node front-end" + gone
    kind = network.wiring.kind[device]
    return ("node" if kind == NODE else "hub" if kind == HUB else "switch") + gone


def device_title(network: Network, device: int) -> str:
    """Return the tooltip of a device."""
    name, ports = network.device_names[device], int(network.wiring.n_ports[device])
    if device == network.front_end:
        return f"{name}: front end"
    text = (
        f"{name}: {network.part_of(device).key}, {ports} {'port' if ports == 1 else 'ports'} used"
    )
    place = [value for value in network.wiring.coordinates[device].tolist() if value >= 0]
    if network.wiring.kind[device] == NODE and len(network.shape) > 1:
        text += f", at ({', '.join(map(str, place))})"
    units = int(network.wiring.stack_units[device])
    return f"{text}, stack of {units} units" if units > 1 else text


def line(*points: Point) -> str:
    """Return the path of straight lines through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def bow(a: Point, b: Point, height: float) -> str:
    """Return a flat arc from a to b that bends to the left of its direction (upwards, going right)
    by about `height`.
    """
    (ax, ay), (bx, by) = a, b
    length = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-9)
    away = ((by - ay) / length * height * 4 / 3, -(bx - ax) / length * height * 4 / 3)
    pull = min(0.25, 0.6 * abs(height) / length + 0.05)
    first = (ax + pull * (bx - ax) + away[0], ay + pull * (by - ay) + away[1])
    second = (bx - pull * (bx - ax) + away[0], by - pull * (by - ay) + away[1])
    points = " ".join(f"{number(x)} {number(y)}" for x, y in (first, second, b))
    return f"M{number(ax)} {number(ay)}C{points}"


def number(value: float) -> str:
    """Return a length with one decimal at most."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def extent(boxes: Iterable[Box]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of all boxes."""
    return functools.reduce(
        lambda e, c: (min(e[0], c[0]), min(e[1], c[1]), max(e[2], c[2]), max(e[3], c[3])),
        (box.corners for box in boxes),
    )
