"""Scripts of `ip` commands, run on machines with nothing set up.

A file without one of its settings must fail, so that every setting is known to be needed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.exporters.machines import DESIGNS, Machines, every_design, machines
from tests.namespaces import why_missing

from linkwright.design.cluster import Cluster

MUTANTS = {
    "forwarding": ("ring", r"setting net/ipv4/ip_forward 1"),
    "backup routes": ("ring", r"setting net/ipv4/conf/eth\d/ignore_routes_with_linkdown 1"),
    "backup routes of IPv6": ("ring of IPv6", r"setting net/ipv6/conf/eth\d/ignore_routes.*"),
    "filter of the machine": ("torus", r"setting net/ipv4/conf/all/rp_filter 0"),
    "filter of ports": ("torus", r"setting net/ipv4/conf/eth\d/rp_filter 0"),
    "metric": ("ring", r" metric \d+"),
    "source": ("ring", r" src \S+"),
    "search for duplicates": ("p-mesh", r" nodad"),
    "MTU": ("ring", r"ip link set dev \"\$1\" mtu \"\$2\""),
    "identity": ("ring", r"address id0 .*"),
    "address of a port": ("ring", r"address eth0 10.*"),
}
"""Settings whose absence from `up.sh` a test must notice, by design. It cannot notice the absence of
`send_redirects`, `accept_ra` and the forwarding of IPv6: they change the fate of frames, and
lookups are no frames.
"""

pytestmark = pytest.mark.skipif(
    bool(why_missing("tests/exporters")), reason=why_missing("tests/exporters")
)

UP = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/up.sh"'
UNDO = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/undo.sh"'


@every_design
def test_scripts_bring_the_plan_up_and_take_it_back(design: str, tmp_path: Path) -> None:
    with machines(Cluster.parse(design), "ip", tmp_path) as up:
        before = up.states()
        for node, folder in up.folders.items():
            up.shell(node, UP, folder=str(folder), journal=str(folder / "journal"))
        assert up.wrong_routes() == []
        assert list(up.disagreements()) == []
        for node, folder in up.folders.items():
            up.shell(node, UNDO, folder=str(folder), journal=str(folder / "journal"))
        assert up.states() == before


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_every_setting_is_needed(name: str, tmp_path: Path) -> None:
    design, pattern = MUTANTS[name]
    with machines(Cluster.parse(f"name: t\n{DESIGNS[design]}"), "ip", tmp_path) as up:
        up.leave_out(pattern)
        assert not is_plan(up)


def is_plan(up: Machines) -> bool:
    """Return whether scripts end and bring the plan up."""
    try:
        for node, folder in up.folders.items():
            up.shell(node, UP, folder=str(folder), journal=str(folder / "journal"))
    except AssertionError:
        return False
    return not up.wrong_routes() and not any(up.disagreements())
