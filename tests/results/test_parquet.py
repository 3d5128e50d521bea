"""Results as Parquet: rows, empty cells and manifests come back as they went in.

PyArrow is what users read the files with, so it reads them here too.
"""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import linkwright
from linkwright.errors import UsageError
from linkwright.results import Result, Row, load, save


@pytest.fixture(scope="module")
def result() -> Result:
    pair = linkwright.compile(linkwright.Cluster.parse("{name: pair, topology: {kind: direct}}"))
    return linkwright.run(pair, linkwright.workloads.PingPong(size_bytes=(1, 1024)))


def test_a_result_comes_back_whole(result: Result, tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    save(result, file)
    loaded = load(file)
    assert loaded.columns == result.columns
    assert loaded.manifests == result.manifests
    assert list(tmp_path.iterdir()) == [file]


def test_columns_are_those_of_the_schema(result: Result, tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    save(result, file)
    table = pq.read_table(file)
    assert table.column_names == list(result.columns)
    assert table.column("value").to_pylist() == list(result.columns["value"])
    for name in ("parts", "parameters"):
        mappings = [json.loads(text) for text in table.column(name).to_pylist()]
        assert mappings == list(result.columns[name])


@pytest.mark.parametrize("seed", [None, 0, 2**63, 2**64 - 1])
def test_every_seed_comes_back(seed: int | None, tmp_path: Path) -> None:
    row = Row(metric="latency", value=1.0, unit="s", origin="measured", seed=seed)
    save(Result.from_rows([row]), tmp_path / "rows.parquet")
    assert load(tmp_path / "rows.parquet").rows() == (row,)


def test_text_that_is_not_unicode_is_replaced_as_in_other_files(tmp_path: Path) -> None:
    row = Row(
        metric="time",
        value=1.0,
        unit="s",
        origin="predicted",
        design="\udcff",
        parameters={"file": "\udcff.goal"},
    )
    save(Result.from_rows([row]), tmp_path / "rows.parquet")
    loaded = load(tmp_path / "rows.parquet").rows()[0]
    assert (loaded.design, loaded.parameters) == ("?", {"file": "?.goal"})


def test_a_result_without_rows(tmp_path: Path) -> None:
    save(Result.from_rows([]), tmp_path / "none.parquet")
    assert len(load(tmp_path / "none.parquet")) == 0


def test_rows_of_version_1_are_refused(result: Result, tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    save(result, file)
    new = ("kind", "shape", "nodes", "parts")
    pq.write_table(pq.read_table(file).drop_columns(new), file)
    with pytest.raises(UsageError, match="is not a result"):
        load(file)


@pytest.mark.parametrize("content", [b"", b"PAR1 but not really", b"[]"])
def test_what_is_no_parquet_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "broken.parquet"
    file.write_bytes(content)
    with pytest.raises(UsageError, match="is not a result"):
        load(file)
