"""Stack rings and stack meshes: groups as blocks of nodes in a frame, on a circle or on a grid, and
each stack between its two groups.

The cables from a block to a stack leave their nodes on tracks along the rows or columns and meet at
one side of the frame, so that hundreds of nodes keep their shape. On a grid the stack that closes a
ring is past its last group, and its cables to the first one run around the groups between.
Forwarders come last in their block.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from linkwright.network import NODE
from linkwright.views.drawing.picture import (
    NODE_HEIGHT,
    PITCH_X,
    PITCH_Y,
    SWITCH_HEIGHT,
    SWITCH_WIDTH,
    Box,
    CablePair,
    Picture,
    Point,
    cable_pairs,
    line,
)

if TYPE_CHECKING:
    from linkwright.network import Network

NODE_PITCH_X, NODE_PITCH_Y = 0.86 * PITCH_X, 0.6 * PITCH_Y
GAP_X, GAP_Y = SWITCH_WIDTH + 60.0, SWITCH_HEIGHT + 60.0
"""Room for a stack between two frames."""
MARGIN = 8.0
HARNESS = 4.0
"""Distance from a side of a frame to the point where the cables of that side meet."""
AROUND_X, AROUND_Y = 22.0, 18.0
"""Distance from a frame to the cables that run around it."""
EAST, SOUTH, WEST, NORTH = (1, 0), (0, 1), (-1, 0), (0, -1)

Group = tuple[int, ...]


def joins_groups(network: Network) -> bool:
    """Return whether every switch connects all nodes of exactly two groups: nodes that differ only
    in the last of several coordinates.
    """
    size = len(network.shape)
    members = _members(network)
    if size < 2 or (network.wiring.chassis >= 0).any():
        return False
    whole = {group: len(nodes) for group, nodes in members.items()}
    found: dict[int, dict[Group, int]] = {}
    for pair in cable_pairs(network):
        if pair.a == network.front_end:
            continue
        if network.wiring.kind[pair.b] == NODE:
            return False
        on_stack = found.setdefault(pair.b, {})
        group = _group(network, pair.a)
        on_stack[group] = on_stack.get(group, 0) + 1
    return all(
        len(groups) == 2 and all(whole.get(group) == n for group, n in groups.items())
        for groups in found.values()
    )


def draw_groups(network: Network) -> Picture:
    """Return the drawing of groups of nodes with stacks between them."""
    picture, members = Picture(), _members(network)
    n_columns = max(1, math.ceil(math.sqrt(0.7 * max(map(len, members.values())))))
    n_rows = max(-(-len(nodes) // n_columns) for nodes in members.values())
    width, height = n_columns * NODE_PITCH_X + 2 * MARGIN, n_rows * NODE_PITCH_Y + 2 * MARGIN
    is_ring = len(network.shape) == 2
    place = _on_circle if is_ring else _on_grid
    frames: dict[Group, Box] = {}
    for group, nodes in members.items():
        x, y = place(network.shape, tuple(map(float, group)), (width, height))
        _place_block(picture, network, nodes, n_columns, (x, y))
        frames[group] = _frame(group, len(nodes), (x, y, width, height))
    picture.frames.extend(frames.values())
    for stack, groups in _groups_of_stacks(network).items():
        between = _between(network.shape, groups)
        picture.place(network, stack, *place(network.shape, between, (width, height)))
    sides = _sides(network, picture, frames)
    for pair in cable_pairs(network):
        if pair.a != network.front_end:
            group = _group(network, pair.a)
            _connect(picture, pair, frames[group], sides[group, pair.b])
    _place_front_end(picture, network)
    return picture


def _members(network: Network) -> dict[Group, list[int]]:
    """Return the nodes of each group, forwarders last."""
    members: dict[Group, list[int]] = {}
    for node in range(network.n_nodes):
        if node != network.front_end:
            members.setdefault(_group(network, node), []).append(node)
    return members


def _group(network: Network, node: int) -> Group:
    return tuple(network.wiring.coordinates[node, :-1].tolist())


def _groups_of_stacks(network: Network) -> dict[int, list[Group]]:
    """Return the two groups of each stack."""
    found: dict[int, set[Group]] = {}
    for pair in cable_pairs(network):
        if pair.a != network.front_end:
            found.setdefault(pair.b, set()).add(_group(network, pair.a))
    return {stack: sorted(groups) for stack, groups in found.items()}


def _between(shape: tuple[int, ...], groups: list[Group]) -> tuple[float, ...]:
    """Return the position of a stack: half a step after its first group."""
    low, high = groups
    axis = next(k for k, (a, b) in enumerate(zip(low, high, strict=True)) if a != b)
    first = low if high[axis] - low[axis] == 1 and shape[axis] > 1 else high
    return tuple(at + 0.5 * (k == axis) for k, at in enumerate(first))


def _on_circle(shape: tuple[int, ...], at: tuple[float, ...], size: Point) -> Point:
    """Return the point of a stage, the first on top; stacks lie half-way between two."""
    half = math.hypot(*size) / 2 + math.hypot(SWITCH_WIDTH, SWITCH_HEIGHT) / 2 + 3 * MARGIN
    radius = max(half / (2 * math.sin(math.pi / (2 * shape[0]))), math.hypot(*size))
    angle = 2 * math.pi * at[0] / shape[0] - math.pi / 2
    return radius * math.cos(angle), radius * math.sin(angle)


def _on_grid(shape: tuple[int, ...], at: tuple[float, ...], size: Point) -> Point:
    """Return the point of a group: the last axis to the right, the one before it downwards."""
    del shape
    return at[-1] * (size[0] + GAP_X), at[-2] * (size[1] + GAP_Y)


def _place_block(
    picture: Picture, network: Network, nodes: list[int], n_columns: int, middle: Point
) -> None:
    n_rows = -(-len(nodes) // n_columns)
    for index, node in enumerate(nodes):
        row, column = divmod(index, n_columns)
        x = middle[0] + (column - (n_columns - 1) / 2) * NODE_PITCH_X
        picture.place(network, node, x, middle[1] + (row - (n_rows - 1) / 2) * NODE_PITCH_Y)


def _frame(group: Group, n_nodes: int, place: tuple[float, float, float, float]) -> Box:
    name = ("stage" if len(group) == 1 else "group") + " " + " ".join(map(str, group))
    return Box(*place, "chassis group", name, f"{name}: {n_nodes} nodes")


def _sides(
    network: Network, picture: Picture, frames: dict[Group, Box]
) -> dict[tuple[Group, int], tuple[int, int]]:
    """Return the side of each group's frame at which the cables to each of its stacks meet."""
    found: dict[tuple[Group, int], tuple[int, int]] = {}
    for stack, groups in _groups_of_stacks(network).items():
        between = _between(network.shape, groups)
        for group in groups:
            if len(network.shape) > 2:
                axis = next(k for k, at in enumerate(between) if at % 1)
                is_first = between[axis] - group[axis] == 0.5
                sides = (EAST, WEST) if axis == len(group) - 1 else (SOUTH, NORTH)
                found[group, stack] = sides[0 if is_first else 1]
            else:
                taken = [side for (other, _), side in found.items() if other == group]
                found[group, stack] = _nearest_side(frames[group], picture.boxes[stack], taken)
    return found


