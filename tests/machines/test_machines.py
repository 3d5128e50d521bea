"""Machines of every kind: programs and their arguments, files, and the limits of both.

A namespace is entered in two ways: bare, and in the sandbox of an emulation. The machine behind ssh
is a namespace with an sshd.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest
from tests.machines.real_hosts import missing
from tests.namespaces import why_missing

from linkwright import calibrations
from linkwright.design.cluster import Cluster
from linkwright.emulation.cluster import unwired
from linkwright.errors import RunError
from linkwright.machines import Local, Machine
from linkwright.machines.host import Host
from linkwright.machines.ssh import connections
from linkwright.network import compile as compile_network

WORDS = ["", "two words", "'quoted' \"twice\"", "$HOME `id` $(id)", "-n", "a\nb", "ü"]
PAIR = "name: pair\ntopology: {kind: direct}\n"
IN_NAMESPACES = pytest.mark.skipif(bool(why_missing("tests/machines")), reason="no namespaces")
WITH_SSHD = pytest.mark.skipif(bool(missing()), reason=str(missing()))
NAMES = ("n1",)


@pytest.fixture(
    params=[
        "local",
        *(pytest.param(n, marks=IN_NAMESPACES) for n in ("bare", "sandbox")),
        pytest.param("ssh", marks=WITH_SSHD),
    ]
)
def machine(request: pytest.FixtureRequest) -> Iterator[Machine]:
    if request.param == "local":
        yield Local("n1")
        return
    if request.param == "ssh":
        request.getfixturevalue("reached")
        with connections([Host("n1", "n1")]) as (behind_ssh,):
            yield behind_ssh
        return
    network = compile_network(Cluster.parse(PAIR))
    with unwired(network, calibrations.load(network.calibration)) as up:
        yield up.kernels.machines[1] if request.param == "bare" else up.sandbox.machine("n1")


def test_a_program_gets_its_arguments_and_its_input(machine: Machine) -> None:
    script = "import json, sys; print(json.dumps([sys.argv[1:], sys.stdin.read()]))"
    answer = machine.run([machine.python, "-c", script, *WORDS], given=b"two\nlines")
    assert answer.code == 0
    assert json.loads(answer.output) == [WORDS, "two\nlines"]


def test_codes_and_both_outputs_come_back(machine: Machine) -> None:
    answer = machine.run(["sh", "-c", "echo out; echo err >&2; exit 7"])
    assert (answer.code, answer.output, answer.errors) == (7, "out\n", "err\n")


def test_a_node_is_the_machine_that_its_name_says(machine: Machine) -> None:
    name = machine.run(["uname", "-n"]).output.strip()
    assert (name == "n1") == (machine.kind != "local")


def test_a_program_that_does_not_end_is_ended(machine: Machine) -> None:
    with pytest.raises(RunError, match=r"'sleep' on n1 does not end within 0\.5 s"):
        machine.run(["sleep", "60"], timeout_s=0.5)


def test_files_are_put_whole_and_come_back(machine: Machine, tmp_path: Path) -> None:
    place, content = PurePosixPath(tmp_path / "a 'file'"), bytes(range(256)) * 300
    machine.put(place, b"first")
    machine.put(place, content, mode=0o600)
    assert machine.get(place) == content
    assert (tmp_path / "a 'file'").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["a 'file'"], "nothing else is left"


def test_places_that_cannot_be_used_are_named(machine: Machine, tmp_path: Path) -> None:
    nowhere = PurePosixPath(tmp_path / "no" / "file")
    with pytest.raises(RunError, match=r"no/file' on n1 cannot be read: .*No such file"):
        machine.get(nowhere)
    with pytest.raises(RunError, match=r"no/file' on n1 cannot be written"):
        machine.put(nowhere, b"text")


def test_files_that_are_too_long_are_refused(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(bytes(101))
    place = PurePosixPath(tmp_path / "long")
    assert machine.get(place, most_bytes=101) == bytes(101)
    with pytest.raises(RunError, match=r"long' on n1 is longer than 100 bytes"):
        machine.get(place, most_bytes=100)


def test_a_program_of_python_is_sent_and_then_talked_to(machine: Machine) -> None:
    """It is longer than a pipe, and the input behind it is its own."""
    source = "import sys\nfor line in sys.stdin:\n    print(line.upper(), end='', flush=True)\n"
    source += f"# é{'x' * 99_999}"
    with machine.start_python(source) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for word in ("one\n", "two\n"):
            process.stdin.write(word)
            process.stdin.flush()
            assert process.stdout.readline() == word.upper()
        process.stdin.close()
        assert process.wait(timeout=30) == 0
