"""A plan folder is written whole or not at all, and no file of a user is lost.

Failures are made by a file in the way, a write that fails or a kill, so that they fail for root
too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from linkwright.errors import OutputError
from linkwright.files import Pieces
from linkwright.files.folder import write_folder

FILES = {"a.csv": "x\n", "nodes/n0/hosts": "n0\n"}


def contents(folder: Path) -> dict[str, str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in found}


def test_a_new_folder_holds_the_files(tmp_path: Path) -> None:
    write_folder(FILES, tmp_path / "deep" / "plan")
    assert contents(tmp_path / "deep") == {f"plan/{name}": text for name, text in FILES.items()}


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    write_folder(FILES, tmp_path)
    assert contents(tmp_path) == FILES


def test_the_same_files_again_change_nothing(tmp_path: Path) -> None:
    write_folder(FILES, tmp_path / "plan")
    before = (tmp_path / "plan" / "a.csv").stat().st_mtime_ns
    write_folder(FILES, tmp_path / "plan")
    assert (tmp_path / "plan" / "a.csv").stat().st_mtime_ns == before


def test_a_text_in_pieces_is_that_text(tmp_path: Path) -> None:
    write_folder({"a.csv": Pieces(lambda: iter(["x", "\n"]))}, tmp_path)
    assert contents(tmp_path) == {"a.csv": "x\n"}
    before = (tmp_path / "a.csv").stat().st_mtime_ns
    write_folder({"a.csv": Pieces(lambda: iter(["", "x\n"]))}, tmp_path)
    assert (tmp_path / "a.csv").stat().st_mtime_ns == before


@pytest.mark.parametrize("pieces", [["x"], ["x\n", "y"], ["y\n"]])
def test_another_text_in_pieces_is_refused(tmp_path: Path, pieces: list[str]) -> None:
    write_folder({"a.csv": "x\n"}, tmp_path)
    with pytest.raises(OutputError, match="holds something other"):
        write_folder({"a.csv": Pieces(lambda: iter(pieces))}, tmp_path)


@pytest.mark.parametrize("other", [{"notes.txt": "mine"}, {"a.csv": "y\n"}, {**FILES, "b": ""}])
def test_something_else_is_refused_and_kept(tmp_path: Path, other: dict[str, str]) -> None:
    write_folder(other, tmp_path / "plan")
    with pytest.raises(OutputError, match="holds something other") as refusal:
        write_folder(FILES, tmp_path / "plan")
    assert "--force" in refusal.value.hint
    assert contents(tmp_path / "plan") == other


def test_force_replaces_the_plan_and_keeps_the_rest(tmp_path: Path) -> None:
    write_folder({"a.csv": "old", "notes.txt": "mine"}, tmp_path)
    write_folder(FILES, tmp_path, force=True)
    assert contents(tmp_path) == {**FILES, "notes.txt": "mine"}


def test_a_file_in_the_way_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "plan").write_text("a file")
    for place in (tmp_path / "plan", tmp_path / "plan" / "below"):
        with pytest.raises(OutputError, match="cannot be written") as error:
            write_folder(FILES, place)
        assert error.value.exit_code == 4
    assert contents(tmp_path) == {"plan": "a file"}


@pytest.mark.parametrize("exists", [False, True])
def test_a_disk_that_fails_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, exists: bool
) -> None:
    folder = tmp_path / "deep" / "plan"
    if exists:
        folder.mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    n_written = count(1)

    def fail_at_the_second(descriptor: int) -> None:
        del descriptor
        if next(n_written) == 2:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail_at_the_second)
    with pytest.raises(OutputError, match="no space left"):
        write_folder(FILES, folder)
    assert sorted(tmp_path.rglob("*")) == before


def test_other_files_stay_themselves(tmp_path: Path) -> None:
    folder = tmp_path / "plan"
    (folder / "nodes" / "n0").mkdir(parents=True)
    (folder / "nodes" / "n0" / "mine").write_text("mine")
    (folder / "link").symlink_to("nowhere")
    number = (folder / "nodes" / "n0" / "mine").stat().st_ino
    write_folder(FILES, folder, force=True)
    assert (folder / "nodes" / "n0" / "mine").stat().st_ino == number
    assert (folder / "link").readlink() == Path("nowhere")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plan"]


def test_the_working_directory_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(FILES, Path())
    assert contents(tmp_path) == FILES
    with pytest.raises(OutputError, match="the working directory is in it") as error:
        write_folder({"a.csv": "y"}, Path(), force=True)
    assert "name a new folder" in error.value.hint
    monkeypatch.chdir(tmp_path / "nodes" / "n0")
    with pytest.raises(OutputError, match="the working directory is in it"):
        write_folder({"a.csv": "y"}, tmp_path, force=True)
    assert contents(tmp_path) == FILES


@pytest.mark.parametrize("what", ["device", "pipe"])
def test_what_has_no_end_is_not_read(tmp_path: Path, what: str) -> None:
    write_folder(FILES, tmp_path)
    (tmp_path / "a.csv").unlink()
    if what == "pipe":
        os.mkfifo(tmp_path / "a.csv")
    else:
        (tmp_path / "a.csv").symlink_to("/dev/zero")
    with pytest.raises(OutputError, match="holds something other"):
        write_folder(FILES, tmp_path)


def test_a_link_to_a_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    write_folder(FILES, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert contents(tmp_path / "real") == FILES


WRITER = """
import sys
from itertools import count
from pathlib import Path
from linkwright.files import Pieces
from linkwright.files.folder import write_folder
print("ready", flush=True)
for turn in range(100000):
    write_folder({f"{i}.csv": str(turn) for i in range(14)}, Path(sys.argv[1]), force=True)
"""


def test_a_killed_writer_never_mixes_two_plans(tmp_path: Path) -> None:
    folder = tmp_path / "plan"
    for milliseconds in range(1, 21):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, folder], stdout=subprocess.PIPE, text=True
        )
        with writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
            with pytest.raises(subprocess.TimeoutExpired):
                writer.wait(timeout=milliseconds / 1000)
            writer.send_signal(signal.SIGKILL)
        if folder.exists():  # the first writer may be killed before it has begun
            found = contents(folder)
            assert len(found) == 14
            assert len(set(found.values())) == 1
    write_folder({"0.csv": "last"}, folder, force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["plan"], "leftovers of the killed"