def _nearest_side(frame: Box, stack: Box, taken: list[tuple[int, int]]) -> tuple[int, int]:
    dx, dy = (stack.x - frame.x) / frame.width, (stack.y - frame.y) / frame.height
    free = [side for side in (EAST, SOUTH, WEST, NORTH) if side not in taken]
    return max(free, key=lambda side: side[0] * dx + side[1] * dy)


def _connect(picture: Picture, pair: CablePair, frame: Box, side: tuple[int, int]) -> None:
    """Draw a cable along the track of its node's row or column, and from the side to the stack."""
    node, stack = picture.boxes[pair.a], picture.boxes[pair.b]
    sign = sum(side)
    gap = (NODE_PITCH_X - node.width) / 3 if side[1] else (NODE_PITCH_Y - NODE_HEIGHT) / 3
    if side[1]:
        track = node.x + sign * (node.width / 2 + gap)
        meet = frame.y + side[1] * (frame.height / 2 - HARNESS)
        y = node.y + sign * NODE_HEIGHT / 4
        path = [(node.x + sign * node.width / 2, y), (track, y), (track, meet)]
    else:
        track = node.y + sign * (NODE_HEIGHT / 2 + gap)
        meet = frame.x + side[0] * (frame.width / 2 - HARNESS)
        x = node.x + sign * node.width / 4
        path = [(x, node.y + sign * NODE_HEIGHT / 2), (x, track), (meet, track)]
    path += _from_side(frame, stack, side, meet)
    picture.connect(pair, line(*path, (stack.x, stack.y)), "cable faint")


def _from_side(frame: Box, stack: Box, side: tuple[int, int], meet: float) -> list[Point]:
    """Return the points between a node's track and the stack: the middle of the side, or the path
    around the groups to a stack on the other side of them.
    """
    left, top, _, _ = frame.corners
    if side == WEST and stack.x > frame.x + frame.width:
        return [(meet, top - AROUND_Y), (stack.x, top - AROUND_Y)]
    if side == NORTH and stack.y > frame.y + frame.height:
        return [(left - AROUND_X, meet), (left - AROUND_X, stack.y)]
    return [(frame.x, meet)] if side[1] else [(meet, frame.y)]


def _place_front_end(picture: Picture, network: Network) -> None:
    """Put the front end beyond the top right corner of everything."""
    front_end = network.front_end
    if front_end is None:
        return
    top = min(box.corners[1] for box in picture.frames)
    right = max(box.corners[2] for box in [*picture.frames, *picture.boxes.values()])
    picture.place(network, front_end, right + 0.7 * PITCH_X, top)
    box = picture.boxes[front_end]
    for pair in cable_pairs(network):
        if pair.a == front_end:
            other = picture.boxes[pair.b]
            path = line((box.x, box.y), (other.x, other.y))
            picture.connect(pair, path, "cable to-front-end")
