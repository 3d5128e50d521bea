"""What a calibration is fitted to: point-to-point figures, a TOML file per calibration."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["PathTarget", "load_targets"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LatencyTarget(_Frozen):
    """Half a round trip of one byte."""

    value_us: float = Field(gt=0)
    tolerance: float = Field(gt=0)
    """Largest relative error that the fitted engine may show."""
    origin: str


class ThroughputTarget(_Frozen):
    """Size over half a round trip."""

    size_bytes: int = Field(gt=0)
    value_bytes_per_s: float = Field(gt=0)
    tolerance: float = Field(gt=0)
    origin: str


class PathTarget(_Frozen):
    """One message between node 0 and node `dst` of a design."""

    name: str
    design: dict[str, Any]
    dst: int
    latency: LatencyTarget
    throughput: tuple[ThroughputTarget, ...]


class _TargetFile(_Frozen):
    calibration: str
    path: tuple[PathTarget, ...]


def load_targets(calibration: str) -> tuple[PathTarget, ...]:
    """Return what the calibration of that name is fitted to."""
    file = resources.files(__package__).joinpath("targets", f"{calibration}.toml")
    return _TargetFile.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))).path
