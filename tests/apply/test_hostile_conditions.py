"""Changes under hostile conditions: full disks, read-only file systems, machines that go down,
timers, two changes at once, names made to harm. After each, the host is as it was before.

The host is one that systemd has started, with networkd.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from tests.apply.booted import connected, host
from tests.apply.hosts import DESIGN, applied, expect_same, proposed, settled, state
from tests.machines.real_hosts import RealHosts

from linkwright.apply import (
    Outcome,
    bring_all,
    confirm_all,
    new_run,
    propose,
    take_back_all,
)
from linkwright.design.cluster import Cluster
from linkwright.machines import Machine
from linkwright.network import compile as compile_network

RING = compile_network(Cluster.parse(DESIGN))
FULL = """
mkdir -p /run/kept
cp -a "$1/." /run/kept
mount -t tmpfs -o size=128k,mode=755 tmpfs "$1"
cp -a /run/kept/. "$1"
"""
FILL = """
dd if=/dev/zero of="$1/filler" bs=1k 2> /dev/null || true
rm -rf /run/kept
[ -s "$1/filler" ]
"""
FREE = 'umount "$1"'
JOURNAL = ["test", "-e", "/var/lib/linkwright"]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHosts]:
    with host(tmp_path_factory.mktemp("host"), "networkd") as (found, _):
        yield found


@pytest.fixture
def machine(up: RealHosts) -> Iterator[Machine]:
    """Connect to the host; what a test leaves on it is a failure."""
    with connected() as found:
        settled([found])
        before = state(found)
        yield found
    with connected() as found:
        settled([found])
        expect_same([before], [found])


def shell(machine: Machine, script: str, *words: str) -> None:
    """Run a script on the host."""
    answer = machine.run(["sh", "-euc", script, "sh", *words])
    assert answer.code == 0, answer


@contextmanager
def small_disk(machine: Machine, folder: str) -> Iterator[None]:
    """Give a folder of the host a small disk of its own."""
    shell(machine, FULL, folder)
    try:
        yield
    finally:
        shell(machine, FREE, folder)


def brought(
    machine: Machine, via: str | None = None, *, confirm_s: float = 300
) -> tuple[str, Outcome]:
    """Bring the host to the plan, without a confirmation."""
    run = new_run()
    (outcome,) = bring_all([machine], proposed(RING, [machine], via), run, confirm_s=confirm_s)
    return run, outcome


def expect_undone(machine: Machine) -> None:
    """Take all back, and expect that nothing is left."""
    (outcome,) = take_back_all([machine])
    assert outcome.failure is None
    assert outcome.left == ()


def wait_for_end(machine: Machine, longest_s: float = 40) -> None:
    """Wait until the host has no journal any more."""
    ends = time.monotonic() + longest_s
    while machine.run(JOURNAL).code == 0:
        assert time.monotonic() < ends
        time.sleep(0.2)


def wait_for_timer(machine: Machine, run: str, longest_s: float = 20) -> None:
    """Wait until the host has no timer of a change any more, and nothing that it has started."""
    ends = time.monotonic() + longest_s
    units = ["systemctl", "list-units", "--all", f"linkwright-{run}.*"]
    while "0 loaded units" not in machine.run(units).output:
        assert time.monotonic() < ends
        time.sleep(0.2)


@pytest.mark.parametrize("folder", ["/etc/systemd/network", "/var/lib"])
def test_a_full_disk_ends_a_change_and_all_goes_back(machine: Machine, folder: str) -> None:
    with small_disk(machine, folder):
        shell(machine, FILL, folder)
        _, outcome = brought(machine)
        assert "No space left" in str(outcome.failure)
        assert outcome.left == ()
        assert machine.run(JOURNAL).code


def test_undo_needs_no_room_on_the_disk(machine: Machine) -> None:
    with small_disk(machine, "/var/lib"):
        applied(RING, [machine])
        shell(machine, FILL, "/var/lib")
        expect_undone(machine)


def test_a_read_only_system_ends_a_change_and_an_undo_says_so(machine: Machine) -> None:
    shell(machine, "mount -o remount,ro /etc")
    _, outcome = brought(machine)
    assert "Read-only file system" in str(outcome.failure)
    shell(machine, "mount -o remount,rw /etc")
    expect_undone(machine)
    applied(RING, [machine])
    shell(machine, "mount -o remount,ro /etc")
    (outcome,) = take_back_all([machine])
    assert any("Read-only file system" in one for one in outcome.left)
    shell(machine, "mount -o remount,rw /etc")
    expect_undone(machine)


@pytest.mark.parametrize("via", ["networkd", "ip"])
def test_a_machine_that_starts_before_its_confirmation_is_as_before(
    up: RealHosts, machine: Machine, via: str
) -> None:
    run, outcome = brought(machine, via)
    assert outcome.failure is None
    up.reboot("n0")
    with connected() as again:
        wait_for_end(again)
        (late,) = confirm_all([again], proposed(RING, [again]), run)
        assert late.failure


def test_the_timer_of_systemd_takes_a_change_back(machine: Machine) -> None:
    run, outcome = brought(machine, confirm_s=6)
    assert outcome.failure is None
    timers = machine.run(["systemctl", "list-timers", "--all"]).output
    assert f"linkwright-{run}" in timers
    wait_for_end(machine)
    units = machine.run(["systemctl", "list-units", "--all", "linkwright-*"]).output
    assert "0 loaded units" in units


def test_a_confirmation_and_the_timer_at_the_same_time_agree(machine: Machine) -> None:
    """Whichever is first, the host has the whole plan, or nothing of it."""
    proposals = proposed(RING, [machine])
    run = new_run()
    begin = time.monotonic()
    (outcome,) = bring_all([machine], proposals, run, confirm_s=5)
    assert outcome.failure is None
    time.sleep(max(0.0, begin + 5.5 - time.monotonic()))
    (confirmed,) = confirm_all([machine], proposals, run)
    if confirmed.failure is None:
        wait_for_timer(machine, run)
        assert not any(one.changes for one in proposed(RING, [machine]) if one.plan is None)
        expect_undone(machine)
    else:
        wait_for_end(machine)


def test_of_two_changes_at_once_one_is_refused(machine: Machine) -> None:
    proposals = proposed(RING, [machine])

    def bring(run: str) -> Outcome:
        return bring_all([machine], proposals, run, confirm_s=60)[0]

    with ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(bring, (new_run(), new_run())))
    failures = [str(one.failure) for one in outcomes if one.failure]
    assert len(failures) == 1
    assert "another change" in failures[0]
    expect_undone(machine)


def test_files_that_no_plan_has_written_are_refused(machine: Machine) -> None:
    place = "/etc/systemd/network/10-linkwright-eth0.network"
    earlier = "/etc/systemd/network/05-mine.network"
    shell(machine, 'echo "# mine" > "$1"; printf "[Match]\\nName=eth*\\n" > "$2"', place, earlier)
    (found,) = propose(RING, [machine])
    reasons = " ".join(reason for reason, _ in found.refusals)
    shell(machine, 'rm "$1" "$2"', place, earlier)
    assert f"{place} is there, and no plan has put it there" in reasons
    assert f"{earlier} sets eth1 up" in reasons
    applied(RING, [machine])
    shell(machine, 'cp "$1" /run/whole; echo "# mine" >> "$1"', place)
    (found,) = propose(RING, [machine])
    assert any("has changed since" in reason for reason, _ in found.refusals)
    shell(machine, 'cat /run/whole > "$1"', place)
    expect_undone(machine)


def test_a_name_made_to_harm_is_refused(machine: Machine) -> None:
    name, rename = "$(touch${IFS}x)", 'ip link set dev "$1" down; ip link set dev "$1" name "$2"'
    mac = machine.run(["cat", "/sys/class/net/eth1/address"]).output.strip()
    shell(machine, rename, "eth1", name)
    nodes = f"nodes: {{n0: {{nics: {{eth1: {{mac: '{mac}', name: eth1}}}}}}}}\n"
    (found,) = propose(compile_network(Cluster.parse(DESIGN + nodes)), [machine])
    shell(machine, f'{rename}; ip link set dev "$2" up', name, "eth1")
    assert any("is no name of a NIC" in reason for reason, _ in found.refusals)
    settled([machine])
    time.sleep(1)


def test_a_nic_found_by_its_address_keeps_its_name(machine: Machine) -> None:
    mac = machine.run(["cat", "/sys/class/net/eth1/address"]).output.strip()
    nodes = f"nodes: {{n0: {{nics: {{eth1: {{mac: '{mac}', name: east}}}}}}}}\n"
    network = compile_network(Cluster.parse(DESIGN + nodes))
    (found,) = propose(network, [machine])
    assert "Name=eth1" in found.files["/etc/systemd/network/10-linkwright-eth1.link"]
    assert not any("east" in text for text in found.files.values())


def test_another_manager_than_there_is_is_refused(machine: Machine) -> None:
    (found,) = propose(RING, [machine], via="networkmanager")
    assert "networkmanager cannot be used" in found.refusals[0][0]
