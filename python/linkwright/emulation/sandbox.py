"""The sandbox in which programs of nodes run: it ends with this process, and all its programs and
mounts with it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from linkwright.emulation.init import FOLDER, TEMPORARY
from linkwright.emulation.leftovers import owner_name
from linkwright.emulation.machine import is_root_by_namespace
from linkwright.emulation.mpi import hostfiles
from linkwright.errors import CapabilityError
from linkwright.machines import Namespace

if TYPE_CHECKING:
    from linkwright._core import Nodes
    from linkwright.network import Network

__all__ = ["Sandbox"]

INIT = Path(__file__).parent / "init.py"
SPACES = ("--pid", "--mount", "--ipc")
"""Namespaces of a sandbox, as options of `unshare` and `nsenter`."""


class Sandbox:
    """Namespaces of processes, mounts and shared memory, from which every node can be entered."""

    def __init__(self, nodes: Nodes, network: Network) -> None:
        names = network.device_names[: network.n_nodes]
        descriptors = nodes.descriptors()
        rows = [(name, *of) for name, of in zip(names, descriptors, strict=True)]
        files = {"hosts": _hosts(network), **hostfiles(names[: network.n_compute])}
        told = json.dumps({"nodes": rows, "files": files})
        command = ["setpriv", "--pdeathsig", "KILL", "unshare"]
        command += [*SPACES, "--fork", "--kill-child=KILL", "--mount-proc"]
        command += [sys.executable, "-I", "-S", str(INIT), owner_name()]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=[fd for of in descriptors for fd in of],
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(told + "\n")
        self._process.stdin.flush()
        if self._process.stdout.readline() != "ready\n":
            self.close()
            raise CapabilityError(
                "the sandbox for the nodes' programs could not be set up",
                "its own message is above; in a container, run it as root with --privileged",
            )
        # The only child of `unshare`: the first process of the sandbox.
        tasks = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        self._first = int(tasks.read_text().split()[0])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every program of the nodes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    @property
    def root(self) -> Path:
        """The root folder of the sandbox, as seen from outside."""
        return Path("/proc", str(self._first), "root")

    @property
    def processes(self) -> Path:
        """The /proc of the sandbox, as seen from outside."""
        return self.root / "proc"

    def temporary_files(self) -> list[str]:
        """Return the names of the files in the sandbox's own /tmp, which end with it."""
        folder = self.root / TEMPORARY.relative_to("/")
        own = folder.stat().st_dev
        with os.scandir(folder) as entries:
            found = [one.name for one in entries if one.is_file(follow_symlinks=False)]
        return sorted(name for name in found if (folder / name).stat().st_dev == own)

    def machine(self, node: str | None = None) -> Namespace:
        """Return a node as a machine, on which programs have the node's files; without a node, the
        sandbox itself.
        """
        enter = ["nsenter", f"--target={self._first}", *SPACES, f"--wd={Path.cwd()}", "--"]
        into_node = [] if node is None else [f"{FOLDER}/enter", node]
        return Namespace(node or "the sandbox", (*enter, *into_node))

    def command_from_elsewhere(self, node: str, words: Sequence[str]) -> list[str]:
        """Return the command that runs words in a node, for other terminals of this user."""
        nsenter, *rest = self.machine(node).command(words)
        as_root = ["--user", "--preserve-credentials"] if is_root_by_namespace() else []
        return [nsenter, *as_root, *rest]


def _hosts(network: Network) -> str:
    """Return the /etc/hosts of all nodes: the identity of each in every family."""
    rows = ["127.0.0.1 localhost", "::1 localhost"]
    addresses, nodes = network.addresses, np.arange(network.n_nodes)
    for is_v6 in sorted(set(addresses.is_v6.tolist())):
        identities = addresses.identities(nodes, np.full(len(nodes), is_v6)).tolist()
        of_nodes = zip(identities, network.device_names, strict=False)
        rows += [f"{addresses.ip[address].ip} {name}" for address, name in of_nodes]
    return "\n".join(rows) + "\n"
