"""The columns of a result, in their order, and the rules of a row.

A change of a column's name, order or meaning raises SCHEMA_VERSION, which is in every manifest.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from linkwright.notebook import Brief
from linkwright.records.plain_numbers import plain

__all__ = [
    "COLUMNS",
    "DESIGN_COLUMNS",
    "ORIGINS",
    "SCHEMA_VERSION",
    "Origin",
    "Row",
    "canonical_json",
]

SCHEMA_VERSION = 2

Origin = Literal["predicted", "measured", "printed", "estimate"]
ORIGINS: tuple[str, ...] = get_args(Origin)
"""Origins of a value: a model, a measurement, a paper, an estimate."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Row(Brief):
    """One figure. A column that does not apply is the empty string, or None for numbers.

    Raises
    ------
    ValueError
        If the origin is unknown, the value is not finite or the parameters are not JSON: bugs of
        the caller.
    """

    run: str = ""
    """Name of the run; rows of one run were obtained together."""
    study: str = ""
    """The question the run belongs to, for example "compare"."""
    design: str = ""
    design_hash: str = ""
    """First 16 hex digits of the SHA-256 of the canonical design."""
    kind: str = ""
    """Kind of the topology, for example "p-mesh"."""
    shape: str = ""
    """Sides of the topology, for example "4x4"; empty for kinds without a shape."""
    nodes: int | None = None
    """Number of compute nodes."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Key of the part of each role of the design."""
    engine: str = ""
    calibration: str = ""
    workload: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Settings of the workload for this figure, as JSON values."""
    metric: str
    value: float
    """Value in base units."""
    unit: str
    """Unit: s, B, B/s, USD, or 1 for a count."""
    repeat: int | None = None
    """Index of the run among those with the same inputs."""
    seed: int | None = None
    origin: Origin

    def __post_init__(self) -> None:
        for name in ("nodes", "value", "repeat", "seed"):
            if type(getattr(self, name)).__module__ == "numpy":
                object.__setattr__(self, name, plain(getattr(self, name)))
        if self.origin not in ORIGINS:
            raise ValueError(f"origin '{self.origin}' of metric '{self.metric}' is unknown")
        if not math.isfinite(self.value):
            raise ValueError(f"metric '{self.metric}' is {self.value}, not a finite number")
        for name in MAPPINGS:
            self._expect_json(name)

    def _expect_json(self, name: str) -> None:
        """Check that a mapping has a JSON form, after NumPy's numbers in it are replaced."""
        try:
            canonical_json(getattr(self, name))
        except ValueError:
            object.__setattr__(self, name, plain(dict(getattr(self, name))))
            canonical_json(getattr(self, name))

    @property
    def summary(self) -> str:
        """Workload, size of the messages, metric and value."""
        size_bytes = self.parameters.get("size_bytes")
        size = f"{size_bytes} B" if isinstance(size_bytes, int) else ""
        named = " ".join(filter(None, (self.workload, size, self.metric)))
        return f"{named}: {self.value:g} {self.unit}"

    def as_dict(self) -> dict[str, Any]:
        """Return the row by column, in the order of the schema."""
        return {column: getattr(self, column) for column in COLUMNS}


COLUMNS: tuple[str, ...] = tuple(column.name for column in fields(Row))
"""Names of the columns in their order."""

MAPPINGS = ("parts", "parameters")
"""Columns of mappings, which are JSON text in a cell of CSV and Parquet."""

DESIGN_COLUMNS = ("kind", "shape", "nodes", "parts")
"""Columns of the design that its hash covers."""


_ENCODER = json.JSONEncoder(sort_keys=True, allow_nan=False, ensure_ascii=False)


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys: the same text for the same value.

    Raises
    ------
    ValueError
        If the value has no JSON form.
    """
    try:
        return _ENCODER.encode(value)
    except TypeError as error:
        raise ValueError(str(error)) from None
