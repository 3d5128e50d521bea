"""Results as Parquet: one file with the rows and, in its metadata, the manifests.

Written and read by PyArrow, which the extra `parquet` installs. Parameters are JSON text.
"""

from __future__ import annotations

import io
import json
from types import ModuleType
from typing import Any

from pydantic import TypeAdapter

from linkwright.errors import CapabilityError
from linkwright.results.manifest import Manifest
from linkwright.results.result import Result
from linkwright.results.schema import COLUMNS, Row, canonical_json

__all__ = ["column_types", "from_parquet", "plain_cell", "to_parquet"]

_MANIFESTS = b"linkwright.manifests"
_MAPPINGS = {"parameters"}
"""Columns whose cells are mappings."""


def to_parquet(result: Result) -> bytes:
    """Return the content of a Parquet file.

    Raises
    ------
    CapabilityError
        If PyArrow is missing.
    """
    arrow, parquet = _pyarrow()
    columns = {
        name: [plain_cell(name, cell) for cell in result.column(name)] for name in COLUMNS
    }
    schema = arrow.schema(list(column_types(arrow).items()))
    manifests = "[" + ",".join(one.model_dump_json() for one in result.manifests) + "]"
    table = arrow.table(columns, schema=schema).replace_schema_metadata({_MANIFESTS: manifests})
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def from_parquet(content: bytes) -> Result:
    """Return the result that `to_parquet` wrote.

    Raises
    ------
    CapabilityError
        If PyArrow is missing.
    ValueError
        If the content is not such a file.
    """
    arrow, parquet = _pyarrow()
    try:
        table = parquet.read_table(io.BytesIO(content))
        rows = table.select(list(COLUMNS)).to_pylist()
    except (arrow.ArrowException, KeyError) as error:
        raise ValueError(str(error)) from None
    metadata = table.schema.metadata or {}
    manifests = TypeAdapter(tuple[Manifest, ...]).validate_json(metadata.get(_MANIFESTS, b"[]"))
    loaded = (Row(**row | {"parameters": json.loads(row["parameters"])}) for row in rows)
    return Result.from_rows(loaded, manifests)


def column_types(arrow: ModuleType) -> dict[str, Any]:
    """Return the Arrow type of each column of the schema, in its order."""
    types = {"value": arrow.float64(), "repeat": arrow.int64(), "seed": arrow.int64()}
    return {name: types.get(name, arrow.string()) for name in COLUMNS}


def plain_cell(column: str, value: Any) -> Any:
    """Return a cell as a column of Parquet has it: parameters as JSON text."""
    return canonical_json(value) if column in _MAPPINGS else value


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise CapabilityError("Parquet needs PyArrow", "install it: pip install pyarrow") from error
    return pa, parquet
