"""The base of every topology: a frozen description that validates itself, builds arrays and has
closed forms.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field

from linkwright.design.topologies.closed_forms import ClosedForms
from linkwright.design.topologies.wiring import MOST_CABLES, MOST_NODES, Limits, Wiring
from linkwright.errors import DesignError
from linkwright.records.plain_numbers import NumpySettings

__all__ = [
    "Count",
    "CountedTopology",
    "NodeCount",
    "Shape",
    "ShapedTopology",
    "Topology",
    "check_shape",
    "check_units",
]

NodeCount = Annotated[int, Field(strict=True, ge=2, le=MOST_NODES)]
Count = Annotated[int, Field(strict=True, ge=1, le=MOST_NODES)]
Shape = Annotated[
    tuple[Count, ...],
    Field(
        min_length=1, max_length=16, description="Sides; the last varies fastest along the nodes"
    ),
]


class Topology(NumpySettings, ABC):
    """A rule for cabling nodes. Subclasses add a literal `kind`, their parameters and the methods
    below.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)

    default_addressing: ClassVar[str] = "per-link"
    """Address scheme of a design of this kind that names none."""
    default_identities: ClassVar[Literal["interface", "loopback"]] = "interface"
    """Location of the address that applications use, in a design that does not give it."""
    fallback_identities: ClassVar[Literal["interface", "loopback"] | None] = None
    """The same in a design with backup routes, where it differs."""
    default_routing: ClassVar[Literal["dimension-order", "shortest-path", "stack"]] = (
        "shortest-path"
    )
    """Routing scheme of a design of this kind that names none."""
    examples: ClassVar[tuple[Mapping[str, Any], ...]] = ()
    """Parameters of the networks that tests build: small ones first (a usual one, then awkward
    ones), then large ones for drawings."""

    kind: str

    @property
    @abstractmethod
    def n_nodes(self) -> int:
        """Compute nodes."""

    @property
    def sides(self) -> tuple[int, ...]:
        """Sides as the design gives them, such as (4, 4); empty for kinds without a shape."""
        return ()

    @property
    def label(self) -> str:
        """Kind and size in a few characters, for example `hub-16` or `torus-4x4`."""
        return f"{self.kind}-{sides_text(self.sides) or self.n_nodes}"

    def forms(self, limits: Limits) -> Iterable[Topology]:
        """Return the forms that leave to the prices of the switches what the design does not give;
        of equal prices, the first is taken.
        """
        del limits
        return (self,)

    def switch_ports(self, *, front_end: bool) -> Mapping[int, int]:
        """Return the number of switches to buy by their ports in use; only for kinds with several
        forms.
        """
        del front_end
        return {}

    @abstractmethod
    def build(self, limits: Limits, *, front_end: bool = False) -> Wiring:
        """Return the arrays of devices and cables.

        Raises
        ------
        DesignError
            If a part has too few ports.
        """

    @abstractmethod
    def closed_forms(self, limits: Limits) -> ClosedForms:
        """Return the values of the formulas, from the parameters alone."""

    def check_cables(self, n_cables: int) -> None:
        """Refuse a network that is too large to build.

        Raises
        ------
        DesignError
            If it needs more cables than this program can handle.
        """
        if n_cables > MOST_CABLES:
            raise DesignError(
                f"{self.label} needs {n_cables:,} cables, at most {MOST_CABLES:,} can be built",
                "choose fewer nodes or another topology",
            )


def check_units(thing: str, key: str, units: int, n_cables: int) -> None:
    """Refuse a stack with units that no cable leads to.

    Raises
    ------
    DesignError
        If it has more units than cables.
    """
    if units > n_cables:
        raise DesignError(
            f"{thing}: {n_cables} cables contradict {key}: {units}, some units have none",
            f"set {key}: {n_cables} or less",
        )


def check_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape after checking its number of nodes.

    Raises
    ------
    DesignError
        If it has one node or too many.
    """
    n_nodes = math.prod(shape)
    sides = sides_text(shape)
    if n_nodes < 2:
        raise DesignError(f"shape {sides} has one node", "a network needs at least two nodes")
    if n_nodes > MOST_NODES:
        raise DesignError(
            f"shape {sides} has {n_nodes:,} nodes, at most {MOST_NODES:,} can be built",
            "choose shorter sides",
        )
    return shape


class CountedTopology(Topology):
    """A topology that is given by its number of nodes."""

    nodes: NodeCount

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return self.nodes


class ShapedTopology(Topology):
    """A topology of nodes on a grid, numbered row-major."""

    shape: Annotated[Shape, AfterValidator(check_shape)]

    @property
    def n_nodes(self) -> int:
        """Compute nodes."""
        return math.prod(self.shape)

    @property
    def sides(self) -> tuple[int, ...]:
        """The shape."""
        return self.shape


def sides_text(shape: Sequence[int]) -> str:
    """Return the sides as text, for example `4x4`."""
    return "x".join(map(str, shape))
