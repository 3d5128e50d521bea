"""The limits of a custom graph, held against a drawing before a design is written.

Messages name lines of the file. All other rules hold by the names (naming.py) and by the text
(design_text.py); the design that is written is read once more nevertheless.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from linkwright.design.importers.drawing import Drawing
from linkwright.design.topologies.custom import MOST_CUSTOM_CABLES, MOST_CUSTOM_NODES, MOST_NICS
from linkwright.errors import DesignError, shown
from linkwright.records.validation import as_one

__all__ = ["check_limits"]


def check_limits(drawing: Drawing, where: str) -> None:
    """Check the numbers of a drawing, and that each port has one cable.

    Raises
    ------
    DesignError
        If it has too few or too many nodes, cables or NICs, or a port with two cables.
    """
    n_nodes = Counter(drawing.kinds.values())["node"]
    if not 2 <= n_nodes <= MOST_CUSTOM_NODES:
        raise DesignError(
            f"{where}: the number of nodes with cables is {n_nodes:,}, and a custom graph has 2 to "
            f"{MOST_CUSTOM_NODES:,}",
            "import a part of it" if n_nodes else "devices that are not switches or hubs are nodes",
        )
    if len(drawing.cables) > MOST_CUSTOM_CABLES:
        raise DesignError(
            f"{where} has {len(drawing.cables):,} cables, and a custom graph at most "
            f"{MOST_CUSTOM_CABLES:,}",
            "import a part of it",
        )
    found = [*_used_twice(drawing), *_too_many(drawing)]
    if found:
        raise as_one(found, where)


def _used_twice(drawing: Drawing) -> Iterator[DesignError]:
    first: dict[tuple[str, str], int] = {}
    for number, cable in enumerate(drawing.cables):
        for end in cable.ends:
            other = first.setdefault((end.device, end.port), number)
            if end.port and other != number:
                yield DesignError(
                    f"{cable.place}: port {shown(end.port)} of {shown(end.device)} has a cable "
                    f"already, that of {drawing.cables[other].place}",
                    "name another port, or leave out one of the cables",
                )


def _too_many(drawing: Drawing) -> Iterator[DesignError]:
    of_device = Counter(end.device for cable in drawing.cables for end in cable.ends)
    for name, number in of_device.items():
        if number > MOST_NICS and drawing.kinds[name] == "node":
            yield DesignError(
                f"{drawing.devices[name].place}: node {shown(name)} has {number} cables, and a "
                f"node has at most {MOST_NICS} NICs",
                f"read it as a switch: --switch {name}",
            )
