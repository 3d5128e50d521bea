"""Reproduced papers: their printed numbers beside what Linkwright says of the same networks.

One folder per paper. `entries` gives the numbers side by side; `reproduce` gives them as rows of
the one result schema, each printed value followed by ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from linkwright.errors import UsageError, unknown_name
from linkwright.papers import nas_97_017, pmesh_1998, stack_2001
from linkwright.papers.entry import Entry, Verdict
from linkwright.results import Result, Row

__all__ = ["PAPERS", "Entry", "Verdict", "entries", "reproduce", "table_names"]

PAPERS: Mapping[str, Mapping[str, Callable[[], list[Entry]]]] = MappingProxyType(
    {
        "NAS-97-017": nas_97_017.TABLES,
        "PMESH-1998": pmesh_1998.TABLES,
        "STACK-2001": stack_2001.TABLES,
    }
)
"""Tables of each paper, by its key."""


def table_names(paper: str) -> list[str]:
    """Return the tables of a paper that can be reproduced.

    Raises
    ------
    UsageError
        When there is no such paper.
    """
    if paper not in PAPERS:
        raise UsageError(f"there is no paper '{paper}'", unknown_name(paper, PAPERS))
    return list(PAPERS[paper])


def entries(key: str) -> list[Entry]:
    """Return printed numbers beside ours.

    Parameters
    ----------
    key : str
        A paper, such as "PMESH-1998", or one of its tables, such as "PMESH-1998/3".

    Raises
    ------
    UsageError
        When there is no such paper or table.
    """
    paper, _, table = key.partition("/")
    names = table_names(paper)
    if table and table not in names:
        raise UsageError(f"paper '{paper}' has no table '{table}' here", unknown_name(table, names))
    chosen = [table] if table else names
    return [entry for name in chosen for entry in PAPERS[paper][name]()]


def reproduce(key: str) -> Result:
    """Return printed numbers and ours as rows of the one result schema.

    Each printed row is followed by ours, which has the same design and metric; its parameters hold
    the verdict, and the right value, the erratum and a reason where there are any.

    Parameters
    ----------
    key : str
        A paper, such as "PMESH-1998", or one of its tables, such as "PMESH-1998/3".

    Raises
    ------
    UsageError
        When there is no such paper or table.
    """
    return Result.from_rows(row for entry in entries(key) for row in _rows(entry))


def _rows(entry: Entry) -> tuple[Row, Row]:
    place = {"paper": entry.paper, "table": entry.table, "row": entry.row}
    judged: dict[str, str | float | None] = {
        "verdict": str(entry.verdict),
        "corrected": entry.corrected,
        "erratum": entry.erratum,
        "reason": entry.reason,
    }
    shared = Row(
        study=f"{entry.paper}/{entry.table}",
        design=entry.design,
        design_hash=entry.design_hash,
        parameters=place,
        metric=entry.metric,
        value=entry.printed,
        unit=entry.unit,
        origin="printed",
    )
    ours = replace(
        shared,
        calibration=entry.calibration,
        parameters=place | {name: value for name, value in judged.items() if value},
        value=entry.ours,
        origin="predicted",
    )
    return shared, ours
