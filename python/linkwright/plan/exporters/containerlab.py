"""A topology of containerlab: a Linux container per node, hub and switch, cables, and the commands
of the plan.

Containers have no management network, so that their only ports are those of the plan. The form is
that of the schema `clab.schema.json` of containerlab 0.7x.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright.network import NODE
from linkwright.nodes.marks import marks_of
from linkwright.plan.exporters.comments import comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.labs import (
    Commands,
    commands_of_box,
    commands_of_node,
    expect_no_daemon,
    lab_port,
)
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.yaml_text import flow, quoted
from linkwright.plan.units import KIND_NAMES

__all__ = ["CONTAINERLAB", "IMAGE", "MOST_MTU"]

IMAGE = "ghcr.io/srl-labs/network-multitool"
MOST_MTU = 65535

USE = "Start it with: containerlab deploy -t topology.clab.yml"
NO_MANAGEMENT = (
    "No management network: it would be a second way between all nodes, and take the name eth0. "
    "Enter a node with: docker exec -it clab-linkwright-NODE sh"
)
IMAGE_REASON = "Any image with the programs ip, of iproute2, and sysctl."
MARKING_IMAGE = "nicolaka/netshoot"
MARKING_REASON = "Any image with the programs ip, of iproute2, sysctl and ip6tables."
MTU = "The MTU of the design."


def _files(network: NetworkPlan) -> Files:
    expect_no_daemon(network, "containerlab")
    marks = bool(marks_of(network.routed))
    lines = [
        *header(network, None, USE),
        "name: linkwright",
        "topology:",
        "  defaults:",
        "    kind: linux",
        *comment(MARKING_REASON if marks else IMAGE_REASON, "    "),
        f"    image: {quoted(MARKING_IMAGE if marks else IMAGE)}",
        *comment(NO_MANAGEMENT, "    "),
        "    network-mode: none",
        "  nodes:",
        *_nodes(network),
        *comment(MTU, "  "),
        "  links:",
        *_links(network),
    ]
    return {"topology.clab.yml": text_of(lines)}


def _nodes(network: NetworkPlan) -> Iterator[str]:
    design = network.network
    for number, node in enumerate(network.nodes()):
        role = "" if design.wiring.kind[number] == NODE else "router"
        yield from _node(node.host.name, commands_of_node(node), role)
    for box in range(design.n_nodes, len(design.device_names)):
        role = KIND_NAMES[design.wiring.kind[box]]
        yield from _node(design.device_names[box], commands_of_box(design, box), role)


def _node(name: str, commands: Commands, role: str = "") -> Iterator[str]:
    yield f"    {quoted(name)}:"
    if role:
        # All containers are of kind linux; readers of the file see by this what they stand for.
        yield f"      labels: {flow({'role': role})}"
    yield "      exec:"
    for reason, lines in commands:
        yield from comment(reason, "        ")
        yield from (f"        - {quoted(line)}" for line in lines)


def _links(network: NetworkPlan) -> Iterator[str]:
    design = network.network
    names = [host.name for host in network.hosts] + list(design.device_names[design.n_nodes :])
    ends = zip(design.wiring.cable_a.tolist(), design.wiring.cable_b.tolist(), strict=True)
    for both in ends:
        mtu = min(design.mtu_of(*both[0]), MOST_MTU)
        endpoints = [f"{names[device]}:{lab_port(network, device, port)}" for device, port in both]
        yield f"    - {flow({'endpoints': endpoints, 'mtu': mtu})}"


CONTAINERLAB = Exporter(reader="containerlab: a lab of Linux containers", of_all=_files)
