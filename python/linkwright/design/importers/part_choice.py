"""Parts of a catalogue for the rates that a drawing has: NICs, cables and switches.

A part serves a rate if it has exactly that rate and is sold by itself; the default of the catalogue
comes first, then the cheapest. A cable has the connectors of its NIC. A switch gets a
part if all its cables have one rate. Rates without parts are remarked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from linkwright.design.importers.drawing import Drawing, DrawnCable
from linkwright.design.parts import CablePart, NicPart, Part, SwitchPart, catalogue

__all__ = ["PartChoice", "chosen_parts"]

_Rated = TypeVar("_Rated", NicPart, SwitchPart)
_Sold = TypeVar("_Sold", NicPart, CablePart, SwitchPart)


@dataclass(frozen=True)
class PartChoice:
    """Keys of parts; those that are the defaults of the catalogue are left out."""

    nics: Mapping[float | None, str] = field(default_factory=dict)
    """NIC of each rate in Mb/s."""
    cables: Mapping[float | None, str] = field(default_factory=dict)
    """Cable of each rate in Mb/s."""
    switches: Mapping[str, str] = field(default_factory=dict)
    """Part of each switch by name."""
    remarks: tuple[str, ...] = ()


def chosen_parts(drawing: Drawing, name: str) -> PartChoice:
    """Return the parts for a drawing.

    Parameters
    ----------
    drawing : Drawing
        Devices and cables with their rates.
    name : str
        Name of the catalogue.

    Raises
    ------
    DesignError
        If there is no such catalogue.
    """
    parts, defaults = catalogue(name).parts, catalogue(name).defaults
    by_rate: dict[float, list[DrawnCable]] = {}
    for cable in drawing.cables:
        if cable.rate_mbps is not None:
            by_rate.setdefault(cable.rate_mbps, []).append(cable)
    nics: dict[float, str] = {}
    cables: dict[float, str] = {}
    remarks = []
    for rate, of_rate in by_rate.items():
        nic = _best(_with_rate(parts.values(), NicPart, rate), defaults.get("nic"))
        wire = _best(_wires(parts.values(), nic, rate), defaults.get("cable"))
        if nic is None or wire is None:
            remarks.append(
                f"left out a rate that {name} has no NIC and cable for: {rate:,g} Mb/s, "
                f"{len(of_rate)} cables, the first {of_rate[0].place}"
            )
            continue
        nics[rate], cables[rate] = nic.key, wire.key
    switches = _switches(drawing, parts, nics, defaults.get("switch"))
    return PartChoice(
        {rate: key for rate, key in nics.items() if key != defaults.get("nic")},
        {rate: key for rate, key in cables.items() if key != defaults.get("cable")},
        switches,
        tuple(remarks),
    )


def _switches(
    drawing: Drawing, parts: Mapping[str, Part], nics: Mapping[float, str], default: str | None
) -> dict[str, str]:
    """Return the part of each switch whose cables all have one rate with parts."""
    rates: dict[str, list[float | None]] = {}
    for cable in drawing.cables:
        for end in cable.ends:
            rates.setdefault(end.device, []).append(cable.rate_mbps)
    found = {}
    for device, kind in drawing.kinds.items():
        [rate, *others] = dict.fromkeys(rates[device])
        if kind not in ("switch", "router") or others or rate is None or rate not in nics:
            continue
        connector = getattr(parts[nics[rate]], "connector", None)
        fitting = [
            one
            for one in _with_rate(parts.values(), SwitchPart, rate)
            if one.connector == connector
            and one.most_ports >= len(rates[device])
            and (one.layer_3 or kind == "switch")
        ]
        best = _best(fitting, default)
        if best is not None and best.key != default:
            found[device] = best.key
    return found


def _with_rate(parts: Iterable[Part], role: type[_Rated], rate: float) -> list[_Rated]:
    return [one for one in parts if isinstance(one, role) and one.rate_mbps == rate]


def _wires(parts: Iterable[Part], nic: NicPart | None, rate: float) -> list[CablePart]:
    """Return the cables for a NIC that carry a rate, those of exactly that rate if there are."""
    fitting = [
        one
        for one in parts
        if isinstance(one, CablePart) and nic and one.connector == nic.connector
        and (one.rate_mbps or 0) >= rate
    ]  # fmt: skip
    return [one for one in fitting if one.rate_mbps == rate] or fitting


def _best(parts: Sequence[_Sold], default: str | None) -> _Sold | None:
    """Return the default part if it is among them, else the cheapest that has a price."""
    given = next((one for one in parts if one.key == default), None)
    sold = (one for one in parts if one.price)
    return given or min(sold, key=lambda one: one.price, default=None)
