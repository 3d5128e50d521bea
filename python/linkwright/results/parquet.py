"""Results as Parquet: one file with the rows and, in its metadata, the manifests.

Written and read by PyArrow, which the extra `parquet` installs. Parts and parameters are JSON
text.
"""

from __future__ import annotations

import io
from types import ModuleType
from typing import Any

from pydantic import TypeAdapter

from linkwright.errors import CapabilityError
from linkwright.files import utf8
from linkwright.results.manifest import Manifest
from linkwright.results.result import Result
from linkwright.results.schema import COLUMNS, MAPPINGS, Row
from linkwright.text.json_text import read_json

__all__ = ["column_types", "expect_parquet", "from_parquet", "table_bytes", "to_parquet"]

_MANIFESTS = b"linkwright.manifests"


def expect_parquet() -> None:
    """Check that Parquet can be written, before the work whose result it shall hold.

    Raises
    ------
    CapabilityError
        If PyArrow is missing.
    """
    _pyarrow()


def to_parquet(result: Result) -> bytes:
    """Return the content of a Parquet file.

    Raises
    ------
    CapabilityError
        If PyArrow is missing.
    """
    arrow, _ = _pyarrow()
    columns: dict[str, Any] = {name: list(result.column(name)) for name in COLUMNS}
    columns.update({name: list(result.json_column(name)) for name in MAPPINGS})
    types = column_types(arrow)
    schema = arrow.schema(list(types.items()))
    manifests = "[" + ",".join(one.model_dump_json() for one in result.manifests) + "]"
    columns.update(
        {name: list(map(utf8, columns[name])) for name in COLUMNS if types[name] == arrow.string()}
    )
    table = arrow.table(columns, schema=schema).replace_schema_metadata({_MANIFESTS: manifests})
    return table_bytes(table)


def table_bytes(table: Any) -> bytes:
    """Return an Arrow table as the content of a Parquet file."""
    _, parquet = _pyarrow()
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
    loaded = (Row(**row | {name: read_json(row[name] or "") for name in MAPPINGS}) for row in rows)
    return Result.from_rows(loaded, manifests)


def column_types(arrow: ModuleType) -> dict[str, Any]:
    """Return the Arrow type of each column of the schema, in its order."""
    counts = {"nodes": arrow.int64(), "repeat": arrow.int64(), "seed": arrow.uint64()}
    types = {"value": arrow.float64(), **counts}
    return {name: types.get(name, arrow.string()) for name in COLUMNS}


def _pyarrow() -> tuple[ModuleType, ModuleType]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise CapabilityError(
            "Parquet files need PyArrow, which is not installed",
            "install it with `pip install pyarrow`, or choose .json or .csv",
        ) from error
    return pa, parquet
