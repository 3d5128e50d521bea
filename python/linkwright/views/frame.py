"""The frame of every page: templates, style sheets and scripts as text.

A page is one self-contained file. Jinja escapes every string, also inside embedded JSON; the assets
are the package's own and are inserted as they are. Every page has the base style: tokens, elements,
tables, light, dark and print, and drawings of networks.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["asset", "fragment", "page"]

BASE = ("base.css", "drawing.css")


def page(
    template: str, *, styles: tuple[str, ...] = (), script: str | None = None, **values: Any
) -> str:
    """Return a page as HTML text.

    Parameters
    ----------
    template : str
        File in `templates/`.
    styles, script : tuple of str, str
        Files in `assets/`, after those of the base. Default: a page without scripts, which is
        light.
    **values
        Variables of the template.
    """
    return (
        _environment()
        .get_template(template)
        .render(
            style=Markup("\n".join(map(asset, BASE + styles))),
            script=Markup(asset(script)) if script else "",
            **values,
        )
    )


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
