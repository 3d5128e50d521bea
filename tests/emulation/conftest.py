"""Tests on real kernels: skipped by name where the machine cannot run them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from linkwright.engines.emulation.machine import AS_ROOT

TUN = Path("/dev/net/tun")
UNSHARE = ("unshare", "--net", "--uts", "--pid", "--mount", "--fork")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    reason = _reason()
    if reason:
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=reason))


def _reason() -> str:
    """Return the reason why this machine cannot bring nodes up; empty if it can."""
    if os.geteuid() != 0:
        return f"namespaces need root: {' '.join(AS_ROOT)} pytest tests/emulation"
    if not os.access(TUN, os.R_OK | os.W_OK):
        return f"TAP interfaces need {TUN}"
    try:
        tried = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "the sandbox needs unshare, of util-linux"
    return f"namespaces are refused: {tried.stderr.strip()}" if tried.returncode else ""
