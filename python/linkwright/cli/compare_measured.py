"""`linkwright compare --measured`: measured rows beside the predictions of an engine.

The design is the one in the manifests of the rows, unless another is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.cli.formats import Format, Shown, json_text
from linkwright.cli.given import refuse_unused
from linkwright.cli.invocation import manifest_since
from linkwright.cli.output import destination
from linkwright.cli.work import work
from linkwright.errors import UsageError

if TYPE_CHECKING:
    from linkwright.design.cluster import Cluster
    from linkwright.results import Result

__all__ = ["compare_measured"]

OF_ARCHITECTURES = ("nodes", "catalogue", "every_kind", "rate", "ports", "workload", "settings",
                    "draws", "seed", "jobs")  # fmt: skip
"""Options of comparisons that measured rows do not have."""


def compare_measured(
    measured: Sequence[Path],
    designs: Sequence[Path] | None,
    engine: str,
    calibration: str | None,
    form: tuple[Shown | None, Path | None, bool],
) -> None:
    """Show measured rows beside predicted ones."""
    from linkwright import calibrations, results
    from linkwright.fit.measured import calibration_of
    from linkwright.measurement.beside import beside
    from linkwright.network import compile as compile_network
    from linkwright.views.beside_table import beside_csv, beside_page, beside_table

    refuse_unused("--measured compares rows with their predictions", *OF_ARCHITECTURES)
    shown, output, quiet = form
    target = destination(shown, output, quiet=quiet, files_only=(Format.HTML,))
    started = datetime.now(UTC)
    rows = results.Result.concatenate(map(results.load, measured))
    network = compile_network(_design(rows, designs))
    name = calibration or calibration_of(rows) or network.calibration
    hosts = calibrations.load(name)
    found = work(
        lambda report: beside(network, rows, engine=engine, calibration=hosts, report=report),
        "predicting",
        quiet=quiet,
    )
    target.deliver(
        {
            Format.TABLE: lambda: beside_table(found),
            Format.JSON: lambda: json_text([one.to_json() for one in found.pairs]),
            Format.CSV: lambda: beside_csv(found),
            Format.HTML: lambda: beside_page(found, network, manifest_since(started)),
        }
    )


def _design(rows: Result, designs: Sequence[Path] | None) -> Cluster:
    """Return the design that was given, else the one in the manifests of the rows."""
    from linkwright.design.cluster import Cluster

    if designs:
        if len(designs) > 1:
            raise UsageError("measured rows are of one design", "give one, or none")
        return Cluster.load(designs[0])
    known = {key: one for given in rows.manifests for key, one in given.designs.items()}
    if len(known) != 1:
        raise UsageError(
            f"the rows hold {len(known)} designs", "give the design that was measured: DESIGN"
        )
    return Cluster.from_fields(next(iter(known.values())))
