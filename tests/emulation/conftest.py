"""Tests on real kernels: skipped by name where the machine cannot run them."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.namespaces import why_missing


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = why_missing("tests/emulation")
    if reason:
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=reason))
