"""Plots of Matplotlib inside a page: their colours become the tokens of its style sheet, so that
they are dark where the page is. Colours that are no tokens, as those of a heat map, stay.
"""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

from linkwright.views.frame import asset

__all__ = ["plot_of_page"]

_COLOUR = re.compile(r"(?<=: )#[0-9a-f]{6}(?=[;\"])")
_PARTS = {
    "#000000": "ink",
    "#ffffff": "raised",
    "#888888": "quiet",
    "#b0b0b0": "line",
    "#cccccc": "line",
    "#1f77b4": "ink",
}
"""Matplotlib's own: axes, background, points that are no series, grid, frame of a legend, ends of
whiskers.
"""


def plot_of_page(svg: str) -> Markup:
    """Return a drawing of Matplotlib as an element of a page.

    Parameters
    ----------
    svg : str
        The drawing as a file.
    """
    names = _PARTS | _series()
    start = svg.index("<svg")

    def themed(found: re.Match[str]) -> str:
        name = names.get(found.group())
        return f"var(--{name})" if name else found.group()

    return Markup(_COLOUR.sub(themed, svg[start:]))


@cache
def _series() -> dict[str, str]:
    """Return the tokens of the series by their colours in light."""
    light = asset("base.css").partition('[data-theme="dark"]')[0]
    return {colour: name for name, colour in re.findall(r"--(series-\d): (#[0-9a-f]{6});", light)}
