"""No output of a command takes the place of one of its inputs, or of another output.

Links are the same file; what a library does without claims is its own business.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from linkwright.errors import UsageError
from linkwright.files import Claims, check_writable, read_text, write_atomically
from linkwright.files.folder import write_folder


def read(path: Path) -> None:
    read_text(path, "", hint="")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_text("kept")
    return path


def linked(file: Path, how: str) -> Path:
    other = file.with_name("other")
    if how == "itself":
        return file.parent / ".." / file.parent.name / "file"
    (other.symlink_to if how == "symlink" else other.hardlink_to)(file)
    return other


@pytest.mark.parametrize("how", ["itself", "symlink", "link"])
def test_an_input_is_no_output(file: Path, how: str) -> None:
    other = linked(file, how)
    with Claims.opened():
        read(file)
        with pytest.raises(UsageError, match="would be overwritten by its output"):
            check_writable(other)
    with Claims.opened():
        check_writable(other)
        with pytest.raises(UsageError, match="would be overwritten by its output"):
            read(file)
    assert file.read_text() == "kept"


@pytest.mark.parametrize("exists", [True, False])
def test_two_outputs_are_two_files(tmp_path: Path, *, exists: bool) -> None:
    path = tmp_path / "new"
    if exists:
        path.touch()
    with Claims.opened():
        check_writable(path)
        with pytest.raises(UsageError, match="the output of two options"):
            check_writable(tmp_path / "." / "new")


def test_a_folder_spares_inputs(file: Path) -> None:
    with Claims.opened():
        read(file)
        with pytest.raises(UsageError, match="would be overwritten"):
            write_folder({"file": "new"}, file.parent, force=True)
    assert file.read_text() == "kept"


def test_devices_can_be_shared() -> None:
    with Claims.opened():
        check_writable(Path(os.devnull))
        check_writable(Path(os.devnull))


def test_a_library_may_write_over_what_it_read(file: Path) -> None:
    read(file)
    check_writable(file)
    write_atomically(file, "new")
    assert file.read_text() == "new"
