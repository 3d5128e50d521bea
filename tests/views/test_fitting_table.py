"""A table that is too wide is transposed: every heading, every cell and every
word of text is complete at every width that can hold its longest word.
"""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from linkwright.views.fitting_table import FittingTable, Heading

WORD = st.text(alphabet="abcdefgh0123", min_size=1, max_size=9)
PROSE = st.lists(WORD, min_size=0, max_size=12).map(" ".join)
HEADINGS = st.builds(
    Heading,
    st.lists(WORD, min_size=1, max_size=3).map(" ".join),
    st.sampled_from(["left", "right"]),
    st.booleans(),
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Heading], list[list[str]]]:
    headings = draw(st.lists(HEADINGS, min_size=1, max_size=9))
    rows = st.tuples(*(PROSE if one.wraps else WORD for one in headings))
    return headings, [list(row) for row in draw(st.lists(rows, min_size=1, max_size=6))]


def lines_of(table: FittingTable, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return [line.rstrip() for line in capture.get().splitlines()]


@given(tables(), st.sampled_from([40, 60, 80, 100, 160, 200]))
def test_no_word_is_cut_and_no_line_too_long(
    given_table: tuple[list[Heading], list[list[str]]], width: int
) -> None:
    headings, rows = given_table
    lines = lines_of(FittingTable(headings, rows), width)
    assert max(map(len, lines)) <= width
    words = set(" ".join(lines).split())
    assert "…" not in "".join(lines)
    assert {word for one in headings for word in one.text.split()} <= words
    assert {word for row in rows for cell in row for word in cell.split()} <= words


@given(tables())
def test_a_table_that_fits_has_a_row_per_record(
    given_table: tuple[list[Heading], list[list[str]]],
) -> None:
    headings, rows = given_table
    lines = [line.split() for line in lines_of(FittingTable(headings, rows), 2000) if line]
    assert lines[0] == [word for one in headings for word in one.text.split()]
    assert lines[2:] == [
        [word for cell in row for word in cell.split()] for row in rows if any(row)
    ]


COSTS = [Heading("failure of"), *(Heading(name, "right") for name in ("tried", "need a daemon"))]
ROWS = [["cable", "33", "-"], ["NIC", "33", "2"], ["switch", "8", "12 (1.00x)"]]


def test_headings_wrap_between_words_first() -> None:
    assert lines_of(FittingTable(COSTS, ROWS), 33) == [
        "",
        "                          need a",
        " failure of   tried       daemon",
        " ───────────────────────────────",
        " cable           33            -",
        " NIC             33            2",
        " switch           8   12 (1.00x)",
        "",
    ]


def test_then_columns_move_together() -> None:
    assert lines_of(FittingTable(COSTS, ROWS), 29)[1:5] == [
        " failure              need a",
        " of        tried      daemon",
        " ───────────────────────────",
        " cable        33           -",
    ]


def test_then_headings_become_rows_and_records_stand_side_by_side() -> None:
    assert lines_of(FittingTable(COSTS, ROWS), 26) == [
        "",
        " failure",
        " of         cable   NIC",
        " ──────────────────────",
        " tried         33    33",
        " need a         -     2",
        " daemon",
        "",
        "",
        " failure",
        " of             switch",
        " ─────────────────────",
        " tried               8",
        " need a     12 (1.00x)",
        " daemon",
        "",
    ]


PARTS = [Heading("part"), Heading("name", wraps=True), Heading("n", "right")]
NAMES = [["pentium-pro-200", "fast-ethernet-switch of 24 ports", "12"], ["a", "b", "1"]]


def test_text_wraps_between_words_and_behind_hyphens_where_it_may() -> None:
    assert lines_of(FittingTable(PARTS, NAMES), 36)[1:7] == [
        " part             name            n",
        " ──────────────────────────────────",
        " pentium-pro-200  fast-          12",
        "                  ethernet-",
        "                  switch of 24",
        "                  ports",
    ]


def test_text_on_its_side_begins_left_and_wraps_there_too() -> None:
    assert lines_of(FittingTable(PARTS, NAMES), 30)[1:6] == [
        " part   pentium-pro-200",
        " ────────────────────────────",
        " name   fast-ethernet-switch",
        "        of 24 ports",
        " n      12",
    ]


def test_a_unit_stands_below_its_heading_and_on_its_side_behind_it() -> None:
    headings = [Heading("name"), Heading("latency\nµs", "right"), Heading("cost", "right")]
    assert lines_of(FittingTable(headings, [["a", "175", "3"]]), 40)[1:3] == [
        "        latency",
        " name        µs   cost",
    ]
    assert lines_of(FittingTable(headings, [["a", "175", "3"]]), 17)[3:5] == [
        " latency,   175",
        " µs",
    ]


def test_a_cell_wider_than_the_terminal_is_folded() -> None:
    lines = lines_of(FittingTable([Heading("name"), Heading("key")], [["a", "x" * 50]]), 30)
    assert "".join(lines).count("x") == 50
    assert max(map(len, lines)) <= 30


def test_styles_of_cells_and_blanks_between_records_stay() -> None:
    table = FittingTable([Heading("a"), Heading("b")], [[Text("1", "red"), "x"]] * 2, lines=True)
    console = Console(file=io.StringIO(), width=60, force_terminal=True, color_system="standard")
    with console.capture() as capture:
        console.print(table)
    assert "\x1b[31m1" in capture.get()
    assert [line.strip() for line in capture.get().splitlines()[4:6]] == [
        "",
        "\x1b[31m1\x1b[0m   x",
    ]


@pytest.mark.parametrize("width", [20, 80])
def test_a_table_without_rows_shows_its_headings(width: int) -> None:
    headings = [Heading(f"heading{n}") for n in range(4)]
    text = "\n".join(lines_of(FittingTable(headings, []), width))
    assert all(one.text in text for one in headings)
