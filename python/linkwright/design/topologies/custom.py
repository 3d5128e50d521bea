"""A graph of the design's own: nodes with their NICs, hubs, switches that may route, and cables
between them.

Names of devices and NICs are the design's, and so are their parts if it gives any. The rules of
names and ends are in graph.py. There are no formulas; graph_forms.py counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, Discriminator, Field, Tag, ValidationInfo, model_validator

from linkwright.design.document import Source
from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.graph import Graph, mistakes
from linkwright.design.topologies.graph_forms import counted_forms
from linkwright.design.topologies.topology import Topology
from linkwright.design.topologies.wiring import (
    CROSSOVER,
    PART_ROLES,
    STRAIGHT,
    UPLINK,
    Boxes,
    Cables,
    Limits,
    Particulars,
    Wiring,
    assemble,
    require_ports,
)
from linkwright.records.plain_numbers import NumpySettings
from linkwright.records.validation import as_one

__all__ = ["MOST_CUSTOM_CABLES", "MOST_CUSTOM_NODES", "MOST_NICS", "Custom", "CustomNode"]

MOST_CUSTOM_NODES = 1000
"""Largest graph: the paths between all pairs are counted when it is read."""
MOST_CUSTOM_CABLES = 100_000
MOST_NICS = 256
"""NICs of a node."""

_PartKey = Annotated[str, Field(min_length=1, max_length=200)]
_Parts = Annotated[
    dict[str, _PartKey | None], Field(max_length=4096, description="Name -> key of its part")
]
_Cable = Annotated[tuple[str, ...], Field(min_length=2, max_length=3)]


class CustomNode(NumpySettings):
    """A node and its NICs."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    part: _PartKey | None = None
    """Key of the part. Default: the part for the role `node`."""
    nics: Annotated[dict[str, _PartKey | None], Field(min_length=1, max_length=MOST_NICS)]
    """Name of each NIC as the machine has it, and the key of its part or nothing, for the part with
    the role `nic`. A NIC without a cable is left out of the network.
    """


