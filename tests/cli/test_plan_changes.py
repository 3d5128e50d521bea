"""`plan --without` and `plan --diff` through the door that users take, and how they refuse.

That what is left is planned rightly is a law, and stands with the laws.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from linkwright.cli import run

MESH = """topology: {{kind: p-mesh, shape: [{0}, {0}], lines_per_switch: 1}}
parts: {{catalogue: whitney-1998}}
addressing: {{grow_to: 6}}
"""
TABLES = ["bom.csv", "cables.csv", "devices.csv", "hosts.csv", "interfaces.csv"]

Cli = Callable[..., "Ran"]


class Ran:
    """The outcome of one command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def changes(self) -> list[dict[str, str]]:
        """The changes on stdout, when --format csv asked for them."""
        return list(csv.DictReader(io.StringIO(self.out)))


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    monkeypatch.chdir(tmp_path)
    for side in (4, 6):
        (tmp_path / f"mesh{side}.yaml").write_text(MESH.format(side))
    (tmp_path / "tree.yaml").write_text("topology: {kind: tree, leaves: 2, nodes_per_leaf: 2}")

    def call(*arguments: str) -> Ran:
        code = run(arguments)
        return Ran(code, *capsys.readouterr())

    return call


def test_without_a_switch_only_the_routes_change(cli: Cli, tmp_path: Path) -> None:
    assert cli("plan", "mesh4.yaml", "-o", "whole").code == 0
    ran = cli("plan", "mesh4.yaml", "--without", "x2", "-o", "left")
    assert ran.code == 0
    assert ran.err == "wrote 10 files into left\n"
    whole, left = tmp_path / "whole", tmp_path / "left"
    for name in TABLES:
        assert (whole / name).read_bytes() == (left / name).read_bytes()
    summary = json.loads((left / "summary.json").read_text())
    assert (summary["without"], summary["disconnected"]) == (["x2"], [])
    assert summary["counts"]["switches"] == 8
    changes = (left / "changes.csv").read_text().splitlines()
    header = "node,change,destination,via,nic,metric,src,old_via,old_nic,old_metric,old_src"
    assert changes[0] == header
    assert any(line.startswith("n08,") for line in changes)
    assert [line.split()[0] for line in ran.out.splitlines() if line.startswith(" n")] == [
        "node",
        *(f"n{node:02}" for node in range(16)),
    ]


def test_the_change_back_is_the_reverse(cli: Cli) -> None:
    cli("plan", "mesh4.yaml", "-o", "whole")
    there = cli("plan", "mesh4.yaml", "--without", "x2,n05:eth1", "-o", "left", "--format", "csv")
    back = cli("plan", "mesh4.yaml", "--diff", "left", "--format", "csv")
    assert (back.code, back.err) == (0, "")
    assert len(there.changes) > 20
    swapped = {"add": "remove", "remove": "add", "replace": "replace"}
    reverse = [
        {**one, "change": swapped[one["change"]], "old": one["new"], "new": one["old"]}
        for one in back.changes
    ]
    assert reverse == there.changes
    as_json = cli("plan", "mesh4.yaml", "--diff", "left", "--format", "json")
    assert json.loads(as_json.out) == back.changes
    assert "nothing to change" in cli("plan", "mesh4.yaml", "--diff", "whole").out


def test_disconnected_nodes_are_listed_and_the_rest_is_planned(cli: Cli, tmp_path: Path) -> None:
    ran = cli("plan", "tree.yaml", "--without", "sw1", "--without", "n0", "-o", "left", "-q")
    assert (ran.code, ran.err) == (0, "disconnected: n2, n3\n")
    summary = json.loads((tmp_path / "left" / "summary.json").read_text())
    assert (summary["without"], summary["disconnected"]) == (["sw1", "n0"], ["n2", "n3"])
    check = cli("check", "tree.yaml", "--without", "sw1,n0", "--format", "json")
    assert check.code == 1
    lost = [
        one["place"] for one in json.loads(check.out)["findings"] if one["rule"] == "disconnected"
    ]
    assert lost == ["n2", "n3"]


