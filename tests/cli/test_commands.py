"""Every command once, through the door that users take: what it prints, writes and returns.

What a command computes is tested where it is computed.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from linkwright import calibrations
from linkwright.cli import run
from linkwright.errors import CapabilityError, UsageError
from linkwright.results import COLUMNS, load
from linkwright.workloads import PATTERNS

TORUS = "topology: {kind: torus, shape: [2, 2]}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "torus.yaml").write_text(TORUS)
    return tmp_path


class Ran:
    """The outcome of one command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def cli(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    def call(*arguments: str) -> Ran:
        code = run(arguments)
        return Ran(code, *capsys.readouterr())

    return call


@pytest.mark.parametrize(
    "command",
    [
        "",
        "compare",
        "plan",
        "import",
        "check",
        "simulate",
        "saturate",
        "sensitivity",
        "emulate",
        "goal",
        "serve",
        "reproduce",
        "lesson",
        "calibrate",
        "list",
    ],
)
def test_help(
    command: str,
    cli: Callable[..., Ran],
    golden: Callable[[str, str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    ran = cli(*filter(None, [command]), "--help")
    assert ran.code == 0
    golden(f"cli/help-{command or 'linkwright'}.txt", ran.out)


def test_without_arguments_there_is_help(cli: Callable[..., Ran]) -> None:
    ran = cli()
    assert ran.code == 0
    assert "compare" in ran.out
    assert cli("--version").out.startswith("linkwright ")


def test_compare_writes_its_page_and_prints_the_table(
    cli: Callable[..., Ran], folder: Path
) -> None:
    ran = cli("compare", "--nodes", "4", "-w", "barrier")
    assert ran.code == 0
    assert "full-mesh" in ran.out
    assert ran.err == "wrote compare.html\n"
    assert (folder / "compare.html").read_text().startswith("<!doctype html>")


def test_compare_in_every_form_is_the_same_comparison(
    cli: Callable[..., Ran], folder: Path
) -> None:
    base = ("compare", "--nodes", "4", "-w", "barrier", "--quiet")
    shown = cli(*base, "--format", "json")
    assert not (folder / "compare.html").exists()
    assert cli(*base, "-o", "c.json").out == ""
    assert (folder / "c.json").read_text() == shown.out
    rows = json.loads(shown.out)
    table = list(csv.DictReader(io.StringIO(cli(*base, "--format", "csv").out)))
    assert [row["architecture"] for row in table] == [row["architecture"] for row in rows]
    assert [float(row["cost_per_node"]) for row in table] == [row["cost_per_node"] for row in rows]
    assert float(table[0]["workloads.barrier.time"]) == rows[0]["workloads"]["barrier"]["time"]


def test_compare_draws_constants_of_the_hosts(cli: Callable[..., Ran], folder: Path) -> None:
    base = ("compare", "--nodes", "4", "-w", "barrier", "-e", "analytic", "--draws", "2")
    ran = cli(*base)
    assert "means and 90 % intervals of 2 draws" in ran.out
    assert "2 runs draw 18 fitted constants" in ran.err
    assert "Whiskers" in (folder / "compare.html").read_text()
    [first, *_] = csv.DictReader(io.StringIO(cli(*base, "--format", "csv").out))
    low, time, high = (
        float(first[f"workloads.barrier.time{end}"]) for end in ("_low", "", "_high")
    )
    assert low < time < high


def test_compare_says_what_the_engine_leaves_out(cli: Callable[..., Ran], folder: Path) -> None:
    parts = "parts: {nic: {rate_mbps: 100000}, cable: {rate_mbps: 100000}}"
    (folder / "fast.yaml").write_text(f"{TORUS}\n{parts}\n")
    hosts = ("-w", "barrier", "-e", "flow", "--calibration", "linux-6-desktop")
    told = cli("compare", "fast.yaml", *hosts)
    assert "note: the flow engine does not model that queues.receive_frames = 256" in told.err
    assert "does not model that queues.receive_frames" in (folder / "compare.html").read_text()
    assert "does not model" not in cli("compare", "torus.yaml", *hosts).err
    assert "note:" not in cli("compare", "fast.yaml", *hosts, "-q").err


def test_compare_lists_what_is_left_out_once(cli: Callable[..., Ran], folder: Path) -> None:
    """Below the table, in the page, and on stderr for those who get neither table nor page."""
    base = ("compare", "--nodes", "16", "-w", "barrier", "-e", "analytic", "--calibration")
    hosts = "ideal-linux-6"
    line = "needs 15 ports per node, 'pentium-pro-200' has slots for 5"
    shown = cli(*base, hosts)
    assert shown.code == 0
    assert f"full-mesh: left out: {line}" in shown.out
    assert "left out" not in shown.err
    assert "slots for 5" in (folder / "compare.html").read_text()
    as_json = cli(*base, hosts, "--format", "json")
    assert "full-mesh" not in [row["architecture"] for row in json.loads(as_json.out)]
    assert f"note: full-mesh is left out: {line}\n" in as_json.err
    assert cli(*base, hosts, "--format", "json", "-q").err == ""


def test_compare_narrows_the_parts(cli: Callable[..., Ran]) -> None:
    base = ("compare", "-n", "24", "-c", "ethernet-2026", "-w", "barrier", "-e", "analytic", "-q")
    rows = json.loads(cli(*base, "--rate", "25g", "--ports", "2", "--format", "json").out)
    by_name = {row["architecture"]: row for row in rows}
    assert set(by_name) == {"direct", "switch", "tree", "p-mesh"}
    assert by_name["switch"]["parts"]["nic"] == "nic-25g-dual"
    shown = cli(*base, "--rate", "25G", "--format", "table").out
    assert "direct: parts chosen to fit: nic nic-25g-dual, cable dac-25g" in shown


def test_compare_says_where_latency_comes_from(cli: Callable[..., Ran]) -> None:
    base = ("compare", "--nodes", "4", "-e", "analytic", "-q")
    for workload, origin in (("barrier", "path model"), ("ping-pong", "ping-pong")):
        rows = json.loads(cli(*base, "-w", workload, "--format", "json").out)
        assert {(r["latency_origin"], r["bandwidth_origin"]) for r in rows} == {(origin, origin)}
        table = csv.DictReader(io.StringIO(cli(*base, "-w", workload, "--format", "csv").out))
        assert {row["latency_origin"] for row in table} == {origin}
        shown = cli(*base, "-w", workload, "--format", "table").out
        assert origin.split()[-1] in shown.partition("direct")[0], "a heading says it too"


def test_compare_goes_on_without_a_design_that_cannot_be_built(
    cli: Callable[..., Ran], folder: Path
) -> None:
    (folder / "slots.yaml").write_text("topology: {kind: full-mesh, nodes: 16}")
    ran = cli("compare", "slots.yaml", "torus.yaml", "none.yaml", "-w", "barrier", "-q")
    assert ran.code == 2
    assert "torus-2x2" in ran.out
    assert "slots.yaml: left out: node 'n00' needs 15 ports" in ran.out
    assert "error: 'slots.yaml' is left out: node 'n00' needs 15 ports" in ran.err
    assert "error: 'none.yaml' is left out: design file 'none.yaml' cannot be read" in ran.err
    assert "slots.yaml" in (folder / "compare.html").read_text()


def test_compare_takes_designs(cli: Callable[..., Ran]) -> None:
    rows = json.loads(cli("compare", "torus.yaml", "-w", "barrier", "--format", "json").out)
    assert [row["architecture"] for row in rows] == ["torus-2x2"]


def test_plan_writes_a_folder(cli: Callable[..., Ran], folder: Path) -> None:
    ran = cli("plan", "torus.yaml", "-o", "out")
    assert (ran.code, ran.out) == (0, "")
    assert (folder / "out" / "cables.csv").is_file()
    again = cli("plan", "torus.yaml", "-o", "out", "--format", "json", "--quiet")
    assert json.loads(again.out) == json.loads((folder / "out" / "summary.json").read_text())
    assert again.err == ""


def test_plan_leaves_a_strangers_folder_alone(cli: Callable[..., Ran], folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "diary.txt").write_text("mine")
    ran = cli("plan", "torus.yaml", "-o", "out")
    assert ran.code == 4
    assert "--force" in ran.err
    assert [path.name for path in (folder / "out").iterdir()] == ["diary.txt"]
    assert cli("plan", "torus.yaml", "-o", "out", "--force").code == 0


def test_check_writes_a_page_and_prints_the_findings(cli: Callable[..., Ran], folder: Path) -> None:
    ran = cli("check", "torus.yaml", "-o", "torus.html")
    assert ran.code == 0
    assert "torus-2x2" in ran.out
    assert ran.err == "wrote torus.html\n"
    text = (folder / "torus.html").read_text()
    assert text.startswith("<!doctype html>")
    assert text.count("data-device=") >= 4


def test_check_in_every_form(cli: Callable[..., Ran]) -> None:
    assert cli("check", "torus.yaml").code == 0
    found = json.loads(cli("check", "torus.yaml", "--format", "json").out)
    assert list(found) == ["findings", "rerouting"]
    findings = found["findings"]
    assert [kind["kind"] for kind in found["rerouting"]["kinds"]] == ["cable", "nic", "node"]
    assert len(found["rerouting"]["impacts"]) == 4 + 8 + 4
    assert all(list(one) == ["severity", "place", "rule", "reason", "fix"] for one in findings)
    table = list(csv.DictReader(io.StringIO(cli("check", "torus.yaml", "--format", "csv").out)))
    assert table == findings


def test_check_tries_the_failures_that_are_asked_for(
    cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "failure of" in cli("check", "torus.yaml").out
    assert "failure of" not in cli("check", "torus.yaml", "--failures", "none").out
    asked = ("check", "torus.yaml", "--failures", "pairs:cable", "--format", "json")
    assert len(json.loads(cli(*asked).out)["rerouting"]["impacts"]) == 6
    limits = sys.modules["linkwright.plan.resilience"]
    monkeypatch.setattr(limits, "MOST_WALKS", 0)
    assert "count them with --return-paths" in cli("check", "torus.yaml").out
    assert "rp_filter" in cli("check", "torus.yaml", "--return-paths").out
    monkeypatch.setattr(limits, "MOST_PROVED_NODES", 3)
    ran = cli("check", "torus.yaml", "--format", "json")
    assert (ran.code, json.loads(ran.out)["rerouting"]) == (0, None)
    assert ran.err.startswith("failures were not tried: the pairs of 4 nodes")


def test_check_ends_with_1_when_a_finding_is_an_error(cli: Callable[..., Ran]) -> None:
    ran = cli("check", "torus.yaml", "--lan", "10.0.0.0/8")
    assert ran.code == 1
    assert "error" in ran.out
    assert ran.err == ""


def test_simulate_with_faults(
    cli: Callable[..., Ran], folder: Path, golden: Callable[[str, str], None]
) -> None:
    (folder / "faults.txt").write_text("nic:n3:eth0 corrupt 1e-6  # a bad card\n")
    fault = ("--fault", "cable:0 down at 5ms up at 300ms", "--fault-file", "faults.txt")
    ran = cli("simulate", "torus.yaml", "-w", "shift", *fault, "--seed", "1", "--format", "csv")
    assert ran.code == 0
    assert ran.err.startswith("note: TCP time-outs dominate shift: during 3.2 s of 3.55 s")
    unrepeatable = ("wall_s", "peak_rss_bytes")
    rows = [
        row for row in csv.DictReader(io.StringIO(ran.out)) if row["metric"] not in unrepeatable
    ]
    kept = (f"{row['metric']} {row['value']} {row['parameters']}\n" for row in rows)
    golden("cli/simulate-faults.txt", "".join(kept))


def test_simulate_with_a_background(cli: Callable[..., Ran], folder: Path) -> None:
    (folder / "served.yaml").write_text(TORUS + "\nfront_end: true")
    options = ("--background", "keep-alive", "--background-set", "spacing_s=0.25")
    ran = cli("simulate", "served.yaml", "-w", "barrier", *options, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    condition = {
        "workload": "keep-alive",
        "protocol": "udp",
        "spacing_s": 0.25,
        "size_bytes": 64,
    }
    assert all(row["parameters"]["background"] == condition for row in json.loads(ran.out))


def test_simulate_gives_rows_of_the_schema(cli: Callable[..., Ran], folder: Path) -> None:
    base = ("simulate", "torus.yaml", "-w", "ping-pong", "--set", "size_bytes=1,4K", "--seed", "7")
    rows = json.loads(cli(*base, "--format", "json").out)
    assert all(tuple(row) == COLUMNS for row in rows)
    assert {row["seed"] for row in rows} == {7}
    assert {(row["kind"], row["shape"], row["nodes"]) for row in rows} == {("torus", "2x2", 4)}
    latency = [row for row in rows if row["metric"] == "latency"]
    assert [row["parameters"]["size_bytes"] for row in latency] == [1, 4096]
    assert cli(*base, "-o", "r.csv", "--quiet").out == ""
    assert (folder / "r.csv").read_text().startswith("run,study,design")


ROWS_AS_PARQUET = [
    ("simulate", "torus.yaml", "-w", "barrier"),
    ("saturate", "torus.yaml", "-p", "uniform"),
    ("reproduce", "PMESH-1998/2"),
]


@pytest.mark.parametrize("command", ROWS_AS_PARQUET, ids=lambda command: command[0])
def test_rows_are_written_as_parquet(
    cli: Callable[..., Ran], folder: Path, command: tuple[str, ...]
) -> None:
    rows = json.loads(cli(*command, "--format", "json").out)
    ran = cli(*command, "-o", "r.parquet")
    assert (ran.out, "wrote r.parquet" in ran.err) == ("", True)
    found = load(folder / "r.parquet")
    assert [row["metric"] for row in rows] == list(found.column("metric"))
    assert [row["nodes"] for row in rows] == list(found.column("nodes"))
    assert not list(folder.glob("*.manifest.json"))
    commands = [one.command for one in found.manifests]
    assert all(commands), "the manifests name the command line"
    assert commands or command[0] == "reproduce"


@pytest.mark.parametrize("command", ROWS_AS_PARQUET, ids=lambda command: command[0])
def test_parquet_without_its_library_is_refused_at_once(
    cli: Callable[..., Ran],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = cli(*command, "-o", "r.parquet")
    assert ran.code == CapabilityError.exit_code
    assert "Parquet files need PyArrow" in ran.err
    assert "pip install pyarrow" in ran.err
    assert not (folder / "r.parquet").exists()


def test_answers_that_are_no_rows_have_no_parquet(cli: Callable[..., Ran]) -> None:
    ran = cli("check", "torus.yaml", "-o", "r.parquet")
    assert ran.code == UsageError.exit_code
    assert "the suffix '.parquet' names no format" in ran.err


def test_simulate_repeats_with_the_seeds_that_follow(cli: Callable[..., Ran]) -> None:
    ran = cli("simulate", "torus.yaml", "-w", "barrier", "--repeat", "3", "--format", "json")
    rows = json.loads(ran.out)
    assert {(row["repeat"], row["seed"]) for row in rows} == {(0, 1), (1, 2), (2, 3)}


def test_simulate_draws_the_constants_of_hosts(cli: Callable[..., Ran], folder: Path) -> None:
    (folder / "pair.yaml").write_text(
        "{name: pair, topology: {kind: direct}, parts: {catalogue: whitney-1997}}"
    )
    base = ("simulate", "pair.yaml", "-w", "ping-pong", "--set", "size_bytes=1", "--draws", "3")
    ran = cli(*base)
    assert "3 draws" in ran.out
    assert "90% interval" in ran.out
    assert "draw 18 fitted constants" in ran.err
    rows = json.loads(cli(*base, "--seed", "7", "--format", "json").out)
    assert {(row["parameters"]["draw"], row["seed"]) for row in rows} == {(1, 7), (2, 8), (3, 9)}
    assert "give repeats or draws" in cli(*base, "--repeat", "2").err


def test_simulate_runs_several_seeds_where_chance_matters(
    cli: Callable[..., Ran], folder: Path
) -> None:
    (folder / "hub.yaml").write_text("{name: hub, topology: {kind: hub, nodes: 4}}")
    base = ("simulate", "hub.yaml", "-w", "npb.lu", "--set", "class=S", "--set", "iterations=8")
    assert "4 runs" in cli(*base).out
    rows = json.loads(cli(*base, "--format", "json").out)
    assert {(row["repeat"], row["seed"]) for row in rows} == {(0, 1), (1, 2), (2, 3), (3, 4)}
    rows = json.loads(cli(*base, "--seed", "2", "--format", "json").out)
    assert {(row["repeat"], row["seed"]) for row in rows} == {(0, 2)}


def test_saturate_says_where_each_pattern_is_full(cli: Callable[..., Ran]) -> None:
    rows = json.loads(cli("saturate", "torus.yaml", "--format", "json").out)
    found = {row["workload"]: row for row in rows if row["metric"] == "saturation_throughput"}
    assert list(found) == list(PATTERNS)
    assert all(row["value"] > 0 and row["parameters"]["bottleneck"] for row in found.values())


def test_saturate_takes_one_pattern_with_its_settings(cli: Callable[..., Ran]) -> None:
    grid = ("saturate", "torus.yaml", "-p", "neighbour", "--set", "shape=2,2", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(cli(*grid).out)))
    loads = [float(row["value"]) for row in rows if row["metric"] == "busiest_link_load"]
    assert loads == [0.5]
    refused = cli("saturate", "torus.yaml", "--set", "shape=2,2")
    assert refused.code == 2
    assert "--pattern" in refused.err


def test_goal_writes_what_goal_reads(cli: Callable[..., Ran], folder: Path) -> None:
    barrier = ("-w", "barrier", "--set", "repeats=1", "--set", "warm_up=1")
    on_stdout = cli("goal", "-n", "4", *barrier)
    assert on_stdout.out.startswith("num_ranks 4\n\nrank 0 {\nl1: ")
    assert cli("goal", "torus.yaml", *barrier, "-o", "x.goal").code == 0
    text = (folder / "x.goal").read_text(encoding="utf-8")
    assert text.startswith("num_ranks ")
    ran = cli("simulate", "torus.yaml", "-w", "goal", "--set", "file=x.goal", "--format", "json")
    assert {row["metric"] for row in json.loads(ran.out)} >= {"time", "time_mean"}


def test_goal_says_where_the_recorder_is(cli: Callable[..., Ran]) -> None:
    source = Path(cli("goal", "--recorder").out.strip())
    assert "through the profiling interface of MPI" in source.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-n", "4"), ("workload", "--workload")),
        (("-w", "barrier"), ("number of nodes", "--ranks")),
        (("torus.yaml", "-n", "4", "-w", "barrier"), ("number of nodes", "--ranks")),
        (("-n", "4", "-w", "datagrams"), ("datagrams", "another workload")),
        (("-n", "4", "-w", "goal"), ("no GOAL file", "file=trace.goal")),
    ],
)
def test_goal_refuses_with_a_remedy(
    cli: Callable[..., Ran], arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    ran = cli("goal", *arguments)
    assert ran.code == 2
    assert all(word in ran.err for word in words), ran.err


def test_simulate_writes_a_page_that_plays_the_run(cli: Callable[..., Ran], folder: Path) -> None:
    ran = cli("simulate", "torus.yaml", "-w", "barrier", "-o", "run.html", "--quiet")
    assert ran.code == 0, ran.err
    assert "simulated time" in ran.out, "the table is shown beside the page"
    page = (folder / "run.html").read_text()
    assert "<h1>barrier on" in page
    assert "linkwright" in page
    assert not (folder / "run.manifest.json").exists()


@pytest.mark.parametrize("engine", ["flow", "analytic"])
def test_an_engine_that_no_page_has_gives_the_page_of_its_run(
    engine: str, folder: Path, cli: Callable[..., Ran]
) -> None:
    ran = cli("simulate", "torus.yaml", "-w", "barrier", "--engine", engine, "-o", "run.html")
    assert ran.code == 0, ran.err
    page = (folder / "run.html").read_text()
    assert f"predicted by the {engine} engine; hosts " in page
    assert '<svg class="topology"' in page


def test_simulate_traces_packets(cli: Callable[..., Ran], folder: Path) -> None:
    ran = cli("simulate", "torus.yaml", "-w", "barrier", "--trace", "barrier.pcapng", "--quiet")
    assert ran.code == 0
    assert (folder / "barrier.pcapng").read_bytes()[:4] == b"\x0a\x0d\x0d\x0a"


def test_reproduce_shows_printed_beside_ours(cli: Callable[..., Ran]) -> None:
    ran = cli("reproduce", "PMESH-1998/3")
    assert ran.code == 0
    assert "agrees" in ran.out
    rows = json.loads(cli("reproduce", "PMESH-1998/3", "--format", "json").out)
    assert {row["origin"] for row in rows} == {"printed", "predicted"}


def test_reproduce_shows_what_has_no_number_and_judges_words(cli: Callable[..., Ran]) -> None:
    ran = cli("reproduce", "STACK-2001/forwarding")
    assert ran.code == 0
    assert "without a printed number" in ran.out
    assert "holds" in ran.out
    assert ran.err == ""


def test_reproduce_ends_with_how_much_differs(cli: Callable[..., Ran]) -> None:
    ran = cli("reproduce", "NAS-97-025/collectives")
    assert ran.code == 0
    lines = ran.err.strip().splitlines()
    assert "1 of 5 printed numbers differ" in lines
    assert lines[-1] == "all are known: docs/design/papers.md has the reasons"
    assert max(map(len, (line.rstrip() for line in ran.out.splitlines()))) <= 80
    assert cli("reproduce", "NAS-97-025/collectives", "--quiet").err == ""


def test_reproduce_fails_where_something_new_differs(
    cli: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linkwright.papers.known.known_differences", lambda _: ())
    ran = cli("reproduce", "NAS-97-025/collectives")
    assert ran.code == 1
    assert "not known before: NAS-97-025/collectives broadcast-25, +16.2%" in ran.err
    assert "not known before: NAS-97-025/collectives barrier-torus-over-switch\n" in ran.err


def test_quick_says_so(cli: Callable[..., Ran]) -> None:
    key = "NAS-97-017/ping-pong"
    assert cli("reproduce", key, "--quick").out.startswith("quick: long runs were shortened")
    assert "quick" not in cli("reproduce", key).out
    rows = json.loads(cli("reproduce", key, "--quick", "--format", "json").out)
    assert all(
        row["parameters"].get("quick", False) == (row["origin"] == "predicted") for row in rows
    )


def test_list_names_what_there_is(cli: Callable[..., Ran]) -> None:
    kinds = ["topologies", "parts", "catalogues", "workloads", "calibrations", "engines", "papers"]
    for kind in [*kinds, "stacks"]:
        ran = cli("list", kind, "--format", "json")
        assert ran.code == 0
        assert json.loads(ran.out)
    assert "whitney-1997" not in cli("list", "parts", "--catalogue", "whitney-1998").out


def test_list_parts_shows_ports_and_slots(cli: Callable[..., Ran]) -> None:
    ran = cli("list", "parts", "--catalogue", "ethernet-2026", "--format", "json")
    shown = {one["part"]: (one["ports"], one["slots"]) for one in json.loads(ran.out)}
    assert shown["dgx-spark"] == ("1 nic-dgx-spark, 1 nic-10g-onboard", "none")
    assert shown["desktop-pc"] == ("", "1 x pcie 4.0 x16, 2 x pcie 4.0 x4 (x16 long)")
    assert shown["nic-dgx-spark"] == ("2 x qsfp 200 Gb/s", "built in")
    assert shown["nic-100g-dual"] == ("2 x qsfp 100 Gb/s", "pcie 3.0 x16")


def test_more_cables_than_ports_are_an_error(cli: Callable[..., Ran], tmp_path: Path) -> None:
    """A computer of this class has two ports of 200 Gb/s in all."""
    design = tmp_path / "quartet.yaml"
    design.write_text(
        "topology: {kind: full-mesh, nodes: 4}\n"
        "parts: {catalogue: ethernet-2026, node: dgx-spark, nic: nic-dgx-spark, cable: dac-200g}\n",
        encoding="utf-8",
    )
    checked = cli("check", str(design), "--format", "json")
    assert checked.code == 1
    findings = json.loads(checked.out)["findings"]
    [error] = [one for one in findings if one["severity"] == "error"]
    assert (error["rule"], error["place"]) == ("nic-slots", "n0")
    refused = cli("plan", str(design), "-o", str(tmp_path / "plan"))
    assert refused.code == 2
    assert "has 2 built in and no free slot" in refused.err
    assert not (tmp_path / "plan").exists()


def test_quiet_is_quiet(cli: Callable[..., Ran]) -> None:
    assert cli("compare", "--nodes", "2", "-w", "barrier", "--quiet").err == ""


def test_simulate_changes_constants_and_says_which_it_had(
    cli: Callable[..., Ran], tmp_path: Path
) -> None:
    design = tmp_path / "pair.yaml"
    design.write_text("{name: pair, topology: {kind: direct}}", encoding="utf-8")
    run = ("simulate", str(design), "-w", "ping-pong", "--set", "size_bytes=4000")
    rows = tmp_path / "rows.json"
    assert cli(*run, "--host", "tcp.initial_window=1", "-o", str(rows)).code == 0
    [manifest] = json.loads((tmp_path / "rows.manifest.json").read_text(encoding="utf-8"))
    [(name, hosts)] = manifest["hosts"].items()
    assert name == json.loads(rows.read_text(encoding="utf-8"))[0]["calibration"]
    assert hosts["tcp.initial_window"] == {"value": 1, "origin": "set by the user"}
    assert hosts["host.forward"]["us"] == 28.35
    wrong = cli(*run, "--host", "tcp.initial_windov=1")
    assert wrong.code == 2
    assert "did you mean 'tcp.initial_window'" in wrong.err


CALIBRATE = ("calibrate", "486dx4-100-linux-1.2", "--free", "messages.take.us")


def test_calibrate_says_what_is_fixed(cli: Callable[..., Ran]) -> None:
    ran = cli(*CALIBRATE)
    assert ran.code == 0
    assert "1 constants from 2 targets" in ran.out
    assert "local wire" in ran.out
    assert "the targets fix " in ran.out


def test_calibrate_writes_a_calibration_that_can_be_used(
    cli: Callable[..., Ran], folder: Path
) -> None:
    ran = cli(*CALIBRATE, "-o", "mine.toml")
    assert ran.err == "wrote mine.toml\n"
    assert "local wire" in ran.out
    assert "fit [targets/486dx4-100-linux-1.2]: us from 80" in (folder / "mine.toml").read_text()
    used = cli("simulate", "torus.yaml", "-w", "barrier", "--calibration", "mine.toml")
    assert used.code == 0


def test_calibrate_draws_constants_that_are_kept(cli: Callable[..., Ran], folder: Path) -> None:
    assert cli(*CALIBRATE, "--keep", "--draws", "3", "-o", "mine.toml", "-q").code == 0
    written = tomllib.loads((folder / "mine.toml").read_text())
    assert list(written.pop("draws")) == ["messages.take.us"]
    shipped = tomllib.loads(calibrations.text_of(CALIBRATE[1]))
    del shipped["draws"]
    assert written == shipped
    base = ("simulate", "torus.yaml", "-w", "barrier", "--calibration", "mine.toml")
    assert "mean of" in cli(*base, "--draws", "2").out
    assert "has 3 draws, not 4" in cli(*base, "--draws", "4").err


def test_calibrate_for_other_programs(cli: Callable[..., Ran]) -> None:
    record = json.loads(cli(*CALIBRATE, "--format", "json").out)
    (constant,) = record["constants"]
    assert constant["constant"] == "messages.take.us"
    assert record["correlations"] == [[1.0]]
    rows = list(csv.DictReader(io.StringIO(cli(*CALIBRATE, "--format", "csv").out)))
    assert [row["metric"] for row in rows] == ["throughput", "ratio"]
    assert float(rows[0]["predicted"]) == record["targets"][0]["predicted"]
