"""Designs with one mistake each, drawn from a seed: a key lost, doubled or misspelt, or an
absurd value.

The designs to start from are the examples, those of the golden plans, a small one of every kind,
and some that give every field of every part. Mutants stay small: sizes of a shape are at most
`MOST_SIZE`, or more than can be built, because how long a large network takes is no question of its
design file.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.kinds import KINDS
from tests.kinds import PARTS as PARTS_OF_KINDS
from tests.plan.test_golden_plans import DESIGNS

from linkwright.design.document import read_document

__all__ = ["Mutant", "mutants"]

EXAMPLES = Path(__file__).parents[2] / "examples"
MOST_SIZE = 100

Path_ = tuple[int | str, ...]


@dataclass(frozen=True)
class Mutant:
    """A design file with a mistake."""

    text: str
    place: Path_
    """Keys down to what was changed; empty for a change of the text itself."""
    change: str
    """The mutation, for the message of a failed test."""
    value: Any = None
    """The current value."""


class Raw(str):
    """A text to write in YAML as it is."""

    __slots__ = ()


NUMBERS: tuple[Any, ...] = (
    -1,
    0,
    1,
    2,
    7,
    1000,
    -(10**30),
    10**30,
    2**31,
    2**32,
    2**63,
    2**64,
    10**100,
    1e-9,
    0.5,
    -0.5,
    1e300,
    -1e300,
    Raw("1e-320"),
    Raw(".nan"),
    Raw(".inf"),
    Raw("-.inf"),
    Raw("0x10"),
    Raw("1_000"),
)
TEXTS: tuple[Any, ...] = (
    "",
    " ",
    "x",
    "4",
    "long " * 2000,
    "two\nlines",
    "tab\tand bell \x07",
    "Zürich 東京 😀",
    "\u202ereversed",
    "/dev/null",
    "/dev/zero",
    "/proc/self/mem",
    "../..",
    "nul\0",
    "=1+1",
    "10.0.0.0/8",
    "0.0.0.0/0",
    "::/0",
    "fd00::/126",
)
OTHERS: tuple[Any, ...] = (
    None,
    True,
    False,
    Raw("2026-01-31"),
    Raw("2026-01-31T12:00:00Z"),
    Raw("0001-01-01"),
    [],
    [[]],
    [None],
    [1, "x"],
    [-1, 2],
    [0.5],
    [10**30],
    [1] * 40,
    {},
    {"x": 1},
    {"kind": "torus"},
)
VALUES = NUMBERS + TEXTS + OTHERS

PARTS: dict[str, dict[str, Any]] = {
    "node": {"max_nics": 8, "price": 900, "date": Raw("2026-01-31"), "name": "a computer"},
    "nic": {"ports": 2, "rate_mbps": 100, "connector": "rj45", "mtu": 1500, "currency": "USD"},
    "cable": {"delay_us": 0.05, "rate_mbps": 1000, "connector": "rj45", "note": "short"},
    "hub": {"ports": [4, 8], "rate_mbps": 100, "domain_delay_us": 0.5, "max_stack_units": 4},
    "switch": {
        "ports": [8, 24],
        "rate_mbps": 100,
        "max_stack_units": 4,
        "mode": "store-and-forward",
        "latency_us": 5,
        "backplane_mbps": 1200,
        "queue_bytes": 65536,
        "mtu": 1500,
        "uplink_rate_mbps": 1000,
        "uplink_size": 24,
        "price_per": "port",
        "price": 20,
        "date": Raw("2026-01-31"),
        "price_range": [10, 30],
        "source": "a shop",
        "confidence": "given",
    },
    "root_switch": {"ports": [6, 32], "rate_mbps": 1000, "latency_us": 2.5, "key": "mine"},
}
SECTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"parts": PARTS},
    {"parts": {**PARTS, "catalogue": "whitney-1998"}, "mtu": 1500},
    {"addressing": {"ipv4": True, "ipv6": "fd12::/32", "identities": "loopback"}},
    {"addressing": {"scheme": "per-segment", "ipv4": "10.0.0.0/8", "grow_to": 50}, "name": "x"},
    {"routing": {"scheme": "shortest-path", "fallback": True}, "front_end": False},
    {"parts": {"prices": "prices.toml"}},
    {"parts": {"switch": "fast-ethernet-switch", "hub": "fast-ethernet-hub"}},
)


def mutants(seed: int, number: int) -> Iterator[Mutant]:
    """Yield `n` mutants, the same for the same seed."""
    draw = Random(seed)
    bases = _bases()
    for _ in range(number):
        design = _merged(draw.choice(bases), draw.choice(SECTIONS))
        yield draw.choice(_CHANGES)(design, draw)


def _bases() -> list[dict[str, Any]]:
    designs = [
        read_document(file.read_text(), file.name) for file in sorted(EXAMPLES.glob("*.yaml"))
    ]
    for fields in DESIGNS.values():
        topology = {key: value for key, value in fields.items() if key != "sections"}
        designs.append({"topology": topology, **fields.get("sections", {})})
    for fields in KINDS.values():
        design = {"topology": _plain(fields)}
        designs.append({**design, "parts": PARTS_OF_KINDS} if _names_parts(design) else design)
    designs.append({"topology": {"kind": "tree", **_TREE}})
    return designs


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields as a design file has them: with lists."""
    return {
        key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()
    }


