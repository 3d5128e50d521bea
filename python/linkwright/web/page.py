"""The page of the workbench: its frame, and the data of its script: the JSON Schema of designs, the
parts of every catalogue with the ports that fit, and the names of workloads.
"""

from __future__ import annotations

import secrets
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

from linkwright.design.importers import IMPORTERS
from linkwright.design.node_nics import most_ports
from linkwright.design.parts import (
    ROLES,
    HubPart,
    NicPart,
    NodePart,
    Part,
    SwitchPart,
    catalogue,
    catalogue_names,
)
from linkwright.design.schema import design_schema
from linkwright.faults import GRAMMAR as FAULTS
from linkwright.placement import GRAMMAR
from linkwright.plan.exporters import EXPORTERS
from linkwright.study.study_file import PlanFigure
from linkwright.version import VERSION
from linkwright.views.frame import BASE, page
from linkwright.web.answers import Opened
from linkwright.web.following import ENGINES
from linkwright.workloads import PATTERNS, WORKLOADS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from linkwright.web.workspace import Workspace

__all__ = ["STYLES", "workbench_page"]

STYLES = (
    *(*BASE, "report.css", "verify.css", "check.css"),
    *("workbench.css", "take.css", "draw.css"),
)
"""Style sheets of the page, in their order."""
FIRST_DESIGN = """\
# A design: topology, parts, addressing, routing. Ctrl-Space completes a key or a value.
topology: {kind: torus, shape: [4, 4]}
parts: {catalogue: ethernet-2026, node: server}
"""
"""Text of the editor if no design is given."""


def workbench_page(
    workspace: Workspace, design: str | None, *, can_emulate: bool = False
) -> tuple[str, str]:
    """Return the page's HTML and its content security policy.

    Parameters
    ----------
    workspace : Workspace
        The folder of the designs.
    design : str or None
        Name of the design to open in it; None for a new one.
    can_emulate : bool
        Whether the server brings kernels up for the page.
    """
    nonce = secrets.token_urlsafe(16)
    opened: Opened = {"name": "", "text": FIRST_DESIGN, "digest": None}
    if design is not None:
        opened = workspace.design(design)
    html = page(
        "workbench.html.j2",
        sheets=STYLES,
        version=VERSION,
        folder=workspace.folder.name,
        drawing="",
        is_explicit=False,
        placements=GRAMMAR,
        can_emulate=can_emulate,
        data={"design": opened, "nonce": nonce, "can_emulate": can_emulate, **_known()},
    )
    policy = {
        "default-src": "'none'",
        "script-src": "'self' 'wasm-unsafe-eval'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "style-src-attr": "'unsafe-inline'",
        "img-src": "data:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return html, "; ".join(f"{name} {value}" for name, value in policy.items())


@cache
def _known() -> dict[str, Any]:
    return {
        "version": VERSION,
        "schema": design_schema(),
        "catalogues": {name: _parts(name) for name in catalogue_names()},
        "workloads": [*WORKLOADS],
        "patterns": [*PATTERNS],
        "engines": list(ENGINES),
        "faults": FAULTS,
        "plan_figures": list(get_args(PlanFigure)),
        "importers": [{"format": name, "source": one.source} for name, one in IMPORTERS.items()],
        "targets": [{"target": name, "reader": one.reader} for name, one in EXPORTERS.items()],
    }


def _parts(name: str) -> dict[str, Any]:
    """Return the parts of a catalogue by role, for completion and for the form."""
    found = catalogue(name)
    by_role: dict[str, list[tuple[str, str]]] = {role: [] for role in ROLES}
    for key, part in found.parts.items():
        for role in ROLES:
            if part.role in (role, role.removeprefix("root_")):
                by_role[role].append((key, part.name))
    facts = {key: _facts(part, found.parts) for key, part in found.parts.items()}
    return {
        "title": found.title,
        "parts": by_role,
        "defaults": dict(found.defaults),
        "facts": facts,
    }


def _facts(part: Part, parts: Mapping[str, Part]) -> dict[str, Any]:
    """Return the figures of a part that decide what it can be joined to."""
    facts: dict[str, Any] = {}
    if isinstance(part, NodePart):
        nics = {key: one for key, one in parts.items() if isinstance(one, NicPart)}
        facts["room"] = {key: most_ports(part, nic) for key, nic in nics.items()}
    else:
        facts |= {"connector": part.connector, "rate_mbps": part.rate_mbps}
    if isinstance(part, HubPart | SwitchPart):
        facts["ports"] = part.most_ports
    return facts
