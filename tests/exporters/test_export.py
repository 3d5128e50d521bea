"""Files for machines: names of targets, places of files, gaps, and one set of bytes.

The programs that read the files judge them in the other tests of this folder.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_interface
from pathlib import Path

import pytest
from tests.exporters.machines import TWINS
from tests.kinds import PARTS, examples
from tests.plan.networks import network, rows

from linkwright.cli import run
from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError, PlanError, UsageError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import export, plan
from linkwright.plan.exporters import EXPORTERS

FOR_ALL = {
    "hosts", "dnsmasq", "mlx", "slurm", "ansible", "dot", "graphml", "node-link", "netbox",
    "simgrid", "containerlab", "netlab",
}  # fmt: skip
"""Targets whose files are the same for all nodes."""
REFUSING = {"slurm", "simgrid", "netlab"}
"""Targets that refuse some shapes: their own tests are over every kind."""
RING = "topology: {kind: ring, shape: [3]}\n"


def ring(**nodes: object) -> object:
    return network("ring", shape=[3], sections={"nodes": nodes} if nodes else None)


@pytest.mark.parametrize("target", EXPORTERS)
def test_the_files_of_a_node_are_what_they_were(
    target: str, golden: Callable[[str, str], None]
) -> None:
    nics = {"eth0": {"name": "enp1s0"}, "eth1": {"mac": "02:00:00:00:00:01", "name": "fast1"}}
    machine = {"name": "alpha", "management": "192.0.2.1", "nics": nics}
    design = {"nodes": {"n0": machine}, "routing": {"fallback": True}}
    files = export(network("ring", shape=[3], sections=design), [target]).files
    for name, text in files.items():
        if name.startswith(("nodes/n0/", "nodes/all/")):
            golden(f"exporters/{name}", text)


@pytest.mark.parametrize("target", EXPORTERS)
def test_the_same_design_gives_the_same_bytes(target: str) -> None:
    assert export(ring(), [target]) == export(ring(), [target])


def test_an_unknown_target_is_refused_with_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="no target 'ipp'") as error:
        export(ring(), ["ip", "ipp"])
    assert "did you mean 'ip'" in error.value.hint
    monkeypatch.chdir(tmp_path)
    Path("ring.yaml").write_text(RING)
    assert run(["plan", "ring.yaml", "-o", "out", "--for", "ip,ipp"]) == 2
    assert not Path("out").exists()
    assert run(["plan", "ring.yaml", "--diff", "out", "--for", "ip"]) == 2
    assert "--output" in capsys.readouterr().err


def test_the_command_writes_a_folder_per_node_and_names_the_gaps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ring.yaml").write_text(RING)
    assert run(["plan", "ring.yaml", "-o", "out", "--for", "ip"]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "lacks 12 facts" in said
    assert "out/nodes/missing.csv" in said
    assert sorted(path.name for path in Path("out/nodes").iterdir()) == [
        "missing.csv", "n0", "n1", "n2", "names.csv",
    ]  # fmt: skip
    assert sorted(path.name for path in Path("out/nodes/n1/ip").iterdir()) == ["undo.sh", "up.sh"]
    assert run(["plan", "ring.yaml", "-o", "out", "--for", "ip"]) == 0


def test_files_use_the_names_of_machines() -> None:
    nics = {"eth0": {"name": "enp1s0"}, "eth1": {"mac": "02:00:00:00:00:01"}}
    found = export(ring(n1={"name": "beta", "management": "192.0.2.1", "nics": nics}), ["ip"])
    up = found.files["nodes/n1/ip/up.sh"]
    assert "port enp1s0 1500" in up
    assert "port_eth1=$(with_mac 02:00:00:00:00:01)" in up
    assert 'port "$port_eth1" 1500' in up
    assert "Cable to beta:lw1." in found.files["nodes/n0/ip/up.sh"]
    assert found.n_missing == 8
    names = {(row["node"], row["nic"]): row for row in rows(found.files["nodes/names.csv"])}
    assert names["n1", "eth0"]["hostname"] == "beta"
    assert names["n1", "lo"]["interface"] == "id0"


def test_a_management_address_of_the_plan_is_refused() -> None:
    with pytest.raises(PlanError, match=r"10\.0\.0\.1 of n1 is in 10\.0\.0\.0/31"):
        export(ring(n1={"management": "10.0.0.1"}), ["ip"])


def test_a_hostile_name_of_a_node_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linkwright.network.device_names", lambda stems, *_: ("a", "b/../c", "d"))
    with pytest.raises(DesignError, match=r"'b/\.\./c' is no name for a machine"):
        export(ring(), ["ip"])


def test_two_cables_to_one_peer_are_two_subnets() -> None:
    """The kernel would use one of two ports on one subnet alone. Both carry the identities."""
    twins = compile_network(Cluster.parse(TWINS))
    addresses = [row for row in rows(plan(twins)["interfaces.csv"]) if row["nic"] != "lo"]
    subnets = {
        ip_interface(f"{row['address']}/{row['prefix_length']}").network for row in addresses
    }
    assert len(addresses) == 2 * len(subnets) == 4
    up = export(twins, ["ip"]).files["nodes/a/ip/up.sh"]
    other = host_of(twins, "b")
    routes = [line.split() for line in up.splitlines() if line.startswith(f"route {other}/32 ")]
    assert {words[words.index("dev") + 1] for words in routes} == {"eth0", "eth1"}


def host_of(network: Network, node: str) -> str:
    found = {row["node"]: row["address"] for row in rows(plan(network)["hosts.csv"])}
    return found[node]


@pytest.mark.slow
@pytest.mark.parametrize("name", examples(most_nodes=12))
def test_every_kind_has_files_for_every_target(name: str) -> None:
    sections = {"parts": PARTS, "routing": {"fallback": True}}
    topology = dict(examples(most_nodes=12)[name])
    whole = network(**topology, sections=sections)
    files = export(whole, [one for one in EXPORTERS if one not in REFUSING]).files
    for node in whole.device_names[: whole.n_nodes]:
        found = {file.split("/")[2] for file in files if file.startswith(f"nodes/{node}/")}
        assert found == {target for target in EXPORTERS if target not in FOR_ALL}


def test_offloads_are_off_at_ports_of_usb_alone() -> None:
    design = Cluster.load("examples/usb4-ring-and-lan.yaml")
    script = export(compile_network(design), ["ip"]).files["nodes/pve1/ip/up.sh"]
    uncut = [line for line in script.splitlines() if line.startswith("uncut ")]
    assert uncut == ["uncut thunderbolt0", "uncut thunderbolt1"]
