"""Linkwright designs, proves, predicts, tries, wires and measures networks of commodity parts.

The public surface. Names are loaded when they are first used, so that a part which is not needed,
or the compiled extension, costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from linkwright.design.cluster import Cluster
    from linkwright.design.schema import design_schema
    from linkwright.errors import (
        CapabilityError,
        DesignError,
        LinkwrightError,
        OutputError,
        PlanError,
        RunError,
        UsageError,
    )
    from linkwright.network import Network, compile  # noqa: A004 - the verb of the field

__all__ = [
    "CapabilityError",
    "Cluster",
    "DesignError",
    "LinkwrightError",
    "Network",
    "OutputError",
    "PlanError",
    "RunError",
    "UsageError",
    "compile",
    "design_schema",
]

_HOMES = {
    "CapabilityError": "errors",
    "Cluster": "design.cluster",
    "DesignError": "errors",
    "LinkwrightError": "errors",
    "Network": "network",
    "OutputError": "errors",
    "PlanError": "errors",
    "RunError": "errors",
    "UsageError": "errors",
    "compile": "network",
    "design_schema": "design.schema",
}
"""Public name -> module it is loaded from."""

try:
    __version__ = version("linkwright")
except PackageNotFoundError:  # imported from a source folder that is not installed
    __version__ = "0"


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'linkwright' has no attribute '{name}'")
    value = getattr(import_module(f"linkwright.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted([*__all__, "__version__"])
