"""The topology of Slurm: a tree, a ring or a torus, by which it places jobs on nearby nodes.

The form follows from the cables: a graph with the neighbours of a torus is a ring or a torus
(`topology.yaml`, Slurm 26.05), nodes with one cable each to a tree of boxes are a tree
(`topology.conf`, any version), and nodes that all share links are flat. Slurm has no other shapes;
they are refused. The forms are those of the manual pages topology.conf(5) and topology.yaml(5).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkwright.errors import CapabilityError
from linkwright.network import NODE, Network
from linkwright.plan.exporters.comments import comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.yaml_text import flow, quoted

__all__ = ["SLURM", "Switch", "is_torus", "tree_of_boxes"]

MOST_OF_RING = 16
"""Nodes that a ring of Slurm may have."""
AXES = ("x", "y", "z")

YAML_USE = (
    "Slurm {version} or later: copy it beside slurm.conf. Slurm then ignores topology.conf. Names "
    "of nodes are the host names of the machines, as NodeName in slurm.conf must be."
)
CONF_USE = (
    "Copy it beside slurm.conf, which needs: TopologyPlugin=topology/tree. Names of nodes are the "
    "host names of the machines, as NodeName in slurm.conf must be."
)
RING = "The order of the nodes is that of the cables; a job gets neighbours, also across the end."
TORUS = "Nodes by coordinate, x fastest; a job gets a box of neighbours, also across the ends."
PLACEMENTS = (
    "Slurm gives nodes to jobs of these sizes alone, and refuses others: a job asks for the next "
    "larger one. All boxes are listed whose sides divide those of the torus, as they leave no gaps."
)
TREE = "Boxes that share boxes below are one switch here, since Slurm knows one parent of each."
FLAT = "Every two nodes share a link, so that no nodes are nearer to each other than others."


@dataclass(frozen=True)
class Switch:
    """A switch of the tree: numbers of the nodes on it, or names of the switches below."""

    name: str
    nodes: tuple[int, ...] = ()
    switches: tuple[str, ...] = ()


def _files(network: NetworkPlan) -> Files:
    design = network.network
    names = [host.name for host in network.hosts if host.is_compute]
    if is_torus(design):
        sides = [side for side in design.shape if side > 1]
        if len(sides) == 1 and len(names) <= MOST_OF_RING:
            return _yaml(network, "26.05", _ring(names))
        if len(sides) <= len(AXES):
            return _yaml(network, "26.05", _torus(names, sides))
        raise _unknown(network, f"it is a torus of {len(sides)} dimensions, and Slurm has three")
    tree = tree_of_boxes(design)
    if tree:
        return {"topology.conf": text_of([*header(network, None, CONF_USE), *_tree(names, tree)])}
    if network.links_all_pairs:
        return _yaml(network, "25.05", [*comment(FLAT, "  "), "  flat: true"])
    raise _unknown(network, "its nodes are neither a torus nor the leaves of a tree of switches")


def _yaml(network: NetworkPlan, version: str, lines: Sequence[str]) -> Files:
    top = header(network, None, YAML_USE.format(version=version))
    return {
        "topology.yaml": text_of(
            [*top, "---", "- topology: linkwright", "  cluster_default: true", *lines]
        )
    }


def _ring(names: Sequence[str]) -> list[str]:
    return [
        *comment(RING, "  "),
        "  ring:",
        "    rings:",
        "      - ring: ring",
        f"        nodes: {quoted(','.join(names))}",
    ]


def _torus(names: Sequence[str], sides: Sequence[int]) -> list[str]:
    # Nodes are numbered with the last coordinate fastest, which is x.
    dims = [*reversed(sides), *[1] * (len(AXES) - len(sides))]
    return [
        *comment(TORUS, "  "),
        "  torus3d:",
        "    toruses:",
        "      - name: torus",
        f"        dims: {_box(dims)}",
        f"        nodes: {quoted(','.join(names))}",
        *comment(PLACEMENTS, "        "),
        "        placements:",
        *(f"          - dims: {_box(one)}" for one in _tiles(dims)),
    ]


def _box(dims: Sequence[int]) -> str:
    return flow(dict(zip(AXES, dims, strict=True)))


def _tiles(dims: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the boxes that fill a torus without gaps, the smallest first."""
    divisors = [[k for k in range(1, side + 1) if side % k == 0] for side in dims]
    return sorted(itertools.product(*divisors), key=math.prod)


