"""The man pages: one for each command, with the texts of --help, that groff reads."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from linkwright.cli.application import COMMANDS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("man") / "man1"
    subprocess.run([sys.executable, "tools/man_pages.py", folder], cwd=ROOT, check=True)
    return folder


def test_every_command_has_a_page_with_its_options(pages: Path) -> None:
    names = {"linkwright", *(f"linkwright-{command}" for command in COMMANDS)}
    assert {page.stem for page in pages.iterdir()} == names
    for page in pages.iterdir():
        text = page.read_text(encoding="utf-8")
        assert "\\-h, \\-\\-help" in text
        assert "EXIT STATUS" in text
    assert "\\-\\-many" in (pages / "linkwright-study.1").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff: apt install groff")
def test_groff_reads_them_without_a_warning(pages: Path) -> None:
    for page in pages.iterdir():
        read = ["groff", "-man", "-ww", "-z", "-Tutf8", page]
        ended = subprocess.run(read, capture_output=True, text=True, check=True)
        assert ended.stderr == "", page.name
