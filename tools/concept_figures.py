"""The figures of the concepts, drawn by what they are about: the networks of the tool, with the
path that its routes take, and the latencies that its packet engine gives.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from finding import ROOT
from linkwright.design.cluster import Cluster
from linkwright.engines import run
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.views.chart import Axis, Chart, Series
from linkwright.views.drawing import draw
from linkwright.views.frame import asset
from linkwright.views.plots import Plot
from linkwright.workloads import PingPong

SOURCES = [
    ROOT / "python/linkwright" / name
    for name in ("calibrations/pentium-pro-200-linux-2.0.toml", "views/assets/drawing.css")
]
"""Files whose change draws the figures again, besides the code."""
PARTS = "parts: {catalogue: whitney-1998}\n"
DESIGNS = {
    "torus": "topology: {kind: torus, shape: [4, 4]}\n" + PARTS,
    "P-Mesh": "topology: {kind: p-mesh, shape: [4, 4]}\n"
    + PARTS
    + "addressing: {scheme: p-mesh, ipv4: 10.0.0.0/8}\n",
    "switch": "topology: {kind: switch, nodes: 16}\n" + PARTS,
}
SOURCE, TARGET = 0, 10
SMALL, LARGE = 1, 1 << 20
HEIGHT, GAP, CAPTION = 250, 40, 24
"""Pixels: of a drawing, between two, and of the line above each."""
PATH_STYLE = """
.topology .path rect { stroke: #a03c00; stroke-width: 3; }
.topology .forwards rect { fill: #f6c79c; }
.caption { font: 600 14px sans-serif; }
text { font-family: sans-serif; }
"""


def path_figure() -> str:
    """Draw a torus and a P-Mesh, with the nodes that forward between the same two nodes."""
    return _side_by_side({name: network(name) for name in ("torus", "P-Mesh")})


def latency_figure() -> str:
    """Draw latency and throughput against the number of nodes that forward."""
    found = {name: _measured(network(name)) for name in DESIGNS}
    forwards = Axis("nodes that forward between the two ends")
    panels = [
        Chart(
            title,
            forwards,
            Axis(label, unit),
            tuple(
                Series(name, list(values), [one[column] for one in values.values()])
                for name, values in found.items()
            ),
        )
        for title, label, unit, column in (
            ("1 byte", "latency", "s", 0),
            ("1 MiB", "throughput", "B/s", 1),
        )
    ]
    return Plot("latency-by-forwards", "Latency by forwards", tuple(panels), size=(4.6, 3.4)).svg()


@cache
def network(name: str) -> Network:
    """Return one of the networks of the figures."""
    return compile_network(Cluster.parse(DESIGNS[name]))


def forwarders(found: Network, target: int) -> list[int]:
    """Return the nodes that forward from the first node to another."""
    address = int(found.addresses.identity[target])
    path = [device for device, *_ in found.core.path(SOURCE, address)]
    return [device for device in path if device < found.n_nodes and device not in (SOURCE, target)]


def _measured(found: Network) -> dict[int, tuple[float, float]]:
    """Return latency (s) and throughput (B/s) by the number of nodes that forward."""
    values: dict[int, tuple[float, float]] = {}
    for target in range(1, found.n_compute):
        distance = len(forwarders(found, target))
        if distance not in values:
            rows = run(found, PingPong(src=SOURCE, dst=target, size_bytes=(SMALL, LARGE)), seed=1)
            latency, throughput = (
                [one.value for one in rows if one.metric == metric]
                for metric in ("latency", "throughput")
            )
            values[distance] = latency[0], throughput[-1]
    return dict(sorted(values.items()))


def _side_by_side(networks: Mapping[str, Network]) -> str:
    """Return drawings beside each other as one SVG, with the style that they need."""
    x, parts = 0, []
    for name, found in networks.items():
        path = forwarders(found, TARGET)
        svg, width = _scaled(_marked(draw(found), path), x)
        words = f"{name}: {len(path)} {'node forwards' if len(path) == 1 else 'nodes forward'}"
        parts += [f'<text class="caption" x="{x + 8}" y="16">{words}</text>', svg]
        x += width + GAP
    size = f'width="{x - GAP}" height="{HEIGHT + CAPTION}"'
    style = f"<style>{_style()}{PATH_STYLE}</style>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {x - GAP} '
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return f'{head}{HEIGHT + CAPTION}">{style}{ground}{"".join(parts)}</svg>\n'


def _marked(svg: str, path: Sequence[int]) -> str:
    """Mark the ends and the nodes between them in a drawing."""
    for node in (SOURCE, TARGET, *path):
        classes = "node path forwards" if node in path else "node path"
        old = f'class="node" data-device="{node}"'
        assert old in svg, f"the drawing has no node {node}"
        svg = svg.replace(old, f'class="{classes}" data-device="{node}"')
    return svg


def _scaled(svg: str, x: int) -> tuple[str, int]:
    """Place a drawing beside others; return it with its width."""
    found = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    assert found, "drawings have a size"
    width = round(float(found[1]) * HEIGHT / float(found[2]))
    place = f'x="{x}" y="{CAPTION}" width="{width}" height="{HEIGHT}"'
    return svg.replace(found[0], place, 1), width


def _style() -> str:
    """Return the style of drawings in the colours of the light theme."""
    light = dict(re.findall(r"(--[\w-]+):\s*([^;]+);", asset("base.css").partition("}")[0]))
    sheet = re.sub(r"svg\.topology \{.*?\}|/\*.*?\*/", "", asset("drawing.css"), flags=re.DOTALL)
    for name, value in light.items():
        sheet = sheet.replace(f"var({name})", value)
    return sheet
