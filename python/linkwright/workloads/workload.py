"""The base of every workload: named settings, a table of steps, and figures read from marks.

A workload knows neither networks nor engines. It gives the number of its ranks, their steps, and
figures computed from the times at which ranks passed its marks. To add one, write one file like its
neighbours here and add one line to `__init__.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import isfunction
from typing import Annotated, Any, ClassVar, Protocol, Self

from pydantic import ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from linkwright.errors import UsageError
from linkwright.records.plain_numbers import NumpySettings, takes_numpy
from linkwright.records.validation import RULES, as_one, each_mistake, rule_and_remedy
from linkwright.workloads.arrivals import Datagrams
from linkwright.workloads.marks import Marks
from linkwright.workloads.steps import Steps

__all__ = [
    "FIRST_SEED",
    "MAX_RANKS",
    "Datagrams",
    "Distance",
    "Marks",
    "Measurement",
    "MemoryBytes",
    "NodeSpeed",
    "OperationsPerS",
    "RankCount",
    "RankNumber",
    "RanksTakingPart",
    "SpeedFactor",
    "Workload",
    "taking_part",
]

FIRST_SEED = 1
"""Seed of the first of `n_seeds` runs, the same for a run and for its reproduction."""
_TAKE_COUNTS = ("n_ranks", "why_fewer_ranks", "at_speed", "steps", "pairs")
"""Methods of workloads with numbers of nodes or ranks, which callers may have from NumPy."""

MAX_RANKS = 1 << 20
"""Largest number of ranks of a program."""


@dataclass(frozen=True)
class Measurement:
    """One figure of one run of a workload."""

    metric: str
    """Measured quantity, for example "latency"."""
    value: float
    """Value in the base unit."""
    unit: str
    """Base unit: s, B, B/s, or 1 for a count."""
    parameters: Mapping[str, Any]
    """Settings of the workload for this figure, as JSON values."""


RanksTakingPart = Annotated[int, Field(ge=2, le=MAX_RANKS)] | None
"""Number of ranks that take part, None for one on every node."""
RankNumber = Annotated[int, Field(ge=0, lt=MAX_RANKS)]
"""A rank, counted from 0."""
RankCount = Annotated[int, Field(ge=1, le=MAX_RANKS)]
"""A number of ranks, or of pairs or rows of them."""
Distance = Annotated[int, Field(gt=-MAX_RANKS, lt=MAX_RANKS)]
"""Distance between ranks, negative for earlier ones."""
OperationsPerS = Annotated[float, Field(ge=1, le=1e18)]
"""Speed of one node; an exaflop is the speed of a whole large machine."""
SpeedFactor = Annotated[float, Field(ge=1e-6, le=1e6)]
"""Speed relative to the calibrated node."""
MemoryBytes = Annotated[float, Field(ge=1, le=1e18)]
"""Memory of a node, up to an exabyte."""


class NodeSpeed(Protocol):
    """The speed of a calibration's nodes, for workloads that compute."""

    @property
    def memory_bytes(self) -> float | None:
        """Bytes of a node's memory that a program can use, if known."""

    @property
    def copy_us_per_byte(self) -> float:
        """Time to copy one byte from memory to memory, in microseconds."""

    def rate(self, kernel: str, working_set_bytes: float) -> float | None:
        """Return the operations per second of one node, if known.

        Parameters
        ----------
        kernel : str
            Name of the computation, for example "bt".
        working_set_bytes : float
            Memory that one rank works on: data in the cache are faster.
        """


