"""The study file: designs, workloads, hosts and seeds, each with axes; nothing is run here.

The models below define the keys, defaults and limits of the YAML file; the published JSON Schema is
made from them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PrivateAttr,
    Tag,
    ValidationError,
    model_validator,
)

from linkwright.design.document import Source, read_document
from linkwright.design.validation_errors import validation_errors
from linkwright.errors import DesignError, shown_path
from linkwright.files import read_text
from linkwright.notebook import Brief
from linkwright.records.docstrings import DescribedSchema
from linkwright.records.plain_numbers import NumpySettings
from linkwright.records.validation import as_one

__all__ = [
    "Axes",
    "DesignEntry",
    "HostsEntry",
    "PlanFigure",
    "Sampling",
    "SeedsUntil",
    "Span",
    "Study",
    "WorkloadEntry",
    "schema_text",
]

HINT = "give a study file in YAML, for example: {designs: [ring.yaml], workloads: [broadcast]}"


class _Section(NumpySettings):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, populate_by_name=True)


class Span(_Section):
    """All values between two ends."""

    least: Annotated[float, Field(alias="from", allow_inf_nan=False)]
    """Smallest value."""
    most: Annotated[float, Field(alias="to", allow_inf_nan=False)]
    """Largest value."""
    scale: Literal["linear", "log"] = "linear"
    """Whether values are spread evenly, or their logarithms."""
    whole: bool = False
    """Whether values are rounded to whole numbers."""
    points: Annotated[int, Field(ge=2, le=1_000_000)] | None = None
    """Number of values on a grid, the ends included."""

    @model_validator(mode="after")
    def _check(self) -> Span:
        if not self.least < self.most:
            raise ValueError(f"'from' {self.least} is not below 'to' {self.most}; exchange them")
        if self.scale == "log" and self.least <= 0:
            raise ValueError("a log scale begins above 0; give a positive 'from'")
        return self


def _named(key: str, entry: Any) -> BeforeValidator:
    """Read a bare text as an entry with only that key."""
    return BeforeValidator(
        lambda given: {key: given} if isinstance(given, str | Path) else given,
        json_schema_input_type=str | entry,
    )


NONE: list[str] = []
"""No failed parts, or no faults."""
PlanFigure = Literal[
    "cost_per_node_units_bought",
    "cost_per_node_ports_used",
    "nics",
    "cables",
    "hubs",
    "switches",
    "forwards_mean",
    "forwards_worst",
    "bisection_per_node",
    "heals",
    "survives",
]
"""Figures of a design that need no run."""


def _form(value: object) -> str:
    """Return the form of a value, in which alone a mistake is explained."""
    if isinstance(value, Mapping | Span | SeedsUntil):
        return "keys"
    return "list" if isinstance(value, list | tuple) else "number"


def _finite(values: list[Any]) -> list[Any]:
    """Refuse numbers without a value."""
    for one in values:
        if isinstance(one, float) and not math.isfinite(one):
            raise ValueError(f"{one} is no number; give finite numbers")
    return values


Values = Annotated[
    Annotated[list[Any], Field(min_length=1), AfterValidator(_finite), Tag("list")]
    | Annotated[Span, Tag("keys")],
    Discriminator(lambda value: "keys" if _form(value) == "keys" else "list"),
]
Axes = dict[str, Values]
"""Values by the path of a key, such as `topology.shape`."""


def _written_out(design: Any) -> Any:
    """Refuse the name of a file as a design."""
    if isinstance(design, str | Path):
        raise ValueError(f"'design' is a design with its keys; give {{file: {design}}} for a file")
    return design


class DesignEntry(_Section):
    """A design, and what varies in it."""

    file: Path | None = None
    """Design file, relative to the study file."""
    design: Annotated[dict[str, Any], BeforeValidator(_written_out)] | None = None
    """The design itself instead."""
    axes: Axes = Field(default_factory=dict)
    """Values by the path of a key of the design, such as `topology.shape` or `parts.switch`."""

    @model_validator(mode="after")
    def _check(self) -> DesignEntry:
        if (self.file is None) == (self.design is None):
            raise ValueError("a design is a file or is written here; give 'file' or 'design'")
        return self


class WorkloadEntry(_Section):
    """A workload, and what varies in it."""

    name: str
    """Name of the workload."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Its settings."""
    axes: Axes = Field(default_factory=dict)
    """Values by the name of a setting, such as `size_bytes`."""


class HostsEntry(_Section):
    """The hosts, and what varies in them."""

    calibration: str | None = None
    """Name or TOML file. Default: the calibration that the catalogue of each design names."""
    constants: dict[str, Any] = Field(default_factory=dict)
    """Other values of some constants, such as `tcp.initial_window`."""
    axes: Axes = Field(default_factory=dict)
    """Values by the name of a constant, such as `host.forward.us`."""


