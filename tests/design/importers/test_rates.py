"""Rates of a drawing select parts of the catalogue; hardware addresses those of machines.

A rate that the catalogue does not have is remarked.
"""

from __future__ import annotations

from typing import Any

from tests.design.importers.imported import drawn

from linkwright.design.cluster import Cluster
from linkwright.design.importers.design_text import design_text
from linkwright.design.importers.part_choice import chosen_parts
from linkwright.network import compile as compile_network
from linkwright.plan import check

HEADER = "a_device,b_device,speed,a_mac,a_kind\n"


def design(rows: str, catalogue: str = "ethernet-2026") -> tuple[Cluster, tuple[str, ...]]:
    drawing = drawn(HEADER + rows, "cables")
    parts = chosen_parts(drawing, catalogue)
    text = design_text(drawing, name="x", catalogue=catalogue, parts=parts)
    return Cluster.parse(text), parts.remarks


def topology(rows: str) -> dict[str, Any]:
    found: dict[str, Any] = design(rows)[0].model_dump()["topology"]
    return found


def test_a_rate_selects_nic_and_cable() -> None:
    found = topology("x,y,25G,,\ny,z,,,\n")
    assert found["nodes"]["x"]["nics"] == {"eth0": "nic-25g-dual"}
    assert found["nodes"]["y"]["nics"] == {"eth0": "nic-25g-dual", "eth1": None}
    assert found["cables"] == (("x:eth0", "y:eth0", "dac-25g"), ("y:eth1", "z:eth0"))


def test_the_default_of_the_catalogue_is_not_repeated() -> None:
    assert topology("x,y,10G,,\n")["nodes"]["x"]["nics"] == {"eth0": None}


def test_the_parts_fit_each_other() -> None:
    rows = "".join(f"lan,h{k},2.5 Gb/s,,switch\n" for k in range(9))
    cluster, _ = design(rows)
    assert cluster.model_dump()["topology"]["switches"] == {"lan": "switch-2-5g-24"}
    network = compile_network(cluster)
    assert {*network.cable_rate_bps.tolist()} == {2_500_000_000}
    assert not [one for one in check(network) if one.severity == "error"]


def test_a_rate_without_parts_is_remarked() -> None:
    cluster, remarks = design("x,y,3 Gb/s,,\ny,z,3 Gb/s,,\n")
    assert cluster.model_dump()["topology"]["nodes"]["x"]["nics"] == {"eth0": None}
    [remark] = remarks
    assert remark == (
        "left out a rate that ethernet-2026 has no NIC and cable for: 3,000 Mb/s, 2 cables, "
        "the first 'g', line 2"
    )


def test_hardware_addresses_are_those_of_the_machines() -> None:
    cluster, _ = design("x,y,,02:00:00:00:00:01,\n")
    assert cluster.nodes is not None
    assert cluster.nodes["x"].nics["eth0"].mac == "02:00:00:00:00:01"


def test_hardware_addresses_have_many_forms_and_one_owner() -> None:
    rows = "x,y,,0200.0000.0001,\ny,z,,02-00-00-00-00-02,\nz,w,,01:00:00:00:00:03,\n"
    drawing = drawn(HEADER + rows + "w,x,,020000000002,\nw,y,,nothing,\n", "cables")
    assert [one.a.mac for one in drawing.cables] == [
        "02:00:00:00:00:01", "02:00:00:00:00:02", "", "", "",
    ]  # fmt: skip
    [remark] = drawing.remarks
    assert remark.startswith("left out a hardware address that is none, or of two ports: 'g', line")
    assert remark.count("'g'") == 3
