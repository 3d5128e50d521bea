"""Host files of MLX, which joins computers to run a model: ranks, and the addresses between them.

`hostfile.json` is for the backend `ring`: rank r connects to the addresses of rank r + 1. With a
cable between every two nodes there is `jaccl.json` too, for RDMA over Thunderbolt. The form is that
of `mlx.launch`. JSON has no comments, so that the reasons are in `reasons.txt` beside it.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence

from linkwright.design.parts import NodePart
from linkwright.errors import CapabilityError
from linkwright.plan.exporters.comments import comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan

__all__ = ["MLX", "ring_order"]

USE = "Use hostfile.json with: mlx.launch --hostfile hostfile.json PROGRAM"
SSH = (
    "ssh: the management address of a machine, or its name; processes are started and watched "
    "there."
)
IPS = (
    "ips: the node's identity, which the rank before it connects to. Packets take the cable "
    "between two neighbours, and another way after it has failed. By default MLX takes the address "
    "of en0 or en1, which may be Wi-Fi (exo-explore/exo#2295)."
)
MACOS = (
    "A Mac has no identity, because no target writes settings of macOS: its ips are the address of "
    "its port towards the rank before it, and packets take that cable alone. Set the addresses of "
    "interfaces.csv by hand, for example with `networksetup -setmanual SERVICE ADDRESS MASK`."
)
ORDER = (
    "Ranks are in the order of a walk over the grid: each next one is a neighbour, as far as the "
    "shape allows. Over these steps packets are relayed, since the two share no link:"
)
WALK = "Ranks are in the order of a walk over the grid: each next one shares a link with the last."
RDMA = (
    "jaccl.json is for RDMA over Thunderbolt 5 between Macs: every pair has a cable. rdma: the "
    "device of the port towards each rank, which macOS names rdma_ and the interface. ips: by the "
    "first one, the ranks meet; it is the management address, where the design has it."
)
NO_RDMA = (
    "There is no jaccl.json: RDMA over Thunderbolt wants a cable between every two nodes, and does "
    "not follow routes."
)


def ring_order(coordinates: Sequence[Sequence[int]]) -> list[int]:
    """Return the order of a walk over a grid in which neighbours follow each other.

    The walk is the reflected one: it turns round at the end of each row, and of each plane.

    Examples
    --------
    >>> ring_order([(0, 0), (0, 1), (1, 0), (1, 1)])
    [0, 1, 3, 2]
    """

    def key(node: int) -> list[int]:
        found, is_back = [], False
        for value in coordinates[node]:
            found.append(-value if is_back else value)
            is_back ^= bool(value % 2)
        return found

    return sorted(range(len(coordinates)), key=key)


def _files(network: NetworkPlan) -> Files:
    design = network.network
    places = design.wiring.coordinates[: design.n_compute].tolist()
    order = ring_order(places)
    nodes = {node.number: node for node in network.nodes() if node.number < design.n_compute}
    ranks = [nodes[node] for node in order]
    ring = [
        {"ssh": _ssh(node), "ips": [_address(network, node, before)]}
        for before, node in zip([ranks[-1], *ranks[:-1]], ranks, strict=True)
    ]
    files = {"hostfile.json": _json("ring", ring)}
    devices = _devices(network, ranks)
    if devices:
        meshed = [
            {**host, "ips": _meeting(node) or host["ips"], "rdma": own}
            for host, node, own in zip(ring, ranks, devices, strict=True)
        ]
        files["jaccl.json"] = _json("jaccl", meshed)
    reasons = [*comment(SSH), *comment(IPS), *_order(network, order)]
    if any(_is_mac(network, node) for node in ranks):
        reasons += comment(MACOS)
    reasons += comment(RDMA if devices else NO_RDMA)
    return {**files, "reasons.txt": text_of([*header(network, None, USE), *reasons])}


def _order(network: NetworkPlan, order: Sequence[int]) -> Iterator[str]:
    relayed = [
        f"#   {network.hosts[one].name} to {network.hosts[other].name}"
        for one, other in itertools.pairwise([*order, order[0]])
        if not network.segments[one] & network.segments[other]
    ]
    yield from comment(ORDER if relayed else WALK)
    yield from relayed


def _devices(network: NetworkPlan, nodes: Sequence[NodePlan]) -> list[list[str | None]]:
    """Return the RDMA device towards each rank, None to itself; empty if a pair has no cable."""
    towards = [
        {peer.partition(":")[0]: one.name for one in node.ports for peer in one.peers}
        for node in nodes
    ]
    names = [node.host.name for node in nodes]
    if not all(set(names) <= {own, *to} for own, to in zip(names, towards, strict=True)):
        return []
    return [
        [None if name == own else f"rdma_{to[name]}" for name in names]
        for own, to in zip(names, towards, strict=True)
    ]


def _is_mac(network: NetworkPlan, node: NodePlan) -> bool:
    part = network.network.part_of(node.number)
    return isinstance(part, NodePart) and part.system == "macos"


def _meeting(node: NodePlan) -> list[str]:
    """Return the management address of a machine, if the design has one that MLX can hold."""
    address = node.host.management
    return [address] if address and ":" not in address else []


def _address(network: NetworkPlan, node: NodePlan, before: NodePlan) -> str:
    """Return the address of IPv4 that the rank before connects to: MLX splits addresses from ports
    at the first colon.
    """
    found = [one for one in node.host.identities if ":" not in one]
    if found and _is_mac(network, node):
        return next(itertools.chain(_towards(node, before), _towards(node, None), found))
    if not found:
        raise CapabilityError(
            f"'{network.name}' has addresses of IPv6 alone, which host files of MLX cannot hold",
            "add 'ipv4: true' under 'addressing', or leave out the target mlx",
        )
    return found[0]


def _towards(node: NodePlan, peer: NodePlan | None) -> Iterator[str]:
    """Yield the addresses of IPv4 of a node's ports with a cable to a peer, or of all ports."""
    for port in node.ports:
        names = {end.partition(":")[0] for end in port.peers}
        if peer is None or peer.host.name in names:
            yield from (one.partition("/")[0] for one in port.addresses if ":" not in one)


def _ssh(node: NodePlan) -> str:
    return node.host.management or node.host.name


def _json(backend: str, hosts: Sequence[Mapping[str, object]]) -> str:
    return json.dumps({"backend": backend, "envs": [], "hosts": hosts}, indent=2) + "\n"


MLX = Exporter(reader="mlx.launch of MLX: ring over TCP, and RDMA in a full mesh", of_all=_files)
