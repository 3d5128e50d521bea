"""The reproduced papers as records of a list, as in views/listings.py."""

from __future__ import annotations

from linkwright.papers import PAPERS, table_names

__all__ = ["listed"]


def listed() -> list[dict[str, str]]:
    """Return the papers and their tables."""
    return [{"paper": name, "tables": ", ".join(table_names(name))} for name in PAPERS]
