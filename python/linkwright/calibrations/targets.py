"""The targets of a calibration: point-to-point measurements, a TOML file per calibration.

The file also names the constants to fit and their starts: a constant that the measurements do not
determine stays there, so that a fit follows from its targets and not from an earlier fit.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from linkwright.calibrations.validation_errors import validation_errors
from linkwright.errors import DesignError, shown, unknown_name
from linkwright.files import read_text
from linkwright.records.validation import as_one
from linkwright.text.toml_text import TomlError, read_toml

__all__ = ["FreeConstant", "PathTarget", "RatioTarget", "Targets", "load_targets", "names"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LatencyTarget(_Frozen):
    """Half a round trip of a short message."""

    size_bytes: int = Field(default=1, gt=0)
    value_us: float = Field(gt=0)
    tolerance: float = Field(gt=0)
    """Largest relative error of the fitted engine."""
    origin: str


class ThroughputTarget(_Frozen):
    """Size over half a round trip."""

    size_bytes: int = Field(gt=0)
    value_bytes_per_s: float = Field(gt=0)
    tolerance: float = Field(gt=0)
    origin: str


class RatioTarget(_Frozen):
    """Throughput relative to another, as papers state it without a figure."""

    size_bytes: int = Field(gt=0)
    to_path: str = ""
    """Name of the other path. Default: this one."""
    to_size_bytes: int = Field(default=0, ge=0)
    """Size of the message on the other path. Default: the same."""
    value: float = Field(gt=0)
    tolerance: float = Field(gt=0)
    origin: str


class PathTarget(_Frozen):
    """One message between ranks 0 and `dst`, each by default on the node of its number."""

    name: str
    design: dict[str, Any]
    dst: int = Field(gt=0)
    placement: str = "row"
    """Node of each rank: ``row:2`` puts ranks 0 and 1 on one node."""
    latency: LatencyTarget | None = None
    throughput: tuple[ThroughputTarget, ...] = ()
    ratio: tuple[RatioTarget, ...] = ()


class FreeConstant(_Frozen):
    """A constant to fit."""

    constant: str
    """Name by section, name and part: ``host.forward.us_per_byte``."""
    start: float = Field(gt=0)
    """Value known without the targets."""
    origin: str


class Targets(_Frozen):
    """The measurements for a fit, and the constants to fit."""

    calibration: str
    free: tuple[FreeConstant, ...] = ()
    path: tuple[PathTarget, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _paths_are_known(self) -> Targets:
        names = [path.name for path in self.path]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two paths are called '{name}'; give each a name of its own")
        for path in self.path:
            for ratio in path.ratio:
                if ratio.to_path and ratio.to_path not in names:
                    raise ValueError(
                        f"path '{path.name}' is compared with '{ratio.to_path}', which does not "
                        f"exist; {unknown_name(ratio.to_path, names)}"
                    )
        return self


def names() -> tuple[str, ...]:
    """Return the names of the shipped calibrations that have targets."""
    files = resources.files(__package__).joinpath("targets").iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


def load_targets(name: str) -> Targets:
    """Return the targets of a shipped calibration, or of a file if `name` ends in ``.toml``.

    Raises
    ------
    DesignError
        If there are none, or the file is not a targets file.
    """
    if name.endswith(".toml"):
        hint = "give a readable TOML file"
        return _parse(read_text(name, "targets file", hint=hint, error=DesignError), name)
    if name not in names():
        raise DesignError(
            f"calibration {shown(name)} has no targets",
            "measure point to point and give the file with --targets",
        )
    file = resources.files(__package__).joinpath("targets", f"{name}.toml")
    return _parse(file.read_text(encoding="utf-8"), name)


def _parse(text: str, source: str) -> Targets:
    try:
        return Targets.model_validate(read_toml(text))
    except TomlError as error:
        raise DesignError(f"targets {source} are not TOML: {error}", "correct the line") from error
    except ValidationError as error:
        where = f"targets {source}"
        raise as_one(validation_errors(error, where), where) from error
