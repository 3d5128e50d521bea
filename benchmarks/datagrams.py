"""Sends small datagrams between nodes at an even rate, in a process of its own.

Standard input has a line of JSON: `flows`, each the descriptors of the sender's and the receiver's
network namespace and the receiver's address, `rate_per_s` of all flows together, and `seconds`.
Nothing reads the datagrams: the receiving kernel drops them when its buffer is full.
"""

from __future__ import annotations

import ctypes
import json
import socket
import sys
import time
from collections.abc import Sequence

PORT = 7000
PAYLOAD = bytes(18)
"""The frame has the shortest length of an Ethernet."""
PAUSE_S = 50e-6
LIBC = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Send, and print the number of datagrams sent."""
    told = json.loads(sys.stdin.readline())
    receivers, senders = [], []
    for sender, receiver, address in told["flows"]:
        receivers.append(opened(receiver))
        receivers[-1].bind((address, PORT))
        senders.append(opened(sender))
        senders[-1].connect((address, PORT))
    print(sent(senders, told["rate_per_s"], told["seconds"]))


def opened(namespace: int) -> socket.socket:
    """Return a socket of a network namespace."""
    if LIBC.setns(namespace, 0):
        raise OSError(ctypes.get_errno(), "setns")
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def sent(senders: Sequence[socket.socket], rate_per_s: float, seconds: float) -> int:
    """Send by all in turn until the time is over; return the number of datagrams."""
    n_sent, begin_s = 0, time.monotonic()
    while (passed_s := time.monotonic() - begin_s) < seconds:
        while n_sent < passed_s * rate_per_s:
            senders[n_sent % len(senders)].send(PAYLOAD)
            n_sent += 1
        time.sleep(PAUSE_S)
    return n_sent


main()
