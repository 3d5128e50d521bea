"""Intervals of our values, over seeds and over draws of the hosts' constants."""

from __future__ import annotations

import pytest

from linkwright.papers import Entry, Reproduction, Runner, reproduce
from linkwright.papers.accuracy import accuracy, accuracy_page
from linkwright.papers.claim import Claim
from linkwright.results import Interval

TABLE = "NAS-97-025/ping-pong"
PRINTED = Claim(paper="P", table="t", row="r", metric="time", unit="s", digit=0.1, printed=2.0)


@pytest.fixture(scope="module")
def drawn() -> Reproduction:
    return reproduce(TABLE, Runner(n_draws=3))


def entry(low: float, high: float) -> Entry:
    return Entry(claim=PRINTED, ours=low, interval=Interval(4, low, 0.1, low, high))


def test_print_is_inside_as_it_is_rounded() -> None:
    assert entry(1.5, 2.5).is_inside
    assert entry(2.04, 2.5).is_inside
    assert not entry(2.06, 2.5).is_inside
    assert Entry(claim=PRINTED, ours=2.0).is_inside is None


def test_draws_give_intervals_and_change_no_value(drawn: Reproduction) -> None:
    plain = reproduce(TABLE)
    for before, after in zip(plain.entries[TABLE], drawn.entries[TABLE], strict=True):
        assert (before.ours, before.verdict) == (after.ours, after.verdict)
        assert before.interval is None
        assert after.claim.is_qualitative or (after.draws, after.interval is None) == (3, False)
    assert plain.inside == (0, 0)
    assert drawn.inside == (2, 2)


def test_rows_and_page_say_whether_print_is_inside(drawn: Reproduction) -> None:
    ours = [row for row in drawn.rows() if "inside" in row.parameters]
    assert [row.parameters["inside"] for row in ours] == [True, True]
    assert all(row.parameters["low"] < row.value < row.parameters["high"] for row in ours)
    (line,) = accuracy(drawn)
    assert (line.inside, line.intervals) == (2, 2)
    page = accuracy_page(drawn, [])
    assert "| 2 of 2 |" in page
    assert page.count(": inside |") == 2
