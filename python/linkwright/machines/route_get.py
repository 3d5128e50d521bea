"""Decisions of machines of any kind, by `ip route get`: one call per machine, whatever
the number of packets.

A machine answers each line of a batch with a line of JSON, or names the line as failed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import RunError
from linkwright.machines.live_nodes import LOCAL, NONE, REFUSED
from linkwright.records.read_only import ArrayRecord
from linkwright.threads import threads

if TYPE_CHECKING:
    from linkwright.machines.machine import Machine
    from linkwright.network import Network
    from linkwright.nodes.table import NodeTable

__all__ = ["Decisions", "RouteGet"]

ASK = ("ip", "-json", "-force", "-batch", "-")
FAILED = re.compile(r"^Command failed -:(\d+)$", re.MULTILINE)
"""The number of a line that the kernel has no route for, from 1."""
LONGEST_S = 60.0
"""Time within which a machine answers."""
MOST_AT_ONCE = 16
"""Machines that are asked at the same time."""


class Decisions(ArrayRecord):
    """The decisions for `w` packets; see `Lookups`."""

    interface: NDArray[np.int32]
    gateway: NDArray[np.int32]
    source: NDArray[np.int32]


class RouteGet:
    """The nodes of a network, whose kernels are asked by `ip route get`.

    Parameters
    ----------
    machines : sequence of Machine
        The nodes as machines, in their order.
    table : NodeTable
        Interfaces and addresses, as the plan has them.
    network : Network
        The compiled network.
    """

    def __init__(self, machines: Sequence[Machine], table: NodeTable, network: Network) -> None:
        self.machines, self.table = machines, table
        self._ips = [str(each.ip) for each in network.addresses.ip]
        self._addresses = {ip: number for number, ip in enumerate(self._ips)}
        ends = zip(table.interface_node.tolist(), table.interface_name, strict=True)
        self._interfaces = {end: number for number, end in enumerate(ends)}

    def look_up(
        self,
        node: NDArray[np.uint32],
        destination: NDArray[np.uint32],
        interface: NDArray[np.int32],
        source: NDArray[np.int32],
    ) -> Decisions:
        """Return the decisions of nodes for packets; see `LiveNodes.look_up`.

        Raises
        ------
        RunError
            If a machine does not answer as `ip` does.
        """
        found = np.full((3, len(node)), NONE, dtype=np.int32)
        packets = [np.flatnonzero(node == one) for one in np.unique(node)]

        def ask(of: NDArray[np.intp]) -> None:
            columns = (column[of].tolist() for column in (destination, interface, source))
            lines = [self._question(*packet) for packet in zip(*columns, strict=True)]
            found[:, of] = np.array(list(self._answers(int(node[of[0]]), lines))).T

        with threads(MOST_AT_ONCE) as pool:
            list(pool.map(ask, packets))
        return Decisions(interface=found[0], gateway=found[1], source=found[2])

    def _question(self, destination: int, interface: int, source: int) -> str:
        """Return a line of the batch."""
        line = f"route get {self._ips[destination]}"
        if source == NONE:
            return line
        return f"{line} from {self._ips[source]} iif {self.table.interface_name[interface]}"

    def _answers(self, node: int, lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Yield interface, gateway and source for each line of a batch."""
        machine = self.machines[node]
        batch = "".join(f"{line}\n" for line in lines).encode()
        done = machine.run(ASK, given=batch, timeout_s=LONGEST_S)
        failed = {int(number) for number in FAILED.findall(done.errors)}
        answers = iter([line for line in done.output.splitlines() if line.startswith("[")])
        for number in range(1, len(lines) + 1):
            if number in failed:
                yield REFUSED, NONE, NONE
                continue
            answer = next(answers, None)
            if answer is None:
                raise RunError(
                    f"{machine.name} does not answer `ip route get`: {done.errors.strip()}",
                    "install iproute2, 4.20 or later",
                )
            yield self._decision(node, json.loads(answer)[0])

    def _decision(self, node: int, answer: dict[str, Any]) -> tuple[int, int, int]:
        if answer.get("type") == "local":
            return LOCAL, NONE, NONE
        interface = self._interfaces.get((node, answer.get("dev", "")), REFUSED)
        if interface == REFUSED:
            return REFUSED, NONE, NONE
        addresses = (answer.get("gateway"), answer.get("prefsrc"))
        gateway, source = (self._addresses.get(address or "", NONE) for address in addresses)
        return interface, gateway, source
