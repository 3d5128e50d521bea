"""A difference between kernels and the proofs."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Disagreement"]


@dataclass(frozen=True)
class Disagreement:
    """A packet for which kernels decide otherwise than the proof says.

    Attributes
    ----------
    failure : str
        Name of the failed parts; empty for the whole network.
    tables : str
        "plan" for the plan's tables, "recomputed" for those without the failed parts.
    sender, receiver : str
        Node that sends, and node or address that the packet is for.
    proof, kernels : str
        The way of the packet by either; the numbers of pairs where pairs are counted, which then
        have no names.
    """

    failure: str
    tables: str
    sender: str
    receiver: str
    proof: str
    kernels: str
