"""Topologies of netlab: what `netlab create` makes of them, without starting anything.

It is a package of Python, `networklab`, which no other test needs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.kinds import KINDS, has_bonds
from tests.kinds import network as kind
from tests.plan.networks import network

from linkwright.errors import CapabilityError
from linkwright.network import Network
from linkwright.plan import export
from linkwright.plan.exporters.netlab import best_routes
from linkwright.plan.exporters.network_plan import NetworkPlan

NETLAB = shutil.which("netlab") or ""
MISSING = "" if NETLAB else "netlab: pip install networklab"
BOTH = {"addressing": {"ipv4": True, "ipv6": True}, "routing": {"fallback": True}}
JUDGED = {
    "ring": network("ring", shape=[4], sections=BOTH),
    "p-mesh": network("p-mesh", shape=[2, 3], sections=BOTH),
    "tree": network("tree", leaves=2, nodes_per_leaf=2),
    "hub": network("hub", nodes=3),
    "names": network("ring", shape=[3], sections={"nodes": {"n1": {"name": "7950x.lan"}}}),
    "large MTU": network(
        "ring", shape=[3],
        sections={"parts": {"catalogue": "ethernet-2026", "node": "mini-pc", "nic": "usb4",
                            "cable": "usb4-cable"}},
    ),
}  # fmt: skip


def topology(whole: Network) -> str:
    return export(whole, ["netlab"]).files["nodes/all/netlab/topology.yml"]


@pytest.mark.parametrize("name", [name for name in KINDS if not has_bonds(kind(name))])
def test_a_lab_has_every_address_and_the_best_route_to_each(name: str) -> None:
    whole = kind(name)
    plan, found = NetworkPlan(whole), yaml.safe_load(topology(whole))
    values = [*found["nodes"].values(), *(i for link in found["links"] for i in link["interfaces"])]
    seen = sorted(address for value in values for address in addresses(value))
    assert seen == sorted(address for _, one in plan.interfaces() for address in one.addresses)
    for node, made in zip(plan.nodes(), found["nodes"].values(), strict=True):
        routes = made.get("routing.static", [])
        assert len(routes) == len({route.destination for route in node.routes if route.via})
        assert [next(iter(one["nexthop"].values())) for one in routes] == [
            route.via for route in best_routes(node)
        ]


def addresses(value: dict[str, Any]) -> list[str]:
    found = value.get("loopback") or {}
    return [text for of in (found, value) for key, text in of.items() if key in ("ipv4", "ipv6")]


def test_bonds_are_refused() -> None:
    with pytest.raises(CapabilityError, match="has bonds"):
        topology(network("bonded-dual-net", nodes=3))


@pytest.mark.slow
@pytest.mark.live
@pytest.mark.skipif(bool(MISSING), reason=MISSING)
@pytest.mark.parametrize("name", JUDGED)
def test_netlab_makes_the_lab(name: str, tmp_path: Path) -> None:
    whole = JUDGED[name]
    (tmp_path / "topology.yml").write_text(topology(whole))
    command = [NETLAB, "create", "topology.yml"]
    here = {**os.environ, "PATH": f"{Path(NETLAB).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        command, cwd=tmp_path, env=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    made = yaml.safe_load((tmp_path / "clab.yml").read_text())["topology"]
    nodes = NetworkPlan(whole).nodes()
    for node, lab_name in zip(nodes, yaml.safe_load(topology(whole))["nodes"], strict=True):
        folder = tmp_path / "node_files" / lab_name
        initial = (folder / "initial").read_text()
        for one in node.interfaces:
            assert all(f"address {address}\n" in initial for address in one.addresses)
        wanted = {(route.destination, route.via) for route in best_routes(node)}
        text = (folder / "routing").read_text() if wanted else ""
        assert set(re.findall(r"^ip(?:v6)? route (\S+) (\S+)", text, re.MULTILINE)) == wanted
        assert lab_name in made["nodes"]
