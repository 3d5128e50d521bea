"""Routing daemons in the nodes: FRR's programs, started in the sandbox and ended with it.

They have temporary folders of their own, so that nothing of them remains.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from linkwright.emulation.frr import frr_nodes
from linkwright.emulation.init import FOLDER
from linkwright.emulation.machine import is_root_by_namespace
from linkwright.errors import CapabilityError, RunError

if TYPE_CHECKING:
    from linkwright.emulation.kernels import Kernels
    from linkwright.emulation.sandbox import Sandbox
    from linkwright.network import Network

__all__ = ["Daemons", "missing_daemons"]

PROGRAMS = Path("/usr/lib/frr")
LONGEST_START_S = 120.0
SETTLED_S = 3.0
"""Time without a change after which routes are final. OSPF repeats what neighbours may lack every
second, OpenFabric every two, and on a busy machine more than one message gets lost.
"""
LOOK_S = 0.05
"""Time between two looks at the routes."""
NO_ROUTE = -2
"""Code of a decision in the answers of the compiled core."""
START = f"""
set -e
mount -t tmpfs tmpfs /var/tmp
own="{FOLDER}/frr/$1"
shift
mkdir -p "$own"
chown frr:frr "$own"
cat > "$own/frr.conf"
for program; do
    "{PROGRAMS}/$program" -d -f /dev/null -z "$own/zserv.api" -i "$own/$program.pid" \\
        --vty_socket "$own" -P 0 --log "file:$own/$program.log"
done
# A file read at the start loses the address families of OpenFabric (FRR 8.4.4).
exec vtysh --vty_socket "$own" -f "$own/frr.conf"
"""
"""Script that starts a node's programs: its name, their names, and their configuration as input."""


class Daemons:
    """The routing daemons of all nodes of a network, which are started once.

    Parameters
    ----------
    network : Network
        The compiled network.
    kernels : Kernels
        Kernels of its nodes, without routes of a plan.
    sandbox : Sandbox
        Programs of its nodes.

    Raises
    ------
    CapabilityError
        If this machine does not have them, or they cannot speak on the network.
    """

    def __init__(self, network: Network, kernels: Kernels, sandbox: Sandbox) -> None:
        missing = missing_daemons()
        if missing is not None:
            problem, remedy = missing
            raise CapabilityError(f"'routing.daemon' of '{network.name}': {problem}", remedy)
        self._network, self._kernels, self._sandbox = network, kernels, sandbox
        self._nodes = frr_nodes(network, kernels.table)
        self._are_up = False

    def find_routes(self) -> None:
        """Start the daemons if they do not run, and wait until every node has all routes and has
        changed none for a while. Frames must move.

        Raises
        ------
        RunError
            If that takes longer than two minutes.
        """
        if not self._are_up:
            self._start()
            self._are_up = True
        begin_s = changed_s = time.monotonic()
        found = self._decisions()
        while (found == NO_ROUTE).any() or time.monotonic() - changed_s < SETTLED_S:
            if time.monotonic() - begin_s > LONGEST_START_S:
                raise RunError(
                    f"the routing daemons of '{self._network.name}' have not found all routes "
                    f"within {LONGEST_START_S:.0f} s",
                    "emulate the design without 'routing.daemon'",
                )
            time.sleep(LOOK_S)
            before, found = found, self._decisions()
            if not np.array_equal(before, found):
                changed_s = time.monotonic()

    def _start(self) -> None:
        running = []
        for name, node in zip(self._network.device_names, self._nodes, strict=False):
            words = ["sh", "-c", START, "sh", name, *node.programs]
            started = self._sandbox.machine(name).start(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            running.append((name, node, started))
        for name, node, started in running:
            _, error = started.communicate(node.configuration)
            if started.returncode:
                raise RunError(
                    f"FRR does not start in node '{name}': {error.strip()}",
                    "emulate the design without 'routing.daemon'",
                )

    def _decisions(self) -> NDArray[np.int32]:
        """Return the interface by which each node with a cable sends to each other's identity."""
        table = self._kernels.table
        nodes = np.unique(table.interface_node[table.neighbour_interface])
        identity = self._network.addresses.identity
        sender, to = (grid.ravel() for grid in np.meshgrid(nodes, nodes, indexing="ij"))
        sender, to = sender[sender != to], to[sender != to]
        own = np.full(len(sender), -1, dtype=np.int32)
        sender, to = sender.astype(np.uint32), identity[to].astype(np.uint32)
        return self._kernels.look_up(sender, to, own, own).interface


def missing_daemons() -> tuple[str, str] | None:
    """Return why no routing daemons can run here, and the remedy; None if they can."""
    if not (PROGRAMS / "zebra").exists() or not shutil.which("vtysh"):
        return "FRR is not installed", "apt install frr"
    if os.geteuid() != 0 or is_root_by_namespace():
        return "FRR's programs become the user frr, which needs root", "run the command as root"
    return None
