"""The `parts` section of a design: a catalogue, and replacements of its parts by role.

The limits of the chosen parts for a topology are in role_parts.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from linkwright.design.parts.catalogue import (
    Catalogue,
    catalogue,
    part_from,
    with_built_in_nics,
    with_prices,
)
from linkwright.design.parts.part import Part
from linkwright.errors import DesignError, LinkwrightError, shown, unknown_name
from linkwright.records.plain_numbers import NumpySettings
from linkwright.records.validation import as_one

__all__ = ["ROLES", "PartsSection", "Role"]

Role = Literal["node", "nic", "cable", "hub", "switch", "root_switch"]
ROLES: tuple[Role, ...] = ("node", "nic", "cable", "hub", "switch", "root_switch")

_NODES_LAST: tuple[Role, ...] = (*ROLES[1:], ROLES[0])
"""A node may have the design's own NIC built in."""

_MOST_SLOTS = 4096

Choice = Annotated[
    str | dict[str, Any],
    Field(description="Key of a part, or fields that replace those of the catalogue's default"),
]


class PartsSection(NumpySettings):
    """The parts of a design.

    A role is served by the catalogue's default part unless the design names another by key or
    replaces fields of the default. A new price needs its date.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    catalogue: str = "whitney-1998"
    node: Choice | None = None
    nic: Choice | None = None
    cable: Choice | None = None
    hub: Choice | None = None
    switch: Choice | None = None
    root_switch: Choice | None = None
    prices: Path | None = None
    """TOML file of prices that replace the catalogue's, relative to the design file."""

    def resolve(self, folder: Path, where: str = "'parts'") -> Mapping[Role, Part]:
        """Return the part of each role; roles that the catalogue does not serve are absent.

        Parameters
        ----------
        folder : Path
            Folder of the design, for the path of the price file.
        where : str
            Name of the section in an error with several mistakes.

        Raises
        ------
        DesignError
            If a catalogue, a part, a field or a price file is unknown or wrong.
        """
        chosen: dict[Role, Part] = {}
        errors: list[DesignError] = []
        try:
            source = self._source(folder)
        except DesignError as error:
            source = catalogue(self.catalogue)
            errors.append(error)
        for role in _NODES_LAST:
            choice = getattr(self, role)
            try:
                if choice is not None or role in source.defaults:
                    chosen[role] = _serving(role, choice, source, own_nic=chosen.get("nic"))
            except DesignError as error:
                errors.append(error)
        if errors:
            raise as_one(errors, where)
        return MappingProxyType({role: chosen[role] for role in ROLES if role in chosen})

    def part(self, role: str, key: str, folder: Path) -> Part:
        """Return the part with a key, which must have a role.

        Raises
        ------
        DesignError
            If the catalogue has no such part, or the price file is wrong.
        """
        return _serving(role, key, self._source(folder))

    def _source(self, folder: Path) -> Catalogue:
        source = catalogue(self.catalogue)
        return source if self.prices is None else with_prices(source, folder / self.prices)


def _serving(
    role: str,
    choice: str | dict[str, Any] | None,
    source: Catalogue,
    *,
    own_nic: Part | None = None,
) -> Part:
    if isinstance(choice, dict):
        return _replaced(role, choice, source, own_nic)
    part = source.part(source.defaults[role] if choice is None else choice)
    if part.role == role or (role, part.role) == ("root_switch", "switch"):
        return part
    fitting = [key for key, other in source.parts.items() if other.role == role]
    raise DesignError(
        f"part '{part.key}' of catalogue '{source.name}' is a {part.role}, not a {role}",
        unknown_name(part.key, fitting),
    )


def _replaced(role: str, fields: dict[str, Any], source: Catalogue, own_nic: Part | None) -> Part:
    """Return the default part of a role with some fields replaced, or a whole part of the design's
    own.
    """
    where = f"parts.{role}"
    errors: list[LinkwrightError] = []
    if "price" in fields and "date" not in fields:
        errors.append(DesignError(f"{where} has a price without a date", "add date: YYYY-MM-DD"))
    if "price" in fields:
        fields = {"source": "design file", "confidence": "given", "price_range": None, **fields}
    base: dict[str, Any] = {"currency": source.currency, "name": f"{role} of the design"}
    if role in source.defaults:
        base = source.part(source.defaults[role]).model_dump()
        if "rate_mbps" in fields:
            base.pop("nic_class", None)  # of NICs of another rate
        base["note"] = f"changed in the design: {', '.join(sorted(fields))}"
    own = {**base, **fields, "role": role, "key": fields.get("key", f"own-{role}")}
    known = {**source.parts, **({own_nic.key: own_nic} if own_nic else {})}
    try:
        part = part_from(with_built_in_nics(_with_slots(own, fields, where), known, where), where)
    except DesignError as error:
        errors.append(error)
    if errors:
        raise as_one(errors, where)
    return part


def _with_slots(own: dict[str, Any], given: dict[str, Any], where: str) -> dict[str, Any]:
    """Return the fields of a node in which `max_nics` became slots for any NIC, built in or not.

    Raises
    ------
    DesignError
        If it is no number of slots, or the design gives slots or built-in NICs too.
    """
    if "max_nics" not in given or own["role"] != "node":
        return own
    number = given["max_nics"]
    is_number = isinstance(number, int) and not isinstance(number, bool)
    if number is not None and not (is_number and 1 <= number <= _MOST_SLOTS):
        raise DesignError(
            f"{where}: 'max_nics': {shown(number)} is not accepted",
            f"give 1 or more, and give {_MOST_SLOTS} or less; null sets no limit",
        )
    if "slots" in given or "built_in" in given:
        raise DesignError(
            f"{where}: 'max_nics' stands beside 'slots' or 'built_in', which say the same",
            "leave out 'max_nics'",
        )
    rest = {name: value for name, value in own.items() if name != "max_nics"}
    slots = None if number is None else ({"count": number, "bus": "any"},)
    return {**rest, "slots": slots, "built_in": ()}
