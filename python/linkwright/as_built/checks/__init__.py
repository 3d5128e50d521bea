"""Comparisons of real machines with their plan: one file per family of findings.

Each family is a function of the plan and the machines, and yields findings in a stable order.
Cables are compared in cables.py beside this folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from linkwright.as_built.checks.addresses import check_addresses
from linkwright.as_built.checks.bridges import check_bridges
from linkwright.as_built.checks.firewall import check_firewall
from linkwright.as_built.checks.jobs import check_jobs
from linkwright.as_built.checks.kernel import check_kernel
from linkwright.as_built.checks.links import check_links
from linkwright.as_built.checks.machines import check_machines
from linkwright.as_built.checks.managers import check_managers
from linkwright.as_built.checks.names import check_names
from linkwright.as_built.checks.routes import check_routes
from linkwright.as_built.checks.rules import check_rules
from linkwright.as_built.deviation import Deviation
from linkwright.as_built.matched import Matched
from linkwright.as_built.planned import Planned

__all__ = ["CHECKS"]

CHECKS: tuple[Callable[[Planned, Matched], Iterator[Deviation]], ...] = (
    check_machines,
    check_bridges,
    check_links,
    check_addresses,
    check_routes,
    check_rules,
    check_kernel,
    check_firewall,
    check_managers,
    check_names,
    check_jobs,
)
