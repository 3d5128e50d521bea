"""Cables found by frames between real hosts: crossed, over a switch, on a port that is down, and
without root.

The hosts are namespaces of this machine with an sshd each.
"""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest
from tests.machines.real_hosts import RealHosts

from linkwright.cli import run
from linkwright.facts import Cable, ClusterFacts
from linkwright.facts.probing import _answer, _cables, _Probed

NAMES = ("n0", "n1", "n2", "n3")
CABLES = [("n0", "eth0", "n1", "eth1"), ("n1", "eth0", "n2", "eth0"), ("n2", "eth1", "n3", "eth0")]
DESIGN = "name: ring\ntopology: {kind: ring, shape: [4]}\n"
PORTS = [[(name, "eth0"), (name, "eth1")] for name in NAMES]


@pytest.fixture(scope="module")
def up(up: RealHosts) -> RealHosts:
    switch(up, ("n0", "eth1"), ("n3", "eth1"))
    return up


def switch(hosts: RealHosts, *ports: tuple[str, str]) -> None:
    """Put ports on a bridge of the management network's namespace."""
    inside = hosts.enter()
    commands = [["ip", "link", "add", "switch", "type", "bridge", "forward_delay", "0"]]
    commands += [["ip", "link", "set", "switch", "up"]]
    for host, port in ports:
        space = f"{hosts.prefix}h{NAMES.index(host)}"
        peer = ["peer", "name", port, "netns", space]
        commands += [["ip", "link", "add", "name", f"s{host}", "type", "veth", *peer]]
        commands += [["ip", "link", "set", f"s{host}", "master", "switch", "up"]]
        commands += [["ip", "netns", "exec", space, "ip", "link", "set", port, "up"]]
    for words in commands:
        subprocess.run([*inside, *words], check=True)


@pytest.fixture
def reached(reached: RealHosts) -> RealHosts:
    Path("ring.yaml").write_text(DESIGN)
    return reached


def set_link(up: RealHosts, host: str, port: str, state: str) -> None:
    space = f"{up.prefix}h{NAMES.index(host)}"
    subprocess.run(["ip", "-n", space, "link", "set", "dev", port, state], check=True)


def is_up(up: RealHosts, host: str, port: str) -> bool:
    words = ["ip", "-n", f"{up.prefix}h{NAMES.index(host)}", "-json", "link", "show", "dev", port]
    (link,) = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return "UP" in link["flags"]


def probe(*options: str) -> ClusterFacts:
    words = ["facts", ",".join(NAMES), "--probe", "ring.yaml", "-o", "facts.json", "-q"]
    assert run([*words, *options]) == 0
    return ClusterFacts.load("facts.json")


def cable(a: tuple[str, str], b: tuple[str, str], certainty: str = "sure") -> Cable:
    return Cable((a, b), "probe", certainty)


def test_cables_are_found_as_plugged_and_a_switch_as_shared(reached: RealHosts) -> None:
    found = probe()
    assert found.cables == (
        cable(("n0", "eth0"), ("n1", "eth1")),
        cable(("n0", "eth1"), ("n3", "eth1"), "shared"),
        cable(("n1", "eth0"), ("n2", "eth0")),
        cable(("n2", "eth1"), ("n3", "eth0")),
    )
    assert not [
        one for machine in found.machines for one in machine.missing if one.fact == "cables"
    ]


def test_a_port_that_is_down_is_brought_up_only_on_demand_and_set_down_again(
    reached: RealHosts,
) -> None:
    set_link(reached, "n2", "eth1", "down")
    try:
        found = probe()
        assert ("n2", "eth1") not in {end for one in found.cables for end in one.ends}
        (lacks,) = [one for one in found.machines[2].missing if one.fact == "cables"]
        assert lacks.reason == "eth1 is down"
        assert "--bring-up" in str(lacks.needs)
        found = probe("--bring-up")
        assert cable(("n2", "eth1"), ("n3", "eth0")) in found.cables
        assert not is_up(reached, "n2", "eth1")
    finally:
        set_link(reached, "n2", "eth1", "up")


def test_a_port_is_set_down_again_also_if_the_program_is_killed(reached: RealHosts) -> None:
    from linkwright.facts.probing import PROGRAM
    from linkwright.machines.host import Host
    from linkwright.machines.ssh import connections

    set_link(reached, "n3", "eth0", "down")
    given = {"ports": ["eth0"], "token": "00" * 16, "number": 0, "bring_up": True, "mark": "#"}
    try:
        with connections([Host("n3", "n3")]) as (machine,):
            process = machine.start_python(PROGRAM.read_text())
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(given) + "\n")
            process.stdin.flush()
            assert process.stdout.readline() == '#"ready"\n'
            assert is_up(reached, "n3", "eth0")
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()
        for _ in range(100):
            if not is_up(reached, "n3", "eth0"):
                break
            time.sleep(0.1)
        assert not is_up(reached, "n3", "eth0")
    finally:
        set_link(reached, "n3", "eth0", "up")


def test_a_missing_port_keeps_no_other_one_from_being_brought_up(reached: RealHosts) -> None:
    from linkwright.facts.probing import PROGRAM
    from linkwright.machines.host import Host
    from linkwright.machines.ssh import connections

    set_link(reached, "n3", "eth0", "down")
    ports = ["eth9", "eth0"]
    given = {"ports": ports, "token": "00" * 16, "number": 0, "bring_up": True, "mark": "#"}
    try:
        with connections([Host("n3", "n3")]) as (machine,):
            process = machine.start_python(PROGRAM.read_text())
            answer, _ = process.communicate(f"{json.dumps(given)}\ngo\n", timeout=30)
        missing = json.loads(answer.splitlines()[-1].lstrip("#"))["missing"]
        assert [reason.partition(" ")[0] for reason, _ in missing] == ["eth9"]
    finally:
        set_link(reached, "n3", "eth0", "up")


def test_an_option_without_a_probe_is_an_error() -> None:
    assert run(["facts", "n0", "--bring-up"]) == 2


def test_one_direction_is_likely_and_three_ports_are_shared() -> None:
    one_way = [_Probed(), _Probed(heard=((0, 0, 0, 0),))]
    assert list(_cables(one_way, PORTS)) == [cable(("n0", "eth0"), ("n1", "eth0"), "likely")]
    hub = [
        _Probed(heard=tuple((0, other, 0, target) for other in range(3) for target in (0, 1)))
        for _ in range(3)
    ]
    (found,) = _cables(hub, PORTS)
    assert found == Cable((("n0", "eth0"), ("n1", "eth0"), ("n2", "eth0")), "probe", "shared")


@pytest.mark.parametrize(
    "hostile",
    [
        {},
        {"heard": 7, "missing": {}},
        {"heard": [[0, 99, 0, 0], [99, 0, 0, 0], [0, 0], [True, "x", 0, -1]]},
        {"missing": [["\x1b[2J", "x" * 9999], [1, 2], "a"]},
    ],
)
def test_hostile_answers_give_no_cables(hostile: dict[str, object]) -> None:
    answers = [_answer(hostile), _answer(hostile)]
    assert list(_cables(answers, PORTS)) == []
    assert all(one.reason.isprintable() for answer in answers for one in answer.missing)
