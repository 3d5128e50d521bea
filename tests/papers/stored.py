"""Runs of the papers' experiments in brief, as the engine gave them when they were last written.

All of them take two minutes of a processor. Claims are therefore read from the values in
tests/golden/papers/brief.jsonl, and a sample of the experiments is run and compared with them to
the last of twelve digits. `make golden` runs them all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.conftest import GOLDEN

from linkwright.papers import PAPERS, Runner
from linkwright.papers.run_table import RunTable
from linkwright.results import Result, Row

NAME = "papers/brief.jsonl"
STATISTICS = {"simulated_s", "wall_s", "events", "frame_hops", "peak_rss_bytes"}
STATISTICS |= {"frames_dropped", "retransmissions", "timeouts", "collisions"}
"""Metrics of a run itself, which no claim reads."""


def tables() -> dict[str, RunTable]:
    """Return the tables of all papers that need runs, by paper and name."""
    return {
        f"{paper}/{name}": build()
        for paper, of in PAPERS.items()
        for name, build in of.run_tables.items()
    }


def sample() -> dict[str, RunTable]:
    """Return some experiments of each table, none of the longest class of benchmarks."""
    found: dict[str, RunTable] = {}
    for name, table in tables().items():
        short = [one for one in table.experiments if ".B." not in one.name]
        found[name] = RunTable(experiments=tuple(short[:: max(1, len(short) // 4)]))
    return found


def lines_of(results: Mapping[str, Mapping[str, Result]]) -> Iterator[str]:
    """Yield a line of JSON for each experiment: its rows without repeats, and what they share."""
    for table, found in results.items():
        for name, result in found.items():
            fields = {"experiment": f"{table}/{name}", **_plain(result)}
            yield json.dumps(fields, separators=(",", ":"))


def _plain(result: Result) -> dict[str, Any]:
    """Return the parameters that all rows share, and the values of all repeats by row."""
    rows = [row for row in result.rows() if row.metric not in STATISTICS]
    first = rows[0].parameters
    shared = {
        key: value
        for key, value in first.items()
        if all(key in row.parameters and row.parameters[key] == value for row in rows)
    }
    values: dict[str, tuple[str, str, dict[str, Any], list[float]]] = {}
    for row in rows:
        own = {key: value for key, value in row.parameters.items() if key not in shared}
        place = values.setdefault(json.dumps([row.metric, own]), (row.metric, row.unit, own, []))
        assert row.repeat == len(place[-1]), "rows of one run differ in their parameters"
        place[-1].append(float(f"{row.value:.12g}"))
    return {"parameters": shared, "rows": list(values.values())}


@dataclass(frozen=True, kw_only=True)
class StoredRuns(Runner):
    """Gives the stored results of experiments in brief instead of running them."""

    is_brief: bool = True

    def run(self, tables: Mapping[str, RunTable]) -> dict[str, dict[str, Result]]:
        """Return the result of every experiment, by table and name, in the order given."""
        return {
            name: {one.name: _result(f"{name}/{one.name}") for one in table.experiments}
            for name, table in tables.items()
        }


@cache
def stored() -> dict[str, str]:
    """Return the line of each experiment."""
    text = (GOLDEN / NAME).read_text(encoding="utf-8")
    return {json.loads(line)["experiment"]: line for line in text.splitlines()}


@cache
def _result(name: str) -> Result:
    kept = json.loads(stored()[name])
    return Result.from_rows(
        Row(
            study=name,
            metric=metric,
            unit=unit,
            value=value,
            repeat=repeat,
            parameters={**kept["parameters"], **own},
            origin="predicted",
        )
        for metric, unit, own, values in kept["rows"]
        for repeat, value in enumerate(values)
    )
