"""Saturation in a study: it stands among the engines, and takes patterns instead of workloads.

Loads follow from the routes alone, so inputs that only messages feel are refused.
"""

from __future__ import annotations

from collections.abc import Mapping

from linkwright.calibrations import Calibration
from linkwright.engines import saturate
from linkwright.errors import UsageError, unknown_name
from linkwright.network import Network
from linkwright.results import Result
from linkwright.workloads import PATTERNS, Pattern, Workload

__all__ = ["SATURATION", "saturated"]

SATURATION = "saturation"
"""Its name among the engines of a study."""


def saturated(
    network: Network, workload: Workload, hosts: Calibration, circumstances: Mapping[str, object]
) -> Result:
    """Return the rows of `engines.saturate` for one pattern.

    Parameters
    ----------
    network, workload, hosts
        The inputs of a run.
    circumstances : mapping of str to object
        Further inputs by the names of their keys in a study file; all must be empty.

    Raises
    ------
    UsageError
        If the workload is no pattern, or a circumstance is given.
    """
    if not isinstance(workload, Pattern):
        raise UsageError(
            f"saturation needs a pattern, workload {workload.name} is none",
            unknown_name(workload.name, PATTERNS),
        )
    for name, given in circumstances.items():
        if given:
            raise UsageError(
                f"saturation does not depend on {name}", f"leave out '{name}', or saturation"
            )
    return saturate(network, [workload], calibration=hosts)
