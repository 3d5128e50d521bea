"""Files written by hand, one folder per machine: known by their names, loaded by their managers in
namespaces, and compared with the plan.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.exporters.managers import why_not_loaded
from tests.namespaces import why_missing

from linkwright.as_built.own_files import own_files
from linkwright.cli import run
from linkwright.errors import UsageError

REASON = why_missing("tests/as_built")
DESIGN = "name: star\ntopology: {kind: switch, nodes: 3}\naddressing: {ipv4: 10.88.0.0/24}\n"
NETWORKD = "[Match]\nName=eth0\n[Network]\nAddress=10.88.0.1/29\nConfigureWithoutCarrier=yes\n"
NETPLAN = "network:\n  version: 2\n  ethernets:\n    eth0: {mtu: 1400, addresses: [10.88.0.2/29]}\n"
INTERFACES = (
    "auto lo\niface lo inet loopback\nsource /etc/network/interfaces.d/*\n"
    "auto eth0\niface eth0 inet static\n    address 10.88.0.4/29\n"
)
FILES = {
    "n0/etc/systemd/network/10-eth0.network": NETWORKD,
    "n0/hostfile": "n0 slots=1\n192.168.1.5 slots=1\n",
    "n0/frr/frr.conf": "router ospf\n",
    "n1/netplan/cluster.yaml": NETPLAN,
    "n2/interfaces": INTERFACES,
}


def written(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_files_are_known_by_their_names(tmp_path: Path) -> None:
    written(tmp_path, FILES)
    found = {name: own_files(tmp_path / name) for name in ("n0", "n1", "n2")}
    assert [one.target for one in found.values()] == ["networkd", "netplan", "ifupdown2"]
    assert list(found["n0"].files) == ["etc/systemd/network/10-eth0.network"]
    assert list(found["n0"].settings) == ["hostfile"]
    assert found["n0"].daemons["etc/frr/daemons"] == "ospfd=yes\n"
    (text,) = found["n2"].files.values()
    assert "loopback" not in text
    assert "address 10.88.0.4/29" in text


def test_keyfiles_have_the_name_of_their_interface(tmp_path: Path) -> None:
    keyfile = "[connection]\nid=fast\ntype=ethernet\ninterface-name=enp1s0\n"
    written(tmp_path, {"system-connections/fast.nmconnection": keyfile})
    (place,) = own_files(tmp_path).files
    assert place.endswith("/linkwright-enp1s0.nmconnection")
    written(tmp_path, {"system-connections/fast.nmconnection": "[connection]\nid=fast\n"})
    with pytest.raises(UsageError, match="names no interface"):
        own_files(tmp_path)


def test_two_managers_are_refused(tmp_path: Path) -> None:
    written(tmp_path, {"a.network": NETWORKD, "interfaces": INTERFACES})
    with pytest.raises(UsageError, match="files of networkd and ifupdown2"):
        own_files(tmp_path)


OF_N1 = {
    "networkd": {
        "n1/b.network": NETWORKD.replace("0.1/", "0.2/") + "Bogus=1\n[Link]\nMTUBytes=1400\n"
    },
    "netplan": {"n1/netplan/cluster.yaml": NETPLAN},
}
OF_N2 = {
    "networkd": {"n2/c.network": NETWORKD.replace("0.1/", "0.4/")},
    "ifupdown2": {"n2/interfaces": INTERFACES},
}


@pytest.mark.skipif(bool(REASON), reason=REASON)
@pytest.mark.parametrize(("first", "second"), [("networkd", "networkd"), ("netplan", "ifupdown2")])
def test_files_that_contradict_the_plan_are_found(
    first: str,
    second: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for target in ("networkd", first, second):
        if why_not_loaded(target):
            pytest.skip(why_not_loaded(target))
    monkeypatch.chdir(written(tmp_path, {"star.yaml": DESIGN}))
    own = {name: text for name, text in FILES.items() if name.startswith("n0/")}
    written(tmp_path / "mine", {**own, **OF_N1[first], **OF_N2[second]})
    assert run(["verify", "star.yaml", "--files", "mine", "--format", "json", "-q"]) == 1
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert sorted((one["kind"], one["node"], one["found"]) for one in found["findings"]) == [
        ("extra-address", "n2", "10.88.0.4/29"),
        ("missing-address", "n2", "10.88.0.4/29"),
        ("wrong-mtu", "n1", "1400"),
        ("wrong-setting", "n0", "192.168.1.5 in hostfile"),
    ]
    assert found["moves"] == []
    said = "\n".join(found["not_checked"])
    assert "Bogus" in said or first != "networkd"


def test_a_folder_without_nodes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(written(tmp_path, {"star.yaml": DESIGN, "mine/web1/interfaces": INTERFACES}))
    assert run(["verify", "star.yaml", "--files", "mine"]) == 2
    assert "no folder of a node" in capsys.readouterr().err
    assert run(["verify", "star.yaml", "--files", "none"]) == 2


@pytest.mark.skipif(bool(REASON), reason=REASON)
def test_files_with_an_identity_load_also_where_the_kernel_has_no_dummies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if why_not_loaded("networkd"):
        pytest.skip(why_not_loaded("networkd"))
    text = "name: pair\ntopology: {kind: ring, shape: [3]}\naddressing: {scheme: per-link}\n"
    monkeypatch.chdir(written(tmp_path, {"pair.yaml": text}))
    assert run(["plan", "pair.yaml", "-o", "plan", "--for", "networkd", "-q"]) == 0
    assert "Kind=dummy" in "".join(one.read_text() for one in Path("plan").rglob("*.netdev"))
    code = run(["verify", "pair.yaml", "--files", "plan/nodes", "-q"])
    assert code == 0
    assert capsys.readouterr().out.strip() == "pair is as planned: 3 machines, 3 cables."
