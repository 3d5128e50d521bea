"""The public surface: every name can be loaded, and nothing is loaded before it is used.

What the names do is tested with their parts.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

import linkwright


def test_every_public_name_exists() -> None:
    for name in linkwright.__all__:
        assert getattr(linkwright, name) is not None
    assert set(linkwright.__all__) <= set(dir(linkwright))
    assert not hasattr(linkwright, "complie")


@pytest.mark.parametrize("name", ["numpy", "pydantic", "linkwright._core"])
def test_importing_the_package_loads_nothing_heavy(name: str) -> None:
    code = f"import sys, linkwright; sys.exit({name!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