class Workload(NumpySettings, ABC):
    """A program or traffic pattern, with its measurements.

    The fields of a subclass are its settings. All of them can be given as text, as on the command
    line.

    Raises
    ------
    UsageError
        If a setting is unknown or out of its range.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: ClassVar[str]
    """Name by which a user asks for it."""
    examples: ClassVar[tuple[Mapping[str, Any], ...]] = ({},)
    """Settings for tests: each gives a short run on any network."""
    files: ClassVar[tuple[str, ...]] = ()
    """Settings that name a file or a folder."""

    def __init__(self, /, **settings: Any) -> None:
        try:
            super().__init__(**settings)
        except ValidationError as error:
            found = [_usage_error(type(self), details) for details in each_mistake(error)]
            raise as_one(found, f"workload {self.name}") from None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in _TAKE_COUNTS:
            method = vars(cls).get(name)
            if isfunction(method):  # `pairs` is a setting of some workloads
                setattr(cls, name, takes_numpy(method))

    @classmethod
    def summary(cls) -> str:
        """Return a description of the workload, in one sentence."""
        return (cls.__doc__ or "").strip().partition("\n")[0]

    @classmethod
    def setting_names(cls) -> list[str]:
        """Return the names of the settings, as on the command line."""
        return [field.alias or name for name, field in cls.model_fields.items()]

    @property
    def sends_datagrams(self) -> bool:
        """Whether it needs an engine that moves datagrams."""
        return False

    @property
    def uses_disks(self) -> bool:
        """Whether it needs a calibration with constants of disks."""
        return False

    @property
    def is_collective(self) -> bool:
        """Whether the libraries of GPUs have its operations too."""
        return False

    @property
    def n_seeds(self) -> int:
        """Number of runs with different seeds whose mean is the prediction where chance matters."""
        return 4

    @property
    def parameters(self) -> dict[str, Any]:
        """The settings as JSON values."""
        return self.model_dump(mode="json", by_alias=True)

    @takes_numpy
    def n_ranks(self, n_nodes: int) -> int:
        """Return the number of ranks on a cluster of `n_nodes`; rank i runs on node i.

        Raises
        ------
        UsageError
            If the cluster is too small or too large.
        """
        if n_nodes < 2:
            raise UsageError(
                f"workload {self.name} needs two nodes, the cluster has {n_nodes}",
                "choose a larger cluster",
            )
        if n_nodes > MAX_RANKS:
            raise UsageError(
                f"workload {self.name} runs on {MAX_RANKS} nodes at most, not on {n_nodes}",
                "choose a smaller cluster",
            )
        return n_nodes

    def why_fewer_ranks(self, n_nodes: int) -> str:
        """Return the reason for fewer ranks than nodes; empty if there is none to give."""
        del n_nodes
        return ""

    def at_speed(self, speed: NodeSpeed, n_nodes: int) -> Self:
        """Return the workload with the speed of its nodes; most workloads compute nothing."""
        del speed, n_nodes
        return self

    def tag_names(self) -> Mapping[int, str]:
        """Return tags in other words than their number, for messages."""
        return {}

    def longer(self, marks: Marks) -> Self | None:
        """Return a longer workload to run instead if this run was too short, else None."""
        del marks
        return None

    @abstractmethod
    def steps(self, n_ranks: int) -> Steps:
        """Return the steps of `n_ranks` ranks."""

    @abstractmethod
    def measure(self, marks: Marks) -> list[Measurement]:
        """Return the figures of one run."""

    def _measurement(self, metric: str, value: float, unit: str, **parameters: Any) -> Measurement:
        return Measurement(metric, value, unit, {**self.parameters, **parameters})


def taking_part(workload: Workload, ranks: int | None, n_nodes: int) -> int:
    """Return the number of ranks, where a setting may request fewer than there are nodes.

    Raises
    ------
    UsageError
        If it requests more.
    """
    if ranks is not None and ranks > n_nodes:
        raise UsageError(
            f"workload {workload.name}: {ranks} ranks, the cluster has {n_nodes} nodes",
            f"choose {n_nodes} or fewer, or put several on each node (placement row:2)",
        )
    return n_nodes if ranks is None else ranks


def _usage_error(workload: type[Workload], details: ErrorDetails) -> UsageError:
    """Return an error for a mistake that pydantic found, with its remedy."""
    setting = ".".join(str(part) for part in details["loc"] if isinstance(part, str))
    if not setting:
        return UsageError(*rule_and_remedy(details, f"workload {workload.name}"))
    rules = {
        "extra_forbidden": f"workload {workload.name} has no setting {{key}}",
        "value_error": RULES["other"],
        "other": RULES["other"],
    }
    place = f"workload {workload.name}: setting '{setting}'"
    keys = workload.setting_names()
    remedies = {"extra_forbidden": "{known}"}
    return UsageError(*rule_and_remedy(details, place, rules=rules, remedies=remedies, keys=keys))