class SeedsUntil(_Section):
    """As many seeds as the confidence of a mean asks for."""

    until: Annotated[float, Field(gt=0, lt=1)]
    """Half width of the 90 % confidence interval of the mean, relative to the mean."""
    metric: str = "time"
    """Metric whose mean it is. Of several rows the widest counts."""
    least: Annotated[int, Field(ge=2, le=100_000)] = 4
    """Number of seeds to begin with."""
    most: Annotated[int, Field(ge=2, le=100_000)] = 64
    """Largest number of seeds."""

    @model_validator(mode="after")
    def _check(self) -> SeedsUntil:
        if self.least > self.most:
            raise ValueError(f"'least' {self.least} is above 'most' {self.most}; exchange them")
        return self


class Sampling(_Section):
    """The choice of points from the axes."""

    kind: Literal["grid", "one-at-a-time", "together", "random", "sobol", "morris", "saltelli"] = (
        "grid"
    )
    """All combinations; the first values of all axes, and each axis through its values; the first
    values of all axes, then the second ones, and so on; independent draws; a scrambled Sobol
    sequence, which fills the space evenly; or the points of a sensitivity analysis: trajectories of
    Morris, or those of Saltelli for Sobol indices.
    """
    points: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Number of random or Sobol points for each design, workload and hosts. Of k axes, n of Morris
    are n (k + 1) points, and n of Saltelli n (k + 2).
    """
    seed: Annotated[int, Field(ge=0, lt=1 << 32)] = 1
    """Determines points that are not the values of a list."""

    @property
    def is_analysed_whole(self) -> bool:
        """Whether the points are those of one analysis, which needs all of them."""
        return self.kind in ("morris", "saltelli")

    @model_validator(mode="after")
    def _check(self) -> Sampling:
        is_drawn = self.kind in ("random", "sobol") or self.is_analysed_whole
        if is_drawn != (self.points is not None):
            raise ValueError(
                f"sampling {self.kind!r} and 'points' do not fit; give 'points' for random, sobol, "
                "morris and saltelli, and only for them"
            )
        if self.is_analysed_whole and self.points == 1:
            raise ValueError(f"sampling {self.kind!r} needs two points or more; give more")
        return self


def _once(seeds: list[int]) -> list[int]:
    """Refuse a seed that is given twice."""
    if len(set(seeds)) < len(seeds):
        raise ValueError("a seed is given twice; keep one of the two")
    return seeds


Seeds = Annotated[
    Annotated[int, Field(strict=True, ge=1, le=100_000), Tag("number")]
    | Annotated[
        list[Annotated[int, Field(ge=0, lt=1 << 32)]],
        Field(min_length=1),
        AfterValidator(_once),
        Tag("list"),
    ]
    | Annotated[SeedsUntil, Tag("keys")],
    Discriminator(_form),
]


class Study(Brief, _Section):
    """A study file.

    Examples
    --------
    >>> study = Study.parse('''
    ... designs: [{design: {topology: {kind: ring}}, axes: {topology.shape: [[4], [8]]}}]
    ... workloads: [{name: broadcast, axes: {size_bytes: [64, 4096]}}]
    ... ''')
    >>> study.seeds, study.engines
    (1, ['packet'])
    """

    name: Annotated[str, Field(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")] = "study"
    """Name of the study, which all rows have."""
    question: str = ""
    """The question, in words."""
    designs: Annotated[
        list[Annotated[DesignEntry, _named("file", DesignEntry)]], Field(min_length=1)
    ]
    """Designs, each a file or with axes."""
    workloads: Annotated[
        list[Annotated[WorkloadEntry, _named("name", WorkloadEntry)]], Field(min_length=1)
    ]
    """Workloads, each a name or with settings and axes."""
    hosts: Annotated[
        list[Annotated[HostsEntry, _named("calibration", HostsEntry)]], Field(min_length=1)
    ] = Field(default_factory=lambda: [HostsEntry()])
    """Hosts, each the name of a calibration or with constants and axes."""
    engines: Annotated[list[str], Field(min_length=1, default_factory=lambda: ["packet"])]
    """Engines; `saturation` computes the loads of traffic patterns, as `saturate` does."""
    placements: Annotated[list[str], Field(min_length=1, default_factory=lambda: ["row"])]
    """Nodes of the ranks, as `simulate --placement` has them."""
    without: Annotated[list[list[str]], Field(min_length=1, default_factory=lambda: [NONE])]
    """Lists of failed parts, as `check --without` has them."""
    faults: Annotated[list[list[str]], Field(min_length=1, default_factory=lambda: [NONE])]
    """Lists of faults during the run, as `simulate --fault` has them."""
    background: Annotated[WorkloadEntry, _named("name", WorkloadEntry)] | None = None
    """Background traffic of the front end."""
    options: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = Field(
        default_factory=dict
    )
    """Inputs that an engine alone has, such as `precision` and `exact_flows` of `flow`, as
    `simulate` has them.
    """
    seeds: Seeds = 1
    """Number of seeds from 1 on, a list of seeds, or the confidence to reach."""
    sampling: Sampling = Sampling()
    """The choice of points from the axes. Default: all combinations."""
    leave_out: list[Annotated[dict[str, Any], Field(min_length=1)]] = Field(default_factory=list)
    """Points to leave out: those with all given values of axes or of `engine`, `workload` and so
    on. A text such as `"> 64"` compares numbers.
    """
    metrics: Annotated[list[str], Field(min_length=1)] | None = None
    """Metrics to keep. Default: all."""
    plan: list[PlanFigure] = Field(default_factory=list)
    """Figures of the design, without a run, to add to the rows of every run of it."""

    @property
    def summary(self) -> str:
        """The study and what it varies."""
        entries: Sequence[Any] = (*self.designs, *self.workloads, *self.hosts)
        axes = dict.fromkeys(path for one in entries for path in one.axes)
        over = f" over {', '.join(axes)}" if axes else ""
        return f"{self.name}: {', '.join(one.name for one in self.workloads)}{over}"

    @model_validator(mode="before")
    @classmethod
    def _take_precision(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Take `precision` beside the options, where files have it, for the option."""
        options, precision = fields.get("options"), fields.get("precision")
        if precision is None or not isinstance(options, dict | None):
            return fields
        if options and "precision" in options:
            raise ValueError("'precision' is given twice; keep the one in 'options'")
        left = {name: value for name, value in fields.items() if name != "precision"}
        return {**left, "options": {**(options or {}), "precision": precision}}

    @model_validator(mode="after")
    def _check_metric(self) -> Study:
        seeds, metrics = self.seeds, self.metrics
        if isinstance(seeds, SeedsUntil) and metrics is not None and seeds.metric not in metrics:
            raise ValueError(
                f"'seeds.until' needs metric '{seeds.metric}', which 'metrics' leaves out; add it"
            )
        return self

    _folder: Path = PrivateAttr(default=Path())
    _text: str = PrivateAttr(default="")

    @model_validator(mode="after")
    def _check(self) -> Study:
        if self.sampling.is_analysed_whole and self.leave_out:
            raise ValueError(
                f"the analysis of sampling {self.sampling.kind!r} needs all points; remove "
                "'leave_out', and narrow the axes instead"
            )
        return self

    @classmethod
    def load(cls, path: str | Path) -> Study:
        """Return the study in a YAML file.

        Raises
        ------
        DesignError
            If the file cannot be read or is not a study.
        """
        file = Path(path)
        text = read_text(file, "study file", hint=HINT, error=DesignError)
        return cls._from(text, f"study file {shown_path(file)}", file.parent, file.name)

    @classmethod
    def parse(cls, text: str, folder: Path = Path()) -> Study:
        """Return the study in a YAML text; its files are relative to a folder, by default to the
        working directory.

        Raises
        ------
        DesignError
            If the text is not a study.
        """
        return cls._from(text, "study", folder, "study")

    @classmethod
    def _from(cls, text: str, where: str, folder: Path, name: str) -> Study:
        fields = read_document(text, where)
        study = cls.from_fields(fields, folder, Source(name, text))
        study._text = text
        return study

    @classmethod
    def from_fields(
        cls, fields: Mapping[str, Any], folder: Path = Path(), source: Source | None = None
    ) -> Study:
        """Return the study with the keys and values of a file.

        Raises
        ------
        DesignError
            If they are not a study.
        """
        try:
            study = cls.model_validate(dict(fields), context=source)
        except ValidationError as error:
            where = source.name if source else "study"
            raise as_one(validation_errors(error, where, [cls]), where) from None
        study._folder = folder
        return study

    @property
    def folder(self) -> Path:
        """Folder that the files of the study are relative to."""
        return self._folder

    @property
    def text(self) -> str:
        """The text of the file, with its comments; empty for a study made in Python."""
        return self._text

    def document(self) -> dict[str, Any]:
        """Return the keys and values that differ from their defaults, as JSON values."""
        found: dict[str, Any] = self.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        return found


def schema_text() -> str:
    """Return the text of the published schema file (JSON Schema, draft 2020-12)."""
    schema = Study.model_json_schema(schema_generator=DescribedSchema)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Linkwright study",
        "description": "Many runs: designs, workloads, hosts and seeds, each with axes.",
    }
    return json.dumps(head, indent=2) + "\n"
