"""Every mistake of a user: the thing, the rule and the remedy on stderr, the code, no trace.

Each case is one command line; the folder it runs in must look the same before and after.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from linkwright.cli import run

DESIGNS = {
    "good.yaml": "topology: {kind: torus, shape: [2, 2]}",
    "broken.yaml": "topology: {kind: torus, shape: [4, 4",
    "kind.yaml": "topology: {kind: tours, shape: [4, 4]}",
    "key.yaml": "topology: {kind: torus, shap: [4, 4]}",
    "zero.yaml": "topology: {kind: switch, nodes: 0}",
    "negative.yaml": "topology: {kind: torus, shape: [4, -4]}",
    "huge.yaml": "topology: {kind: switch, nodes: 1000000000}",
    "part.yaml": "{topology: {kind: hub, nodes: 4}, parts: {hub: fast-ethernet-hob}}",
    "ports.yaml": "topology: {kind: switch, nodes: 400, stack_units: 1}",
    "endless.yaml": "{topology: {kind: hub, nodes: 4}, parts: {prices: /dev/zero}}",
    "slots.yaml": "topology: {kind: full-mesh, nodes: 16}",
    "small.yaml": "{topology: {kind: switch, nodes: 60}, addressing: {ipv4: 10.0.0.0/27}}",
}
CAPTURE = bytes.fromhex("0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000")

SIMULATE = ("simulate", "good.yaml", "-w", "ping-pong")

CASES: list[tuple[tuple[str, ...], int, tuple[str, ...]]] = [
    # usage
    (("calibrate", "486dx4"), 2, ("no calibration '486dx4'", "486dx4-100-linux-1.2")),
    (("calibrate", "ideal-reno"), 2, ("'ideal-reno' has no targets", "--targets")),
    (("calibrate", "linux-6-desktop"), 2, ("name no constant to fit", "--free")),
    (("calibrate", "ideal-reno", "--targets", "no.toml"), 2, ("no.toml", "readable TOML")),
    (("calibrate", "ideal-reno", "-o", "x.html"), 2, ("'.html' names no format", ".toml")),
    (("compar",), 2, ("No such command 'compar'", "'compare'")),
    (("compare", "--nods", "4"), 2, ("--nods", "--nodes", "linkwright compare --help")),
    (("compare", "--nodes", "four"), 2, ("--nodes", "linkwright compare --help")),
    (("compare", "--format", "xml"), 2, ("--format", "table")),
    (("compare", "--seed", "-1"), 2, ("--seed",)),
    (("compare", "good.yaml", "--nodes", "4"), 2, ("--nodes",)),
    (("compare", "good.yaml", "--rate", "25g"), 2, ("leave out", "--rate")),
    (("compare", "--rate", "fast"), 2, ("'fast' is no rate", "25g")),
    (("compare", "-c", "ethernet-2026", "--rate", "7g"), 2, ("no NICs of 7 Gb/s", "10g, 25g")),
    (("compare", "--ports", "0"), 2, ("--ports",)),
    (("compare", "-o", "x.pdf"), 2, ("x.pdf", ".pdf", ".html")),
    (("list", "topologies", "-o", "x.html"), 2, ("x.html", ".json")),
    (("plan", "good.yaml"), 2, ("--output",)),
    (("check",), 2, ("DESIGN",)),
    (("simulate", "good.yaml"), 2, ("--workload",)),
    (("simulate", "good.yaml", "-w", "ping-png"), 2, ("'ping-png'", "'ping-pong'")),
    ((*SIMULATE, "--set", "sise_bytes=1"), 2, ("'sise_bytes'", "'size_bytes'")),
    ((*SIMULATE, "--set", "size_bytes"), 2, ("'size_bytes'", "KEY=VALUE")),
    ((*SIMULATE, "--set", "dst=1", "--set", "dst=2"), 2, ("'dst' twice",)),
    ((*SIMULATE, "--set", "dst=77"), 2, ("dst is 77", "4 nodes")),
    ((*SIMULATE, "--engine", "pakcet"), 2, ("'pakcet'", "'packet'")),
    ((*SIMULATE, "--calibration", "pentium"), 2, ("'pentium'", "pentium-pro-200-linux-2.0")),
    ((*SIMULATE, "--calibration", "broken.toml"), 2, ("broken.toml",)),
    ((*SIMULATE, "--repeat", "0"), 2, ("--repeat",)),
    ((*SIMULATE, "--repeat", "2", "--trace", "t.pcapng"), 2, ("--trace",)),
    ((*SIMULATE, "--engine", "flow", "--trace", "t.pcapng"), 3, ("packet engine", "--trace")),
    ((*SIMULATE, "--repeat", "2", "-o", "run.html"), 2, ("plays one run", "--repeat")),
    ((*SIMULATE, "--draws", "2", "-o", "run.html"), 2, ("plays one run", "--draws")),
    ((*SIMULATE, "--trace", "t.pcapng", "-o", "run.html"), 2, ("without a file", "second")),
    ((*SIMULATE, "--host", "tcp.initial_window=4294967296"), 2, ("tcp.initial_window",)),
    ((*SIMULATE, "--host", "host.send.us=inf"), 2, ("host.send.us",)),
    ((*SIMULATE, "--background", "file-sever"), 2, ("'file-sever'", "'file-server'")),
    ((*SIMULATE, "--background", "nfs"), 2, ("no background 'nfs'", "known: keep-alive, file-s")),
    ((*SIMULATE, "--background", "barrier"), 2, ("cannot run in the background", "keep-alive")),
    ((*SIMULATE, "--background-set", "count=1"), 2, ("--background-set", "--background")),
    ((*SIMULATE, "--background", "keep-alive"), 2, ("has no front end", "front_end: true")),
    (
        (*SIMULATE, "--background", "keep-alive", "--engine", "analytic"),
        3,
        ("analytic engine", "packet engine"),
    ),
    ((*SIMULATE, "--fault", "cable:9 down"), 2, ("no cable '9'", "c0 to c3")),
    (
        (*SIMULATE, "--fault", "cable:0 down", "--host", "links.flow_control=pause"),
        3,
        ("pause frames", "links.flow_control"),
    ),
    ((*SIMULATE, "--fault", "cable:0 cut"), 2, ("'cut'", "PART down")),
    (
        (*SIMULATE, "--fault-file", "none.txt"),
        2,
        ("'none.txt' cannot be read: No such file or dir",),
    ),
    (
        (*SIMULATE, "--placement", "@none.txt"),
        2,
        ("'none.txt' cannot be read: No such", "one per l"),
    ),
    ((*SIMULATE, "--placement", "@capture.pcapng"), 2, ("'capture.pcapng' is not text", "line 3")),
    ((*SIMULATE, "--engine", "analytic", "--fault", "cable:0 down"), 3, ("analytic",)),
    ((*SIMULATE, "--precision", "0.05"), 3, ("the packet engine", "the flow engine")),
    ((*SIMULATE, "--engine", "flow", "--precision", "2"), 2, ("2.0", "0.2")),
    ((*SIMULATE, "--precision", "0.05", "--trace", "t.pcapng"), 3, ("--precision",)),
    ((*SIMULATE, "--fault", "node:1 reboot at 1ms for 1s"), 4, ("rank 1 died", "at 1.000 ms")),
    ((*SIMULATE, "--fault", "node:0 down"), 4, ("rank 0 died",)),
    (("check", "good.yaml", "--lan", "here"), 2, ("'here'",)),
    (("check", "good.yaml", "--failures", "all"), 2, ("'all'", "single, pairs, none")),
    (("reproduce", "PMESH-1989"), 2, ("'PMESH-1989'", "'PMESH-1998'")),
    (("reproduce", "PMESH-1998/9"), 2, ("'9'", "known: 2, 3")),
    (("reproduce", "PMESH-1998/"), 2, ("no table ''", "known: 2, 3")),
    (("reproduce", "netpipe"), 2, ("no paper 'netpipe'", "STACK-2001/netpipe")),
    (("reproduce", "all/netpipe"), 2, ("'all' has no tables", "a paper with its table")),
    (("list", "topologys"), 2, ("'topologys'", "'topologies'")),
    (("list", "parts", "-c", "whitney"), 2, ("'whitney'", "whitney-1998")),
    # designs
    (("check", "missing.yaml"), 2, ("missing.yaml", "No such file")),
    (("check", "."), 2, ("'.'", "directory")),
    (("check", "capture.pcapng"), 2, ("capture.pcapng", "not text")),
    (("check", "broken.yaml"), 2, ("broken.yaml", "line 1")),
    (("check", "kind.yaml"), 2, ("tours", "'torus'")),
    (("check", "key.yaml"), 2, ("shap", "'shape'")),
    (("check", "zero.yaml"), 2, ("nodes", "2 or more")),
    (("check", "negative.yaml"), 2, ("shape", "1 or more")),
    (("check", "huge.yaml"), 2, ("nodes", "1000000 or less")),
    (("check", "part.yaml"), 2, ("fast-ethernet-hob", "'fast-ethernet-hub'")),
    (("check", "ports.yaml"), 2, ("400 ports", "stack_units: ")),
    (("plan", "slots.yaml", "-o", "p"), 2, ("needs 15 ports", "slots for 5", "at most 5 ports")),
    (("check", "small.yaml"), 2, ("10.0.0.0/27",)),
    (("compare", "--nodes", "0"), 2, ("nodes", "2 or more")),
    (("compare", "--nodes", "-1"), 2, ("nodes", "2 or more")),
    (("compare", "--nodes", "1000000000"), 2, ("nodes", "1000000 or less")),
    (("compare", "--catalogue", "whitney-1898"), 2, ("'whitney-1898'", "'whitney-1998'")),
    (("compare", "slots.yaml"), 2, ("nothing is left", "'slots.yaml'", "needs 15 ports")),
    (
        ("compare", "slots.yaml", "ports.yaml"),
        2,
        ("'slots.yaml'", "needs 15 ports", "'ports.yaml'"),
    ),
    # files without an end, and outputs that are inputs
    (("check", "endless.yaml"), 2, ("price file '/dev/zero' is a device",)),
    ((*SIMULATE, "--placement", "@/dev/zero"), 2, ("'/dev/zero' is a device",)),
    ((*SIMULATE, "--fault-file", "/dev/zero"), 2, ("'/dev/zero' is a device",)),
    (("simulate", "good.yaml", "-w", "goal", "--set", "file=/dev/zero"), 2, ("is a device",)),
    (("calibrate", "ideal-reno", "--targets", "/dev/zero.toml"), 2, ("/dev/zero.toml",)),
    (
        ("simulate", "twin.pcapng", "-wbarrier", "--trace", "twin.pcapng"),
        2,
        ("'twin.pcapng' is an input", "another file"),
    ),
    ((*SIMULATE, "--traffic", "t.csv", "-o", "t.csv"), 2, ("'t.csv' is the output of two",)),
    ((*SIMULATE, "--timeline", "t.manifest.json", "-o", "t.json"), 2, ("output of two",)),
    (("check", "good.json", "-o", "link.json"), 2, ("is an input",)),
    (("compare", "good.json", "-o", "link.json"), 2, ("is an input",)),
    (("goal", "-n2", "-wgoal", "--set", "file=d.goal", "-o", "d.goal"), 2, ("is an input",)),
    (("calibrate", "broken.toml", "-o", "broken.toml"), 2, ("is an input",)),
    (("check", "good.yaml", "-o", "pipe.json"), 4, ("pipe that no program reads", "reader")),
    (("check", "pipe.json"), 2, ("pipe that no program writes to", "writer")),
    ((*SIMULATE, "--fault-file", "pipe.json"), 2, ("pipe that no program writes to", "writer")),
    (("study", "pipe.json"), 2, ("pipe that no program writes to", "writer")),
    # numbers without an end
    *(
        ((*command, f"--{option}={number}"), 2, (f"--{option}",))
        for command, option in (
            ((*SIMULATE, "-eflow"), "precision"),
            (("emulate", "good.yaml", "-wbarrier"), "dilation"),
        )
        for number in ("inf", "nan", "1e400")
    ),
    (("emulate", "good.yaml", "-wbarrier", "--dilation=1e308"), 2, ("--dilation",)),
    # studies
    (("study", "."), 2, ("'.'", "directory")),
    (("study", "folder.json"), 2, ("'folder.json'", "directory")),
    (("study", "suffixless"), 2, ("'suffixless' has no suffix", "-o")),
    (("query", "folder.json", "from rows"), 2, ("folder.json/manifest.json", "No such file")),
    # outputs
    (("compare", "-o", "missing/x.html"), 4, ("missing", "create it first")),
    (("compare", "-o", "folder.json"), 4, ("'folder.json' is a folder",)),
    (("compare", "-o", "good.yaml/x.json"), 4, ("good.yaml",)),
    ((*SIMULATE, "--trace", "missing/x.pcapng"), 4, ("missing", "create it first")),
    (("check", "good.yaml", "-o", "/proc/x.json"), 4, ("/proc/x.json", "cannot be written")),
    (("plan", "good.yaml", "-o", "good.yaml/out"), 4, ("good.yaml/out",)),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in DESIGNS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "capture.pcapng").write_bytes(CAPTURE)
    (tmp_path / "broken.toml").write_text("= nothing")
    (tmp_path / "folder.json").mkdir()
    for twin in ("good.json", "twin.pcapng"):
        (tmp_path / twin).write_text(DESIGNS["good.yaml"])
    (tmp_path / "link.json").symlink_to("good.json")
    (tmp_path / "d.goal").write_text("num_ranks 2\nrank 0 {\n}\nrank 1 {\n}\n")
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "suffixless").write_text("{designs: [good.yaml], workloads: [barrier]}")
    return tmp_path


@pytest.mark.parametrize(("arguments", "code", "parts"), CASES, ids=[" ".join(c[0]) for c in CASES])
def test_errors(
    arguments: tuple[str, ...],
    code: int,
    parts: tuple[str, ...],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = sorted(folder.rglob("*"))
    assert run(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert "hint: " in err
    assert "Traceback" not in err
    for part in parts:
        assert part in err
    assert sorted(folder.rglob("*")) == before, "something was left behind"


@pytest.mark.parametrize(
    ("more", "is_coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_errors_have_colours_where_the_user_wants_them(
    more: dict[str, str], is_coloured: bool, folder: Path
) -> None:
    terminal, end = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", **more}
    subprocess.run(
        [sys.executable, "-m", "linkwright", "check", "none.yaml"],
        stderr=end,
        cwd=folder,
        env=environment,
        check=False,
    )
    os.close(end)
    shown = os.read(terminal, 4096)
    os.close(terminal)
    assert b"none.yaml" in shown
    assert (b"\x1b[" in shown) == is_coloured


def test_a_fault_of_the_program_is_said_without_a_trace(folder: Path) -> None:
    program = (
        "import linkwright.cli, linkwright.plan\n"
        "def broken(*_, **__): raise ValueError('no such thing')\n"
        "linkwright.plan.check = broken\n"
        "linkwright.cli.main(['check', 'good.yaml'])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 4
    assert ended.stderr.startswith("error: this is a fault of Linkwright: ValueError: no such")
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_read_only_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "old.json").write_text("{}")
    (folder / "old.json").chmod(0o444)
    assert run(["check", "good.yaml", "-o", "old.json"]) == 4
    assert "read-only" in capsys.readouterr().err
    assert (folder / "old.json").read_text() == "{}"


def test_an_output_that_fills_up_is_an_error(folder: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-c", "import linkwright.cli; linkwright.cli.main()", "list", "parts"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 4
    assert ended.stderr.startswith("error: the output cannot be written")
    assert "hint: write it with -o FILE" in ended.stderr


def test_an_interrupt_ends_with_130_and_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("linkwright.cli.simulate.work", interrupted, raising=True)
    before = sorted(folder.rglob("*"))
    assert run([*SIMULATE, "-o", "r.json"]) == 130
    assert sorted(folder.rglob("*")) == before


def test_no_memory_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("linkwright.plan.check", exhausted)
    assert run(["check", "good.yaml"]) == 4


def test_a_reader_that_leaves_early_is_no_error(folder: Path) -> None:
    program = f"{sys.executable} -c 'import linkwright.cli; linkwright.cli.main()'"
    ended = subprocess.run(
        ["bash", "-c", f"{program} reproduce PMESH-1998/3 --quiet --format json | head -c 5"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout == '[\n{"r'
    assert ended.stderr == ""
