"""Sends frames by some ports of the machine that it runs on, and says which frames of others each
port hears.

It runs by itself, without the package, on Python 3.7 or later, and needs root. A line of JSON comes
on standard input, with the ports; `ready` goes to standard output; then a line `go` starts the
exchange, and the answer follows as JSON. Lines of output begin with a mark.

Frames have the EtherType 0x88B5, which IEEE 802 keeps for local experiments. Half of them go to the
group of the nearest bridge, which no switch passes on, the others to all stations. No address or
route changes. A port that is down is brought up only if that is asked for; a second process sets it
down again whatever happens to this one.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import pathlib
import select
import socket
import struct
import sys
import time
from typing import Any

ETHER_TYPE = 0x88B5
NEAREST, EVERYONE = bytes.fromhex("0180c200000e"), b"\xff" * 6
TARGETS = (NEAREST, EVERYONE)
N_SENDS, INTERVAL_S, LISTEN_S = 10, 0.1, 1.5
CARRIER_S = 10
"""Time in which ports that are brought up get a carrier."""
MOST_HEARD = 65536
SHORTEST = 60
IFF_UP, SIOCGIFFLAGS, SIOCSIFFLAGS = 0x1, 0x8913, 0x8914
ETH_P_ALL, SO_ATTACH_FILTER, SOL_PACKET, ADD_MEMBERSHIP, PACKET_OUTGOING = 3, 26, 263, 1, 4
SYSFS = "/sys/class/net/"


class Port:
    """A port that sends and listens."""

    def __init__(self, name: str, place: int) -> None:
        self.name, self.place = name, place
        address = pathlib.Path(SYSFS, name, "address").read_text(encoding="ascii")
        self.mac = bytes.fromhex(address.strip().replace(":", ""))
        # Without a protocol it hears nothing before its filter is in place.
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        only_ours(self.socket)
        self.socket.bind((name, ETH_P_ALL))
        self.socket.setblocking(False)
        group = struct.pack("iHH8s", socket.if_nametoindex(name), 0, 6, NEAREST)
        self.socket.setsockopt(SOL_PACKET, ADD_MEMBERSHIP, group)

    def send(self, token: bytes, number: int) -> None:
        """Send a frame to each target."""
        for kind, target in enumerate(TARGETS):
            head = target + self.mac[:6] + struct.pack("!H", ETHER_TYPE)
            frame = head + token + struct.pack("!IIB", number, self.place, kind)
            try:
                self.socket.send(frame.ljust(SHORTEST, b"\0"))
            except OSError:  # no carrier, or a full queue
                continue

    def heard(self, token: bytes) -> tuple[int, int, int] | None:
        """Return machine, port and target of a frame that came in; None for any other."""
        frame, (_, _, kind, *_) = self.socket.recvfrom(2048)
        if kind == PACKET_OUTGOING or frame[14:30] != token or len(frame) < 39:
            return None
        machine, port, target = struct.unpack("!IIB", frame[30:39])
        return machine, port, target


def only_ours(listener: socket.socket) -> None:
    """Let the kernel pass only frames of our EtherType to a socket."""
    instructions = (
        (0x28, 0, 0, 12),  # load the half word at 12
        (0x15, 0, 1, ETHER_TYPE),  # skip one instruction unless it is the EtherType
        (0x06, 0, 0, 0xFFFF),  # pass the frame
        (0x06, 0, 0, 0),  # drop it
    )
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *i) for i in instructions))
    filter_ = struct.pack("HL", len(instructions), ctypes.addressof(program))
    listener.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, filter_)


def flags_of(name: str) -> int:
    """Return the flags of an interface."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        answer = fcntl.ioctl(any_socket, SIOCGIFFLAGS, struct.pack("16sH14x", name.encode(), 0))
    return int(struct.unpack("16sH14x", answer)[1])


def is_down(name: str) -> bool:
    """Return whether there is an interface that is down."""
    try:
        return not flags_of(name) & IFF_UP
    except OSError:
        return False


