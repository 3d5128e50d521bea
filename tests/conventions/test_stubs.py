"""The stub check agrees with a module it describes and finds every planted difference.

A Python module stands in for the compiled one: `inspect` sees both the same way.
"""

from __future__ import annotations

import types
from pathlib import Path

import pytest

import stubs


class Fabric:
    """A class as a module would export it."""

    def __init__(self, kind: int, *, shape: list[int] | None = None) -> None:
        self._kind = (kind, shape)

    def path(self, start: int, end: int = 0) -> int:
        return start + end

    @staticmethod
    def empty() -> None:
        return None


def solve(seed: int, /, *, n: int) -> int:
    return seed + n


STUB = """
class Fabric:
    def __new__(cls, kind: int, *, shape: list[int] | None = None) -> Fabric: ...
    def path(self, start: int, end: int = 0) -> int: ...
    @staticmethod
    def empty() -> None: ...

def solve(seed: int, /, *, n: int) -> int: ...
"""


def differences(tmp_path: Path, stub: str) -> list[str]:
    module = types.ModuleType("core")
    module.Fabric = Fabric  # type: ignore[attr-defined]
    module.solve = solve  # type: ignore[attr-defined]
    path = tmp_path / "core.pyi"
    path.write_text(stub)
    return [finding.message for finding in stubs.compare(path, module)]


def test_a_true_stub_passes(tmp_path: Path) -> None:
    assert differences(tmp_path, STUB) == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("def solve", "def dissolve", "'dissolve' is in the stub"),
        ("def path", "def walk", "'walk' is in the stub"),
        ("start: int, end: int = 0", "end: int, start: int = 0", "Fabric.path: stub has"),
        ("end: int = 0", "end: int", "Fabric.path: stub has"),
        ("*, shape", "shape", "Fabric: stub has"),
        ("seed: int, /", "seed: int", "solve: stub has"),
        ("    @staticmethod\n    def empty()", "    def empty(self)", "static on one side"),
        ("    @staticmethod\n    def empty()", "    @property\n    def empty(self)", "property on"),
    ],
)
def test_a_difference_is_found(tmp_path: Path, old: str, new: str, expected: str) -> None:
    assert old in STUB
    found = differences(tmp_path, STUB.replace(old, new))
    assert any(expected in message for message in found), found
