"""From the figures of one run to rows.

The engine says what the figures are; nothing here runs anything.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from linkwright.results.figures import engine_figures
from linkwright.results.result import Result
from linkwright.results.schema import Origin, Row, canonical_json
from linkwright.workloads import Measurement, Workload

__all__ = ["result_of_run"]


def result_of_run(
    workload: Workload,
    measurements: Sequence[Measurement],
    figures: Mapping[str, float],
    *,
    design: str,
    design_hash: str,
    engine: str,
    calibration: str = "",
    study: str = "",
    repeat: int = 0,
    seed: int | None = None,
    origin: Origin = "predicted",
    conditions: Mapping[str, object] | None = None,
) -> Result:
    """Return the rows of one run: the workload's figures, then the engine's own.

    The run's name is a hash of what went in, so that the same inputs give the same rows.

    Parameters
    ----------
    workload : Workload
        What ran.
    measurements : sequence of Measurement
        What the workload read from its marks.
    figures : mapping of str to float
        The engine's own figures, by names of ENGINE_FIGURES.
    conditions : mapping, optional
        What the workload ran under, as JSON values: stands among the parameters of every row.
    """
    under = dict(conditions or {})
    inputs = {
        "study": study,
        "design": design,
        "design_hash": design_hash,
        "engine": engine,
        "calibration": calibration,
        "workload": workload.name,
        "repeat": repeat,
        "seed": seed,
        "origin": origin,
    }
    identity = canonical_json({**inputs, "parameters": {**workload.parameters, **under}})
    run = hashlib.sha256(identity.encode()).hexdigest()[:12]
    return Result.from_rows(
        Row(
            run=run,
            metric=measurement.metric,
            value=measurement.value,
            unit=measurement.unit,
            parameters={**measurement.parameters, **under},
            **inputs,  # type: ignore[arg-type]  # the columns above, by their names
        )
        for measurement in [*measurements, *engine_figures(workload, figures)]
    )
