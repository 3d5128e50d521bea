"""Cables of a rate between real hosts of this machine: a process that takes each frame from one end
and gives it to the other when its last bit would arrive.

The kernel's token bucket lets the first frame of a burst pass at once, so that a short message
would cross without the time of its bits. This process waits for that time too, in front of other
processes of the machine.
"""

from __future__ import annotations

import heapq
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

ON_WIRE_BYTES = 24
"""Bytes of a frame that no socket shows: preamble, check sum, gap."""
LEAST_BYTES = 60
ALL_PROTOCOLS = 3
OFFLOADS = ("tso", "gso", "gro", "tx")
PRIORITY = 20


@contextmanager
def paced(space: str, ends: Sequence[tuple[str, str]], rate_bps: float) -> Iterator[None]:
    """Carry frames between pairs of interfaces of a network namespace.

    Parameters
    ----------
    space : str
        The namespace.
    ends : sequence of pair of str
        Interfaces at both ends of each cable.
    rate_bps : float
        Bits per second in each direction.
    """
    words = [f"{rate_bps:g}", *(name for pair in ends for name in pair)]
    enter = ["ip", "netns", "exec", space]
    process = subprocess.Popen([*enter, sys.executable, "-I", __file__, *words])
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def carry(rate_bps: float, ends: Sequence[tuple[str, str]]) -> None:
    """Carry frames forever."""
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(PRIORITY))
    sockets = [tuple(map(_opened, pair)) for pair in ends]
    other = {a: b for one, two in sockets for a, b in ((one, two), (two, one))}
    files = {one.fileno(): one for one in other}
    free_s = dict.fromkeys(other, 0.0)
    waiting: list[tuple[float, int, bytes]] = []
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, to, frame = heapq.heappop(waiting)
            with suppress(OSError):  # the other end is down
                files[to].send(frame)
        left = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        for file in select.select(list(files), [], [], left)[0]:
            now = time.monotonic()
            try:
                frame, address = files[file].recvfrom(65_535)
            except OSError:  # this end is down
                continue
            if address[2] == socket.PACKET_OUTGOING:
                continue
            bits = 8 * (max(len(frame), LEAST_BYTES) + ON_WIRE_BYTES)
            free_s[files[file]] = max(now, free_s[files[file]]) + bits / rate_bps
            heapq.heappush(waiting, (free_s[files[file]], other[files[file]].fileno(), frame))


def _opened(interface: str) -> socket.socket:
    for offload in OFFLOADS:
        subprocess.run(
            ["ethtool", "-K", interface, offload, "off"], capture_output=True, check=False
        )
    subprocess.run(["ip", "link", "set", "dev", interface, "promisc", "on", "up"], check=True)
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
    opened.bind((interface, 0))
    return opened


if __name__ == "__main__":
    names = sys.argv[2:]
    carry(float(sys.argv[1]), list(zip(names[::2], names[1::2], strict=True)))
