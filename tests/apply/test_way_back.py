"""Steps on the way to a plan and back, with programs of the machine that answer as a test says:
programs that hang, and ports that a plan has no more.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from linkwright.apply import managers, placed, present, state
from linkwright.apply.present import StepError

Ran = list[list[str]]
SCOPE: dict[str, Any] = {
    **{key: [] for key in ("tables", "priorities", "offloads", "filters", "generated")},
    "interfaces": ["port0", "port1"],
    "parameters": ["net/ipv4/ip_forward"],
}
NOTHING: dict[str, Any] = {
    **{key: {} for key in ("links", "offloads", "parameters", "files", "generated")},
    **{key: [] for key in ("addresses", "routes", "rules", "filters")},
}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a folder that stands in for `/etc`, `/proc/sys` and the interfaces of a machine."""
    monkeypatch.setattr(placed, "PLACES", (str(tmp_path),))
    monkeypatch.setattr(managers, "ETC", tmp_path)
    monkeypatch.setattr(managers, "NET", tmp_path)
    monkeypatch.setattr(present, "NET", tmp_path)
    monkeypatch.setattr(present, "PARAMETERS", tmp_path)
    monkeypatch.setattr(state, "QUIET_S", 0.0)
    parameter = tmp_path / "net/ipv4/ip_forward"
    parameter.parent.mkdir(parents=True)
    parameter.write_text("1\n")
    return tmp_path


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Provide what lets programs of the machine do nothing, but for those that hang."""

    def let(*hanging: str) -> Ran:
        ran: Ran = []

        def run(words: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
            ran.append(words)
            if set(words) & set(hanging):
                raise subprocess.TimeoutExpired(words, options["timeout"])
            return subprocess.CompletedProcess(words, 0, "", "")

        monkeypatch.setattr(subprocess, "run", run)
        return ran

    return let


@pytest.mark.parametrize("hanging", ["is-active", "down", "ifdown", "daemon-reload", "ip", "route"])
def test_a_program_that_hangs_does_not_end_the_way_back(
    hanging: str, machine: Path, programs: Callable[..., Ran]
) -> None:
    """All the other steps are done, and the problem is said."""
    programs(hanging)
    file = machine / "60-linkwright.conf"
    file.write_text("a plan")
    scope = {**SCOPE, "files": [str(file)], "targets": ["networkmanager", "ifupdown2"]}
    before = {**NOTHING, "parameters": {"net/ipv4/ip_forward": "0"}}
    said = state.bring(scope, before, strictly=False)
    assert any(hanging in one and "does not end within 30 s" in one for one in said)
    assert not file.exists()
    assert (machine / "net/ipv4/ip_forward").read_text() == "0\n"


def test_a_program_that_hangs_ends_the_way_to_a_plan(
    machine: Path, programs: Callable[..., Ran]
) -> None:
    programs("rule")
    wanted = {**NOTHING, "parameters": {"net/ipv4/ip_forward": "0"}}
    with pytest.raises(StepError, match="rule show does not end within 30 s"):
        state.bring(SCOPE, wanted, strictly=True)
    assert (machine / "net/ipv4/ip_forward").read_text() == "1\n"


def test_a_parameter_that_cannot_be_read_does_not_end_the_way_back(
    machine: Path, programs: Callable[..., Ran]
) -> None:
    """An interface may vanish together with its parameters."""
    programs()
    (machine / "gone").mkdir()
    before = {**NOTHING, "parameters": {"gone": "1", "net/ipv4/ip_forward": "0"}}
    (problem,) = state.bring(SCOPE, before, strictly=False)
    assert "gone takes no 1" in problem
    assert (machine / "net/ipv4/ip_forward").read_text() == "0\n"


def test_networkmanager_brings_up_the_connections_that_have_a_file(
    machine: Path, programs: Callable[..., Ran]
) -> None:
    """It forgets the others, and is not asked to bring them up."""
    folder = machine / "NetworkManager/system-connections"
    folder.mkdir(parents=True)
    (folder / "linkwright-port0.nmconnection").touch()
    ran = programs()
    managers.load_files("networkmanager", ["port0", "port1"])
    assert ["nmcli", "connection", "reload"] in ran
    assert [one[-1] for one in ran if "up" in one] == ["linkwright-port0"]
    (folder / "linkwright-port1.nmconnection").touch()
    ran = programs()
    managers.load_files("networkmanager", ["port0", "port1"])
    assert ["nmcli", "connection", "reload"] not in ran
    assert [one[-1] for one in ran if "up" in one] == ["linkwright-port0", "linkwright-port1"]


def test_a_connection_that_does_not_come_up_keeps_no_other_down(
    machine: Path, programs: Callable[..., Ran]
) -> None:
    folder = machine / "NetworkManager/system-connections"
    folder.mkdir(parents=True)
    for name in ("port0", "port1"):
        (folder / f"linkwright-{name}.nmconnection").touch()
    ran = programs("linkwright-port0")
    with pytest.raises(StepError, match="linkwright-port0 does not end"):
        managers.load_files("networkmanager", ["port0", "port1"])
    assert [one[-1] for one in ran if "up" in one] == ["linkwright-port0", "linkwright-port1"]


def test_what_netplan_wrote_for_an_earlier_plan_goes(machine: Path) -> None:
    """A port stays with a user who has taken it over, and the way back gives each file back."""
    places = {one: f"/run/systemd/network/10-netplan-{one}.network" for one in ("port0", "port1")}
    generated = [*places.values(), "/run/linkwright.undo"]
    scope = {**SCOPE, "files": [], "generated": generated}
    assert state.places(scope, {"files": {}}) == dict.fromkeys(places.values())
    folder = machine / "netplan"
    folder.mkdir()
    (folder / "01-mine.yaml").write_text("network:\n  ethernets:\n    port1:\n      dhcp4: true\n")
    assert state.places(scope, {"files": {}}) == {places["port0"]: None}
    before = {place: {"kind": "file"} for place in generated}
    assert state.places(scope, {"files": {}, "generated": before}) == before
