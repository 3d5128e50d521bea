"""Regular files and pipes are read up to a size.

All else is refused before it fills the memory.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from linkwright.errors import DesignError, UsageError
from linkwright.files import MEBIBYTE, read_bytes, read_text


def refused(path: str | Path, what: str = "table") -> str:
    with pytest.raises(UsageError) as error:
        read_text(path, what, hint="give a table")
    assert error.value.hint == "give a table"
    return error.value.message


def test_text_is_utf_8_with_or_without_a_mark(tmp_path: Path) -> None:
    for start in (b"", b"\xef\xbb\xbf"):
        (tmp_path / "file").write_bytes(start + b"\xc3\xbc\r\n")
        assert read_text(tmp_path / "file", "table", hint="") == "ü\r\n"


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/null"])
def test_devices_are_refused(device: str) -> None:
    assert refused(device) == f"table '{device}' is a device: only files and pipes are read"


def test_a_file_has_a_limit(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * MEBIBYTE)
    assert len(read_text(tmp_path / "file", "table", hint="")) == MEBIBYTE
    (tmp_path / "file").write_bytes(b"x" * (MEBIBYTE + 1))
    assert refused(tmp_path / "file").endswith("is larger than 1 MiB")


def test_a_pipe_has_a_limit_too(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("wb") as file:
            file.write(b"x" * 5)

    for most_bytes in (5, 4):
        writer = threading.Thread(target=write)
        writer.start()
        if most_bytes == 5:
            assert read_bytes(pipe, "", most_bytes=5, hint="") == b"x" * 5
        else:
            with pytest.raises(DesignError, match="larger"):
                read_bytes(pipe, "", most_bytes=4, hint="", error=DesignError)
        writer.join()


def test_a_pipe_without_a_writer_is_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="a pipe that no program writes to") as error:
        read_text(tmp_path / "pipe", "table", hint="give a table")
    assert "start its writer" in error.value.hint


def test_the_pipe_of_a_shell_may_be_empty() -> None:
    reader, writer = os.pipe()
    os.close(writer)
    assert read_bytes(f"/dev/fd/{reader}", "", most_bytes=5, hint="") == b""
    os.close(reader)


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    assert refused(tmp_path / "none").endswith("none' cannot be read: No such file or directory")
    assert refused(tmp_path).endswith("cannot be read: Is a directory")
    assert "null" in refused("a\0b")


def test_what_is_not_text_says_where(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"one\ntw\xff")
    assert refused(tmp_path / "file").endswith("is not text: byte 0xff at line 2, column 3")
    assert refused(tmp_path / "file", "").startswith("'")