class CustomSwitch(NumpySettings):
    """A switch."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    part: _PartKey | None = None
    """Key of the part. Default: the part for the role `switch`."""
    routed: Annotated[bool, Field(strict=True)] = False
    """Whether it forwards by routes: each port is then an interface on a segment of its own."""


_Switch = Annotated[
    Annotated[CustomSwitch, Tag(CustomSwitch.__name__)] | Annotated[_PartKey | None, Tag("str")],
    Discriminator(
        lambda value: CustomSwitch.__name__ if isinstance(value, Mapping | CustomSwitch) else "str"
    ),
]


class Custom(Topology):
    """A graph of the design's own, device by device and cable by cable.

    An end of a cable is NODE:NIC, SWITCH or SWITCH:PORT.
    """

    default_addressing = "mixed"
    default_identities = "loopback"

    examples = (
        {
            "nodes": {
                "alpha": {"nics": {"thunderbolt0": None, "thunderbolt1": None, "enp2s0": None}},
                "beta": {"nics": {"thunderbolt0": None, "thunderbolt1": None, "enp2s0": None}},
                "gamma": {"nics": {"thunderbolt0": None, "thunderbolt1": None, "enp2s0": None}},
                "store": {"nics": {"enp1s0f0np0": None, "spare": None}},
            },
            "switches": {"lan": None},
            "cables": (
                ("alpha:thunderbolt1", "beta:thunderbolt0"),
                ("beta:thunderbolt1", "gamma:thunderbolt0"),
                ("gamma:thunderbolt1", "alpha:thunderbolt0"),
                ("alpha:enp2s0", "lan:1"),
                ("beta:enp2s0", "lan"),
                ("gamma:enp2s0", "lan:3"),
                ("store:enp1s0f0np0", "lan"),
            ),
        },
        {
            "nodes": {
                "a": {"nics": {"eth0": None}},
                "b": {"nics": {"eth0": None, "eth1": None}},
                "c": {"nics": {"eth0": None, "eth7": None}},
                "d": {"nics": {"wan": None}},
            },
            "switches": {"top": None, "rack": None},
            "hubs": {"old": None},
            "cables": (
                ("a:eth0", "rack"),
                ("b:eth0", "rack"),
                ("rack", "top"),
                ("c:eth0", "top"),
                ("c:eth7", "old"),
                ("d:wan", "old"),
            ),
        },
        {
            "nodes": {
                "left": {"nics": {"p0": None, "p1": None}},
                "mid": {"nics": {"p0": None, "p1": None, "p2": None}},
                "right": {"nics": {"p0": None, "p1": None}},
                "end": {"nics": {"p0": None}},
            },
            "cables": (
                ("left:p0", "mid:p0"),
                ("left:p1", "right:p1"),
                ("right:p0", "mid:p1"),
                ("mid:p2", "end:p0"),
            ),
        },
        {
            "nodes": {f"h{number}": {"nics": {"eth0": None}} for number in range(4)},
            "switches": {
                "spine0": {"routed": True},
                "spine1": {"routed": True},
                "leaf0": {"routed": True},
                "leaf1": {"part": None, "routed": True},
                "rack": {"part": None},
            },
            "cables": (
                *((f"leaf{leaf}", f"spine{spine}") for leaf in (0, 1) for spine in (0, 1)),
                ("h0:eth0", "leaf0:swp1"),
                ("h1:eth0", "leaf0:swp2"),
                ("h2:eth0", "rack"),
                ("h3:eth0", "rack"),
                ("rack", "leaf1"),
            ),
        },
    )

    kind: Literal["custom"] = "custom"
    nodes: Annotated[dict[str, CustomNode], Field(min_length=2, max_length=MOST_CUSTOM_NODES)]
    """Nodes by host name, in the order of their numbers."""
    switches: Annotated[
        dict[str, _Switch],
        Field(max_length=4096, description="Name -> key of its part, or part and routed"),
    ] = Field(default_factory=dict)
    """Switches by name."""
    hubs: _Parts = Field(default_factory=dict)
    """Hubs by name."""
    cables: Annotated[tuple[_Cable, ...], Field(max_length=MOST_CUSTOM_CABLES)]
    """Cables: two ends, and the key of the cable's part if it is not the one for the role `cable`.
    """

    @model_validator(mode="after")
    def _check_graph(self, info: ValidationInfo) -> Custom:
        source = info.context if isinstance(info.context, Source) else None
        found = list(mistakes(self.graph, source))
        if found:
            raise as_one(found, "'topology'")
        return self

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return len(self.nodes)

    @property
    def graph(self) -> Graph:
        """The names of the devices and NICs, and the ends of the cables."""
        return Graph(
            nics={name: tuple(node.nics) for name, node in self.nodes.items()},
            switches=tuple(self.switches),
            hubs=tuple(self.hubs),
            cables=tuple((cable[0], cable[1]) for cable in self.cables),
            routed=self._routed,
        )

    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables; the front end is on the first switch or hub, if
        possible one that does not route, or on a NIC more of the first node.
        """
        self._require_parts(limits)
        graph = self.graph.with_front_end() if front_end else self.graph
        plugged = graph.plugged()
        devices = {name: device for device, name in enumerate(plugged)}
        ports = {name: {port: k for k, port in enumerate(own)} for name, own in plugged.items()}
        places = [
            [(devices[end.device], ports[end.device][end.port]) for end in ends]
            for ends in graph.ends()[: len(self.cables)]
        ]
        boxes = {
            name: Boxes(part_role=role, stem=name, coordinates=np.array([[-1]], dtype=np.int32))
            for name, role in self._box_roles.items()
        }
        wiring = assemble(
            shape=(self.n_nodes,),
            nodes=np.arange(self.n_nodes, dtype=np.int32)[:, np.newaxis],
            routed=[box for name, box in boxes.items() if name in graph.routed],
            boxes=[boxes[name] for name in graph.bridges],
            cables=[
                Cables(
                    a=np.array([a], dtype=np.int64),
                    b=np.array([b], dtype=np.int64),
                    kind=_kind(ends[0].device in graph.nics, ends[1].device in graph.nics),
                )
                for (a, b), ends in zip(places, graph.ends(), strict=False)
            ],
            front_end=front_end,
            front_end_at=(devices[self.graph.host_of_front_end],),
        )
        return self._with_particulars(wiring, graph, plugged)

    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the figures counted on the graph, since a graph of one's own has no formulas."""
        return counted_forms(self.build(limits))

    @property
    def _switch_parts(self) -> dict[str, str | None]:
        """Key of the part of each switch, or None."""
        return {
            name: one.part if isinstance(one, CustomSwitch) else one
            for name, one in self.switches.items()
        }

    @property
    def _routed(self) -> frozenset[str]:
        """Names of the switches that route."""
        given = self.switches.items()
        return frozenset(name for name, one in given if getattr(one, "routed", False))

    @property
    def _box_roles(self) -> dict[str, str]:
        """Role of the part of each switch and hub, switches first."""
        switches = {name: _role("switch", key) for name, key in self._switch_parts.items()}
        return switches | {name: _role("hub", key) for name, key in self.hubs.items()}

    def _require_parts(self, limits: Limits) -> None:
        for role, boxes, most in (
            ("switch", self._switch_parts, limits.switch_ports),
            ("hub", self.hubs, limits.hub_ports),
        ):
            if None in boxes.values():
                require_ports(
                    role=role, needed=0, available=most, thing=f"{self.label}: a {role}", remedy=""
                )

    def _with_particulars(
        self, wiring: Wiring, graph: Graph, plugged: Mapping[str, tuple[str, ...]]
    ) -> Wiring:
        """Return the wiring with the names and parts that the design gives."""
        nics = {
            (name, nic): _role("nic", key)
            for name, node in self.nodes.items()
            for nic, key in node.nics.items()
        }
        boxes = self._box_roles
        at_ends = [
            [boxes.get(end.device) or nics.get(end, "nic") for end in ends] for ends in graph.ends()
        ]
        cables = [_role("cable", cable[2] if len(cable) > 2 else None) for cable in self.cables]
        cables += ["cable"] * (len(wiring.cable_a) - len(cables))
        nodes = {name: _role("node", node.part) for name, node in self.nodes.items()}
        of_devices = [boxes.get(name) or nodes.get(name, "node") for name in plugged]
        part_roles = tuple(dict.fromkeys([*PART_ROLES, *of_devices]))
        end_roles = tuple(dict.fromkeys(role for roles in at_ends for role in roles))
        cable_roles = tuple(dict.fromkeys(cables))
        return replace(
            wiring,
            part_roles=part_roles,
            part_role=_codes(of_devices, part_roles),
            particulars=Particulars(
                device_names=tuple(plugged),
                port_names=tuple(plugged.values()),
                end_roles=end_roles,
                end_role=_codes([role for roles in at_ends for role in roles], end_roles).reshape(
                    -1, 2
                ),
                cable_roles=cable_roles,
                cable_role=_codes(cables, cable_roles),
            ),
        )


def _role(role: str, key: str | None) -> str:
    return role if key is None else f"{role}:{key}"


def _codes(roles: Sequence[str], known: tuple[str, ...]) -> NDArray[np.uint8]:
    index = {role: code for code, role in enumerate(known)}
    return np.array([index[role] for role in roles], dtype=np.uint8)


def _kind(a_is_node: bool, b_is_node: bool) -> int:
    if a_is_node and b_is_node:
        return CROSSOVER
    return STRAIGHT if a_is_node or b_is_node else UPLINK
