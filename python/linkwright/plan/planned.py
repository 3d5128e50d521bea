"""A plan: the files of its folder, its summary and its changes, all from one value of facts.

The changes are those from an earlier plan, or from the network with all its parts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from linkwright.errors import PlanError
from linkwright.files import Pieces
from linkwright.network import Network
from linkwright.nodes.hosts import hosts_of
from linkwright.plan.difference import Difference, changes_text, difference
from linkwright.plan.facts import Facts
from linkwright.plan.path_model import PathModel, path_model
from linkwright.plan.summary import summary_of

__all__ = ["Planned", "planned"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Planned:
    """A plan in the forms that its readers need."""

    files: Mapping[str, str | Pieces]
    """Text per file of the folder; the long table of routes is made as it is read."""
    summary: Mapping[str, Any]
    """The figures of `summary.json`, as JSON values."""
    changes: Difference | None
    """The changes from an earlier plan, or from that of the whole network; None without either.
    `changes.csv` holds those of routes.
    """


def planned(
    whole: Network,
    left: Network | None = None,
    model: PathModel | None = None,
    *,
    earlier: Mapping[str, str] | None = None,
) -> Planned:
    """Return the plan of a network, or of the part of it that survives failures.

    Parameters
    ----------
    whole : Network
        The network with all its parts.
    left : Network, optional
        The same design compiled without some parts; its routes and figures are those of the plan.
    model : PathModel, optional
        Gives latency and bandwidth. Default: the model of the catalogue's hosts.
    earlier : mapping of str to str, optional
        The files of an earlier plan, to list the changes from it. Default: from the whole network.

    Raises
    ------
    PlanError
        If the network cannot be priced, or `whole` was compiled without some parts.
    """
    if whole.without:
        raise PlanError(
            f"'{whole.name}' was compiled without {', '.join(whole.without)}, and a plan lists "
            "all parts",
            "plan it with plan_without(whole, left)",
        )
    model = model or path_model(hosts_of(whole))
    facts = Facts(whole, model)
    if left is not None:
        facts = Facts(left, model, facts)
    tables = facts.tables  # before all that is counted: too many routes are refused here
    summary = summary_of(facts)
    changes = None if left is None else facts.changes
    if earlier is not None:
        changes = difference(earlier, tables)
    changed = {} if changes is None else {"changes.csv": changes_text(changes.routes)}
    text = json.dumps(summary, indent=2) + "\n"
    files = {**tables, **changed, "summary.json": text}
    return Planned(files=files, summary=summary, changes=changes)
