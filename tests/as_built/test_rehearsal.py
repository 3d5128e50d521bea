"""Files written by hand in an emulated cluster: loaded by their managers, compared with the plan,
and used by programs; and files that may come from anywhere.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.exporters.managers import why_not_loaded, why_not_run
from tests.namespaces import why_missing

from linkwright.as_built import rehearsal
from linkwright.as_built.own_files import own_files
from linkwright.cli import run
from linkwright.errors import UsageError
from linkwright.plan.exporters.frr import FRR_START
from linkwright.plan.exporters.loading import Loading, Program

REASON = why_missing("tests/as_built") or why_not_loaded("networkd")
needs_networkd = pytest.mark.skipif(bool(REASON), reason=REASON)
NO_FRR = why_not_run(*FRR_START.programs)
DESIGN = """name: chain
topology: {kind: mesh, shape: [3]}
parts: {catalogue: whitney-1998, node: {slots: null}}
addressing: {ipv4: 10.88.0.0/24}
"""
NETWORK = "[Match]\nName={nic}\n[Network]\nAddress={address}\nLinkLocalAddressing=no\n"


def written(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def planned(folder: Path) -> Path:
    """Write the plan's own files of all nodes as those of networkd."""
    written(folder, {"chain.yaml": DESIGN})
    assert run(["plan", "chain.yaml", "-o", "plan", "--for", "networkd,frr", "-q"]) == 0
    for node in ("n0", "n1", "n2"):
        (folder / "plan/nodes" / node / "networkd").rename(folder / "mine" / node)
    return folder / "mine"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    return planned(tmp_path)


