"""A drawing as the text of a design file, with names for the ports that the drawing does not name.

Ports of nodes without a name become eth0, eth1 and so on; those of hubs and switches stay open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from linkwright.design.importers.drawing import Drawing, DrawnCable

__all__ = ["design_text"]

_PLAIN = re.compile(r"(?!(?:null|true|false|yes|no|on|off|y|n)$)[A-Za-z_][A-Za-z0-9_./-]*", re.I)
"""A text that YAML reads as itself without quotes."""


def design_text(drawing: Drawing, *, name: str, catalogue: str) -> str:
    """Return the text of a design.

    Parameters
    ----------
    drawing : Drawing
        Devices and cables.
    name : str
        Name of the design.
    catalogue : str
        Catalogue of its parts.
    """
    return "\n".join([*_lines(_named(drawing), name, catalogue), ""])


def _lines(drawing: Drawing, name: str, catalogue: str) -> Iterator[str]:
    devices = drawing.devices
    yield f"name: {_scalar(name)}"
    yield "topology:"
    yield "  kind: custom"
    yield "  nodes:"
    for node in (device for device, kind in devices.items() if kind == "node"):
        ports = [port for end in _ends(drawing) for device, port in [end] if device == node]
        nics = ", ".join(f"{_scalar(port)}: " for port in dict.fromkeys(ports))
        yield f"    {_scalar(node)}: {{nics: {{{nics}}}}}"
    for kind, section in (("switch", "switches"), ("hub", "hubs")):
        boxes = [device for device, own in devices.items() if own == kind]
        if boxes:
            yield f"  {section}: {{{', '.join(f'{_scalar(box)}: ' for box in boxes)}}}"
    yield "  cables:"
    for one in drawing.cables:
        ends = (_end(one.a, one.a_port), _end(one.b, one.b_port))
        yield f"    - [{', '.join(map(_scalar, ends))}]"
    yield f"parts: {{catalogue: {_scalar(catalogue)}}}"


def _named(drawing: Drawing) -> Drawing:
    """Return the drawing with a name for each port of a node."""
    taken = set(_ends(drawing))
    kinds = drawing.devices

    def port_of(device: str, port: str) -> str:
        if port or kinds[device] != "node":
            return port
        free = next(
            name for name in (f"eth{k}" for k in range(len(taken) + 1))
            if (device, name) not in taken
        )  # fmt: skip
        taken.add((device, free))
        return free

    cables = [
        DrawnCable(one.a, port_of(one.a, one.a_port), one.b, port_of(one.b, one.b_port))
        for one in drawing.cables
    ]
    return Drawing(tuple(cables), kinds)


def _ends(drawing: Drawing) -> Iterator[tuple[str, str]]:
    for one in drawing.cables:
        yield from ((one.a, one.a_port), (one.b, one.b_port))


def _end(device: str, port: str) -> str:
    return f"{device}:{port}" if port else device


def _scalar(text: str) -> str:
    """Return a text as YAML: plain where that is safe, else in quotes as JSON."""
    plain = all(_PLAIN.fullmatch(part) for part in text.split(":"))
    return text if plain else json.dumps(text)
