"""The back of a machine, or the front of a switch: its connectors in order, one below the other,
and the other end of each cable beside them.

A drawing of the order, not of the metal: a design knows NICs and their ports, not their places.
Colours are classes of the style sheet, as in all drawings.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from linkwright.views.drawing.picture import number

__all__ = ["SYMBOLS", "Back", "BackPort", "Slot", "draw_back"]

WIDTH, PANEL = 352.0, 172.0
"""Width of a drawing, and of the box in it."""
HEAD, CAPTION, ROW, FREE, GAP = 36.0, 15.0, 27.0, 20.0, 7.0
"""Heights: the name, the part of a NIC, a connector with a cable, one without, room between."""
CABLE_END = 224.0
"""End of the drawn cables."""
MOST_OF_HEAD, MOST_OF_NOTE, MOST_OF_PORT, MOST_OF_BOX = 17, 26, 15, 16
"""Letters that fit: the name of the machine, the line below it, a port, the other machine."""

_PLUG_X, _PLUG_WIDTH = 16.0, 30.0

SYMBOLS = (
    '<svg width="0" height="0" aria-hidden="true" class="symbols">'
    '<symbol id="rj45" viewBox="0 0 30 18" class="plug">'
    '<rect x="7" y="1" width="16" height="16" rx="1.5"/>'
    '<path d="M10 4v4M13.3 4v4M16.7 4v4M20 4v4M11 17v-3h8v3"/></symbol>'
    '<symbol id="sfp" viewBox="0 0 30 18" class="plug">'
    '<rect x="5" y="2.5" width="20" height="13" rx="1"/><path d="M9 12h12"/></symbol>'
    '<symbol id="qsfp" viewBox="0 0 30 18" class="plug">'
    '<rect x="1" y="2" width="28" height="14" rx="1"/><path d="M5 6h20M5 12h20"/></symbol>'
    '<symbol id="usb-c" viewBox="0 0 30 18" class="plug">'
    '<rect x="4" y="4.5" width="22" height="9" rx="4.5"/><path d="M10 9h10"/></symbol>'
    '<symbol id="port" viewBox="0 0 30 18" class="plug">'
    '<circle cx="15" cy="9" r="7.5"/><circle cx="15" cy="9" r="2"/></symbol></svg>'
)
"""The connectors, by the families of the catalogue; a page has them once."""


@dataclass(frozen=True)
class BackPort:
    """A connector with a cable.

    Attributes
    ----------
    name : str
        Name of the port.
    cable : str
        Name of the cable.
    hue : int
        Number of its colour.
    far_box, far_port : str
        The other end.
    """

    name: str
    cable: str
    hue: int
    far_box: str
    far_port: str


@dataclass(frozen=True)
class Slot:
    """A NIC with its connectors, or all connectors of a switch."""

    caption: str
    shape: str
    """Family of the connectors; empty if unknown."""
    ports: tuple[BackPort, ...]
    n_free: int = 0
    """Connectors without a cable."""

    @property
    def height(self) -> float:
        """Height of its frame."""
        return CAPTION + ROW * len(self.ports) + FREE * self.n_free + 3


@dataclass(frozen=True)
class Back:
    """A machine or switch from the side of its cables."""

    name: str
    note: str
    style: str
    """Class of its box: node, hub or switch."""
    slots: tuple[Slot, ...]


def draw_back(back: Back) -> str:
    """Return the drawing as one `<svg>` element; the page has `SYMBOLS` too."""
    height = HEAD + sum(slot.height + GAP for slot in back.slots) + 1
    view, label = f"0 0 {number(WIDTH)} {number(height)}", escape(f"Ports of {back.name}")
    parts = [
        f'<svg class="back" viewBox="{view}" role="img" aria-label="{label}">',
        f'<g class="{back.style}">{_frame(1, 1, PANEL, height - 2, radius=6)}</g>',
        _text(10, 17, "head", back.name, MOST_OF_HEAD),
    ]
    if back.note:
        parts.append(_text(10, 29, "quiet", back.note, MOST_OF_NOTE))
    top = HEAD
    for slot in back.slots:
        parts += _slot(slot, top)
        top += slot.height + GAP
    return "".join(parts) + "</svg>"


def _slot(slot: Slot, top: float) -> list[str]:
    shape = slot.shape or "port"
    found = [
        f'<g class="slot">{_frame(8, top, PANEL - 14, slot.height, radius=3)}</g>',
        _text(14, top + 11, "quiet", slot.caption, MOST_OF_NOTE),
    ]
    y = top + CAPTION
    for port in slot.ports:
        found.append(_port(port, shape, y + ROW / 2))
        y += ROW
    for _ in range(slot.n_free):
        found += [_plug(shape, y + FREE / 2), _text(54, y + FREE / 2 + 3.5, "quiet", "free", 9)]
        y += FREE
    return found


def _port(port: BackPort, shape: str, y: float) -> str:
    x = (PANEL + CABLE_END) / 2 + 2
    return (
        f'<g class="hue-{port.hue}">{_plug(shape, y)}'
        + _text(54, y + 4, "own", port.name, MOST_OF_PORT)
        + f'<path class="lead" d="M{number(PANEL + 1)} {number(y)}H{number(CABLE_END)}"/>'
        + _text(x, y - 4, "name", port.cable, 9)
        + _text(CABLE_END + 6, y - 1, "far", port.far_box, MOST_OF_BOX)
        + _text(CABLE_END + 6, y + 10, "far-port", port.far_port, MOST_OF_BOX)
        + "</g>"
    )


def _frame(x: float, y: float, width: float, height: float, *, radius: int) -> str:
    size = f'width="{number(width)}" height="{number(height)}" rx="{radius}"'
    return f'<rect x="{number(x)}" y="{number(y)}" {size}/>'


def _plug(shape: str, y: float) -> str:
    return (
        f'<use href="#{shape}" x="{number(_PLUG_X)}" y="{number(y - 9)}" '
        f'width="{number(_PLUG_WIDTH)}" height="18"/>'
    )


def _text(x: float, y: float, style: str, text: str, most: int) -> str:
    """Return a text, which ends in dots if it is too long; its tooltip then has all of it."""
    is_long = len(text) > most
    shown = f"{text[: most // 2]}…{text[-(most - most // 2 - 1) :]}" if is_long else text
    title = f"<title>{escape(text)}</title>" if is_long else ""
    place = f'x="{number(x)}" y="{number(y)}"'
    return f'<text class="{style}" {place}>{escape(shown)}{title}</text>'
