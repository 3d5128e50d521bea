"""The tables of a reproduction: whole at 80 columns, and every reason is given once.

Most rows are made up; those of the papers that need no run are among them.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.views.test_tables import text_of

from linkwright.papers import entries
from linkwright.papers.reproduction import Reproduction
from linkwright.results import Result, Row
from linkwright.views.reproduction import reproduction_table


def pair(row: str, printed: float, ours: float, **said: Any) -> list[Row]:
    """Return one printed number and ours."""
    place = {"paper": "P", "table": "1", "row": row}
    shared: dict[str, Any] = {"study": "P/1", "metric": "cost_per_node", "unit": "USD"}
    return [
        Row(parameters=place, value=printed, origin="printed", **shared),
        Row(parameters={**place, **said}, value=ours, origin="predicted", **shared),
    ]


def lines_of(rows: list[Row], width: int = 80) -> list[str]:
    text = text_of(reproduction_table(Result.from_rows(rows)), width)
    return [line.strip() for line in text.splitlines()]


def test_printed_ours_error_and_verdict_stand_in_one_line() -> None:
    lines = lines_of(
        pair("hub", 80, 40, verdict="corrected", corrected=39, erratum="E4", reason="twice")
    )
    assert lines[0] == "P/1"
    assert "hub   cost per node    80 USD   40 USD   +2.6%   corrected [1]" in lines
    assert "[1] erratum E4: twice" in lines


def test_what_many_rows_share_is_said_once() -> None:
    read = {"verdict": "agrees", "tolerance": 0.05, "reason": "read from [bold]a figure[/bold]"}
    rows = [row for number in range(9) for row in pair(f"r{number}", 100, 101, **read)]
    rows += pair("paged", 100, 300, verdict="left out", left_out="it paged", reason="no")
    rows += pair("own", 100, 100.0001, verdict="agrees", tolerance=1e-5)
    lines = lines_of(rows)
    assert [line for line in lines if "figure[/bold]" in line] == [
        "[1] within 5%: read from [bold]a figure[/bold]"
    ]
    assert sum(line.endswith("agrees [1]") for line in lines) == 9
    assert "[2] it paged" in lines
    assert any(line.endswith("0.0%   agrees") for line in lines)
    assert not any(line.startswith("[3]") for line in lines)


def test_a_printed_zero_has_no_error() -> None:
    lines = lines_of(pair("x", 0, 1, verdict="differs"))
    assert any("1 USD" in line and line.endswith("differs") for line in lines)
    assert not any("%" in line for line in lines)


@pytest.mark.parametrize("key", ["PMESH-1998/3", "BEOWULF-1996/text", "NAS-97-017/appendix-rates"])
@pytest.mark.parametrize("width", [80, 100])
def test_no_number_is_cut_on_a_narrow_terminal(key: str, width: int) -> None:
    rows = Reproduction({key: entries(key)}, {}, {}).rows().rows()
    lines = lines_of(list(rows), width)
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines)
    assert sum("agrees" in line or "corrected" in line for line in lines) == len(rows) // 2


def test_runs_beyond_print_are_listed_last() -> None:
    rows = Result.from_rows(pair("hub", 1, 1, verdict="agrees"))
    further = [("P/1", "hub", "bt", "S C", "4 9"), ("P/1", "hub", "ep", "S", "2")]
    text = text_of(reproduction_table(rows, further), 200)
    lines = [line.split() for line in text.splitlines()]
    assert ["P/1", "hub", "bt", "S", "C", "4", "9"] in lines
    assert max(map(len, text.splitlines())) <= 80


def test_words_runs_alone_and_nothing() -> None:
    said = {
        "paper": "P",
        "table": "1",
        "row": "order",
        "says": "the hub is slow",
        "figure": "hub over torus",
        "bounds": "at least 2",
        "verdict": "does not hold",
        "numbers": {"hub": 0.003, "torus": 0.002},
        "numbers_unit": "s",
    }
    words = Row(
        study="P/1", metric="words", value=1.5, unit="1", parameters=said, origin="predicted"
    )
    alone = Row(
        study="P/2",
        metric="time",
        value=3.0,
        unit="s",
        parameters={"row": "bt.A.16-hub", "exceeds_memory": True, "spread": 0.5, "seeds": 2},
        origin="predicted",
    )
    lines = lines_of([words, alone])
    at = lines.index("order: does not hold")
    assert lines[at + 1 : at + 3] == ["the hub is slow", "hub over torus: 1.5 (at least 2)"]
    assert "hub 3 ms, torus 2 ms" in lines
    assert any("3 s ± 16.7%   exceeds a node's memory" in line for line in lines)
    assert lines_of([]) == ["there is no printed or predicted number here"]
