"""The lists that `linkwright list` shows, by name; each is loaded when it is shown."""

from __future__ import annotations

from collections.abc import Callable

from linkwright.registry import Registry

__all__ = ["LISTS"]

LISTS: Registry[Callable[..., list[dict[str, str]]]] = Registry(
    "linkwright",
    {
        "topologies": "views.listings:topologies",
        "parts": "views.listings:parts",
        "catalogues": "views.listings:catalogues",
        "workloads": "views.listings:workloads",
        "calibrations": "views.listings:calibrations",
        "stacks": "views.listings:stacks",
        "engines": "views.listings:engines",
        "exporters": "views.listings:exporters",
        "importers": "views.listings:importers",
        "findings": "views.listings:findings",
        "papers": "papers.listing:listed",
        "defaults": "cli.defaults:listed",
    },
)
"""Functions that return the records of a list; the list of parts takes the name of a catalogue."""
