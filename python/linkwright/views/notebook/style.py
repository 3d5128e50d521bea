"""The style of fragments: tokens and drawings of the pages, below one class.

A page has one theme for all; a fragment follows that of the notebook around it. Each token is
therefore both colours at once, and every rule begins with the class of fragments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from linkwright.views.frame import asset

__all__ = ["style"]

# Written twice, a class outweighs the rules that JupyterLab has for lists and cells of outputs.
CLASS = ".linkwright"
BELOW = CLASS * 2
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_TOKEN = re.compile(r"(--[\w-]+):\s*([^;]+);")
_USED = re.compile(r"var\((--[\w-]+)")
LIGHT, DARK = ":root", ':root[data-theme="dark"]'


@cache
def style(*, has_drawing: bool) -> str:
    """Return the style sheet of a fragment; one without a drawing is half as long."""
    sheets = ("drawing.css", "notebook.css") if has_drawing else ("notebook.css",)
    own = "\n".join(rule for name in sheets for rule in _below(asset(name)))
    return f"{CLASS}{{{_tokens(own)}}}\n{own}"


def _below(sheet: str) -> Iterator[str]:
    """Yield the rules of a style sheet without at-rules, each selector below the class."""
    for selectors, body in _rules(sheet):
        parts = [one.strip() for one in re.split(r",(?![^(]*\))", selectors)]
        below = ",".join(one if CLASS in one else f"{BELOW} {one}" for one in parts)
        yield f"{below}{{{body}}}"


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and bodies, without spaces that mean nothing."""
    for selectors, body in _RULE.findall(_COMMENT.sub("", sheet)):
        yield selectors.strip(), re.sub(r"\s*\n\s*", "", body).removesuffix(";")


def _tokens(rules: str) -> str:
    """Return the tokens that some rules use, in the colours of both themes."""
    themes = {selectors: dict(_TOKEN.findall(f"{body};")) for selectors, body in _rules(_base())}
    light, dark = themes[LIGHT], themes[DARK]
    used = [name for name in light if name in set(_USED.findall(rules))]
    return ";".join(f"{name}:{_both(light[name], dark.get(name))}" for name in used)


def _base() -> str:
    """Return the base style of the pages without its rules for paper and phones."""
    return asset("base.css").partition("@media")[0]


def _both(light: str, dark: str | None) -> str:
    return light if dark is None else f"light-dark({light},{dark})"
