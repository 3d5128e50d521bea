"""Every command of a how-to or a tutorial runs, with the files that the page gives.

A block whose first line is a comment with the name of a file is that file. The answers that a page
shows come from a script in examples/, which test_examples.py compares. Folders of the example
studies are made of their kept rows; test_studies.py makes runs of them.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import study_examples
from linkwright.cli import run as run_command

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("how-to/*.md")) + sorted((ROOT / "docs").glob("tutorial/*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ([\w-]+\.(?:toml|yaml|csv|dot))\b")

FOREIGN = ("jupyter", "mpicc", "mpirun", "sysctl", "tshark")
"""Programs that a machine with Linkwright need not have or must not run; tests/live has some."""
LONG = "linkwright reproduce all"
"""Commands that take minutes and more; tests/papers runs parts of them."""
STUDY = re.compile(r"linkwright study examples/studies/([\w-]+)\.yaml -o \1")
SHELL = re.compile(r"[|&;<>()$`*?#~\[\]{}]")
"""Outside quotes, work for a shell."""
EXIT_CODES = {
    "linkwright simulate without.yaml -w shift --set size_bytes=100000000 "
    '--fault "cable:0 down at 20ms"': 4,
}
"""Commands whose page gives another exit code than 0."""


def commands_of(page: Path) -> list[str]:
    """Return the commands on a page, each on one line and without the remark behind it."""
    blocks = (text for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind == "sh")
    lines = (line for text in blocks for line in re.sub(r"\\\n\s*", "", text).splitlines())
    commands = (line.partition("  # ")[0].rstrip() for line in lines)
    return [line for line in commands if line and not line.startswith((*FOREIGN, LONG))]


def code_of(command: str, folder: Path) -> int:
    """Run a command in a folder: one of Linkwright alone in this process, others in a shell."""
    first, *words = shlex.split(command)
    if first == "linkwright" and not SHELL.search(re.sub(r"'[^']*'|\"[^\"$`]*\"", "", command)):
        with contextlib.chdir(folder):
            return run_command(words)
    bin_folder = Path(sys.executable).parent
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"},
        check=False,
    ).returncode


@pytest.mark.parametrize(
    "page", [page for page in PAGES if commands_of(page)], ids=lambda page: page.stem
)
def test_every_command_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "recording").symlink_to(ROOT / "examples/halo/recording")
    for _, text in BLOCK.findall(page.read_text("utf-8")):
        if named := FILE.match(text):
            (tmp_path / named[1]).write_text(text, encoding="utf-8")
    for command in commands_of(page):
        if study := STUDY.fullmatch(command):
            study_examples.kept(study[1], tmp_path)
            continue
        assert code_of(command, tmp_path) == EXIT_CODES.get(command, 0), command


def test_commands_are_found() -> None:
    found = {page.stem: commands_of(page) for page in PAGES}
    assert found["see-what-a-failure-costs"] == [
        "linkwright check examples/whitney-16.yaml -o check.html"
    ]
    assert sum(map(len, found.values())) > 15


def test_no_page_names_a_package_that_is_not_published() -> None:
    for page in PAGES:
        assert not re.search(r"pip install '?linkwright\b", page.read_text("utf-8")), page


WRITES = re.compile(r"linkwright (?:plan|study) .*?-o (\S+)")


def test_pages_can_be_followed_in_one_folder() -> None:
    """No page writes a folder, or gives a file, that another page has."""
    owners: dict[str, set[str]] = {}
    for page in [*PAGES, ROOT / "README.md"]:
        written = [one[1] for command in commands_of(page) if (one := WRITES.search(command))]
        given = [
            named[1]
            for _, text in BLOCK.findall(page.read_text("utf-8"))
            if (named := FILE.match(text))
        ]
        for name in [*written, *given]:
            owners.setdefault(name, set()).add(page.name)
    assert owners
    assert {name: pages for name, pages in owners.items() if len(pages) > 1} == {}


PACKAGES = {
    "tshark": "tshark",
    "mpicc": "libopenmpi-dev",
    "mpirun": "openmpi-bin",
    "jupyter": "jupyterlab",
    "iperf3": "iperf3",
}
"""Package that has a program beside Linkwright's own; of Debian, or of PyPI."""


def test_a_page_names_the_packages_of_its_programs() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        used = {
            program
            for kind, block in BLOCK.findall(text)
            if kind in ("sh", "console", "text")
            for program in PACKAGES
            if re.search(
                rf"^(?:[#$] )?(?:\S+=\S+ )*(?:linkwright emulate .*-- )?{program}\b", block, re.M
            )
        }
        missing = {program for program in used if PACKAGES[program] not in text}
        assert not missing, f"{page.name} uses {', '.join(sorted(missing))} of a package not named"
