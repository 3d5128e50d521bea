"""The inputs of one run, and its figures as rows.

Engines take a Run, and rows are keyed by it. No run is executed here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwright.design.topologies.topology import sides_text
from linkwright.placement import IN_ORDER
from linkwright.records.plain_numbers import plain
from linkwright.results.figures import engine_figures
from linkwright.results.result import Result
from linkwright.results.schema import DESIGN_COLUMNS, Origin, Row, canonical_json

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.faults import Fault
    from linkwright.network import Network
    from linkwright.workloads import Background, Measurement, Workload

__all__ = ["Run", "design_columns", "result_of_run"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Run:
    """The inputs of one run of any engine.

    The engine is not included: the same run on two engines gives results to compare.
    """

    network: Network
    workload: Workload
    hosts: Calibration
    """Constants of the nodes."""
    seed: int | None = 0
    """Determines every random choice; None if there is none."""
    repeat: int = 0
    """Index among the runs that differ only in their seeds."""
    study: str = ""
    """The question that the run belongs to."""
    placement: str = IN_ORDER
    """Node of each rank, by `placement.GRAMMAR`."""
    background: Background | None = None
    """Traffic of the front end during the run."""
    faults: tuple[Fault, ...] = ()
    precision: float | None = None
    """Bound of the flow engine on late rate updates; default: the engine's."""

    dilation: float | None = None
    """Emulation: real seconds for one second of the network; default: the engine's."""
    draw: int | None = None
    """Number of the draw of the hosts' fitted constants; None for the constants as they are."""
    report: Callable[[int, int], None] | None = None
    """Called now and then with the actions done and their total; no input of the run."""
    is_recorded: bool = False
    """Whether the answer has a recording; no input of the run."""
    most_hops: int | None = None
    """Frames that it may put on wires before it is refused; no input of the run."""

    def __post_init__(self) -> None:
        for name in ("seed", "repeat", "precision", "dilation", "draw"):
            object.__setattr__(self, name, plain(getattr(self, name)))

    @property
    def conditions(self) -> dict[str, object]:
        """Unusual circumstances of the workload, as JSON values; they are in every row."""
        found: dict[str, object] = {}
        if self.faults:
            found["faults"] = [fault.text for fault in self.faults]
        if self.precision:
            found["precision"] = self.precision
        if self.dilation:
            found["dilation"] = self.dilation
        if self.placement != IN_ORDER:
            found["placement"] = self.placement
        if self.background is not None:
            found["background"] = self.background.condition
        if self.draw is not None:
            found["draw"] = self.draw
        return found

    def columns(self, engine: str, origin: Origin) -> dict[str, object]:
        """Return the columns that all rows of the run share, except its name and parameters."""
        return {
            "study": self.study,
            **design_columns(self.network),
            "engine": engine,
            "calibration": self.hosts.name,
            "workload": self.workload.name,
            "repeat": self.repeat,
            "seed": self.seed,
            "origin": origin,
        }


def design_columns(network: Network) -> dict[str, Any]:
    """Return the columns that tell which network a row is about."""
    return {
        "design": network.name,
        "design_hash": network.design_hash,
        "kind": network.kind,
        "shape": sides_text(network.sides),
        "nodes": network.n_compute,
        "parts": {role: part.key for role, part in network.parts.items()},
    }


def result_of_run(
    run: Run,
    engine: str,
    measurements: Sequence[Measurement],
    figures: Mapping[str, float],
    *,
    origin: Origin = "predicted",
) -> Result:
    """Return the rows of one run: the workload's figures, then the engine's own.

    The run's name is a hash of its inputs, so that the same inputs give the same rows. The hash of
    the design stands for all its columns there.

    Parameters
    ----------
    run : Run
        The inputs.
    engine : str
        Name of the engine that ran it.
    measurements : sequence of Measurement
        Figures that the workload read from its marks.
    figures : mapping of str to float
        The engine's own figures, by names of ENGINE_FIGURES.
    """
    columns, under = run.columns(engine, origin), run.conditions
    inputs = {name: value for name, value in columns.items() if name not in DESIGN_COLUMNS}
    identity = canonical_json({**inputs, "parameters": {**run.workload.parameters, **under}})
    name = hashlib.sha256(identity.encode()).hexdigest()[:12]
    return Result.from_rows(
        Row(
            run=name,
            metric=measurement.metric,
            value=measurement.value,
            unit=measurement.unit,
            parameters={**measurement.parameters, **under},
            **columns,  # type: ignore[arg-type]  # the columns above, by their names
        )
        for measurement in [*measurements, *engine_figures(run.workload, figures)]
    )
