"""The `claims.toml` of a paper's folder: read, checked, and scaled to base units only here.

Its sections are the paper's tables; `[metrics]` gives the paper's unit of each quantity. Every
mistake names its row, the rule and the remedy; several are reported at once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import resources

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from linkwright.errors import DesignError, unknown_name
from linkwright.papers.claim import WORDS, Claim
from linkwright.papers.claim_row import ClaimRow
from linkwright.papers.measures import MEASURES
from linkwright.records.validation import RULES, as_one, each_mistake, rule_and_remedy
from linkwright.text.toml_text import TomlError, read_toml

__all__ = ["claims_in", "claims_of"]


_RULES = RULES | {
    "extra_forbidden": "{place} is no key",
    "dict_type": "{place} is no table",
    "model_type": "{place} is no table",
}
_TABLES = "write [table.row.metric], or row.metric = {{ ... }} in [table]"
_REMEDIES = {
    "extra_forbidden": "{known}",
    "missing": "add it",
    "dict_type": _TABLES,
    "model_type": _TABLES,
}
"""Broken rules and remedies by pydantic's kind of error."""


class _PrintedAs(BaseModel):
    """The printed form of a quantity."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    unit: str
    """The base unit."""
    scale: float
    """Worth of the paper's unit in the base unit."""
    decimals: int


class _Document(BaseModel):
    """A whole file."""

    paper: str
    metrics: dict[str, _PrintedAs]
    tables: dict[str, dict[str, dict[str, ClaimRow]]]


def claims_of(package: str, table: str) -> tuple[Claim, ...]:
    """Return the claims of one table in the folder of a paper, in the order of the file.

    Raises
    ------
    DesignError
        If the file has mistakes.
    """
    return _claims_by_table(package).get(table, ())


@cache
def _claims_by_table(package: str) -> Mapping[str, tuple[Claim, ...]]:
    text = (resources.files(package) / "claims.toml").read_text(encoding="utf-8")
    return claims_in(text, f"{package.rpartition('.')[2]}/claims.toml")


def claims_in(text: str, where: str) -> dict[str, tuple[Claim, ...]]:
    """Return the claims of a `claims.toml` by table.

    Parameters
    ----------
    text : str
        The file.
    where : str
        Name of the file in messages.

    Raises
    ------
    DesignError
        If it has mistakes; the message names each row.
    """
    try:
        found = read_toml(text)
        sections = {name: found.pop(name) for name in ("paper", "metrics") if name in found}
        document = _Document.model_validate({**sections, "tables": found})
    except TomlError as error:
        raise DesignError(f"{where} is no TOML: {error}", "correct the line") from None
    except ValidationError as error:
        worded = [_worded(mistake) for mistake in each_mistake(error)]
        raise as_one(
            [DesignError(f"{where}: {rule}", hint) for rule, hint in worded], where
        ) from None
    return {
        table: tuple(
            _claim(document, where, table, row, metric)
            for row, claims in rows.items()
            for metric in claims
        )
        for table, rows in document.tables.items()
    }


def _claim(document: _Document, where: str, table: str, row: str, metric: str) -> Claim:
    """Return a row as a claim in base units."""
    given = document.tables[table][row][metric]
    place = {"paper": document.paper, "table": table, "row": row, "metric": metric}
    for rule, is_kept, remedy in _rules(given, metric, document.metrics):
        if not is_kept:
            raise DesignError(f"{where}: {table}.{row}.{metric}: {rule}", remedy)
    if given.is_qualitative:
        return Claim(**vars(given), **place)
    printed_as = document.metrics[metric]
    values = {"printed": given.printed, "corrected": given.corrected}
    scaled = {name: one * printed_as.scale for name, one in values.items() if one is not None}
    digit = printed_as.scale * 10.0**-printed_as.decimals
    return Claim(**{**vars(given), **scaled}, **place, unit=printed_as.unit, digit=digit)


def _rules(row: ClaimRow, metric: str, metrics: Collection[str]) -> Iterator[tuple[str, bool, str]]:
    """Yield each rule for a row in its place, whether it is kept, and the remedy if it is not."""
    remedy = f"a row with bounds has the metric '{WORDS}', and no other has"
    yield f"the metric cannot be '{metric}'", row.is_qualitative == (metric == WORDS), remedy
    remedy = f"add it there, or correct it: {unknown_name(metric, [*metrics, WORDS])}"
    yield f"[metrics] has no '{metric}'", metric == WORDS or metric in metrics, remedy
    is_counted = not row.cluster or row.measure is not None or metric in MEASURES
    remedy = "name one as measure: papers/measures.py has them all"
    yield f"'{metric}' is no measure", is_counted, remedy
    remedy = "name an experiment, or a cluster to count in"
    yield "there is no rule for ours", bool(row.experiment or row.cluster), remedy
    yield "a tolerance has a reason", not row.tolerance or bool(row.reason), "give it as reason"


def _worded(mistake: ErrorDetails) -> tuple[str, str]:
    """Return a mistake that pydantic found, with its place, and its remedy."""
    place = [str(part) for part in mistake["loc"] if part != "tables"]
    keys = [*(_PrintedAs if place[:1] == ["metrics"] else ClaimRow).model_fields]
    name = ".".join(place) or "the file"
    return rule_and_remedy(mistake, name, rules=_RULES, remedies=_REMEDIES, keys=keys)
