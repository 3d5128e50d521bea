"""The one result schema: rows of figures from any engine, and their files.

Predictions and measurements share the same columns, so that a reader of a Result need not ask for
its origin. Values are in base units (s, B, B/s, USD); views choose display units.
"""

from __future__ import annotations

from linkwright.results.design_columns import design_columns
from linkwright.results.figures import ENGINE_FIGURES, UNREPEATABLE_FIGURES, engine_figures
from linkwright.results.interval import Interval, interval_of
from linkwright.results.manifest import Manifest
from linkwright.results.parquet import expect_parquet, to_parquet
from linkwright.results.result import Result
from linkwright.results.schema import COLUMNS, ORIGINS, SCHEMA_VERSION, Row
from linkwright.results.storage import load, manifest_path, save, save_manifests

__all__ = [
    "COLUMNS",
    "ENGINE_FIGURES",
    "ORIGINS",
    "SCHEMA_VERSION",
    "UNREPEATABLE_FIGURES",
    "Interval",
    "Manifest",
    "Result",
    "Row",
    "design_columns",
    "engine_figures",
    "expect_parquet",
    "interval_of",
    "load",
    "manifest_path",
    "save",
    "save_manifests",
    "to_parquet",
]
