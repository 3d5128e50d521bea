"""The cables in DOT, in the dialect of PTM: `"host":"port" -- "host":"port"`.

PTM (`ptmd`) compares such a file with the neighbours that LLDP finds; `linkwright import` reads it
back. The kind of a device is an attribute, which PTM passes over.
"""

from __future__ import annotations

from linkwright.plan.exporters.cable_graph import CableGraph, cable_graph
from linkwright.plan.exporters.comments import header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan

__all__ = ["DOT"]

USE = (
    "The cables to plug, in the dialect of PTM: copy it to /etc/ptm.d/topology.dot of switches and "
    "nodes with ptmd. It finds neighbours by LLDP, which hubs and unmanaged switches do not speak."
)


def _files(network: NetworkPlan) -> Files:
    graph = cable_graph(network)
    lines = [*header(network, None, USE), "graph linkwright {", *_body(graph), "}"]
    return {"topology.dot": text_of(lines)}


def _body(graph: CableGraph) -> list[str]:
    devices = [f'  "{one.name}" [kind="{one.kind}"];' for one in graph.devices]
    cables = [f'  "{one.a}":"{one.a_port}" -- "{one.b}":"{one.b_port}";' for one in graph.cables]
    return [*devices, *cables]


DOT = Exporter(reader="PTM, Graphviz and `linkwright import`: DOT", of_all=_files)