def test_check_of_what_is_left_finds_no_fault(cli: Cli) -> None:
    ran = cli("check", "mesh4.yaml", "--without", "x2,n05:eth1", "--format", "json")
    assert ran.code == 0
    assert {one["rule"] for one in json.loads(ran.out)["findings"]} <= {
        "forwarding-load",
        "uneven-load",
        "return-path",
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--without", "n5"], ["no part 'n5'", "did you mean n05?", "cables.csv"]),
        (["--without", "n05:eth7"], ["n05", "eth7", "eth0, eth1"]),
        (["--without", "x1:p0"], ["no part 'x1:p0'"]),
        (["--without", "nod05"], ["did you mean", "n05"]),
        (["--without", "x1,"], ["no part ''"]),
    ],
)
def test_a_part_that_is_unknown_is_refused(
    cli: Cli, arguments: list[str], words: list[str]
) -> None:
    ran = cli("plan", "mesh4.yaml", "-o", "left", *arguments)
    assert ran.code == 2
    assert all(word in ran.err for word in words), ran.err
    assert not Path("left").exists()


@pytest.mark.parametrize("command", [("check",), ("plan", "-o", "left")])
def test_what_has_no_node_any_more_is_refused(cli: Cli, command: tuple[str, ...]) -> None:
    ran = cli(command[0], "tree.yaml", *command[1:], "--without", "n0,n1,n2,n3")
    assert ran.code == 2
    assert "no node of 'tree-4' survives these failures" in ran.err
    assert "at least one node must survive" in ran.err
    assert ran.out == ""
    assert not Path("left").exists()


def test_a_node_that_is_left_alone_is_found(cli: Cli) -> None:
    ran = cli("check", "tree.yaml", "--without", "n0,n1,n3", "--format", "csv")
    assert ran.code == 1
    assert [row["rule"] for row in ran.changes] == ["alone", "lag"]


def test_a_cable_of_a_stack_is_refused(cli: Cli) -> None:
    Path("stack.yaml").write_text("topology: {kind: hub, nodes: 5, stack_units: 2}")
    assert cli("plan", "stack.yaml", "--without", "hub0.1", "-o", "left").code == 0
    ran = cli("plan", "stack.yaml", "--without", "c5", "-o", "stack")
    assert ran.code == 2
    assert "two units of a stack" in ran.err


def test_explicit_routes_are_not_planned_anew(cli: Cli) -> None:
    cli("plan", "mesh4.yaml", "-o", "whole")
    explicit = "routing: {scheme: explicit, table: whole/routes.csv}"
    Path("explicit.yaml").write_text(MESH.format(4) + explicit)
    assert cli("plan", "explicit.yaml", "-o", "same").code == 0
    ran = cli("plan", "explicit.yaml", "--without", "x2", "-o", "left")
    assert ran.code == 2
    assert "cannot be recomputed" in ran.err


def test_what_is_too_large_to_plan_anew_is_refused(cli: Cli) -> None:
    Path("large.yaml").write_text("topology: {kind: p-mesh, shape: [100, 100]}")
    ran = cli("plan", "large.yaml", "--without", "x02", "-o", "left")
    assert ran.code == 2
    assert "p-mesh-100x100 without the failed parts cannot be routed" in ran.err
    assert "dimension-order" not in ran.err


def test_growth_changes_no_interface_of_the_nodes_that_are_there(cli: Cli) -> None:
    cli("plan", "mesh4.yaml", "-o", "small")
    before = {path.name: path.read_bytes() for path in Path("small").iterdir()}
    ran = cli("plan", "mesh6.yaml", "--diff", "small", "--format", "csv")
    assert ran.code == 0
    assert {path.name: path.read_bytes() for path in Path("small").iterdir()} == before
    renamed = {one["new"] for one in ran.changes if one["change"] == "rename"}
    assert "n06" in renamed  # the node at 1 0, which was n04
    new = {
        one["device"]
        for one in ran.changes
        if (one["table"], one["change"]) == ("devices", "add") and one["new"].startswith("node")
    }
    assert len(new) == 36 - 16
    interfaces = [one for one in ran.changes if one["table"] == "interfaces"]
    assert {one["device"] for one in interfaces} == new
    assert {one["change"] for one in interfaces} == {"add"}
    cables = [one for one in ran.changes if one["table"] == "cables"]
    assert {one["change"] for one in cables} == {"add"}
    assert len(cables) == 2 * (36 - 16)
    routes = {
        (one["change"], one["device"] in new) for one in ran.changes if one["table"] == "routes"
    }
    assert ("add", False) in routes
    assert ("remove", False) not in routes


