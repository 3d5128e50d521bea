"""A reproduced paper: its tables, grouped by the source of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwright.papers.entry import Entry
    from linkwright.papers.run_table import RunTable

__all__ = ["Paper"]


@dataclass(frozen=True, kw_only=True)
class Paper:
    """The tables of one paper."""

    title: str
    package: str
    """Folder with its claims and clusters."""
    formulas: Mapping[str, Callable[[], list[Entry]]] = field(default_factory=dict)
    """Tables that are computed."""
    counted: tuple[str, ...] = ()
    """Tables that are counted in the built networks, according to `claims.toml`."""
    run_tables: Mapping[str, Callable[[], RunTable]]
    """Tables that need runs."""

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that need no run."""
        return *self.formulas, *self.counted
