"""Tables for the bulk import of NetBox: devices, interfaces, cables and addresses.

NetBox knows a thing only after the things that it names, so that the tables have numbers in the
order of their import. Columns are those of NetBox 4 (its forms `bulk_import`). A table has no
comments: the reasons are in `reasons.txt`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from linkwright.nodes import IDENTITY
from linkwright.plan.exporters.cable_graph import CableGraph, cable_graph
from linkwright.plan.exporters.comments import comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.text.csv_text import csv_text

__all__ = ["INTERFACE_TYPES", "NETBOX"]

SITE, MANUFACTURER = "linkwright", "unnamed"
COLORS = {"node": "2196f3", "hub": "9e9e9e", "switch": "4caf50"}
INTERFACE_TYPES = {
    ("rj45", "100"): "100base-tx",
    ("rj45", "1000"): "1000base-t",
    ("rj45", "2500"): "2.5gbase-t",
    ("rj45", "5000"): "5gbase-t",
    ("rj45", "10000"): "10gbase-t",
    ("sfp", "1000"): "1000base-x-sfp",
    ("sfp", "10000"): "10gbase-x-sfpp",
    ("sfp", "25000"): "25gbase-x-sfp28",
    ("sfp", "50000"): "50gbase-x-sfp56",
    ("qsfp", "40000"): "40gbase-x-qsfpp",
    ("qsfp", "100000"): "100gbase-x-qsfp28",
    ("qsfp", "200000"): "200gbase-x-qsfp56",
    ("qsfp", "400000"): "400gbase-x-qsfpdd",
}
"""NetBox's name of a port by the connector and the rate in Mb/s of its cable; else "other"."""

CABLE_COLUMNS = (
    "side_a_device", "side_a_type", "side_a_name",
    "side_b_device", "side_b_type", "side_b_name", "status", "label",
)  # fmt: skip

USE = (
    "Import the tables in the order of their numbers: each list of objects in NetBox has 'Import'. "
    "Skip the rows that NetBox has already, such as the site, and put the names of your own site, "
    "manufacturers and roles in their place."
)
PLANNED = "The site, devices and cables are planned until you build them; addresses are active."
PRIMARY = (
    "The last table has the identities alone, as the primary addresses of the nodes: a row with "
    "is_primary false would take the primary address of its node away."
)
OTHER = "Ports are 'other' where the catalogue does not give the connector, or NetBox has no name."


def _files(network: NetworkPlan) -> Files:
    graph = cable_graph(network)
    roles = {one.role or one.kind: one.kind for one in graph.devices}
    parts = dict.fromkeys(one.part for one in graph.devices)
    tables: dict[str, tuple[Sequence[str], Iterable[Sequence[str]]]] = {
        "1-sites": (("name", "slug", "status"), [(SITE, SITE, "planned")]),
        "2-manufacturers": (("name", "slug"), [(MANUFACTURER, MANUFACTURER)]),
        "3-device-roles": (
            ("name", "slug", "color"),
            [(role, role, COLORS[kind]) for role, kind in roles.items()],
        ),
        "4-device-types": (
            ("manufacturer", "model", "slug"),
            [(MANUFACTURER, part, part) for part in parts],
        ),
        "5-devices": (
            ("name", "role", "manufacturer", "device_type", "status", "site", "description"),
            _devices(graph),
        ),
        "6-interfaces": (
            ("device", "name", "type", "lag", "mtu"),
            _interfaces(network, graph),
        ),
        "7-cables": (CABLE_COLUMNS, _cables(graph)),
        "8-ip-addresses": (
            ("address", "status", "device", "interface"),
            _addresses(network, primary=False),
        ),
        "9-primary-ip-addresses": (
            ("address", "status", "device", "interface", "dns_name", "is_primary"),
            ((*row, row[2], "true") for row in _addresses(network, primary=True)),
        ),
    }
    reasons = [line for text in (PLANNED, PRIMARY, OTHER) for line in comment(text)]
    return {
        "reasons.txt": text_of([*header(network, None, USE), *reasons]),
        **{f"{name}.csv": csv_text(columns, rows) for name, (columns, rows) in tables.items()},
    }


def _devices(graph: CableGraph) -> Iterator[Sequence[str]]:
    for one in graph.devices:
        planned = "" if one.planned == one.name else f"{one.planned} in the plan"
        role = one.role or one.kind
        yield one.name, role, MANUFACTURER, one.part, "planned", SITE, planned


def _interfaces(network: NetworkPlan, graph: CableGraph) -> Iterator[Sequence[str]]:
    """Yield bonds and identities first: NICs name their bond."""
    ports: dict[tuple[str, str], str] = {}
    for cable in graph.cables:
        kind = INTERFACE_TYPES.get((cable.connector, cable.rate_mbps), "other")
        ports[cable.a, cable.a_port] = ports[cable.b, cable.b_port] = kind
    found = [(host.name, one) for host, one in network.interfaces()]
    for host, one in found:
        if one.members or one.is_identity:
            kind = "virtual" if one.name == IDENTITY else "lag"
            yield host, one.name, kind, "", str(one.mtu)
    bonds = {(host, one.name): one.bond for host, one in found}
    mtus = {(host, one.name): str(one.mtu) for host, one in found}
    for (device, port), kind in ports.items():
        of = device, port
        yield device, port, kind, bonds.get(of, ""), mtus.get(of, "")


def _cables(graph: CableGraph) -> Iterable[Sequence[str]]:
    for one in graph.cables:
        a, b = (
            (device, "dcim.interface", port)
            for device, port in ((one.a, one.a_port), (one.b, one.b_port))
        )
        yield *a, *b, "planned", one.name


def _addresses(network: NetworkPlan, *, primary: bool) -> Iterator[tuple[str, str, str, str]]:
    for host, one in network.interfaces():
        for address in one.addresses:
            if address == one.borrowed:
                continue
            if (address.partition("/")[0] in host.identities) == primary:
                yield address, "active", host.name, one.name


NETBOX = Exporter(reader="NetBox: tables for its bulk import", of_all=_files)
