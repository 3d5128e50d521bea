"""Tables of the terminal: complete at every width, and never read as markup.

The comparison shown is made up in sample.py.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from rich.console import Console, RenderableType
from tests.views.sample import comparison, of_draws

from linkwright.plan import Finding, Severity
from linkwright.results import Result, Row
from linkwright.views.result_table import result_table
from linkwright.views.tables import (
    comparison_table,
    findings_table,
    listing_table,
)

ARCHITECTURES = ["direct", "hub", "switch", "torus 4x4", "tree", "p-mesh 4x4", "full-mesh"]


def text_of(table: RenderableType, width: int = 160) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def test_the_comparison(golden: Callable[[str, str], None]) -> None:
    golden("views/comparison.txt", text_of(comparison_table(comparison())))


def test_the_comparison_on_a_narrow_terminal(golden: Callable[[str, str], None]) -> None:
    golden("views/comparison-80.txt", text_of(comparison_table(comparison()), width=80))


def test_the_comparison_of_draws(golden: Callable[[str, str], None]) -> None:
    golden("views/comparison-draws.txt", text_of(comparison_table(of_draws())))


@pytest.mark.parametrize("width", [40, 60, 72, 80, 100, 120, 132, 160, 240])
def test_no_cell_is_cut_or_wrapped_at_any_width(width: int) -> None:
    text = text_of(comparison_table(comparison()), width)
    wide = text_of(comparison_table(comparison()), 240)
    rows = [
        line for line in wide.splitlines() if re.match(" (direct|torus 4x4|p-mesh 4x4)  ", line)
    ]
    assert len(rows) == 3
    for cell in (cell for row in rows for cell in re.split("   +", row.strip())):
        assert re.search(f" {re.escape(cell)}(?: |$)", text, re.MULTILINE), cell
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text


def test_findings_are_text() -> None:
    finding = Finding(Severity.ERROR, "[red]n0", "rule", "a [b]reason[/b]", "mend [it]")
    text = text_of(findings_table([finding]))
    for part in ("error", "[red]n0", "a [b]reason[/b]", "mend [it]"):
        assert part in text
    assert "nothing found" in text_of(findings_table([]))


def test_results_show_sizes_and_readable_units() -> None:
    row = {"workload": "ping-pong", "unit": "s", "origin": "predicted"}
    sized = Row(metric="latency", value=1.75e-4, parameters={"size_bytes": 4096}, **row)
    whole = Row(metric="simulated_s", value=2.0, parameters={"size_bytes": [1, 2]}, **row)
    copied = Row(metric="time", value=0.5, parameters={"file_bytes": 2**20}, **row)
    text = text_of(result_table(Result.from_rows([sized, whole, copied])))
    assert "4 KiB" in text
    assert "1 MiB" in text
    assert "175 µs" in text
    assert "2 s" in text


def test_several_seeds_are_one_row_with_their_mean_and_range() -> None:
    def row(metric: str, value: float, repeat: int) -> Row:
        given = {"workload": "barrier", "unit": "s", "origin": "predicted", "seed": repeat + 1}
        return Row(metric=metric, value=value, repeat=repeat, **given)

    rows = [row("time", value, i) for i, value in enumerate((1.0, 3.0, 5.0))]
    rows += [row("wait", 2.0, i) for i in range(3)]
    lines = text_of(result_table(Result.from_rows(rows))).splitlines()
    assert lines[0] == "barrier: time 3 s, wait 2 s"
    assert [line.split() for line in lines if line.startswith((" time", " wait"))] == [
        ["time", "3", "s", "1", "s..5", "s"],
        ["wait", "2", "s"],
    ]
    assert any("3 runs" in line for line in lines)


def test_a_run_is_an_answer_and_a_table_of_80_columns() -> None:
    given = {"workload": "broadcast", "origin": "predicted", "design": "d", "engine": "packet"}
    parameters = {"size_bytes": 4096, "repeats": 20, "warm_up": 4, "library": "mpich-1.1"}
    given |= {"parameters": parameters, "calibration": "hosts-of-1997", "seed": 1}
    figures = [("time", 0.000275, "s"), ("frame_hops", 5368.0, "1"), ("peak_rss_bytes", 7e7, "B")]
    rows = [Row(metric=name, value=value, unit=unit, **given) for name, value, unit in figures]
    lines = text_of(result_table(Result.from_rows(rows)), width=80).splitlines()
    assert lines[0] == "broadcast of 4 KiB on d: time 275 µs"
    assert "mean of 20 repeats after 4 that warm up" in " ".join(lines[:4])
    table = [line.split("   ") for line in lines if line.startswith((" time", " fra", " mem"))]
    assert [[cell.strip() for cell in row if cell.strip()] for row in table] == [
        ["time", "275 µs"],
        ["frames on wires", "5,368"],
        ["memory of this computer", "70 MB"],
    ]
    assert max(map(len, lines)) <= 80


def test_draws_are_one_row_with_their_mean_and_interval() -> None:
    rows = [
        Row(
            metric="time",
            value=value,
            repeat=i,
            parameters={"draw": i + 1},
            workload="barrier",
            unit="s",
            origin="predicted",
        )
        for i, value in enumerate((9.0, 10.0, 11.0, 10.0))
    ]
    text = text_of(result_table(Result.from_rows(rows)))
    assert "4 draws" in text
    assert "90% interval" in text
    assert "7.85 s..12.1 s" in text


def test_a_run_beyond_the_memory_says_so() -> None:
    row = {"workload": "npb.ft", "unit": "s", "origin": "predicted", "metric": "time"}
    paging = Row(value=99.0, parameters={"exceeds_memory": True}, **row)
    text = text_of(result_table(Result.from_rows([paging, Row(value=1.0, **row)])))
    assert text.count("exceeds a node's memory") == 1
    assert "remark" not in text_of(result_table(Result.from_rows([Row(value=1.0, **row)])))


def test_a_listing_has_all_its_cells() -> None:
    text = text_of(listing_table(["a", "b"], [["1", "[2]"], ["3", "4"]]))
    assert [line.split() for line in text.splitlines() if line.strip()][2:] == [
        ["1", "[2]"],
        ["3", "4"],
    ]
