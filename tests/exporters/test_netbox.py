"""Tables for NetBox: each row names only things that rows before it have made.

NetBox itself needs PostgreSQL and Redis, and was not run. Its forms of 4.x were read for the names
of columns, the fields that are required, and the rule that a row with `is_primary` false takes a
primary address away.
"""

from __future__ import annotations

import pytest
from tests.kinds import KINDS
from tests.kinds import network as kind
from tests.plan.networks import network, rows

from linkwright.network import Network
from linkwright.plan import export
from linkwright.plan.exporters.cable_graph import cable_graph
from linkwright.plan.exporters.netbox import INTERFACE_TYPES
from linkwright.plan.exporters.network_plan import NetworkPlan

REQUIRED = {
    "1-sites": {"name", "slug", "status"},
    "2-manufacturers": {"name", "slug"},
    "3-device-roles": {"name", "slug", "color"},
    "4-device-types": {"manufacturer", "model", "slug"},
    "5-devices": {"role", "manufacturer", "device_type", "status", "site"},
    "6-interfaces": {"device", "name", "type"},
    "7-cables": {f"side_{end}_{key}" for end in "ab" for key in ("device", "type", "name")},
    "8-ip-addresses": {"address", "status"},
    "9-primary-ip-addresses": {"address", "status", "is_primary"},
}


def tables(whole: Network) -> dict[str, list[dict[str, str]]]:
    files = export(whole, ["netbox"]).files
    return {name: rows(files[f"nodes/all/netbox/{name}.csv"]) for name in REQUIRED}


@pytest.mark.parametrize("name", KINDS)
def test_rows_name_only_what_rows_before_them_made(name: str) -> None:
    found = tables(kind(name))
    for table, columns in REQUIRED.items():
        assert all(row[column] for row in found[table] for column in columns)
    sites, makers, roles = (
        {row["name"] for row in found[t]} for t in ("1-sites", "2-manufacturers", "3-device-roles")
    )
    models = {(row["manufacturer"], row["model"]) for row in found["4-device-types"]}
    devices = {row["name"] for row in found["5-devices"]}
    assert len(devices) == len(found["5-devices"])
    assert {manufacturer for manufacturer, _ in models} <= makers
    for row in found["5-devices"]:
        assert row["site"] in sites
        assert row["role"] in roles
        assert (row["manufacturer"], row["device_type"]) in models
    made: dict[tuple[str, str], str] = {}
    for row in found["6-interfaces"]:
        assert row["device"] in devices
        assert (row["device"], row["name"]) not in made
        assert not row["lag"] or made[row["device"], row["lag"]] == "lag"
        made[row["device"], row["name"]] = row["type"]
    ends = [
        (row[f"side_{e}_device"], row[f"side_{e}_name"]) for e in "ab" for row in found["7-cables"]
    ]
    assert len(set(ends)) == len(ends)
    assert set(ends) <= set(made)
    assert not {made[end] for end in ends} & {"virtual", "lag"}


@pytest.mark.parametrize("name", KINDS)
def test_every_address_and_cable_is_there_once(name: str) -> None:
    whole = kind(name)
    found = tables(whole)
    rows_of = [*found["8-ip-addresses"], *found["9-primary-ip-addresses"]]
    plan = NetworkPlan(whole)
    wanted = [address for _, one in plan.interfaces() for address in one.addresses]
    assert sorted(row["address"] for row in rows_of) == sorted(wanted)
    assert len(found["9-primary-ip-addresses"]) == whole.n_nodes * len(plan.families)
    assert len(found["7-cables"]) == len(cable_graph(plan).cables)


def test_ports_have_the_type_of_their_connector() -> None:
    parts = {"catalogue": "ethernet-2026"}
    whole = network("switch", nodes=3, sections={"parts": parts})
    [kinds] = {(one.connector, one.rate_mbps) for one in cable_graph(NetworkPlan(whole)).cables}
    types = {row["type"] for row in tables(whole)["6-interfaces"]}
    assert types == {INTERFACE_TYPES[kinds]}
