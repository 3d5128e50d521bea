"""Files of FRR and dnsmasq, checked by the programs themselves.

That FRR's daemons find routes with these lines is tested with the emulation, which has them from
the same place.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.exporters.machines import BOTH
from tests.exporters.managers import DNSMASQ, VTYSH, why_not_run
from tests.namespaces import UNSHARE, why_missing

from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError
from linkwright.network import compile as compile_network
from linkwright.plan import export

MISSING = why_missing("tests/exporters") or why_not_run(DNSMASQ)
RING = "name: t\ntopology: {kind: ring, shape: [3]}\nrouting: {fallback: true}\n" + BOTH
DAEMONS = {
    "static": RING,
    "ospf": RING.replace("fallback: true", "daemon: ospf"),
    "openfabric": RING.replace("fallback: true", "daemon: openfabric"),
}


def files(design: str, target: str) -> dict[str, str]:
    return dict(export(compile_network(Cluster.parse(design)), [target]).files)


def checked(place: str, *words: str) -> str:
    done = subprocess.run([place, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.skipif(bool(why_not_run(VTYSH)), reason=why_not_run(VTYSH))
@pytest.mark.parametrize("name", DAEMONS)
def test_frr_accepts_its_file(name: str, tmp_path: Path) -> None:
    text = files(DAEMONS[name], "frr")["nodes/n1/frr/etc/frr/frr.conf"]
    (tmp_path / "frr.conf").write_text(text)
    checked(VTYSH.place, "-C", "-f", str(tmp_path / "frr.conf"))
    (tmp_path / "frr.conf").write_text(text + "no such line\n")
    with pytest.raises(AssertionError, match="Unknown command"):
        checked(VTYSH.place, "-C", "-f", str(tmp_path / "frr.conf"))


@pytest.mark.parametrize("target", ["ip", "networkd", "netplan", "ifupdown2", "networkmanager"])
def test_with_a_daemon_no_other_target_has_routes(target: str) -> None:
    """The identity of n2 is a destination for n0 only if a route leads there."""
    for name, has_routes in (("static", True), ("ospf", False)):
        texts = [text for file, text in files(DAEMONS[name], target).items() if "/n0/" in file]
        assert any("10.128.0.3" in text for text in texts) == has_routes


def test_openfabric_needs_cables_between_two_nodes() -> None:
    hub = "topology: {kind: hub, nodes: 3}\nrouting: {daemon: openfabric}\n"
    with pytest.raises(CapabilityError, match="only speaks between two"):
        files(hub, "frr")


def test_static_routes_of_frr_have_no_tables_by_interface() -> None:
    with pytest.raises(CapabilityError, match="n0 has tables by incoming interface"):
        files("topology: {kind: ring, shape: [6]}\nrouting: {fallback: by-interface}\n", "frr")


@pytest.mark.skipif(bool(why_not_run(DNSMASQ)), reason=why_not_run(DNSMASQ))
def test_dnsmasq_accepts_its_file(tmp_path: Path) -> None:
    text = files(RING, "dnsmasq")["nodes/all/dnsmasq/etc/dnsmasq.d/linkwright.conf"]
    assert text.count("host-record=") == 3
    (tmp_path / "conf").write_text(text)
    assert "syntax check OK" in checked(DNSMASQ.place, "--test", "-C", str(tmp_path / "conf"))


def test_hosts_have_every_identity() -> None:
    text = files(RING + "nodes: {n1: {name: beta}}\n", "hosts")["nodes/all/hosts/hosts"]
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert lines[2:4] == ["10.128.0.2 beta n1", "fd00:6c77:0:8000::2 beta n1"]
    assert len(lines) == 6


LOOK_UP = """
mount --bind "$folder/resolv.conf" /etc/resolv.conf
mount --bind "$folder/hosts" /etc/hosts
ip link set dev lo up
if [ -e "$folder/dnsmasq.conf" ]; then
    {dnsmasq} --keep-in-foreground --conf-file="$folder/dnsmasq.conf" --no-resolv --user=root \\
        --pid-file="$folder/pid" &
    for _ in $(seq 50); do [ ! -e "$folder/pid" ] || break; sleep 0.1; done
fi
getent ahosts beta | sed 's/ .*//' | sort -u
"""
NAMES = {
    "hosts": ("nodes/all/hosts/hosts", "hosts"),
    "dnsmasq": ("nodes/all/dnsmasq/etc/dnsmasq.d/linkwright.conf", "dnsmasq.conf"),
}
"""Place of the file in the plan, and in the folder of the test."""


@pytest.mark.skipif(bool(MISSING), reason=MISSING)
@pytest.mark.parametrize("target", NAMES)
def test_the_c_library_finds_the_identities(target: str, tmp_path: Path) -> None:
    """A file without the line of a node does not."""
    place, name = NAMES[target]
    text = files(RING + "nodes: {n1: {name: beta}}\n", target)[place]
    (tmp_path / "resolv.conf").write_text("nameserver 127.0.0.1\n")
    (tmp_path / "hosts").write_text("")
    (tmp_path / name).write_text(text)
    assert looked_up(tmp_path) == ["10.128.0.2", "fd00:6c77:0:8000::2"]
    (tmp_path / name).write_text(re.sub(".*beta.*\n", "", text))
    (tmp_path / "pid").unlink(missing_ok=True)
    assert looked_up(tmp_path) == []


def looked_up(folder: Path) -> list[str]:
    """Return the addresses that a program on a machine finds for a name."""
    words = [*UNSHARE, "--kill-child", "env", f"folder={folder}", "sh", "-uc"]
    script = LOOK_UP.format(dnsmasq=DNSMASQ.place)
    done = subprocess.run([*words, script], capture_output=True, text=True, check=False, timeout=20)
    return done.stdout.split()