@needs_networkd
def test_programs_run_on_the_files_and_differences_are_said(
    mine: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["emulate", "chain.yaml", "--files", "mine", "--", "sh", "-c"]
    assert run([*words, "ping -c 1 -W 2 n2 && exit 7"]) == 7
    assert "the files do as the plan says" in capfd.readouterr().err
    (mine / "n1/etc/sysctl.d/60-linkwright.conf").write_text("net.ipv4.ip_forward=0\n")
    (file,) = mine.glob("n0/etc/systemd/network/*eth0.network")
    file.write_text(file.read_text().replace("MTUBytes=1500", "MTUBytes=1400"))
    assert run([*words, "ping -c 1 -W 1 n2; exit $?"]) == 1
    said = capfd.readouterr().err
    assert "n0:eth0" in said
    assert "ip_forward" in said


@needs_networkd
def test_the_proof_is_that_of_the_nodes_as_they_are(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["emulate", "chain.yaml", "--files", "mine", "--verify", "--format", "json", "-q"]
    assert run(words) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["disagreements"] == found["differences"] == []
    assert found["n_pings"] == 6
    assert found["n_failures"] > 0
    for file in mine.glob("n2/etc/systemd/network/*.network"):
        file.write_text(file.read_text().partition("[Route]")[0])
    assert run(words) == 1
    found = json.loads(capsys.readouterr().out)
    assert {one["sender"] for one in found["disagreements"]} >= {"n2"}
    assert any("missing on n2" in reason for reason in found["differences"])


@needs_networkd
def test_a_workload_runs_on_them(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["emulate", "chain.yaml", "--files", "mine", "-w", "barrier", "--format", "json"]
    assert run(words) == 0
    answer = capsys.readouterr()
    assert any(row["metric"] == "time" for row in json.loads(answer.out))
    assert answer.err.count("the files do as the plan says") == 1


@needs_networkd
@pytest.mark.skipif(bool(NO_FRR), reason=NO_FRR)
def test_frr_runs_beside_the_manager(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frr = Path("plan/nodes/n0/frr/etc/frr/frr.conf").read_text()
    assert "ip route" in frr
    for file in mine.glob("n0/etc/systemd/network/*.network"):
        file.write_text(file.read_text().partition("[Route]")[0])
    written(mine / "n0/frr", {"frr.conf": f"log file /tmp/x\n{frr}"})
    words = ["emulate", "chain.yaml", "--files", "mine", "--verify", "--format", "json"]
    assert run([*words, "--failures", "none"]) == 0
    answer = capsys.readouterr()
    assert json.loads(answer.out)["differences"] == []
    assert "'log file /tmp/x' of frr.conf: nodes write no log" in answer.err


@needs_networkd
def test_a_missing_manager_is_named_with_its_package(
    mine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = Loading(script="true", programs=(Program("/usr/sbin/nothing", "some-package"),))
    monkeypatch.setattr(rehearsal, "FRR_START", missing)
    written(mine / "n0/frr", {"frr.conf": "ip route 10.0.0.0/8 eth0\n"})
    assert run(["emulate", "chain.yaml", "--files", "mine", "--", "true"]) == 3
    said = capsys.readouterr().err
    assert "/usr/sbin/nothing, which is missing" in said
    assert "apt install some-package" in said


@needs_networkd
def test_nodes_without_a_folder_are_as_planned(
    mine: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (mine / "n2").rename(mine / "web1")
    words = ["emulate", "chain.yaml", "--files", "mine", "--", "ping", "-c", "1", "-W", "2", "n2"]
    assert run(words) == 0
    said = capfd.readouterr().err
    assert "without a folder, and as planned: n2" in said
    assert "folder 'web1' is of no node" in said


def test_parameters_of_the_whole_machine_are_left_out(tmp_path: Path) -> None:
    text = "# mine\nnet.ipv4.ip_forward=1\nkernel.panic=1\n-vm.swappiness = 1\nnet/ipv4/tcp_ecn=1\n"
    own = own_files(written(tmp_path, {"sysctl.d/9.conf": text}))
    assert own.files == {
        "etc/sysctl.d/9.conf": "# mine\nnet.ipv4.ip_forward=1\nnet/ipv4/tcp_ecn=1\n"
    }
    assert [note.partition(":")[0] for note in own.notes] == [
        "'kernel.panic' of 9.conf", "'vm.swappiness' of 9.conf",
    ]  # fmt: skip


def test_links_and_names_that_lead_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "n0", {"hostfile": "n0\n"})
    (folder / "secret").symlink_to("/etc/passwd")
    with pytest.raises(UsageError, match="a link to a file outside"):
        own_files(folder)
    (folder / "secret").unlink()
    keyfile = "[connection]\ninterface-name=../../../x\n"
    written(folder, {"a.nmconnection": keyfile})
    with pytest.raises(UsageError, match="no name of an interface"):
        own_files(folder)


WORDS = (
    "network:", "[connection]", "interface-name=../../etc/x", "interface-name=eth0", "kernel.x=1",
    "net.ipv4.ip_forward = 1", "router ospf", "ip route 10.0.0.0/8 eth0", "log file /etc/passwd",
    "auto lo", "source /etc/*", "[Match]", "Name=eth0\x00", "\x1b[2J", "ospfd=yes", "sh=yes; id",
)  # fmt: skip
PLACES = (
    "etc/netplan/a.yaml", "etc/network/interfaces", "a.network", "x/b.nmconnection", "frr/daemons",
    "etc/frr/frr.conf", "sysctl.d/../sysctl.d/a.conf", "sysctl.conf", "hostfile", "..conf", "-rf",
    "interfaces.d/$(id)", "system-connections/;reboot",
)  # fmt: skip


def test_hostile_files_are_read_or_refused_and_stay_in_their_places(tmp_path: Path) -> None:
    n_read = 0
    for seed in range(300):
        draw = random.Random(seed)
        names = draw.sample(PLACES, draw.randint(1, 3))
        texts = {name: "\n".join(draw.choices(WORDS, k=draw.randint(0, 6))) for name in names}
        try:
            own = own_files(written(tmp_path / str(seed), texts))
        except UsageError:
            continue
        n_read += 1
        for place in (*own.files, *own.daemons):
            assert place.startswith("etc/")
            assert ".." not in Path(place).parts
        assert "kernel" not in "".join(
            text for place, text in own.files.items() if "sysctl" in place
        )
        assert "log " not in own.daemons.get("etc/frr/frr.conf", "")
        assert "sh=yes" not in own.daemons.get("etc/frr/daemons", "")
    assert n_read > 100
