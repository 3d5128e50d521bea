"""Files are written whole or not at all.

Failures on the way are made by replacing calls: rights do not stop a privileged user.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from linkwright.errors import OutputError, UsageError
from linkwright.files import Claims, check_writable, write_atomically
from linkwright.files.writing import lock


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
    assert error.value.message == f"'{tmp_path / name}' cannot be written: {rule}"
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


def test_names_that_are_no_text_become_question_marks(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", "a" + os.fsdecode(b"\xff") + "b")
    assert content(tmp_path) == {"file": b"a?b"}


def test_what_a_killed_writer_left_is_removed(tmp_path: Path) -> None:
    others = [".file.0123abcd.part", ".file.linkwright-0123abcd.parts"]
    for name in (*others, ".file.linkwright-0123abcd.part", ".other.linkwright-0123abcd.part"):
        (tmp_path / name).write_text("half")
    write_atomically(tmp_path / "file", "whole")
    assert sorted(content(tmp_path)) == [*others, "file"]


def test_leftovers_are_removed_before_the_work(tmp_path: Path) -> None:
    (tmp_path / ".other.linkwright-0123abcd.part").write_text("half")
    check_writable(tmp_path / "file")
    assert content(tmp_path) == {}


@pytest.mark.parametrize("name", ["manifest.json", "study.id", "merged/rows.csv", "parts/a/b.csv"])
def test_files_of_a_study_are_no_outputs(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "study.id").write_text("")
    with pytest.raises(UsageError, match="among the files of the study"):
        check_writable(tmp_path / name)
    check_writable(tmp_path / "plot.svg")


def test_what_a_living_writer_has_stays(tmp_path: Path) -> None:
    half = tmp_path / ".file.linkwright-0123abcd.part"
    half.write_text("half")
    with half.open("rb") as other:
        assert lock(other.fileno())
        write_atomically(tmp_path / "file", "whole")
    assert sorted(content(tmp_path)) == [half.name, "file"]


def test_a_pipe_without_a_reader_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with Claims.opened(), pytest.raises(OutputError, match="a pipe that no program reads"):
        check_writable(tmp_path / "pipe")


def test_the_reader_of_a_pipe_gets_all(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with Claims.opened():
        check_writable(pipe)
        write_atomically(pipe, "x")
    assert os.read(reader, 10) == b"x"
    assert os.read(reader, 10) == b""
    os.close(reader)