def test_what_is_replugged_is_named_once(cli: Cli, tmp_path: Path) -> None:
    cli("plan", "tree.yaml", "-o", "small")
    cables = (tmp_path / "small" / "cables.csv").read_text()
    moved = cables.replace(",sw0,p1,", ",sw0,p9,")
    assert moved != cables
    (tmp_path / "small" / "cables.csv").write_text(moved)
    ran = cli("plan", "tree.yaml", "--diff", "small", "--format", "csv")
    (change,) = ran.changes
    assert (change["table"], change["change"]) == ("cables", "move")
    assert ("sw0:p9" in change["old"], "sw0:p1" in change["new"]) == (True, True)
    assert "sw0:p9" in cli("plan", "tree.yaml", "--diff", "small").out


def test_a_folder_to_compare_with_must_be_a_plan(cli: Cli, tmp_path: Path) -> None:
    ran = cli("plan", "mesh4.yaml", "--diff", "nowhere")
    assert (ran.code, "there is no such folder" in ran.err) == (2, True)
    cli("plan", "mesh4.yaml", "-o", "old")
    (tmp_path / "old" / "routes.csv").write_text("node,destination,via,nic\n")
    ran = cli("plan", "mesh4.yaml", "--diff", "old")
    assert (ran.code, "routes.csv has no column 'metric'" in ran.err) == (2, True)
    (tmp_path / "old" / "routes.csv").unlink()
    ran = cli("plan", "mesh4.yaml", "--diff", "old")
    assert (ran.code, "it has no routes.csv" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("table", "line", "said"),
    [
        (
            "routes.csv",
            "garbage,10.0.0.0/8,10.0.0.1,eth0,1,",
            "line 2 of routes.csv names 'garbage'",
        ),
        ("routes.csv", "n00,10.0.0.0/8", "line 2 of routes.csv is cut short"),
        ("hosts.csv", ",10.0.0.1,n00", "line 2 of hosts.csv names ''"),
        ("cables.csv", "c0,n00,eth0,nobody,p0,straight,100,", "names 'nobody', which is no device"),
        ("devices.csv", "x0,switch,,switch,4,,chassis9", "names 'chassis9', which is no device"),
    ],
)
def test_a_plan_that_was_damaged_is_refused(
    cli: Cli, tmp_path: Path, table: str, line: str, said: str
) -> None:
    cli("plan", "mesh4.yaml", "-o", "old")
    old = tmp_path / "old" / table
    header, *lines = old.read_text().splitlines()
    old.write_text("\n".join([header, line, *lines]))
    ran = cli("plan", "mesh4.yaml", "--diff", "old")
    assert (ran.code, said in ran.err, "hint: write it again" in ran.err) == (2, True, True)


@pytest.mark.parametrize("without", [[], ["--without", "x2"]])
def test_the_folder_has_the_routes_of_the_list(
    cli: Cli, tmp_path: Path, without: list[str]
) -> None:
    """Both lists are of the changes from the earlier plan, with failed parts too."""
    cli("plan", "mesh4.yaml", "-o", "old")
    ran = cli(
        *("plan", "mesh6.yaml", *without, "--diff", "old", "-o", "new", "--force"),
        *("--format", "csv"),
    )
    with (tmp_path / "new" / "changes.csv").open(encoding="utf-8") as file:
        written = list(csv.DictReader(file))
    listed = [row for row in ran.changes if row["table"] == "routes"]
    assert [(row["node"], row["change"], row["destination"]) for row in written] == [
        (row["device"], row["change"], row["what"]) for row in listed
    ]
    for row, one in zip(written, listed, strict=True):
        for old_or_new, prefix in ((one["old"], "old_"), (one["new"], "")):
            named = [row[f"{prefix}{name}"] for name in ("nic", "metric", "src")]
            assert all(word in old_or_new.split() for word in named if word)
            assert bool(old_or_new) == bool(row[f"{prefix}nic"])


def test_the_old_plan_is_not_written_into(cli: Cli, tmp_path: Path) -> None:
    cli("plan", "mesh4.yaml", "-o", "old")
    before = sorted((tmp_path / "old").iterdir())
    for place in ("old", "old/new", "./old/../old"):
        ran = cli("plan", "mesh6.yaml", "--diff", "old", "-o", place, "--force")
        assert (ran.code, "stays as it is" in ran.err) == (2, True)
    assert sorted((tmp_path / "old").iterdir()) == before
    assert cli("plan", "mesh6.yaml", "--diff", "old", "-o", "new").code == 0
    assert (tmp_path / "new" / "routes.csv").is_file()
    ran = cli("plan", "mesh6.yaml", "--diff", "new", "--format", "csv")
    assert ran.changes == []


def test_there_must_be_somewhere_to_write(cli: Cli) -> None:
    ran = cli("plan", "mesh4.yaml")
    assert (ran.code, "--output DIR" in ran.err) == (2, True)
