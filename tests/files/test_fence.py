"""Inside `confined`, only files of one folder are read, however they are named.

Outside of it, all names are those of the user.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from linkwright.errors import DesignError
from linkwright.files import confined, read_text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    here = tmp_path / "here"
    (here / "deep").mkdir(parents=True)
    (here / "deep" / "own.toml").write_text("own")
    (tmp_path / "other.toml").write_text("other")
    (tmp_path / "here-too.toml").write_text("other")
    (here / "link.toml").symlink_to(tmp_path / "other.toml")
    (here / "inner.toml").symlink_to(here / "deep" / "own.toml")
    (tmp_path / "to-here").symlink_to(here)
    return here


def read(path: Path) -> str:
    return read_text(path, "price file", hint="give a file", error=DesignError)


@pytest.mark.parametrize("name", ["deep/own.toml", "inner.toml", "deep/../deep/own.toml"])
def test_files_of_the_folder_are_read(folder: Path, name: str) -> None:
    with confined(folder):
        assert read(folder / name) == "own"
    with confined(folder.parent / "to-here"):
        assert read(folder / name) == "own"


@pytest.mark.parametrize("name", ["../other.toml", "link.toml", "../here-too.toml", "../none"])
def test_others_are_refused_by_name_rule_and_remedy(folder: Path, name: str) -> None:
    with confined(folder), ThreadPoolExecutor(1) as pool, pytest.raises(DesignError) as error:
        pool.submit(read, folder / name).result()
    assert error.value.message == (
        f"price file '{folder / name}' lies outside of '{folder}', and only files in that folder "
        "are read"
    )
    assert error.value.hint.startswith("copy the file into the folder")


def test_the_folder_ends_with_its_block(folder: Path) -> None:
    with pytest.raises(ValueError, match="over"), confined(folder):
        raise ValueError("over")
    assert read(folder / "link.toml") == "other"
