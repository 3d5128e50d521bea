"""Files for machines: names of targets, places of files, gaps, and one set of bytes.

The programs that read the files judge them in the other tests of this folder.
"""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_interface
from pathlib import Path

import pytest
from tests.exporters.machines import TWINS
from tests.kinds import KINDS, compiled
from tests.plan.networks import network, rows

from linkwright.cli import run
from linkwright.design.cluster import Cluster
from linkwright.errors import DesignError, LinkwrightError, PlanError, UsageError
from linkwright.network import Network
from linkwright.network import compile as compile_network
from linkwright.plan import check, export, plan
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


TAKING = ["ip", "networkd", "netplan", "ifupdown2", "networkmanager", "frr"]
"""Targets that set up ports."""


def ring_and_lan(**machine: str) -> Cluster:
    """Return the design that takes the only LAN port of four machines, each described alike."""
    text = Path("examples/usb4-ring-and-lan.yaml").read_text()
    for number in range(1, 5) if machine else ():
        words = {key: word.format(number) for key, word in machine.items()}
        text += "nodes:\n" * (number == 1) + f"  pve{number}: {words}\n"
    return Cluster.parse(text)


@pytest.mark.parametrize("machine", [{}, {"management": "192.168.1.1{}"}])
def test_the_only_lan_port_is_not_taken(machine: dict[str, str]) -> None:
    built = compile_network(ring_and_lan(**machine))
    [found] = [one for one in check(built) if one.rule == "management-port"]
    assert "the only LAN port of pve1 (enp2s0), and that of 3 more" in found.reason
    assert ("no port is left for 192.168.1.11" in found.reason) == bool(machine)
    assert "management_port" in found.fix
    refused: dict[str, LinkwrightError] = {}
    found_files = export(built, list(EXPORTERS), refused=refused).files
    assert [name for name in EXPORTERS if name in refused and name in TAKING] == TAKING
    assert not any(f"/{name}/" in file for file in found_files for name in refused)
    assert "nodes/all/hosts/hosts" in found_files
    for name in TAKING:
        assert refused[name].hint == found.fix
        with pytest.raises(DesignError, match="only LAN port of pve1"):
            export(built, [name])


@pytest.mark.parametrize("port", ["wlp3s0", "none"])
def test_a_word_in_the_design_takes_the_lan_port(port: str) -> None:
    built = compile_network(ring_and_lan(management_port=port))
    assert [one for one in check(built) if one.rule == "management-port"] == []
    for name in TAKING:
        assert f"nodes/pve1/{name}/" in " ".join(export(built, [name]).files)


def test_a_management_port_is_no_nic_of_the_plan() -> None:
    with pytest.raises(DesignError, match=r"nodes\.pve1\.management_port': 'enp2s0' is a NIC"):
        compile_network(ring_and_lan(management_port="enp2s0"))


@pytest.mark.parametrize(
    ("node", "nic", "is_taken"),
    [
        ("mini-pc-2-5g", "nic-2-5g-onboard", True),
        ("mini-pc", "usb4", False),
        ("mini-pc-2-5g", "usb4", False),
        ("mini-workstation", "nic-10g-onboard", False),
        ("desktop-pc", "nic-1g", False),
        ("mac-mini", "nic-1g-onboard", True),
        ({"max_nics": 2}, "nic-2-5g-onboard", True),
        ({"max_nics": 2}, "nic-2-5g", False),
    ],
)
def test_cards_and_ports_beside_others_may_be_taken(node: object, nic: str, is_taken: bool) -> None:
    parts = {"catalogue": "ethernet-2026", "node": node, "nic": nic}
    cables = {"usb4": "usb4-cable"}
    built = network("direct", sections={"parts": {**parts, "cable": cables.get(nic, "cat-6a")}})
    found = [one for one in check(built) if one.rule == "management-port"]
    assert bool(found) == is_taken


