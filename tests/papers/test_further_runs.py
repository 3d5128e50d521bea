"""Runs beyond print: each is possible, none is known, and they are run on request only.

Class S, class C, EP and 25 to 36 nodes are among them.
"""

from __future__ import annotations

import pytest

from linkwright.engines import observe
from linkwright.errors import UsageError
from linkwright.papers import PAPERS, Runner, reproduce
from linkwright.papers.further_runs import listed

TABLES = ["NAS-97-017/npb", "NAS-97-025/npb", "NAS-97-025/one-hub", "PMESH-1998/npb"]


@pytest.mark.parametrize("key", TABLES)
def test_every_further_run_is_possible_and_new(key: str) -> None:
    paper, _, table = key.partition("/")
    study = PAPERS[paper].run_tables[table]()
    names = [one.name for one in (*study.experiments, *study.further)]
    assert len(names) == len(set(names))
    for one in study.further:
        n_nodes = int(one.name.split("-")[0].split(".")[2])
        assert one.workload.n_ranks(one.network.n_compute) == n_nodes


def test_more_nodes_and_classes_are_listed() -> None:
    rows = listed({"NAS-97-025/one-hub": PAPERS["NAS-97-025"].run_tables["one-hub"]()})
    assert ("NAS-97-025/one-hub", "hub", "bt", "A B C", "4 9 16 25 36") in rows
    assert ("NAS-97-025/one-hub", "hub", "ep", "S A B C", "2 4 8 9 16 25 32 36") in rows


def test_a_further_run_is_predicted_on_request() -> None:
    study = PAPERS["NAS-97-025"].run_tables["npb"]().also(["ep.S.4-*"])
    chosen = study.experiments[-1]
    assert chosen.name == "ep.S.4-switch"
    assert chosen.name not in {one.name for one in study.further}
    assert observe(chosen.run("x")).result.filter(metric="time").values()[0] > 0


def test_a_pattern_that_matches_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="no run beyond print is named"):
        reproduce("NAS-97-025/npb", Runner(), also=["bt.Z.*"])
