"""`linkwright list`: what there is to choose from.

The registries say it; nothing is listed here by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.options import FormatOption, OutputOption, QuietOption
from linkwright.cli.output import Format, destination, json_text
from linkwright.text.csv_text import csv_text

__all__ = ["list_"]


def list_(
    what: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            autocompletion=completion.lists,
            help="topologies, parts, catalogues, workloads, calibrations, stacks, engines "
            "or papers.",
        ),
    ],
    catalogue: Annotated[
        str | None,
        typer.Option(
            "--catalogue",
            "-c",
            autocompletion=completion.catalogues,
            help="Parts of this catalogue only.",
        ),
    ] = None,
    shown: FormatOption = None,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """List what there is to choose from."""
    from linkwright.errors import UsageError, unknown_name
    from linkwright.errors import shown as quoted
    from linkwright.views.tables import listing_table

    target = destination(shown, output, quiet=quiet)
    if what not in LISTS:
        raise UsageError(f"there is no list of {quoted(what)}", unknown_name(what, LISTS))
    records = _parts(catalogue) if what == "parts" else LISTS[what]()
    headings = list(records[0]) if records else []
    rows = [[str(value) for value in record.values()] for record in records]
    target.deliver(
        {
            Format.TABLE: lambda: listing_table(headings, rows),
            Format.JSON: lambda: json_text(records),
            Format.CSV: lambda: csv_text(headings, rows),
        }
    )


def _topologies() -> list[dict[str, str]]:
    from linkwright.design.topologies import TOPOLOGIES

    return [
        {
            "topology": kind,
            "parameters": ", ".join(name for name in topology.model_fields if name != "kind"),
            "built as": _sentence(topology),
        }
        for kind, topology in TOPOLOGIES.items()
    ]


def _parts(catalogue: str | None = None) -> list[dict[str, str]]:
    from linkwright.design.parts import catalogue as load
    from linkwright.design.parts import catalogue_names

    return [
        {
            "part": part.key,
            "catalogue": name,
            "role": part.role,
            "price": f"{part.price:g} {part.currency} per {part.price_per}",
            "date": part.date.isoformat(),
            "source": part.source,
            "confidence": part.confidence,
            "name": part.name,
        }
        for name in ([catalogue] if catalogue else catalogue_names())
        for part in load(name).parts.values()
    ]


def _catalogues() -> list[dict[str, str]]:
    from linkwright.design.parts import catalogue, catalogue_names

    found = [catalogue(name) for name in catalogue_names()]
    return [
        {
            "catalogue": one.name,
            "date": one.date.isoformat(),
            "currency": one.currency,
            "parts": str(len(one.parts)),
            "title": one.title,
        }
        for one in found
    ]


def _workloads() -> list[dict[str, str]]:
    from linkwright.workloads import WORKLOADS

    return [
        {"workload": name, "settings": ", ".join(one.model_fields), "measures": one.summary()}
        for name, one in WORKLOADS.items()
    ]


def _calibrations() -> list[dict[str, str]]:
    from linkwright import calibrations

    return [
        {
            "calibration": name,
            "stack": calibrations.load(name).stack,
            "title": calibrations.load(name).title,
        }
        for name in calibrations.names()
    ]


def _stacks() -> list[dict[str, str]]:
    from linkwright.calibrations import stacks

    return [{"stack": name, "title": stacks.title(name)} for name in stacks.names()]


def _engines() -> list[dict[str, str]]:
    from linkwright.engines import ENGINES

    return [{"engine": name} for name in ENGINES]


def _papers() -> list[dict[str, str]]:
    from linkwright.papers import PAPERS, table_names

    return [{"paper": name, "tables": ", ".join(table_names(name))} for name in PAPERS]


def _sentence(described: type) -> str:
    return (described.__doc__ or "").strip().partition("\n")[0]


LISTS: Mapping[str, Callable[[], list[dict[str, str]]]] = {
    "topologies": _topologies,
    "parts": _parts,
    "catalogues": _catalogues,
    "workloads": _workloads,
    "calibrations": _calibrations,
    "stacks": _stacks,
    "engines": _engines,
    "papers": _papers,
}
