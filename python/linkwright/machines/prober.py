"""The end of connections in one node: it listens, connects, sends a record every 50 ms through each
connection, and notes when the first record that was sent after a cut arrives and is acknowledged.

It runs by itself on the machine, without the package. Each line of JSON on standard input is a
command with one line as its answer; the end of standard input is the end.
"""

import fcntl
import json
import os
import selectors
import socket
import struct
import sys
import time

RECORD = struct.Struct("=Qq")
"""Number of the connection, and the time of the record."""
INTERVAL_NS = 50_000_000
UNACKNOWLEDGED = 0x5411
"""Question for the bytes that the other end has not acknowledged (SIOCOUTQ)."""
CONNECT_S = 5.0
DUMP_NEIGHBOURS, DONE, HEADER = 30, 3, struct.Struct("=IHHII")
NEIGHBOUR = struct.Struct("=BxxxiHBB")
NO_LINK_LAYER = 0x40
"""State of neighbours that need no hardware address."""


class End:
    """One end of a connection.

    Attributes
    ----------
    socket : socket
    number : int
        Number of the connection; -1 until its first record has come.
    seen_ns : int
        When the first record that was sent after the cut arrived here, or was acknowledged.
    """

    def __init__(self, connected: socket.socket, number: int, *, is_sender: bool) -> None:
        self.socket, self.number, self.is_sender = connected, number, is_sender
        self.sent: list[tuple[int, int]] = []
        self.n_sent = 0
        self.seen_ns = 0
        self.received = b""

    def send(self, now_ns: int) -> None:
        """Send a record, if there is room for it."""
        try:
            self.n_sent += self.socket.send(RECORD.pack(self.number, now_ns))
            self.sent.append((self.n_sent, now_ns))
        except BlockingIOError:
            pass

    def acknowledged_ns(self) -> int:
        """Return the time of the last record that was acknowledged, 0 for none."""
        answer = fcntl.ioctl(self.socket, UNACKNOWLEDGED, b"\0" * 4)
        n_acknowledged = self.n_sent - struct.unpack("=i", answer)[0]
        return max((time for end, time in self.sent if end <= n_acknowledged), default=0)

    def take_in(self) -> int:
        """Read what has come; return the time of the last whole record, 0 for none.

        Raises
        ------
        OSError
            If the connection has ended.
        """
        found = self.socket.recv(1 << 16)
        if not found:
            raise ConnectionResetError
        self.received += found
        n = len(self.received) // RECORD.size
        if not n:
            return 0
        last_ns: int
        self.number, last_ns = RECORD.unpack_from(self.received, (n - 1) * RECORD.size)
        self.received = self.received[n * RECORD.size :]
        return last_ns


