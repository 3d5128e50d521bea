"""Cables as machines find them, by ibnetdiscover and LLDP, and models of other simulators.

The texts are made up; their form is that of the programs.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.design.importers.imported import drawn, edges, kinds, topology
from tests.design.wired import refused

from linkwright.design.importers import read_drawing
from linkwright.errors import DesignError

FABRIC = """\
#
# Topology file: generated on Mon Jan  5 10:00:00 2026
#
# Initiated from node 0002c90300000001 port 0002c90300000001

vendid=0x2c9
devid=0xd2f2
sysimgguid=0xb8cef60000000001
switchguid=0xb8cef60000000001(b8cef60000000001)
Switch\t40 "S-b8cef60000000001"\t\t# "MF0;leaf-1:MQM8790/U1" enhanced port 0 lid 1 lmc 0
[1]\t"H-0002c90300000001"[1](2c90300000001) \t\t# "gpu1 mlx5_0" lid 5 4xHDR
[2]\t"H-0002c90300000002"[1](2c90300000002) \t\t# "gpu1 mlx5_1" lid 6 4xHDR
[3][ext 3]\t"H-0002c90300000003"[2](2c90300000003) \t\t# "gpu2 HCA-1" lid 7 2xNDR
[5]\t"H-0002c90300000005"[1](2c90300000005) \t\t# "MT23108 InfiniHost" lid 9 4xSDR
[6]\t"H-0002c90300000006"[1](2c90300000006) \t\t# "MT23108 InfiniHost" lid 10 4xSDR

vendid=0x2c9
devid=0x101b
sysimgguid=0x2c90300000001
caguid=0x2c90300000001
Ca\t1 "H-0002c90300000001"\t\t# "gpu1 mlx5_0"
[1](2c90300000001) \t"S-b8cef60000000001"[1]\t\t# lid 5 lmc 0 "MF0;leaf-1:MQM8790/U1" lid 1 4xHDR
"""


def test_ibnetdiscover() -> None:
    assert edges(FABRIC, "ibnetdiscover") == [
        "leaf-1:1 - gpu1:mlx5_0",
        "leaf-1:2 - gpu1:mlx5_1",
        "leaf-1:3 - gpu2:HCA-1-2",
        "leaf-1:5 - H-0002c90300000005:ib0",
        "leaf-1:6 - H-0002c90300000006:ib0",
    ]
    assert kinds(FABRIC, "ibnetdiscover")["leaf-1"] == "switch"
    rates = [one.rate_mbps for one in drawn(FABRIC, "ibnetdiscover").cables]
    assert rates == [200_000, 200_000, 200_000, 10_000, 10_000]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[1]\t"H-01"[1]\n', ("line 1: a port before any device",)),
        ('Switch 8 "S-01" # "a"\n[1]\tnothing\n', ("line 2: this is no port",)),
        ("hello\n", ("lists no device",)),
    ],
)
def test_mistakes_of_a_fabric(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(DesignError) as error:
        drawn(text, "ibnetdiscover")
    refused(error, *words)


def neighbours(*of: tuple[str, str, str], form: str = "json", bridges: str = "") -> str:
    """Return a list of (interface, neighbour, its port) as lldpctl writes it."""
    found: list[Any] = []
    for interface, system, port in of:
        capability = {"type": "Bridge", "enabled": system == bridges}
        mac = f"02:00:00:00:00:{ord(system[0]):02x}"
        if form == "json0":
            found.append({
                "name": interface,
                "chassis": [{"id": [{"type": "mac", "value": mac}], "name": [{"value": system}],
                             "capability": [capability]}],
                "port": [{"id": [{"type": "mac", "value": mac}], "descr": [{"value": port}]}],
            })  # fmt: skip
        else:
            chassis = {system: {"id": {"type": "mac", "value": mac}, "capability": [capability]}}
            identity = {"type": "ifname", "value": port}
            found.append({interface: {"chassis": chassis, "port": {"id": identity}}})
    if form == "json0":
        return json.dumps({"lldp": [{"interface": found}]}, indent=1)
    only = found[0] if len(found) == 1 else found
    return json.dumps({"lldp": {"interface": only}}, indent=1)


@pytest.mark.parametrize("form", ["json", "json0"])
def test_neighbours_of_many_machines(form: str, tmp_path: Path) -> None:
    lists = {
        "a": neighbours(("e0", "b.lan", "e1"), ("e1", "top", "p3"), form=form, bridges="top"),
        "b": neighbours(("e1", "a.lan", "e0"), form=form),
    }
    for name, text in lists.items():
        (tmp_path / f"{name}.json").write_text(text)
    for paths in ([tmp_path], sorted(tmp_path.iterdir())):
        drawing = read_drawing(paths)
        assert [(one.a.device, one.a.port, one.b.device, one.b.port) for one in drawing.cables] == [
            ("a", "e0", "b", "e1"),
            ("a", "e1", "top", "p3"),
        ]
        assert drawing.kinds == {"a": "node", "b": "node", "top": "switch"}
    is_known = form == "json0"
    assert (drawing.cables[0].b.mac == "02:00:00:00:00:62") == is_known


@pytest.mark.parametrize(
    "heading", ["# {}", "{}:", "==> lldp/{}.json <==", "{} | CHANGED | rc=0 >>"]
)
def test_neighbours_one_list_after_the_other(heading: str) -> None:
    parts = {"a": neighbours(("e0", "b", "e1")), "b": neighbours(("e1", "a", "e0"))}
    text = "\n".join(f"{heading.format(name)}\n{own}" for name, own in parts.items())
    assert edges(text, "lldp") == ["a:e0 - b:e1"]


def test_neighbours_by_name_or_beside_their_chassis() -> None:
    own = json.loads(neighbours(("e0", "b", "e1")))
    assert edges(json.dumps({"a": own}), "lldp") == ["a:e0 - b:e1"]
    assert edges(json.dumps([{"hostname": "a", **own}]), "lldp") == ["a:e0 - b:e1"]
    assert edges(json.dumps({"hostname": "a", "lldp": own}), "lldp") == ["a:e0 - b:e1"]
    chassis = {"local-chassis": {"chassis": {"a": {"id": {"type": "mac", "value": "x"}}}}}
    assert edges(json.dumps(chassis) + json.dumps(own), "lldp") == ["a:e0 - b:e1"]


def test_a_list_without_owner_is_refused_with_its_line() -> None:
    text = neighbours(("e0", "b", "e1")) + "\n" + neighbours(("e1", "a", "e0"))
    with pytest.raises(DesignError) as error:
        drawn(text, "lldp")
    refused(error, "'g', line 1: a list of neighbours without owner", "# NAME")


PLATFORM = """\
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Floyd">
  <host id="S1" speed="1Gf"/><host id="C1" speed="1Gf"/><host id="S2" speed="1Gf"/>
  <router id="R1"/><cluster id="more" radical="0-9"/>
  <link id="loop" bandwidth="1GBps" latency="0s" sharing_policy="FATPIPE"/>
  <link id="1" bandwidth="1MBps" latency="0s"/><link id="2" bandwidth="1MBps" latency="0s"/>
  <link id="3" bandwidth="1MBps" latency="0s"/>
  <route src="S1" dst="S1"><link_ctn id="loop"/></route>
  <route src="S1" dst="C1"><link_ctn id="1"/><link_ctn id="2"/></route>
  <route src="S1" dst="R1"><link_ctn id="1"/></route>
  <route src="C1" dst="S2"><link_ctn id="2"/><link_ctn id="3"/></route>