def _tree(names: Sequence[str], tree: Sequence[Switch]) -> Iterator[str]:
    yield from comment(TREE)
    for one in tree:
        below = [names[node] for node in one.nodes]
        children = f"Nodes={','.join(below)}" if below else f"Switches={','.join(one.switches)}"
        yield f"SwitchName={one.name} {children}"


def is_torus(network: Network) -> bool:
    """Return whether the cables are those of a torus over the coordinates of the compute nodes."""
    wiring, n_compute = network.wiring, network.n_compute
    ends = [sorted(pair) for pair in wiring.joined_devices.tolist()]
    if any(b >= n_compute and wiring.kind[b] != NODE for _, b in ends):
        return False
    found = {(a, b) for a, b in ends if b < n_compute}
    places = list(itertools.product(*map(range, network.shape)))
    if [tuple(one) for one in wiring.coordinates[:n_compute].tolist()] != places:
        return False
    number = {place: node for node, place in enumerate(places)}
    wanted = set()
    for place, node in number.items():
        for axis, side in enumerate(network.shape):
            next_place = (*place[:axis], (place[axis] + 1) % side, *place[axis + 1 :])
            if side > 1:
                wanted.add((min(node, number[next_place]), max(node, number[next_place])))
    return found == wanted


def tree_of_boxes(network: Network) -> list[Switch]:
    """Return hubs and switches as a tree, the leaves first.

    Boxes of one level that share a box below are one switch. The result is empty if a compute node
    is on several boxes, boxes of one level are connected, or there is no common root.
    """
    is_node, name = network.wiring.kind == NODE, network.device_names
    beside: dict[int, set[int]] = {}
    for a, b in network.wiring.joined_devices.tolist():
        beside.setdefault(a, set()).add(b)
        beside.setdefault(b, set()).add(a)
    homes = [beside[node] for node in range(network.n_compute)]
    if any(len(home) > 1 or is_node[list(home)].any() for home in homes):
        return []
    leaves: dict[int, list[int]] = {}
    for node, (box,) in enumerate(homes):
        leaves.setdefault(box, []).append(node)
    found = [Switch(name[box], tuple(nodes)) for box, nodes in leaves.items()]
    level, seen = [{box} for box in leaves], set(leaves)
    while len(level) > 1:
        here = set().union(*level)
        above = {other for box in here for other in beside[box] if not is_node[other]} - seen
        if not above or any(beside[box] & here for box in here):
            return []
        groups = _joined([{box for box in above if beside[box] & one} for one in level])
        for group in groups:
            below = [name[min(one)] for one in level if any(beside[box] & one for box in group)]
            found.append(Switch(name[min(group)], switches=tuple(below)))
        seen |= above
        level = groups
    return found


def _joined(sets: Sequence[set[int]]) -> list[set[int]]:
    """Return the unions of sets that have members in common."""
    groups: list[set[int]] = []
    for one in sets:
        touched = [group for group in groups if group & one]
        groups = [group for group in groups if not group & one]
        groups.append(one.union(*touched))
    return [group for group in groups if group]


def _unknown(network: NetworkPlan, reason: str) -> CapabilityError:
    return CapabilityError(
        f"Slurm has no topology for '{network.name}': {reason}",
        "leave out the target slurm, and let Slurm use topology/flat, its default",
    )


SLURM = Exporter(reader="Slurm: topology.conf or topology.yaml, by the shape", of_all=_files)
