"""The frame of every page: templates, style sheets and scripts as text.

A page is one self-contained file. Jinja escapes every string, also inside embedded JSON; the assets
are the package's own and are inserted as they are. Every page has the base style: tokens, elements,
tables, light, dark and print, and drawings of networks. Pages follow the system's choice of light
or dark; pages with scripts have a button for it.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["asset", "fragment", "page"]

BASE = ("base.css", "drawing.css")
DARK = re.compile(r':root\[data-theme="dark"\] \{(.*?)\n\}', re.DOTALL)
"""The rule of a style sheet with the tokens of the dark theme."""


def page(
    template: str, *, styles: tuple[str, ...] = (), scripts: tuple[str, ...] = (), **values: Any
) -> str:
    """Return a page as HTML text.

    Parameters
    ----------
    template : str
        File in `templates/`.
    styles, scripts : tuple of str
        Files in `assets/`, after those of the base. Default: a page without scripts.
    **values
        Variables of the template.
    """
    sheet = "\n".join(map(asset, BASE + styles))
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup(sheet if scripts else _dark_by_system(sheet)),
            scripts=[Markup(asset(script)) for script in scripts],
            **values,
        )
    )


def _dark_by_system(sheet: str) -> str:
    """Return a style sheet that is dark where the system is, and light on paper."""
    return DARK.sub(r"@media screen and (prefers-color-scheme: dark) {\n:root {\1\n}\n}", sheet)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("linkwright.views"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def asset(name: str) -> str:
    """Return a file of `assets/` as text."""
    folder = resources.files("linkwright.views") / "assets"
    return (folder / name).read_text(encoding="utf-8")


def fragment(template: str, *, style: str, **values: Any) -> str:
    """Return a part of another page as HTML text, with nothing but the style given."""
    return _environment().get_template(template).render(style=Markup(style), **values)
