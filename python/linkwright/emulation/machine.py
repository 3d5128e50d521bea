"""The abilities of this machine that emulation needs: the first that is missing is named, with its
remedy.

An ordinary user becomes root of a user namespace, which has power over the namespaces made in it
and nothing else. A process can enter one only before it has threads, so that the program starts
again by `unshare`.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

from linkwright.errors import CapabilityError

__all__ = ["AS_ROOT", "allow_files", "become_root", "expect_abilities", "is_root_by_namespace"]

AS_ROOT = ("unshare", "--user", "--map-root-user")
"""Command that runs another as root of a user namespace."""
OWN_FILES = 200
"""Files for the program itself, its threads and pipes."""
PROGRAMS = ("nsenter", "setpriv", "unshare")
TUN = Path("/dev/net/tun")
SYSCTLS = Path("/proc/sys")
FORBIDDING = (
    ("kernel.unprivileged_userns_clone", 0, 1),
    ("user.max_user_namespaces", 0, 10_000),
    ("kernel.apparmor_restrict_unprivileged_userns", 1, 0),
)
"""Settings of kernels with the value that forbids user namespaces, and one that allows them."""


def expect_abilities() -> None:
    """Refuse a machine, or a user, with which no node can come up.

    Raises
    ------
    CapabilityError
        If something is missing.
    """
    _expect_machine()
    if os.geteuid() != 0:
        raise CapabilityError(
            "emulation needs root, or a user namespace in which this user is root",
            f"start the program with: {' '.join(AS_ROOT)} -- PROGRAM",
        )


def become_root() -> None:
    """Restart this program as root of a user namespace; return if it is root already.

    Raises
    ------
    CapabilityError
        If something is missing.
    """
    if os.geteuid() == 0:
        return
    _expect_machine()
    _expect_user_namespaces()
    sys.stdout.flush()
    os.execvp(AS_ROOT[0], [*AS_ROOT, "--", sys.executable, *sys.orig_argv[1:]])


def allow_files(n_files: int) -> None:
    """Let this process open a number of files besides those of the program itself.

    Raises
    ------
    CapabilityError
        If that is more than the machine lets this user open.
    """
    needed = n_files + OWN_FILES
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    soft, hard = (sys.maxsize if limit == endless else limit for limit in limits)
    if hard < needed:
        raise CapabilityError(
            f"the design needs {needed:,} open files, and this user may have {hard:,}",
            f"as root: ulimit -n {needed}; for good, nofile in /etc/security/limits.conf",
        )
    if soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, limits[1]))


def is_root_by_namespace() -> bool:
    """Return whether this process is root of a user namespace of one user, and of nothing else."""
    maps = Path("/proc/self/uid_map").read_text(encoding="ascii").split()
    return len(maps) == 3 and maps[2] == "1"


def _expect_machine() -> None:
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        raise CapabilityError(
            f"emulation needs {' and '.join(missing)}, which this machine does not have",
            "apt install util-linux",
        )
    if not TUN.exists():
        raise CapabilityError(
            f"emulation needs {TUN}, which this machine does not have",
            f"as root: modprobe tun; for a container: --device {TUN}",
        )
    if not os.access(TUN, os.R_OK | os.W_OK):
        raise CapabilityError(
            f"emulation needs {TUN}, which this user may not read and write",
            f"as root: chmod 666 {TUN}; for good, a file in /etc/udev/rules.d with the line "
            'KERNEL=="tun", MODE="0666"',
        )


def _expect_user_namespaces() -> None:
    tried = subprocess.run([*AS_ROOT, "--net", "true"], capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return
    refusal = "the kernel does not let ordinary users make user namespaces"
    for name, forbids, allows in FORBIDDING:
        setting = SYSCTLS / name.replace(".", "/")
        if setting.exists() and int(setting.read_text(encoding="ascii")) == forbids:
            raise CapabilityError(
                f"{refusal}: {name} is {forbids}",
                f"as root: sysctl -w {name}={allows}; or run the program as root",
            )
    raise CapabilityError(f"{refusal}: {tried.stderr.strip()}", "run the program as root")
