"""The answer of `linkwright emulate --verify`: kernels beside the proofs of a design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, astuple, fields
from typing import TYPE_CHECKING

import typer

from linkwright.cli.formats import Format, json_text
from linkwright.cli.output import Destination

if TYPE_CHECKING:
    from linkwright.verification.kernels import KernelProof

__all__ = ["deliver_proof"]


def deliver_proof(
    proof: KernelProof, target: Destination, differences: Sequence[str] | None = None
) -> None:
    """Show a comparison, and end with code 1 if something differs.

    Parameters
    ----------
    proof : KernelProof
        The comparison.
    target : Destination
        Where it goes.
    differences : sequence of str, optional
        Differences of files from the plan, for JSON.
    """
    from linkwright.text.csv_text import csv_text
    from linkwright.verification.kernels import Disagreement
    from linkwright.views.kernels import kernels_table

    more = {} if differences is None else {"differences": list(differences)}
    target.deliver(
        {
            Format.TABLE: lambda: kernels_table(proof),
            Format.JSON: lambda: json_text(asdict(proof) | more),
            Format.CSV: lambda: csv_text(
                [column.name for column in fields(Disagreement)],
                [list(astuple(one)) for one in proof.disagreements],
            ),
        }
    )
    if proof.disagreements or differences:
        raise typer.Exit(1)