</zone></platform>
"""


def test_a_platform_of_simgrid() -> None:
    assert edges(PLATFORM, "simgrid") == ["S1 - R1", "R1 - C1", "R1 - S2"]
    assert kinds(PLATFORM, "simgrid")["R1"] == "router"
    assert drawn(PLATFORM, "simgrid").remarks[0].startswith("left out a <cluster>")


def test_a_platform_names_its_links() -> None:
    with pytest.raises(DesignError) as error:
        drawn(PLATFORM.replace('<link_ctn id="3"/>', '\n<link_ctn id="4"/>'), "simgrid")
    refused(error, "line 13: there is no link '4'")


FAT_TREE = """\
# A small one
Nodes 8
Tiers 3
Podsize 4
Tier 0
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 2
Tier 1
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 4
Bundle 1
Tier 2
Downlink_speed_Gbps 100
Radix_Down 4
Bundle 2
"""


def test_a_fat_tree_of_htsim() -> None:
    drawing = drawn(FAT_TREE, "htsim")
    stems = Counter(name.rstrip("0123456789") for name in drawing.devices)
    assert stems == {"host": 8, "tor": 4, "agg": 4, "core": 4}
    used = Counter(end.device for cable in drawing.cables for end in cable.ends)
    assert {used[f"tor{k}"] for k in range(4)} == {4}
    assert {used[f"core{k}"] for k in range(4)} == {4}
    assert {used[f"agg{k}"] for k in range(4)} == {6}
    assert len(topology(drawing)["cables"]) == 8 + 8 + 16


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (FAT_TREE.replace("Radix_Down 2\nRadix_Up 2", "Radix_Down 3\nRadix_Up 2"),
         ("line 7: radix_down of tier 0 does not divide 4",)),
        (FAT_TREE.replace("Nodes 8", "Nodes eight"), ("line 2", "'Nodes eight'")),
        (FAT_TREE.replace("Nodes 8", "Nodes 2000"), ("2,000 nodes",)),
        (FAT_TREE.replace("Tiers 3", "Tiers 5"), ("2 or 3 tiers, not 5",)),
        ("Tiers 2\n", ("nodes is missing",)),
    ],
)  # fmt: skip
def test_mistakes_of_a_fat_tree(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(DesignError) as error:
        drawn(text, "htsim")
    refused(error, *words)