_TREE = {"nodes": 8, "leaves": 2, "nodes_per_leaf": 4, "levels": 3, "roots": 1, "uplinks": 1,
         "leaf_stack_units": 1, "uplink_ports": "node"}  # fmt: skip


def _merged(design: dict[str, Any], sections: dict[str, Any]) -> dict[str, Any]:
    """Return a design with other sections; one that names its parts keeps their catalogue."""
    kept = {"parts": design["parts"]} if _names_parts(design) and "parts" in design else {}
    return copy.deepcopy({**design, **sections, **kept})


def _names_parts(design: dict[str, Any]) -> bool:
    return bool(design["topology"]["kind"] == "custom")


def _replaced(design: dict[str, Any], draw: Random) -> Mutant:
    place = draw.choice(list(_places(design)))
    value = draw.choice(_values_for(_at(design, place), draw))
    while place[0] == "topology" and _is_large(value):
        value = draw.choice(VALUES)
    _holder(design, place)[place[-1]] = value
    return Mutant(_yaml(design), place, f"{_dotted(place)} = {str(value)[:40]!r}", value)


def _values_for(value: Any, draw: Random) -> tuple[Any, ...]:
    """Return any values, or more often those that resemble the current one."""
    if draw.random() < 0.3:
        return VALUES
    if isinstance(value, bool | list | dict):
        return OTHERS
    return NUMBERS if isinstance(value, int | float) else TEXTS


def _deleted(design: dict[str, Any], draw: Random) -> Mutant:
    place = draw.choice(list(_places(design)))
    del _holder(design, place)[place[-1]]
    return Mutant(_yaml(design), place, f"{_dotted(place)} left out")


def _misspelt(design: dict[str, Any], draw: Random) -> Mutant:
    place = draw.choice([one for one in _places(design) if isinstance(one[-1], str)])
    key = str(place[-1])
    at = draw.randrange(len(key))
    wrong = draw.choice(
        [key[:at] + key[at + 1 :], key[:at] + "q" + key[at:], key.upper(), key + "s"]
    )
    holder = _holder(design, place)
    holder[wrong] = holder.pop(key)
    return Mutant(_yaml(design), place, f"{_dotted(place)} written {wrong!r}")


def _unknown(design: dict[str, Any], draw: Random) -> Mutant:
    places = [place for place in _places(design) if isinstance(_at(design, place), dict)]
    place = draw.choice([*places, ()])
    key = draw.choice(["colour", "", " ", "0", "é", "x" * 300, "__class__", "a: b", "model_config"])
    holder = _at(design, place)
    holder[key] = draw.choice(VALUES)
    return Mutant(_yaml(design), (*place, key), f"{_dotted((*place, key))[:40]} added")


def _doubled(design: dict[str, Any], draw: Random) -> Mutant:
    place = draw.choice([one for one in _places(design) if isinstance(one[-1], str)])
    return Mutant(_yaml(design, twice=place), place, f"{_dotted(place)} twice")


def _scrambled(design: dict[str, Any], draw: Random) -> Mutant:
    """Change one character of the text."""
    text = _yaml(design)
    at = draw.randrange(len(text))
    new = draw.choice(["", "\n", "\t", "{", "]", ":", "'", '"', "#", "&", "*", "\x00", "\x1b", "-",
                       "\ufeff", "\u2028", "%", "@", "!", "|"])  # fmt: skip
    return Mutant(text[:at] + new + text[at + 1 :], (), f"character {at} is {new!r}")


_CHANGES = (_replaced,) * 6 + (_deleted, _misspelt, _unknown, _doubled, _scrambled)


def _places(value: Any, above: Path_ = ()) -> Iterator[Path_]:
    """Yield the place of everything inside a design."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*above, key)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*above, key))


def _at(design: Any, place: Path_) -> Any:
    for key in place:
        design = design[key]
    return design


def _holder(design: dict[str, Any], place: Path_) -> Any:
    return _at(design, place[:-1])


def _is_large(value: Any) -> bool:
    number = {"1_000": 1000}.get(value, value) if isinstance(value, str) else value
    return isinstance(number, int | float) and MOST_SIZE < number < 10**9


def _dotted(place: Path_) -> str:
    return ".".join(map(str, place))


def _yaml(value: Any, twice: Path_ | None = None, here: Path_ = ()) -> str:
    """Return a value in YAML's flow style, with the entry at `twice` written two times."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        pairs = []
        for key, inner in value.items():
            place = (*here, key)
            pair = f"{json.dumps(key, ensure_ascii=False)}: {_yaml(inner, twice, place)}"
            pairs += [pair] * (1 + (place == twice))
        separator = "\n" if not here else ", "
        text = separator.join(pairs)
        return text if not here and pairs else f"{{{text}}}"
    if isinstance(value, list):
        return f"[{', '.join(_yaml(inner, twice, (*here, 0)) for inner in value)}]"
    return json.dumps(value, ensure_ascii=False)
