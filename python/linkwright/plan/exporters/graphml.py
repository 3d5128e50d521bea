"""The cables as GraphML and as node-link JSON, for graph libraries and drawing programs.

Both have the same nodes, edges and values. GraphML is that of [GRAPHML], with ports in values of
edges, since readers pass over its own element for them. Node-link JSON is that of networkx 3.4 and
later, whose key of edges is "edges".
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from linkwright.plan.exporters.cable_graph import Cable, CableGraph, Device, cable_graph
from linkwright.plan.exporters.comments import header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.xml_text import attributes, comments, escape

__all__ = ["GRAPHML", "NODE_LINK"]

NODE_KEYS = ("kind", "role", "part", "planned")
EDGE_KEYS = ("sourceport", "targetport", "kind", "rate_mbps", "label", "lag", "vlan")


def _node_values(device: Device) -> dict[str, str]:
    return {key: getattr(device, key) for key in NODE_KEYS}


def _edge_values(cable: Cable) -> dict[str, str | float]:
    return {
        "sourceport": cable.a_port,
        "targetport": cable.b_port,
        "kind": cable.kind,
        "rate_mbps": float(cable.rate_mbps),
        "label": cable.label,
        "lag": cable.lag,
        "vlan": cable.vlan,
    }


def _graphml(network: NetworkPlan) -> Files:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        *comments(header(network, None)),
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *_keys(),
        '  <graph edgedefault="undirected">',
        *_elements(cable_graph(network)),
        "  </graph>",
        "</graphml>",
    ]
    return {"topology.graphml": text_of(lines)}


def _keys() -> Iterator[str]:
    for of, keys in (("node", NODE_KEYS), ("edge", EDGE_KEYS)):
        for key in keys:
            kind = "double" if key == "rate_mbps" else "string"
            named = attributes(id=f"{of}-{key}") + f' for="{of}"'
            yield f"  <key{named}{_named(key, kind)}/>"


def _named(key: str, kind: str) -> str:
    return f' attr.name="{key}" attr.type="{kind}"'


def _elements(graph: CableGraph) -> Iterator[str]:
    for device in graph.devices:
        yield f"    <node{attributes(id=device.name)}>"
        yield from _data("node", _node_values(device))
        yield "    </node>"
    for cable in graph.cables:
        yield f"    <edge{attributes(id=cable.name, source=cable.a, target=cable.b)}>"
        yield from _data("edge", _edge_values(cable))
        yield "    </edge>"


def _data(of: str, values: dict[str, str] | dict[str, str | float]) -> Iterator[str]:
    for key, value in values.items():
        yield f'      <data key="{of}-{key}">{escape(str(value))}</data>'


def _node_link(network: NetworkPlan) -> Files:
    graph = cable_graph(network)
    value = {
        "directed": False,
        "multigraph": True,
        "graph": {},
        "nodes": [{"id": one.name, **_node_values(one)} for one in graph.devices],
        "edges": [
            {"source": one.a, "target": one.b, "key": one.name, **_edge_values(one)}
            for one in graph.cables
        ],
    }
    return {"topology.json": json.dumps(value, indent=1) + "\n"}


GRAPHML = Exporter(reader="GraphML: graph libraries and `linkwright import`", of_all=_graphml)
NODE_LINK = Exporter(reader="node-link JSON of networkx and D3", of_all=_node_link)
