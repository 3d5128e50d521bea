"""Names never break out of a file: hostile ones are refused or stay inside their text.

Hypothesis draws the names, beside those that are known to break scripts, YAML and ini files.
"""

from __future__ import annotations

import configparser
import json
import re
import subprocess
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kinds import compiled
from tests.plan.networks import rows

from linkwright.design.cluster import Cluster
from linkwright.design.importers import IMPORTERS
from linkwright.errors import LinkwrightError
from linkwright.network import compile as compile_network
from linkwright.plan import export
from linkwright.plan.exporters import EXPORTERS

HOSTILE = st.one_of(
    st.text(max_size=20),
    st.sampled_from([
        "$(touch x)", "`x`", "a;b", "a\nb", "a' b", 'a"b', "a\\", "#", "../..", "-rf", "{{ x }}",
        "no", "1e3", "0x10", "null", "~", "[a]", "a: b", "%x", "a\u2028b", "\x85", "!", "*", "eth0",
    ]),
)  # fmt: skip
PLAIN = re.compile(r"[\x20-\x7e\n]*")


def files_of(design: str, **machine: Any) -> dict[str, str]:
    fields: dict[str, Any] = {
        "name": design,
        "topology": {"kind": "ring", "shape": [3]},
        "routing": {"fallback": True},
        "addressing": {"ipv4": True, "ipv6": True},
        **({"nodes": {"n1": machine}} if machine else {}),
    }
    return dict(export(compile_network(Cluster.from_fields(fields)), list(EXPORTERS)).files)


def settings_of(files: dict[str, str]) -> dict[str, list[str]]:
    """Return the lines of every file that are no comments."""
    return {
        name: [line for line in text.splitlines() if not re.match(r"\s*(#(?!!)|<!--)", line)]
        for name, text in files.items()
    }


@settings(max_examples=15)
@given(HOSTILE.filter(bool))
def test_the_name_of_a_design_stays_in_comments(name: str) -> None:
    try:
        files = files_of(name)
    except LinkwrightError:
        return
    assert settings_of(files) == settings_of(files_of("plain"))
    assert all(PLAIN.fullmatch(text) for text in files.values())


@settings(max_examples=25)
@given(host=HOSTILE, nic=HOSTILE, path=HOSTILE)
def test_names_of_machines_are_refused_or_plain(host: str, nic: str, path: str) -> None:
    for machine in (
        {"name": host},
        {"nics": {"eth0": {"name": nic}}},
        {"nics": {"eth0": {"path": path}}},
        {"management": host},
    ):
        try:
            files = files_of("plain", **machine)
        except LinkwrightError:
            continue
        for name, text in files.items():
            assert re.fullmatch(r"[A-Za-z0-9._/-]+", name)
            assert PLAIN.fullmatch(text)
            check_readable(name, text)


def check_readable(name: str, text: str) -> None:
    if name.endswith((".yaml", ".yml")):
        assert isinstance(yaml.safe_load(text), dict | list)
    elif name.endswith(".json"):
        assert isinstance(json.loads(text), dict)
    elif name.endswith((".xml", ".graphml")):
        ET.fromstring(text)
    elif name.endswith(".dot"):
        assert IMPORTERS["dot"].read(text, name).cables
    elif name.endswith((".network", ".netdev", ".link", ".nmconnection")):
        configparser.RawConfigParser(strict=False).read_string(text)


@pytest.mark.parametrize(
    "name", ["no", "0x10", "7950x", "a-b.lan", "null", "E3", "enp129s0f0np0", "true"]
)
def test_odd_names_are_texts_everywhere(name: str) -> None:
    files = files_of("plain", name=name, nics={"eth0": {"name": "no"}, "eth1": {"name": "e1"}})
    plan = yaml.safe_load(files["nodes/n1/netplan/etc/netplan/60-linkwright.yaml"])
    assert list(plan["network"]["ethernets"]) == ["no", "e1"]
    assert f" {name} n1\n" in files["nodes/all/hosts/hosts"]
    for script in ("up.sh", "undo.sh"):
        text = files[f"nodes/n1/ip/{script}"]
        subprocess.run(["sh", "-n"], input=text, text=True, check=True)


def test_signs_in_names_stay_out_of_variables_of_the_script() -> None:
    """A graph of one's own may have such names, and NICs that are looked up are in variables."""
    ends = {"nics": {"lan.1": "usb4", "lan-1": "usb4"}}
    found = {one: {"mac": f"02:00:00:00:00:0{n}"} for n, one in enumerate(ends["nics"])}
    fields = {
        "topology": {
            "kind": "custom",
            "nodes": {"a": ends, "b": ends},
            "cables": [["a:lan.1", "b:lan.1"], ["a:lan-1", "b:lan-1"]],
        },
        "parts": {"catalogue": "ethernet-2026", "node": "mini-pc", "cable": "usb4-cable"},
        "nodes": {"a": {"nics": found}},
    }
    files = export(compile_network(Cluster.from_fields(fields)), ["ip"]).files
    lines = files["nodes/a/ip/up.sh"].splitlines()
    assert "port_lan_2e1=$(with_mac 02:00:00:00:00:00)" in lines
    assert "port_lan_2d1=$(with_mac 02:00:00:00:00:01)" in lines
    assert 'setting net/ipv4/conf/"$port_lan_2e1"/rp_filter 2' in lines


@pytest.mark.parametrize("topology", [{"kind": "full-mesh", "nodes": 12}])
def test_generated_names_of_interfaces_fit_into_the_kernel(topology: dict[str, Any]) -> None:
    nics = {"eth10": {"mac": "02:00:00:00:00:01"}}
    files = export(compiled(topology, nodes={"n00": {"nics": nics}}), []).files
    names = {row["interface"] for row in rows(files["nodes/names.csv"])}
    assert {"eth9", "lw10", "id0"} <= names
    assert max(map(len, names)) <= 15


def test_odd_names_of_a_graph_are_texts_in_records_and_labs() -> None:
    fields = {
        "topology": {
            "kind": "custom",
            "nodes": {name: {"nics": {"off": None}} for name in ("no", "7950x", "x1e3")},
            "switches": {"true": None},
            "cables": [["no:off", "true:0x10"], ["7950x:off", "true"], ["x1e3:off", "true:1"]],
        }
    }
    files = export(compile_network(Cluster.from_fields(fields)), list(EXPORTERS)).files
    devices = ["no", "7950x", "x1e3", "true"]

    def read(name: str) -> Any:
        return yaml.safe_load(files[f"nodes/all/{name}"])

    lab = read("containerlab/topology.clab.yml")["topology"]
    assert list(lab["nodes"]) == devices
    assert lab["links"][0]["endpoints"] == ["no:off", "true:p0"]
    assert list(read("netlab/topology.yml")["nodes"]) == ["node0", "node1", "node2"]
    assert [one["id"] for one in read("node-link/topology.json")["nodes"]] == devices
    assert [one["ssh"] for one in read("mlx/hostfile.json")["hosts"]] == devices[:3]
    drawing = IMPORTERS["dot"].read(files["nodes/all/dot/topology.dot"], "dot")
    assert list(drawing.devices) == devices
    assert drawing.cables[0].b.port == "0x10"
    assert "SwitchName=true Nodes=no,7950x,x1e3\n" in files["nodes/all/slurm/topology.conf"]
    for name, text in files.items():
        assert PLAIN.fullmatch(text)
        check_readable(name, text)
