"""Writes a picture as SVG text; names go through the escape function of the standard library.

Each shape has its device or cables in `data-device` or `data-cables`, so that a page finds it.
"""

from __future__ import annotations

from html import escape

from linkwright.views.drawing.picture import Badge, Box, Picture, Wire, extent, number

MARGIN = 30.0
BADGE_RADIUS = 8.0
FRAME_LETTER_WIDTH = 5.0
"""Width of a letter of a frame's name."""


def to_svg(picture: Picture, name: str) -> str:
    """Return a picture as one `<svg>` element that scales with its place.

    Parameters
    ----------
    picture : Picture
        The drawing.
    name : str
        Title of the drawing, for readers who cannot see it.
    """
    left, top, right, bottom = extent([*picture.boxes.values(), *picture.frames])
    width, height = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    view = " ".join(map(number, (left - MARGIN, top - MARGIN, width, height)))
    body = [
        *(_box(frame, radius=6) for frame in picture.frames),
        *map(_wire, picture.wires),
        *(_box(box, radius=4) for _, box in sorted(picture.boxes.items())),
        *map(_badge, picture.badges),
    ]
    if picture.note:
        place = f'x="{number((left + right) / 2)}" y="{number(bottom + 0.8 * MARGIN)}"'
        body.append(f'<text class="remark" {place}>{escape(picture.note)}</text>')
    return (
        f'<svg class="topology" viewBox="{view}" width="{number(width)}" '
        f'height="{number(height)}" role="img" aria-label="{escape(name)}" '
        f'xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(body) + "\n</svg>"
    )


def _wire(wire: Wire) -> str:
    cables = " ".join(map(str, wire.cables))
    title = f"<title>{escape(wire.title)}</title>"
    return f'<path class="{wire.style}" data-cables="{cables}" d="{wire.path}">{title}</path>'


def _box(box: Box, *, radius: float) -> str:
    left, top, _, bottom = box.corners
    rect = (
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(box.width)}" '
        f'height="{number(box.height)}" rx="{number(radius)}"/>'
    )
    label_x, label_y = box.x, box.y + 3.5
    if box.style == "chassis":  # its name is outside, where no cable comes in
        label_y = bottom + 12 if box.width > box.height else top - 4
    if box.style == "chassis group":  # left of the cables that leave its middle
        label_x, label_y = left + 4 + FRAME_LETTER_WIDTH * len(box.label) / 2, top - 4
    label = f'<text x="{number(label_x)}" y="{number(label_y)}">{escape(box.label)}</text>'
    device = "" if box.device is None else f' data-device="{box.device}"'
    return f'<g class="{box.style}"{device}><title>{escape(box.title)}</title>{rect}{label}</g>'


def _badge(badge: Badge) -> str:
    x, y = number(badge.x), number(badge.y)
    circle = f'<circle cx="{x}" cy="{y}" r="{number(BADGE_RADIUS)}"/>'
    label = f'<text x="{x}" y="{number(badge.y + 3.5)}">{escape(badge.label)}</text>'
    return f'<g class="{badge.style}"><title>{escape(badge.title)}</title>{circle}{label}</g>'
