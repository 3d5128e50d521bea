"""The figures of a run as rows of the one result schema, named by a hash of its inputs."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from linkwright.results import Result, Row, engine_figures
from linkwright.results.schema import DESIGN_COLUMNS, Origin, canonical_json

if TYPE_CHECKING:
    from linkwright.engines.inputs import Run
    from linkwright.workloads import Measurement

__all__ = ["result_of_run"]


def result_of_run(
    run: Run,
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
    measurements : sequence of Measurement
        Figures that the workload read from its marks.
    figures : mapping of str to float
        The engine's own figures, by names of ENGINE_FIGURES.
    origin : str
        Origin of the figures.
    """
    columns, under = run.columns(origin), run.conditions
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
