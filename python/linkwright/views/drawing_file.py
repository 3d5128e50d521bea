"""The drawing of a network as a file of its own: an SVG with its style, light, on white.

It is for documents and slides, whose programs know plain style sheets and variables of CSS at most.
So the variables are replaced by the colours of the light theme.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from linkwright.views.drawing import draw
from linkwright.views.frame import asset

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["drawing_file"]

FONT = "Helvetica, Arial, sans-serif"
_LIGHT = re.compile(r":root \{(.*?)\n\}", re.DOTALL)
_TOKEN = re.compile(r"--([\w-]+):\s*([^;]+);")
_USE = re.compile(r"var\(--([\w-]+)\)")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def drawing_file(network: Network) -> str:
    """Return the drawing of a network as the text of an SVG file."""
    head, body = draw(network).split("\n", 1)
    box = re.search(r'viewBox="([^"]*)"', head)
    assert box is not None
    left, top, width, height = box[1].split()
    paper = f'<rect class="paper" x="{left}" y="{top}" width="{width}" height="{height}"/>'
    style = f"<style>{_style()}</style>"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}\n{style}\n{paper}\n{body}\n'


@cache
def _style() -> str:
    """Return the rules of drawings that apply outside of a page, with colours for variables."""
    light = _LIGHT.search(asset("base.css"))
    assert light is not None
    tokens = dict(_TOKEN.findall(light[1])) | {"font": FONT}
    hues: dict[str, str] = {}
    rules: list[tuple[str, str]] = []
    for selector, declarations in _RULE.findall(_COMMENT.sub("", asset("drawing.css"))):
        if "--hue:" in declarations:
            hues |= dict.fromkeys(_names(selector), _coloured(declarations, tokens))
        elif ".topology" in selector and ":hover" not in selector:
            rules.append((" ".join(selector.split()), declarations))
    return "\n".join(_written(rules, hues, tokens)) + "\n.topology .paper { fill: #fff; }"


def _names(selector: str) -> list[str]:
    return [one.strip() for one in selector.split(",")]


def _coloured(declarations: str, tokens: dict[str, str]) -> str:
    """Return the colour of a rule that gives a hue."""
    use = _USE.search(declarations)
    assert use is not None
    return tokens[use[1]]


def _coloured_all(declarations: str, tokens: dict[str, str]) -> str:
    """Return declarations with the values of their variables."""
    return _USE.sub(lambda use: tokens[use[1]], declarations)


def _written(
    rules: list[tuple[str, str]], hues: dict[str, str], tokens: dict[str, str]
) -> list[str]:
    """Return rules with colours; one that takes its hue from a class becomes one for each hue."""
    written = []
    for selector, declarations in rules:
        choices = {"": ""} if "--hue" not in declarations else hues
        for name, hue in choices.items():
            text = _coloured_all(declarations, tokens | {"hue": hue})
            written.append(f"{selector}{name} {{ {' '.join(text.split())} }}")
    return [
        rule
        for rule in written
        if not rule.startswith("svg.topology")  # its size is that of the picture
    ]
