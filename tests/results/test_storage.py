"""A result comes back from its file, with its manifests.

Other forms, and files that are no result, are refused.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from linkwright.errors import UsageError
from linkwright.results import SCHEMA_VERSION, Manifest, Result, Row, load, save

RESULT = Result.from_rows([Row(metric="latency", value=1.0, unit="s", origin="measured")])
MANIFEST = Manifest.of(
    command=["linkwright", "simulate"],
    started=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    finished=datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC),
    seeds=[1],
)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_results_come_back_with_their_manifests(tmp_path: Path) -> None:
    result = Result(RESULT.columns, (MANIFEST,))
    save(result, tmp_path / "a.json")
    assert sorted(content(tmp_path)) == ["a.json", "a.manifest.json"]
    assert load(tmp_path / "a.json") == result
    save(RESULT, tmp_path / "b.json")
    assert load(tmp_path / "b.json") == RESULT


def test_results_as_csv(tmp_path: Path) -> None:
    save(RESULT, tmp_path / "a.csv")
    assert content(tmp_path) == {"a.csv": RESULT.to_csv().encode()}


def test_manifest_says_versions_and_times() -> None:
    assert MANIFEST.schema_version == SCHEMA_VERSION
    assert MANIFEST.libraries.keys() == {"numpy", "pydantic"}
    assert '"started":"2026-01-02T03:04:05Z"' in MANIFEST.model_dump_json()


@pytest.mark.parametrize("name", ["a.txt", "a"])
def test_other_forms_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"choose \.json, \.csv or \.parquet"):
        save(RESULT, tmp_path / name)
    assert content(tmp_path) == {}


def test_files_that_are_no_result(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        load(tmp_path / "missing.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not text"):
        load(tmp_path / "binary.json")
    save(RESULT, tmp_path / "a.json")
    (tmp_path / "a.manifest.json").write_text("[{}]")
    with pytest.raises(UsageError, match="is not a manifest"):
        load(tmp_path / "a.json")
