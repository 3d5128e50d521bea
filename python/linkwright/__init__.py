"""Linkwright designs, proves, prices, predicts and tries networks of commodity parts.

The public surface: describe (Cluster), compile (Network), ask (check, price, write_plan), run and
compare. Names are loaded when they are first used, so that an unused part, or the compiled
extension, costs nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # known to type checkers; the import of `typing` takes 5 ms
if TYPE_CHECKING:
    from typing import Any

    __version__: str

    from linkwright import calibrations, papers, study, workloads
    from linkwright.calibrations import Calibration
    from linkwright.comparison.compare import compare
    from linkwright.design.cluster import Cluster
    from linkwright.design.schema import design_schema
    from linkwright.engines import run
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
    from linkwright.plan import check, price, write_plan
    from linkwright.results import Result
    from linkwright.workloads import Workload

__all__ = [
    "Calibration",
    "CapabilityError",
    "Cluster",
    "DesignError",
    "LinkwrightError",
    "Network",
    "OutputError",
    "PlanError",
    "Result",
    "RunError",
    "UsageError",
    "Workload",
    "calibrations",
    "check",
    "compare",
    "compile",
    "design_schema",
    "papers",
    "price",
    "run",
    "study",
    "workloads",
    "write_plan",
]

_HOMES = {
    "Calibration": "calibrations",
    "CapabilityError": "errors",
    "Cluster": "design.cluster",
    "DesignError": "errors",
    "LinkwrightError": "errors",
    "Network": "network",
    "OutputError": "errors",
    "PlanError": "errors",
    "Result": "results",
    "RunError": "errors",
    "UsageError": "errors",
    "Workload": "workloads",
    "calibrations": "calibrations",
    "check": "plan",
    "compare": "comparison.compare",
    "compile": "network",
    "design_schema": "design.schema",
    "papers": "papers",
    "price": "plan",
    "run": "engines",
    "study": "study",
    "workloads": "workloads",
    "write_plan": "plan",
}
"""Public name -> its module; a name that is a module stands for itself."""


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    from importlib import import_module

    if name == "__version__":
        return import_module("linkwright.version").VERSION
    if name not in _HOMES:
        raise AttributeError(f"module 'linkwright' has no attribute '{name}'")
    home = import_module(f"linkwright.{_HOMES[name]}")
    value = home if name == _HOMES[name] else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted([*__all__, "__version__"])
