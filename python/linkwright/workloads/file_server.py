"""File server: the front end reads files from its disk and sends them to the nodes, as NFS does.

Each block answers a request of its node [RFC-1094]. Over UDP every node reads, including those with
a rank of the workload: the server sends each its next block when the disk has it, and the reply
requests the one after it; a lost block is not requested again. Over TCP the nodes without a rank of
the workload send requests, and wait for their block; they are served in turn.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from linkwright.workloads.background import Background, BlockBytes
from linkwright.workloads.steps import (
    Steps,
    datagram,
    disk_read,
    in_turn,
    join,
    receive,
    rest,
    send,
)

__all__ = ["FileServer"]


class FileServer(Background):
    """Blocks of files that the front end reads from its disk and sends to the nodes."""

    name: ClassVar[str] = "file-server"
    examples = ({"count": 2},)

    block_bytes: BlockBytes = 8192
    """Size of one read and send; 8 KiB is the largest of NFS version 2."""
    request_bytes: BlockBytes = 120
    """Size of a node's request for each block: an estimate of a call with its credentials."""
    cached: bool = False
    """Whether files are in the memory of the server, so that its disk is idle."""

    @property
    def uses_disks(self) -> bool:
        """Whether it needs a calibration with constants of disks."""
        return not self.cached

    @property
    def turn_bytes(self) -> int:
        """A block."""
        return self.block_bytes

    def pushed(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return a block to each node, whose reply is the next request."""
        block = datagram(
            server,
            clients,
            self.block_bytes,
            spacing_s=self.spacing_s / len(clients),
            answer_bytes=self.request_bytes,
        )
        return in_turn(*self._read(server, len(clients)), block)

    def served(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return the request of each node and its block."""
        reads = self._read(server, len(clients))
        return in_turn(receive(server, clients), *reads, send(server, clients, self.block_bytes))

    def asked(self, server: int, clients: NDArray[np.intp]) -> Steps:
        """Return the request of each node, and its wait for the block."""
        return join(
            rest(self.spacing_s, clients),
            send(clients, server, self.request_bytes),
            receive(clients, server),
        )

    def _read(self, server: int, n_blocks: int) -> list[Steps]:
        """Return the reads of some blocks, if the disk is needed."""
        return [] if self.cached else [disk_read(self.block_bytes, np.full(n_blocks, server))]
