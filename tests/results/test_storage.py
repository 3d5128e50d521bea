"""Files are written whole or not at all, and a result comes back from its file.

Failures on the way are made by replacing calls: rights do not stop a privileged user.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from linkwright.errors import OutputError, UsageError
from linkwright.results import Manifest, Result, Row, load, save, write_atomically

RESULT = Result.from_rows([Row(metric="latency", value=1.0, unit="s", origin="measured")])
MANIFEST = Manifest.of(
    command=["linkwright", "simulate"],
    started=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    finished=datetime(2026, 1, 2, 3, 4, 6, tzinfo=UTC),
    seeds=[1],
)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    ("data", "expected"), [("a\nü", b"a\n\xc3\xbc"), (b"\x00\r\n", b"\x00\r\n")]
)
def test_text_and_bytes(tmp_path: Path, data: str | bytes, expected: bytes) -> None:
    write_atomically(tmp_path / "new", data)
    write_atomically(tmp_path / "new", data)
    assert content(tmp_path) == {"new": expected}


def test_a_new_file_has_the_rights_of_new_files(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write_atomically(tmp_path / "new", "")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert len(modes) == 1


def test_a_long_name_is_no_obstacle(tmp_path: Path) -> None:
    name = "n" * 255
    write_atomically(tmp_path / name, "x")
    assert content(tmp_path) == {name: b"x"}


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "folder" / "target")
    write_atomically(link, "x")
    assert link.is_symlink()
    assert content(tmp_path / "folder") == {"target": b"x"}


def test_pipes_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, "x")
    reader.join()
    assert received == [b"x"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize(
    ("name", "rule", "hint"),
    [
        ("missing/file", "No such file or directory", "create the folder first"),
        ("file/inside", "Not a directory", "a part of the path is a file"),
        ("folder", "Is a directory", "it is a folder"),
        ("n" * 256, "File name too long", "choose a path"),
    ],
)
def test_targets_that_cannot_be(tmp_path: Path, name: str, rule: str, hint: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    with pytest.raises(OutputError) as error:
        write_atomically(tmp_path / name, "x")
    assert f"{tmp_path / name} cannot be written: {rule}" == error.value.message
    assert hint in error.value.hint
    assert content(tmp_path) == {"file": b"kept"}


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_failure_on_the_way_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OutputError, match=os.strerror(code)):
        write_atomically(tmp_path / "file", "new")
    assert content(tmp_path) == {"file": b"old"}


def test_pieces_make_a_whole_file_or_none(tmp_path: Path) -> None:
    def failing() -> Iterator[str]:
        yield "new"
        raise ValueError("stopped")

    write_atomically(tmp_path / "file", iter(["o", "ld"]))
    with pytest.raises(ValueError, match="stopped"):
        write_atomically(tmp_path / "file", failing())
    assert content(tmp_path) == {"file": b"old"}


def test_an_interrupt_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "file", "new")
    assert content(tmp_path) == {"file": b"old"}


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
    assert MANIFEST.schema_version == 1
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
    with pytest.raises(UsageError, match="is no text"):
        load(tmp_path / "binary.json")
    save(RESULT, tmp_path / "a.json")
    (tmp_path / "a.manifest.json").write_text("[{}]")
    with pytest.raises(UsageError, match="is no manifest"):
        load(tmp_path / "a.json")
