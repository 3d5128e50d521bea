"""The shell completes names as they are registered; the named objects are not loaded for it.

Each case is a process of its own, asked in the way in which bash asks.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from linkwright import calibrations, workloads
from linkwright.cli import completion
from linkwright.cli.lists import LISTS
from linkwright.design.parts import catalogue_names
from linkwright.engines import ENGINES
from linkwright.faults.parts import PART_KINDS
from linkwright.lessons import LESSONS
from linkwright.papers import PAPERS, table_names
from linkwright.plan.failures import NUMBERS


def completed(words: str) -> list[str]:
    asked = {
        "_LINKWRIGHT_COMPLETE": "complete_bash",
        "COMP_WORDS": f"linkwright {words}",
        "COMP_CWORD": str(len(words.split(" "))),
    }
    ended = subprocess.run(
        [sys.executable, "-c", "import linkwright.cli; linkwright.cli.main()"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr == ""
    return ended.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("rep", ["reproduce"]),
        ("simulate d.yaml -w ping", ["ping-pong"]),
        ("simulate d.yaml --engine ", list(ENGINES)),
        ("simulate d.yaml --background f", ["file-server"]),
        ("saturate d.yaml -p bit", ["bit-complement"]),
        ("compare --catalogue whitney-1997", ["whitney-1997"]),
        ("calibrate pentium-ii", ["pentium-ii-400-linux-2.2"]),
        ("list topo", ["topologies"]),
        ("lesson hub", ["hub-collapse"]),
        ("reproduce PMESH-1998/t", ["PMESH-1998/text"]),
        ("check d.yaml --failures pairs:s", ["pairs:switch"]),
    ],
)
def test_bash_gets_names(words: str, expected: list[str]) -> None:
    assert completed(words) == expected


def test_every_name_is_completed() -> None:
    assert completion.workloads("") == list(workloads.WORKLOADS)
    assert completion.patterns("") == list(workloads.PATTERNS)
    assert completion.backgrounds("") == list(workloads.BACKGROUNDS)
    assert completion.catalogues("") == catalogue_names()
    assert completion.calibrations("") == list(calibrations.names())
    assert completion.lists("") == list(LISTS)
    assert completion.lessons("") == list(LESSONS)
    assert completion.papers("") == ["all", *PAPERS]
    for paper in PAPERS:
        expected = [f"{paper}/{table}" for table in table_names(paper)]
        assert completion.papers(f"{paper}/") == expected


def test_failures_are_those_of_the_proof() -> None:
    kinds = [f"{number}:{kind}" for number in NUMBERS for kind in PART_KINDS]
    assert completion.failures("") == [*NUMBERS, "none", *kinds]


def test_names_are_known_without_what_they_stand_for() -> None:
    program = (
        "import sys; from linkwright.cli import completion as c;"
        "c.workloads(''), c.engines(''), c.patterns(''), c.papers(''), c.failures('');"
        "print([name for name in ('numpy', 'pydantic', 'rich') if name in sys.modules])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ended.stdout == "[]\n"
