"""The public functions name the expected type of an argument that they cannot take.

What the functions do with proper arguments is tested in the folders of their parts.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import linkwright
from linkwright import Cluster, UsageError, workloads

TORUS = Cluster.parse("topology: {kind: torus, shape: [4, 4]}")


def ran(**options: Any) -> object:
    return linkwright.run(linkwright.compile(TORUS), workloads.Barrier(), **options)


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "compile": (
        lambda: linkwright.compile("file.yaml"),
        "compile takes a Cluster, not 'file.yaml'",
    ),
    "path": (lambda: linkwright.compile(Path("file.yaml")), "takes a Cluster, not 'file.yaml'"),
    "check": (lambda: linkwright.check(TORUS), "check takes a Network, not an object of type"),
    "price": (lambda: linkwright.price("file.yaml"), "price takes a Network, not 'file.yaml'"),
    "write_plan": (lambda: linkwright.write_plan(None, "x"), "write_plan takes a Network"),
    "run": (lambda: linkwright.run(TORUS, workloads.Barrier()), "run takes a Network"),
    "workload": (
        lambda: linkwright.run(linkwright.compile(TORUS), "barrier"),
        "run takes a Workload, not 'barrier'",
    ),
    "background": (lambda: ran(background="keep-alive"), "background takes a Workload"),
    "calibration": (lambda: ran(calibration=3), "calibration takes a Calibration"),
    "engine": (lambda: ran(engine=None), "engine None is not a text"),
    "placement": (lambda: ran(placement=3), "placement 3 is not a text"),
    "faults": (lambda: ran(faults="cable:0 down"), "faults are a list of texts"),
    "seed": (lambda: ran(seed=-1), "seed -1 is out of range"),
}


@pytest.mark.parametrize(("call", "message"), WRONG.values(), ids=WRONG)
def test_another_kind_of_thing_is_refused_by_name(call: Callable[[], object], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        call()
    assert message in raised.value.message
    assert raised.value.hint


def test_the_remedy_names_the_file() -> None:
    with pytest.raises(UsageError) as raised:
        linkwright.compile("lab/file.yaml")
    assert "Cluster.load('lab/file.yaml')" in raised.value.hint
