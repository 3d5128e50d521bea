"""Labs of containers: the schema of containerlab, and the commands of nodes run on machines.

The schema is not part of this repository: `CLAB_SCHEMA` names the file, which is
`schemas/clab.schema.json` of srl-labs/containerlab.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.exporters.machines import DESIGNS, Machines, lacks, machines
from tests.kinds import KINDS
from tests.kinds import network as kind
from tests.namespaces import why_missing
from tests.plan.networks import network

from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError
from linkwright.network import Network
from linkwright.plan import export
from linkwright.plan.exporters.network_plan import NetworkPlan

SCHEMA = os.environ.get("CLAB_SCHEMA", "")
REASON = why_missing("tests/exporters")


def lab(whole: Network) -> dict[str, Any]:
    text = export(whole, ["containerlab"]).files["nodes/all/containerlab/topology.clab.yml"]
    return dict(yaml.safe_load(text)["topology"])


@pytest.mark.skipif(not SCHEMA, reason="CLAB_SCHEMA does not name containerlab's clab.schema.json")
@pytest.mark.parametrize("name", KINDS)
def test_the_schema_of_containerlab_accepts_it(name: str) -> None:
    # Python has no classes of characters by property.
    schema = json.loads(Path(SCHEMA).read_text().replace(r"[\\p{N}\\p{L}]", r"\\w"))
    found = {"name": "linkwright", "topology": lab(kind(name))}
    jsonschema.validate(found, schema)
    found["topology"]["nodes"]["x y"] = {}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, schema)


@pytest.mark.parametrize("name", KINDS)
def test_a_lab_has_every_device_and_cable(name: str) -> None:
    whole = kind(name)
    found = lab(whole)
    assert list(found["nodes"]) == list(whole.device_names)
    ends = [end for link in found["links"] for end in link["endpoints"]]
    assert len(found["links"]) == len(whole.wiring.cable_a)
    assert len(set(ends)) == len(ends)
    assert all(re.fullmatch(r"[A-Za-z0-9-]+:[A-Za-z][A-Za-z0-9_-]{0,14}", end) for end in ends)
    for box, commands in found["nodes"].items():
        ports = {end.partition(":")[2] for end in ends if end.startswith(f"{box}:")}
        if whole.wiring.bridges[whole.device_names.index(box)]:
            joined = re.findall(r"dev (\w+) master", "\n".join(commands["exec"]))
            assert set(joined) == ports


@pytest.mark.parametrize(
    ("fields", "option"),
    [
        ({"kind": "hub", "nodes": 3}, "type bridge ageing_time 0"),
        ({"kind": "switch", "nodes": 3}, "type bridge"),
        ({"kind": "tree", "leaves": 2, "nodes_per_leaf": 2, "uplinks": 2}, "stp_state 1"),
    ],
)
def test_a_hub_repeats_and_a_loop_has_a_spanning_tree(fields: dict[str, Any], option: str) -> None:
    whole = network(**fields)
    boxes = [lab(whole)["nodes"][name]["exec"][0] for name in whole.device_names[whole.n_nodes :]]
    assert all(line.endswith(option) or option in line for line in boxes)
    assert any("stp_state" in line for line in boxes) == (option == "stp_state 1")


def test_routing_daemons_are_refused() -> None:
    with pytest.raises(CapabilityError, match="routing daemons"):
        lab(network("ring", shape=[3], sections={"routing": {"daemon": "ospf"}}))


@pytest.mark.skipif(bool(REASON), reason=REASON)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "ring by interface" else pytest.mark.slow)
        for name in DESIGNS
    ],
)
def test_the_commands_of_nodes_bring_the_plan_up(name: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(f"name: t\n{DESIGNS[name]}"), "ip", tmp_path) as up:
        nodes = lab(up.network)["nodes"]
        for node in up.names:
            script = "\n".join(nodes[node]["exec"])
            if lacks("dummy"):
                script = script.replace("type dummy", "type ifb")
            up.shell(node, cables_of_lab(up, node) + script)
        up.wait_for_routes()
        assert list(up.disagreements()) == []


def cables_of_lab(up: Machines, node: str) -> str:
    """Return the commands that do the part of containerlab: the MTU of the ports."""
    [plan] = [one for one in NetworkPlan(up.network).nodes() if one.node == node]
    return "".join(f"ip link set dev {one.name} mtu {one.mtu}\n" for one in plan.ports)