def test_a_refused_target_leaves_the_others_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "topology: {kind: ring, shape: [6]}\nrouting: {fallback: by-interface}\n"
    Path("ring.yaml").write_text(text)
    assert run(["plan", "ring.yaml", "-o", "out", "--for", "frr,ip,hosts"]) == 3
    said = capsys.readouterr().err
    assert "no files for frr: n0 has tables by incoming interface" in " ".join(said.split())
    assert Path("out/routes.csv").is_file()
    assert Path("out/nodes/n5/ip/up.sh").is_file()
    assert Path("out/nodes/all/hosts/hosts").is_file()
    assert [*Path("out").rglob("frr*")] == []


def test_files_of_frr_are_complete() -> None:
    """The scripts beside them are those of `ip` without routes."""
    files = export(network("ring", shape=[3], sections={"routing": {"fallback": True}}), ["frr"])
    up = files.files["nodes/n0/frr/up.sh"].splitlines()
    for start in (
        "made id0 dummy",
        "address id0 ",
        "port eth0 1500",
        "setting net/ipv4/ip_forward",
    ):
        assert any(line.startswith(start) for line in up), start
    assert not any(line.startswith("route ") for line in up)
    assert "nodes/n0/frr/undo.sh" in files.files
    assert "sh up.sh" in files.files["nodes/n0/frr/etc/frr/frr.conf"]


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_every_kind_has_files_for_every_target(name: str) -> None:
    whole = compiled(KINDS[name], routing={"fallback": True})
    files = export(whole, [one for one in EXPORTERS if one not in REFUSING]).files
    for node, is_switch in zip(whole.device_names, whole.wiring.is_routed_switch, strict=False):
        found = {file.split("/")[2] for file in files if file.startswith(f"nodes/{node}/")}
        assert found == {
            target
            for target in EXPORTERS
            if target not in FOR_ALL and (EXPORTERS[target].for_switches or not is_switch)
        }


def test_offloads_are_off_at_ports_of_usb_alone() -> None:
    design = ring_and_lan(management_port="wlp3s0")
    script = export(compile_network(design), ["ip"]).files["nodes/pve1/ip/up.sh"]
    uncut = [line for line in script.splitlines() if line.startswith("uncut ")]
    assert uncut == ["uncut thunderbolt0", "uncut thunderbolt1"]


def test_routed_switches_have_files_where_boxes_run_linux() -> None:
    """A host manager writes nothing for a switch; the files of nodes route to it."""
    design = Path(__file__).parents[2] / "examples" / "routed-spines.yaml"
    network_ = compile_network(Cluster.load(design))
    files = export(network_, ["frr", "ip", "ifupdown2", "networkd", "hosts", "ansible"]).files
    of_spine = {name.split("/")[2] for name in files if name.startswith("nodes/spine0/")}
    of_node = {name.split("/")[2] for name in files if name.startswith("nodes/n0/")}
    assert of_spine == {"frr", "ip", "ifupdown2"}
    assert of_node == {"frr", "ip", "ifupdown2", "networkd"}
    assert "swp1" in files["nodes/spine0/frr/etc/frr/frr.conf"]
    assert "ip_forward" in files["nodes/spine0/ip/up.sh"]
    interfaces = [line.split(",") for line in plan(network_)["interfaces.csv"].splitlines()]
    leaf = next(row[3] for row in interfaces if row[:2] == ["leaf0", "swp1"])
    assert leaf in files["nodes/n0/ip/up.sh"]
    assert "spine0" in files["nodes/all/hosts/hosts"]
    assert "spine0" not in files["nodes/all/ansible/inventory.yaml"]


@pytest.mark.parametrize(
    ("n_ranks", "lines"),
    [(1, ["n0 slots=1", "n0:1"]), (4, ["n0 slots=4", "n0:4"])],
)
def test_host_files_have_a_slot_for_each_rank_of_a_node(n_ranks: int, lines: list[str]) -> None:
    pair = compile_network(Cluster.parse("{name: pair, topology: {kind: direct}}"))
    files = export(pair, ["openmpi", "mpich"], ranks_per_node=n_ranks).files
    texts = [files[f"nodes/all/{target}/hostfile"] for target in ("openmpi", "mpich")]
    assert [text.splitlines()[-2] for text in texts] == lines
    count = "One rank" if n_ranks == 1 else f"{n_ranks} ranks"
    assert all(f"{count} per node" in text for text in texts)
