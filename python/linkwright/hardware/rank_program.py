"""One rank of a program over real sockets: messages, matching and requests as those of MPI.

It is the first half of the program that `program.py` sends to a machine, with Python's standard
library alone. Every two ranks that exchange messages share one TCP connection. A message is its
head and as many zeros as it has bytes. A long one is a request first, and its data leave when the
receiver has matched it. The rank reads while it waits or writes, and not while it computes.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from collections import deque
from typing import Any

HEAD = struct.Struct("!BIQQ")
"""Kind of a transfer, tag, number of a rendezvous at its sender, and bytes of user data."""
DATA_AT_ONCE, REQUEST, CLEAR, DATA = range(4)
"""Kinds of transfers: a whole message, and the three of a rendezvous."""
CODES = ("send", "sync_send", "receive", "start_send", "start_sync_send", "start_receive",
         "wait", "wait_all", "compute", "rest", "mark", "repeat")  # fmt: skip
"""Operations by their codes, the places in this list."""
ANY = -1
"""Source or tag of a receive that takes every message of users."""
COLLECTIVE_TAGS = 1 << 31
TCP_USER_TIMEOUT, UNHEARD_MS = 18, 15_000
"""A connection ends when its data are not acknowledged for this long: their path passes nothing."""
ZEROS = memoryview(bytes(1 << 20))
ROOM = 1 << 18


class LostError(Exception):
    """A connection to another rank has ended."""


class Request:
    """A send or a receive that has begun."""

    __slots__ = ("is_done", "source", "tag")

    def __init__(self, source: int = ANY, tag: int = ANY) -> None:
        self.source, self.tag, self.is_done = source, tag, False


class Arrival:
    """A message that no receive has taken yet; `number` is that of a rendezvous."""

    __slots__ = ("is_complete", "number", "request", "source", "tag")

    def __init__(self, source: int, tag: int, number: int | None) -> None:
        self.source, self.tag, self.number = source, tag, number
        self.is_complete = False
        self.request: Request | None = None

    def complete(self) -> None:
        """Note that all of its bytes are here."""
        self.is_complete = True
        if self.request is not None:
            self.request.is_done = True


class Link:
    """The connection to another rank, with what is written and what is read of it."""

    def __init__(self, peer: int, connected: socket.socket) -> None:
        self.peer, self.socket = peer, connected
        connected.setblocking(False)
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.setsockopt(socket.IPPROTO_TCP, TCP_USER_TIMEOUT, UNHEARD_MS)
        self.outgoing: deque[list[Any]] = deque()
        self.head = b""
        self.left = 0
        self.arriving: Arrival | None = None

    def write(self) -> None:
        """Write until all is written, or the kernel takes no more."""
        while self.outgoing:
            transfer = self.outgoing[0]
            head, n_zeros, request = transfer
            try:
                n = self.socket.sendmsg([head, ZEROS[:n_zeros]] if n_zeros else [head])
            except BlockingIOError:
                return
            except OSError as error:
                raise LostError(f"rank {self.peer}: {error.strerror}") from None
            of_head = min(n, len(head))
            transfer[0], transfer[1] = head[of_head:], n_zeros - (n - of_head)
            if not transfer[0] and not transfer[1]:
                self.outgoing.popleft()
                if request is not None:
                    request.is_done = True


class Rank:
    """A rank with its connections.

    Parameters
    ----------
    number : int
    sockets : dict of int to socket
        A connection for each rank that it exchanges messages with.
    rendezvous_from : int
        Smallest message, in bytes, that is sent by rendezvous.
    """

    def __init__(
        self, number: int, sockets: dict[int, socket.socket], rendezvous_from: int
    ) -> None:
        self.number, self.rendezvous_from = number, rendezvous_from
        self.links = {peer: Link(peer, one) for peer, one in sockets.items()}
        self.by_descriptor = {one.socket.fileno(): one for one in self.links.values()}
        self.poll = select.poll()
        for descriptor in self.by_descriptor:
            self.poll.register(descriptor, select.POLLIN)
        self.room = bytearray(ROOM)
        self.posted: list[Request] = []
        self.arrived: list[Arrival] = []
        self.open: dict[int, list[Request]] = {}
        self.offered: dict[int, tuple[int, int, Request]] = {}
        self.cleared: dict[tuple[int, int], Request] = {}
        self.n_offered = 0
        self.rested_ns = 0
        self.marks: list[tuple[int, int]] = []
        self.actions = [getattr(self, f"do_{name}") for name in CODES]

    def play(self, operations: list[Any]) -> None:
        """Carry out operations, and complete all that they leave open."""
        self.run(operations)
        self.do_wait_all()
        while any(one.outgoing for one in self.links.values()):
            self.progress()

    def run(self, operations: list[Any]) -> None:
        """Carry out operations."""
        actions = self.actions
        for operation in operations:
            actions[operation[0]](*operation[1:])

    def do_repeat(self, count: int, operations: list[Any]) -> None:
        """Carry out operations many times."""
        for _ in range(count):
            self.run(operations)

    def do_mark(self, number: int) -> None:
        """Note the time."""
        self.marks.append((number, time.monotonic_ns()))

    def do_compute(self, seconds: float) -> None:
        """Use the processor for some time of its own."""
        end_s = time.thread_time() + seconds
        while time.thread_time() < end_s:
            pass

    def do_rest(self, seconds: float) -> None:
        """Sleep until some time after the end of the last sleep."""
        self.rested_ns = max(self.rested_ns + int(seconds * 1e9), time.monotonic_ns())
        while time.monotonic_ns() < self.rested_ns:
            self.progress(max(0.0, (self.rested_ns - time.monotonic_ns()) / 1e6))

    def do_send(self, to: int, size_bytes: int, tag: int) -> None:
        """Send, and return when the buffer may be reused."""
        self.wait(self.started(to, size_bytes, tag, size_bytes >= self.rendezvous_from))

    def do_sync_send(self, to: int, size_bytes: int, tag: int) -> None:
        """Send, and return when the receive has begun."""
        self.wait(self.started(to, size_bytes, tag, True))

    def do_receive(self, source: int, tag: int) -> None:
        """Wait for a message."""
        self.wait(self.awaited(source, tag))

    def do_start_send(self, to: int, size_bytes: int, tag: int, number: int) -> None:
        """Start to send."""
        request = self.started(to, size_bytes, tag, size_bytes >= self.rendezvous_from)
        self.open.setdefault(number, []).append(request)

    def do_start_sync_send(self, to: int, size_bytes: int, tag: int, number: int) -> None:
        """Start to send by rendezvous."""
        self.open.setdefault(number, []).append(self.started(to, size_bytes, tag, True))

    def do_start_receive(self, source: int, tag: int, number: int) -> None:
        """Post a receive."""
        self.open.setdefault(number, []).append(self.awaited(source, tag))

    def do_wait(self, number: int) -> None:
        """Complete the requests of a number."""
        for request in self.open.pop(number, ()):
            self.wait(request)

    def do_wait_all(self) -> None:
        """Complete all requests."""
        for number in list(self.open):
            self.do_wait(number)

    def started(self, to: int, size_bytes: int, tag: int, is_rendezvous: bool) -> Request:
        """Start to send a message, and return its request."""
        request = Request()
        if to == self.number:
            self.arrive(to, tag, None).complete()
            request.is_done = True
        elif is_rendezvous:
            self.n_offered += 1
            self.offered[self.n_offered] = (to, size_bytes, request)
            self.transfer(to, REQUEST, tag, self.n_offered, size_bytes, 0, None)
        else:
            self.transfer(to, DATA_AT_ONCE, tag, 0, size_bytes, size_bytes, request)
        return request

    def transfer(
        self, to: int, kind: int, tag: int, number: int, size_bytes: int, n_zeros: int,
        request: Request | None,
    ) -> None:  # fmt: skip
        """Begin to write a transfer."""
        link = self.links[to]
        link.outgoing.append([HEAD.pack(kind, tag, number, size_bytes), n_zeros, request])
        link.write()

    def awaited(self, source: int, tag: int) -> Request:
        """Post a receive, and return its request."""
        request = Request(source, tag)
        for place, one in enumerate(self.arrived):
            if matches(request, one.source, one.tag):
                del self.arrived[place]
                self.take(one, request)
                return request
        self.posted.append(request)
        return request

    def take(self, arrival: Arrival, request: Request) -> None:
        """Give a message to its receive."""
        if arrival.number is not None:
            self.cleared[arrival.source, arrival.number] = request
            self.transfer(arrival.source, CLEAR, 0, arrival.number, 0, 0, None)
            return
        arrival.request = request
        request.is_done = arrival.is_complete

    def arrive(self, source: int, tag: int, number: int | None) -> Arrival:
        """Note a message, and give it to the receive that was posted first of those that match."""
        arrival = Arrival(source, tag, number)
        for place, request in enumerate(self.posted):
            if matches(request, source, tag):
                del self.posted[place]
                self.take(arrival, request)
                return arrival
        self.arrived.append(arrival)
        return arrival

    def wait(self, request: Request) -> None:
        """Read and write until a request is complete."""
        while not request.is_done:
            self.progress()

    def progress(self, longest_ms: float | None = None) -> None:
        """Wait for a connection, and read and write."""
        writing = [one for one in self.links.values() if one.outgoing]
        for one in writing:
            self.poll.modify(one.socket, select.POLLIN | select.POLLOUT)
        for descriptor, events in self.poll.poll(longest_ms):
            link = self.by_descriptor[descriptor]
            if events & ~select.POLLOUT:
                self.read(link)
            if events & select.POLLOUT:
                link.write()
        for one in writing:
            self.poll.modify(one.socket, select.POLLIN)

    def read(self, link: Link) -> None:
        """Read what has come over a connection."""
        try:
            n = link.socket.recv_into(self.room)
        except BlockingIOError:
            return
        except OSError as error:
            raise LostError(f"rank {link.peer}: {error.strerror}") from None
        if not n:
            raise LostError(f"rank {link.peer} has ended")
        at = 0
        while at < n:
            if not link.left:
                head = link.head + self.room[at : min(n, at + HEAD.size - len(link.head))]
                at += len(head) - len(link.head)
                link.head = head
                if len(head) == HEAD.size:
                    link.head = b""
                    self.begin(link, *HEAD.unpack(head))
                continue
            part = min(link.left, n - at)
            at += part
            link.left -= part
            if not link.left:
                self.finish(link)

    def begin(self, link: Link, kind: int, tag: int, number: int, size_bytes: int) -> None:
        """Begin to read a transfer whose head is here."""
        if kind == REQUEST:
            self.arrive(link.peer, tag, number)
        elif kind == CLEAR:
            to, offered_bytes, request = self.offered.pop(number)
            self.transfer(to, DATA, 0, number, offered_bytes, offered_bytes, request)
        else:
            if kind == DATA_AT_ONCE:
                link.arriving = self.arrive(link.peer, tag, None)
            else:
                link.arriving = Arrival(link.peer, tag, None)
                link.arriving.request = self.cleared.pop((link.peer, number))
            link.left = size_bytes
            if not size_bytes:
                self.finish(link)

    def finish(self, link: Link) -> None:
        """Note that a message is complete."""
        assert link.arriving is not None, "it has begun"
        link.arriving.complete()
        link.arriving = None


def matches(request: Request, source: int, tag: int) -> bool:
    """Return whether a receive takes a message; any tag is any of users."""
    if request.source not in (ANY, source):
        return False
    return request.tag == tag or (request.tag == ANY and tag < COLLECTIVE_TAGS)
