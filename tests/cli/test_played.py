"""Runs behind the buttons of `check` and `compare`: where there is none, the page says why and what
to do, and the work on them is shown as progress.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.views.sample import manifest, of_designs

from linkwright.cli import run
from linkwright.cli.played import played_check, played_comparison
from linkwright.comparison import ArchitectureComparison
from linkwright.design.cluster import Cluster
from linkwright.network import compile as compile_network
from linkwright.observations import observation
from linkwright.plan import check
from linkwright.views.check_page import check_page
from linkwright.views.report import comparison_page
from linkwright.workloads import Broadcast, PingPong, Workload

SMALL, LARGE = "{kind: ring, shape: [4]}", "{kind: torus, shape: [9, 9]}"
BROADCAST = Broadcast(repeats=1)
Steps = list[tuple[int, int, str]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with two designs."""
    monkeypatch.chdir(tmp_path)
    for name, topology in (("small", SMALL), ("large", LARGE)):
        Path(f"{name}.yaml").write_text(f"name: {name}\ntopology: {topology}\n")
    return tmp_path


def designs(*names: str, **changes: Any) -> ArchitectureComparison:
    """Return a comparison of designs, whose measurements are made up."""
    found = of_designs(*(Cluster.load(f"{name}.yaml") for name in names))
    return replace(found, calibration="ideal-reno", **changes)


def page_of(found: ArchitectureComparison, *workloads: Workload) -> tuple[str, Steps]:
    """Return the page of a comparison, and the progress while its runs were made."""
    told: Steps = []
    played = played_comparison(
        found, workloads, manifest(), lambda n_done, n_all, last: told.append((n_done, n_all, last))
    )
    return comparison_page(found, manifest(), played=played), told


def test_each_run_of_a_comparison_is_told() -> None:
    text, told = page_of(designs("small", "small"), BROADCAST)
    assert told == [(place, 2, "playing broadcast: small") for place in (0, 1)]
    assert text.count('data-played="') == 2
    assert "not-played" not in text


@pytest.mark.parametrize(
    ("workload", "engine", "reason"),
    [
        (BROADCAST, "flow", "The flow engine has no frames to play; leave out --engine"),
        (PingPong(repeats=1), "packet", "add -w broadcast to play runs"),
    ],
)
def test_a_comparison_without_runs_says_why(workload: Workload, engine: str, reason: str) -> None:
    text, told = page_of(designs("small", engine=engine), workload)
    assert text.count(reason) == 1
    assert told == []
    assert 'id="played-data"' not in text


def test_many_networks_are_not_played() -> None:
    text, told = page_of(designs(*["small"] * 9), BROADCAST)
    assert (
        text.count("Runs are played for 8 networks at most, and here are 9; leave out --all") == 1
    )
    assert told == []


def test_the_network_without_a_run_says_why_beside_its_drawing() -> None:
    text, _ = page_of(designs("small", "large"), BROADCAST)
    assert text.count('data-played="') == 1
    reason = "Runs are played here up to 64 nodes; for more, use linkwright simulate DESIGN"
    assert text.count(reason) == 1
    assert text.index('id="drawing-1"') < text.index(reason) < text.index('id="prices"')


def test_a_run_that_is_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observation, "MOST_HOPS", 20)
    text, _ = page_of(designs("small"), Broadcast(size_bytes=1_000_000, repeats=20))
    assert "Run of broadcast not played: the run puts more than 20 frames on wires" in text
    assert 'data-played="' not in text


def test_a_check_says_why_nothing_is_played() -> None:
    def page(name: str) -> str:
        built, made = compile_network(Cluster.load(f"{name}.yaml")), manifest()
        played = played_check(built, made, lambda *_: None)
        return check_page(built, check(built), None, made, played=played)

    assert "Play a broadcast" in page("small")
    assert "Runs are played here up to 64 nodes" in page("large")


def test_a_network_that_is_cut_says_why_nothing_is_played() -> None:
    arguments = ["check", "small.yaml", "--without", "n0,n2", "-o", "cut.html", "--quiet"]
    assert run(arguments) == 1
    assert "Run of broadcast not played: " in Path("cut.html").read_text()
