"""The `known.toml` of a paper's folder: where ours is known to differ from print, and why.

Each record has a reason, the numbers that it explains with the largest relative error that is
known, and the qualitative claims. A difference that is not recorded, or larger than recorded, is
new. docs/design/papers.md has the reasons at length.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from linkwright.papers.claim import Verdict
from linkwright.papers.entry import Entry
from linkwright.papers.keys import PAPERS
from linkwright.text.toml_text import read_toml

__all__ = ["known_differences", "why_known"]


class KnownDifference(BaseModel):
    """Differences with one reason; rows are named "table/row"."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reason: Annotated[str, Field(min_length=1)]
    numbers: dict[str, Annotated[float, Field(gt=0)]] = {}
    """Largest known relative error, by row."""
    words: tuple[str, ...] = ()
    """Qualitative claims that do not hold."""


@cache
def known_differences(paper: str) -> tuple[KnownDifference, ...]:
    """Return the records of a paper; none if its folder has no such file."""
    file = resources.files(PAPERS[paper].package) / "known.toml"
    if not file.is_file():
        return ()
    found = read_toml(file.read_text(encoding="utf-8"))
    return tuple(KnownDifference.model_validate(one) for one in found.pop("difference"))


def why_known(entry: Entry) -> str:
    """Return the reason recorded for a difference; empty if there is none or it is larger."""
    row = f"{entry.claim.table}/{entry.claim.row}"
    for known in known_differences(entry.claim.paper) if _contradicts(entry) else ():
        if row in known.words and entry.claim.is_qualitative:
            return known.reason
        if row in known.numbers and abs(entry.error) <= known.numbers[row]:
            return known.reason
    return ""


def _contradicts(entry: Entry) -> bool:
    return entry.verdict in (Verdict.DIFFERS, Verdict.FAILS)