def set_up(name: str, *, is_up: bool) -> None:
    """Set an interface up or down."""
    flags = flags_of(name) | IFF_UP if is_up else flags_of(name) & ~IFF_UP
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", name.encode(), flags))


def guarded(names: list[str]) -> tuple[int, int]:
    """Start the process that sets ports down when this one ends; return its id and our end."""
    ours, theirs = os.pipe()[::-1]
    guard = os.fork()
    if guard:
        os.close(theirs)
        return guard, ours
    os.setsid()
    os.close(ours)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):  # the connection does not wait for this process
        os.dup2(nothing, descriptor)
    os.read(theirs, 1)  # returns when the other process has ended
    for name in names:
        try:
            set_up(name, is_up=False)
        except OSError:
            continue
    os._exit(0)


def has_carrier(name: str) -> bool:
    """Return whether a port that is up hears the other end."""
    try:
        return pathlib.Path(SYSFS, name, "carrier").read_text(encoding="ascii").strip() == "1"
    except OSError:
        return False


def bring_up(names: list[str], missing: list[list[str]]) -> tuple[int, int] | None:
    """Bring ports up for a time, and wait for their carriers; those that refuse are missing."""
    if not names:
        return None
    guard = guarded(names)
    done = []
    for name in names:
        try:
            set_up(name, is_up=True)
            done.append(name)
        except OSError as error:
            missing.append([f"{name} cannot be brought up: {error}", "root, or --sudo"])
    deadline = time.monotonic() + CARRIER_S
    while not all(map(has_carrier, done)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return guard


def opened(names: list[str], missing: list[list[str]]) -> list[Port]:
    """Open the ports that are up; others are listed as missing with the remedy."""
    ports = []
    for place, name in enumerate(names):
        try:
            if flags_of(name) & IFF_UP:
                ports.append(Port(name, place))
            else:
                missing.append([f"{name} is down", f"ip link set {name} up, or --bring-up"])
        except PermissionError:
            missing.append([f"only root sends frames by {name}", "root, or --sudo"])
        except (OSError, ValueError) as error:
            missing.append([f"{name} sends no frames: {error}", ""])
    return ports


def exchange(ports: list[Port], token: bytes, number: int) -> list[list[Any]]:
    """Send frames and listen; return what each port has heard, each once."""
    heard: set[tuple[int, ...]] = set()
    by_socket = {port.socket: port for port in ports}
    start = time.monotonic()
    n_sent = 0
    while time.monotonic() < start + N_SENDS * INTERVAL_S + LISTEN_S and ports:
        if n_sent < N_SENDS and time.monotonic() >= start + n_sent * INTERVAL_S:
            for port in ports:
                port.send(token, number)
            n_sent += 1
        for ready in select.select([*by_socket], [], [], INTERVAL_S / 4)[0]:
            try:
                found = by_socket[ready].heard(token)
            except OSError:
                continue
            if found and len(heard) < MOST_HEARD:
                heard.add((by_socket[ready].place, *found))
    return [list(one) for one in sorted(heard)]


def say(mark: str, value: object) -> None:
    """Send a line to the caller."""
    sys.stdout.write(mark + json.dumps(value) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Talk to the caller: ports in, ready out, go in, answer out."""
    given = json.loads(sys.stdin.readline())
    names: list[str] = given["ports"]
    missing: list[list[str]] = []
    downs = [one for one in names if is_down(one)] if given["bring_up"] else []
    guard = bring_up(downs, missing)
    ports = opened(names, missing)
    say(given["mark"], "ready")
    if sys.stdin.readline().strip() == "go":
        heard = exchange(ports, bytes.fromhex(given["token"]), given["number"])
        say(given["mark"], {"heard": heard, "missing": missing})
    if guard:
        os.close(guard[1])
        os.waitpid(guard[0], 0)


if __name__ == "__main__":
    main()
