"""Message libraries and their algorithms for collectives, by name.

The names, their order and the collectives that they fit are those of the compiled core, which has
the algorithms (crates/program/src/collective); a test compares both.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Literal, get_args

from pydantic import Field, model_validator

from linkwright.calibrations import Library
from linkwright.workloads.sizes import SizeBytes
from linkwright.workloads.steps import StepKind, Steps
from linkwright.workloads.workload import Workload

__all__ = [
    "ALGORITHMS",
    "LIBRARIES",
    "AllGatherAlgorithm",
    "AllReduceAlgorithm",
    "AllToAllAlgorithm",
    "BarrierAlgorithm",
    "BroadcastAlgorithm",
    "ByAlgorithm",
    "ByLibrary",
    "ReduceScatterAlgorithm",
]

LIBRARIES: tuple[str, ...] = get_args(Library)
"""Names of the libraries."""

ALGORITHMS = (
    "linear",
    "linear-synchronised",
    "linear-posted",
    "chain",
    "pipeline",
    "binary",
    "binary-in-order",
    "split-binary",
    "binomial",
    "binomial-high",
    "binomial-cube",
    "knomial",
    "recursive-doubling",
    "recursive-halving",
    "butterfly",
    "rabenseifner",
    "rabenseifner-halves",
    "ring",
    "segmented-ring",
    "scatter-ring",
    "scatter-doubling",
    "two-steps",
    "linear-two-steps",
    "bruck",
    "neighbour-exchange",
    "posted",
    "scattered",
    "pairwise",
    "pairwise-exchange",
    "dissemination",
    "tree",
)
"""Names of the algorithms; the code of one in a table of steps is its place, from 1 on."""

BroadcastAlgorithm = Literal[
    "linear",
    "chain",
    "pipeline",
    "binary",
    "split-binary",
    "binomial",
    "binomial-high",
    "binomial-cube",
    "knomial",
    "scatter-ring",
    "scatter-doubling",
]
AllReduceAlgorithm = Literal[
    "two-steps",
    "linear-two-steps",
    "recursive-doubling",
    "ring",
    "segmented-ring",
    "rabenseifner",
    "rabenseifner-halves",
]
AllGatherAlgorithm = Literal["ring", "bruck", "recursive-doubling", "neighbour-exchange"]
ReduceScatterAlgorithm = Literal[
    "two-steps", "recursive-halving", "recursive-doubling", "butterfly", "pairwise", "ring"
]
BarrierAlgorithm = Literal["linear", "recursive-doubling", "dissemination", "tree"]
AllToAllAlgorithm = Literal[
    "linear", "posted", "scattered", "pairwise", "pairwise-exchange", "bruck"
]

SEGMENTED = {
    StepKind.BROADCAST: (
        "linear",
        "chain",
        "pipeline",
        "binary",
        "binomial-high",
        "knomial",
    ),
    StepKind.ALL_REDUCE: ("segmented-ring",),
}
"""Algorithms that can divide messages into segments, by the kind of collective."""


class ByLibrary(Workload):
    """A workload whose collectives are carried out by a message library."""

    library: Library | None = None
    """Message library whose algorithms carry out the collectives. Default: that of the hosts."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The settings as JSON values, without those that leave the choice to the library."""
        left_open = {name for name in _CHOICES if getattr(self, name, None) is None}
        return {name: value for name, value in super().parameters.items() if name not in left_open}


_CHOICES = ("library", "algorithm", "segment_bytes")


class ByAlgorithm(ByLibrary):
    """A workload of one collective, whose algorithm can be chosen.

    A subclass has a setting `algorithm` with the names of its collective.
    """

    collective: ClassVar[StepKind]
    """The kind of the collective."""

    algorithm: str | None = None
    """Algorithm of the collective. Default: the library's, by ranks and bytes."""
    segment_bytes: SizeBytes | None = Field(None, le=2**32 - 1)
    """Bytes of the segments into which the algorithm divides messages. Default: what it usually
    takes, 128 KiB for a pipeline and 1 MiB for a segmented ring."""

    @model_validator(mode="after")
    def _has_segments(self) -> ByAlgorithm:
        segmented = SEGMENTED.get(self.collective, ())
        if self.segment_bytes is None or self.algorithm in segmented:
            return self
        which = ", ".join(segmented) or "none of this collective"
        raise ValueError(f"segment_bytes goes with an algorithm of segments: {which}")

    def in_manner(self, steps: Steps) -> Steps:
        """Return collectives with the chosen algorithm and segments."""
        if self.algorithm is None:
            return steps
        number = steps.number.copy()
        number[steps.kind == self.collective] = ALGORITHMS.index(self.algorithm) + 1
        tag = steps.tag.copy()
        tag[steps.kind == self.collective] = self.segment_bytes or 0
        return replace(steps, number=number, tag=tag)
