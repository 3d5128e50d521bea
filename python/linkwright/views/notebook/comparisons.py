"""A comparison of architectures, as the terminal shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwright.views.notebook.fragment import fragment
from linkwright.views.tables import comparison_table

if TYPE_CHECKING:
    from linkwright.comparison import ArchitectureComparison

__all__ = ["comparison"]


def comparison(found: ArchitectureComparison) -> str:
    """Return architectures side by side."""
    facts = [
        ("workloads", ", ".join(found.workloads)),
        ("seeds", f"{found.seeds[0]} to {found.seeds[-1]}" if found.draws else str(found.seed)),
    ]
    table = comparison_table(found)
    return fragment("Comparison", found.summary, facts, table, whole="to_pandas()")
