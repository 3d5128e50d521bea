"""Catalogues: dated lists of parts in TOML, and the price files with which users replace prices.

Entries inherit `currency`, `date`, `source` and `confidence` from the head of their file.
selection.py chooses the part for each role of a design.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from linkwright.design.parts.part import NicPart, Part
from linkwright.design.validation_errors import validation_errors
from linkwright.errors import DesignError, shown, shown_path, unknown_name
from linkwright.files import read_text
from linkwright.records.validation import as_one
from linkwright.text.toml_text import TomlError, read_toml

__all__ = ["Catalogue", "catalogue", "catalogue_names", "with_prices"]

_INHERITED = ("currency", "date", "source", "confidence")
_PRICE_KEYS = ("price", "currency", "date", "source", "confidence", "note")
_PART: TypeAdapter[Part] = TypeAdapter(Part)


@dataclass(frozen=True)
class Catalogue:
    """Parts of one place and date."""

    name: str
    title: str
    currency: str
    date: dt.date
    defaults: Mapping[str, str]
    """Role -> key of the part that serves it by default."""
    calibration: str
    """Calibration of the hosts that suit these parts."""
    parts: Mapping[str, Part]

    def part(self, key: str) -> Part:
        """Return a part by its key.

        Raises
        ------
        DesignError
            If the catalogue has no such part.
        """
        if key not in self.parts:
            raise DesignError(
                f"catalogue '{self.name}' has no part {shown(key)}", unknown_name(key, self.parts)
            )
        return self.parts[key]


def catalogue_names() -> list[str]:
    """Return the names of the catalogues that come with the package, sorted."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in _folder().iterdir()
        if entry.name.endswith(".toml")
    )


@cache
def catalogue(name: str) -> Catalogue:
    """Return a catalogue of the package.

    Raises
    ------
    DesignError
        If there is none with this name.
    """
    names = catalogue_names()
    if name not in names:
        raise DesignError(f"there is no catalogue {shown(name)}", unknown_name(name, names))
    document = tomllib.loads((_folder() / f"{name}.toml").read_text(encoding="utf-8"))
    head = {key: document[key] for key in _INHERITED}
    entries = document["parts"]
    parts: dict[str, Part] = {}
    for key in sorted(entries, key=lambda one: entries[one]["role"] == "node"):
        where = f"part '{key}' of catalogue '{name}'"
        entry = with_built_in_nics({**head, **entries[key], "key": key}, parts, where)
        parts[key] = part_from(entry, where)
    return Catalogue(
        name=name,
        title=document["title"],
        currency=document["currency"],
        date=document["date"],
        defaults=document["defaults"],
        calibration=document["calibration"],
        parts={key: parts[key] for key in entries},
    )


def part_from(fields: Mapping[str, Any], where: str) -> Part:
    """Return a validated part.

    Raises
    ------
    DesignError
        If a field is unknown, missing or wrong; `where` names the entry.
    """
    try:
        return _PART.validate_python(fields)
    except ValidationError as error:
        raise as_one(validation_errors(error, where, [_PART]), where) from None


def with_built_in_nics(
    fields: Mapping[str, Any], known: Mapping[str, Part], where: str
) -> Mapping[str, Any]:
    """Return the fields of a node with the parts of its built-in NICs in place of their keys.

    Raises
    ------
    DesignError
        If a key is that of no NIC; `where` names the entry.
    """
    given = fields.get("built_in")
    if not isinstance(given, Mapping):
        return fields
    nics = {key: part for key, part in known.items() if isinstance(part, NicPart)}
    unknown = [str(key) for key in given if key not in nics]
    if unknown:
        raise DesignError(
            f"{where}: 'built_in' names {shown(unknown[0])}, which is the key of no NIC",
            unknown_name(unknown[0], nics),
        )
    rows = tuple({"nic": nics[key], "count": count} for key, count in given.items())
    return {**fields, "built_in": rows}


def with_prices(base: Catalogue, path: Path) -> Catalogue:
    """Return the catalogue with the prices of a user's TOML file.

    The file has one table per part, `[prices.KEY]` with `price`, `date` and any of `currency`,
    `source`, `confidence` and `note`.

    Raises
    ------
    DesignError
        If the file cannot be read, names an unknown part or key, or a value is wrong.
    """
    parts, errors = dict(base.parts), []
    for key, table in _price_tables(path).items():
        try:
            parts[key] = _with_price(base, key, table, path)
        except DesignError as error:
            errors.append(error)
    if errors:
        raise as_one(errors, f"price file {shown_path(path)}")
    return replace(base, parts=parts)


def _with_price(base: Catalogue, key: str, table: object, path: Path) -> Part:
    """Return a part with the price from a table of a price file."""
    where = f"price file {shown_path(path)}"
    if key not in base.parts:
        raise DesignError(
            f"{where}: catalogue '{base.name}' has no part {shown(key)}",
            unknown_name(key, base.parts),
        )
    if not isinstance(table, dict) or not {"price", "date"} <= set(table):
        raise DesignError(
            f"{where} gives no price with a date for '{key}'",
            f"write a table [prices.{key}] with price = NUMBER and date = YYYY-MM-DD",
        )
    errors = [
        DesignError(
            f"{where} has an unknown key {shown(name)} for part '{key}'",
            unknown_name(name, _PRICE_KEYS),
        )
        for name in table
        if name not in _PRICE_KEYS
    ]
    own = {"source": f"price file {path.name}", "confidence": "given", "price_range": None}
    known = {name: value for name, value in table.items() if name in _PRICE_KEYS}
    try:
        part = part_from({**base.parts[key].model_dump(), **own, **known}, f"{where}, part '{key}'")
    except DesignError as error:
        errors.append(error)
    if errors:
        raise as_one(errors, where)
    return part


def _price_tables(path: Path) -> dict[str, object]:
    text = read_text(path, "price file", hint="give the path of a TOML file", error=DesignError)
    try:
        document = read_toml(text)
    except TomlError as error:
        raise DesignError(
            f"price file {shown_path(path)} is not TOML: {error}",
            "write one table [prices.KEY] per part",
        ) from None
    tables = document.get("prices")
    if set(document) != {"prices"} or not isinstance(tables, dict):
        raise DesignError(
            f"price file {shown_path(path)} must hold tables [prices.KEY] and nothing else",
            "for example [prices.category-5] with price = 3.0 and date = 2026-01-31",
        )
    return tables


def _folder() -> Any:
    return resources.files(__package__) / "catalogues"