class Prober:
    """The ends of all connections of a node, and the commands on them."""

    def __init__(self) -> None:
        self.selector = selectors.DefaultSelector()
        self.listeners: list[socket.socket] = []
        self.ends: list[End] = []
        self.since_ns = 0
        self.next_ns = time.monotonic_ns()

    def run(self) -> None:
        """Work until the end of standard input."""
        os.set_blocking(0, False)
        self.selector.register(0, selectors.EVENT_READ, self.command)
        self.line = b""
        while True:
            wait_s = max(0, self.next_ns - time.monotonic_ns()) * 1e-9
            asked = self.selector
            for key, _ in asked.select(wait_s):
                if self.selector is asked:
                    key.data()
            now_ns = time.monotonic_ns()
            if now_ns >= self.next_ns:
                self.next_ns = now_ns + INTERVAL_NS
                self.tick(now_ns)

    def command(self) -> None:
        """Read commands and answer each."""
        found = os.read(0, 1 << 16)
        if not found:
            sys.exit()
        *lines, self.line = (self.line + found).split(b"\n")
        for line in lines:
            name, argument = json.loads(line)
            answer = getattr(self, f"do_{name}")(argument)
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()

    def tick(self, now_ns: int) -> None:
        """Send a record through each connection, and look at the acknowledgements."""
        for end in self.ends:
            if end.is_sender:
                if not end.seen_ns and end.acknowledged_ns() > self.since_ns:
                    end.seen_ns = now_ns
                end.send(now_ns)

    def do_listen(self, addresses: list[str]) -> list[int]:
        """Listen at addresses, and return the port of each."""
        for address in addresses:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            listener = socket.socket(family, socket.SOCK_STREAM)
            listener.bind((address, 0))
            listener.listen(512)
            listener.setblocking(False)
            self.selector.register(
                listener, selectors.EVENT_READ, lambda listener=listener: self.accept(listener)
            )
            self.listeners.append(listener)
        return [listener.getsockname()[1] for listener in self.listeners]

    def accept(self, listener: socket.socket) -> None:
        """Take a connection."""
        self.add(End(listener.accept()[0], -1, is_sender=False))

    def add(self, end: End) -> None:
        """Keep an end of a connection."""
        end.socket.setblocking(False)
        end.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Nothing is left of a connection that has been closed.
        end.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("=ii", 1, 0))
        self.selector.register(end.socket, selectors.EVENT_READ, lambda: self.readable(end))
        self.ends.append(end)

    def readable(self, end: End) -> None:
        """Read from a connection, and note its first record since the cut."""
        try:
            last_ns = end.take_in()
        except OSError:
            last_ns = 0
            self.selector.unregister(end.socket)
        if not end.seen_ns and last_ns > self.since_ns:
            end.seen_ns = time.monotonic_ns()

    def do_connect(self, wanted: list[tuple[int, str, str, int]]) -> list[int]:
        """Connect from addresses to others at ports; return the numbers of those that did."""
        for number, source, address, port in wanted:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            connected = socket.socket(family, socket.SOCK_STREAM)
            connected.settimeout(CONNECT_S)
            connected.bind((source, 0))
            try:
                connected.connect((address, port))
            except OSError:
                connected.close()
                continue
            self.add(End(connected, number, is_sender=True))
        return [end.number for end in self.ends if end.is_sender]

    def do_since(self, since_ns: int) -> None:
        """Wait for records that were sent after this time."""
        self.since_ns = since_ns
        for end in self.ends:
            end.seen_ns = 0

    def do_seen(self, _: None) -> list[tuple[int, bool, int]]:
        """Return number, whether it is the sender's end, and the time of the first record."""
        return [(end.number, end.is_sender, end.seen_ns) for end in self.ends]

    def do_close(self, _: None) -> None:
        """Close all connections."""
        self.selector.close()
        for one in (*self.listeners, *(end.socket for end in self.ends)):
            one.close()
        self.listeners, self.ends = [], []
        self.selector = selectors.DefaultSelector()
        self.selector.register(0, selectors.EVENT_READ, self.command)

    def do_neighbours(self, _: None) -> list[tuple[str, str, str]]:
        """Return interface, address and hardware address of each neighbour that the node knows."""
        return [row for family in (socket.AF_INET, socket.AF_INET6) for row in neighbours(family)]


def neighbours(family: int) -> list[tuple[str, str, str]]:
    """Return the rows of a neighbour table that have a hardware address."""
    found: list[tuple[str, str, str]] = []
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        ask = NEIGHBOUR.pack(family, 0, 0, 0, 0)
        kernel.send(HEADER.pack(HEADER.size + len(ask), DUMP_NEIGHBOURS, 0x301, 1, 0) + ask)
        while True:
            rest = kernel.recv(1 << 18)
            while rest:
                length, kind, *_ = HEADER.unpack_from(rest)
                if kind == DONE:
                    return found
                body, rest = rest[HEADER.size : length], rest[(length + 3) & ~3 :]
                _, interface, state, _, _ = NEIGHBOUR.unpack_from(body)
                values = attributes(body[NEIGHBOUR.size :])
                if {1, 2} <= values.keys() and not state & NO_LINK_LAYER:
                    address = socket.inet_ntop(family, values[1])
                    found.append((socket.if_indextoname(interface), address, values[2].hex(":")))


def attributes(rest: bytes) -> dict[int, bytes]:
    """Return the attributes of a message by their kinds."""
    found: dict[int, bytes] = {}
    while rest:
        length, kind = struct.unpack_from("=HH", rest)
        found[kind], rest = rest[4:length], rest[(length + 3) & ~3 :]
    return found


if __name__ == "__main__":
    Prober().run()
