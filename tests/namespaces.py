"""The reason why this machine cannot bring nodes up in namespaces, for tests on real kernels.

Such tests are skipped by name.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from linkwright.emulation.machine import AS_ROOT

TUN = Path("/dev/net/tun")
UNSHARE = ("unshare", "--net", "--uts", "--pid", "--mount", "--fork")
SYSTEM_PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"
"""Programs of the system are where not every shell looks."""


def why_missing(tests: str) -> str:
    """Return why tests in a folder cannot run here; empty if they can."""
    if os.geteuid() != 0:
        return f"namespaces need root: {' '.join(AS_ROOT)} pytest {tests}"
    if not os.access(TUN, os.R_OK | os.W_OK):
        return f"TAP interfaces need {TUN}"
    for program, package in (("ip", "iproute2"), ("sysctl", "procps")):
        if shutil.which(program, path=SYSTEM_PATH) is None:
            return f"{program}: apt install {package}"
    try:
        tried = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "the sandbox needs unshare, of util-linux"
    return f"namespaces are refused: {tried.stderr.strip()}" if tried.returncode else ""
