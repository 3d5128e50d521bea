"""The comparison of kernels with the proofs of a design, in words and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.views.fitting_table import FittingTable, Heading

if TYPE_CHECKING:
    from linkwright.verification.kernels import KernelProof

__all__ = ["kernels_summary", "kernels_table"]

MOST_LISTED = 20
"""Number of disagreements listed."""


def kernels_summary(proof: KernelProof) -> str:
    """Return the comparison in words, without the single disagreements."""
    summary = (
        f"{proof.n_nodes} kernels with {proof.n_routes:,} routes made {proof.n_lookups:,} "
        f"decisions: {proof.n_pairs:,} paths, whole and after {proof.n_failures:,} failures. "
        f"{proof.n_pings:,} pairs were pinged. "
    )
    if proof.n_cuts:
        summary += (
            f"{proof.n_cuts:,} of {proof.n_cables:,} cables were cut under {proof.n_connections:,} "
            f"open connections, which should go on within {proof.promised_s:g} s. "
        )
    if proof.left_out:
        n_left_out = len(proof.left_out)
        summary += f"{n_left_out:,} failures were not tried, the first is {proof.left_out[0]}. "
    found = proof.disagreements
    return summary + (f"{len(found):,} disagree:" if found else "All agree with the proofs.")


def kernels_table(proof: KernelProof) -> RenderableType:
    """Return a sentence on the comparison, and the disagreements."""
    summary, found = kernels_summary(proof), proof.disagreements
    if not found:
        return Text(summary)
    headings = ["failure", "tables", "from", "to", "proof", "kernels"]
    rows = [
        [one.failure or "none", one.tables, one.sender, one.receiver, one.proof, one.kernels]
        for one in found[:MOST_LISTED]
    ]
    table = FittingTable([Heading(one, wraps=one == "kernels") for one in headings], rows)
    parts: list[RenderableType] = [Text(summary), table]
    if len(found) > MOST_LISTED:
        parts.append(Text(f"and {len(found) - MOST_LISTED:,} more"))
    return Group(*parts)
