"""The processes of a machine: a first one that takes commands, and one per rank.

It is the second half of the program that `program.py` sends to a machine, with Python's standard
library alone and without root. Nothing is written to the machine. The first line on standard input
is {"mark", "version", "token", "nics"}; each further one is a command with one line as its answer
behind the mark. Only holders of the token are served, `routes` says by which interface packets
leave before any is sent, and all processes end with standard input.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn, TextIO

from linkwright.hardware.rank_program import LostError, Rank

VERSION = 1
TOKEN_BYTES = 16
HELLO = TOKEN_BYTES + 4
"""Bytes that a rank begins a connection with: the token, and its number."""
CONNECT_S = 10.0
HELLO_S = 1.0
"""Time in which a connection says who it is: a rank does at once."""
ECHO_S = 0.2
EXCHANGES = 100
DEATH_SIGNAL = 1
NET, PROC = Path("/sys/class/net"), Path("/proc")
COUNTERS = ("tx_bytes", "rx_bytes", "tx_packets", "rx_packets", "tx_errors", "rx_errors",
            "tx_dropped", "rx_dropped", "rx_crc_errors")  # fmt: skip
ETHTOOL_S = 10.0


class CommandError(Exception):
    """A reason for the other side."""


def family_of(address: str) -> socket.AddressFamily:
    """Return the family of an address."""
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def opened(address: str, kind: int) -> socket.socket:
    """Return a socket at an address."""
    own = socket.socket(family_of(address), kind)
    own.bind((address, 0))
    return own


def unpacked(text: str) -> Any:
    """Return the JSON value of packed text."""
    return json.loads(zlib.decompress(base64.b64decode(text)))


class RankProcess:
    """The process of a rank, as the first process sees it."""

    def __init__(self, job: dict[str, Any], token: bytes) -> None:
        own, other = socket.socketpair()
        self.process = os.fork()
        if not self.process:
            own.close()
            be_rank(job, token, other)
        other.close()
        self.socket, self.rest = own, b""

    def say(self, *words: Any) -> None:
        """Give a command."""
        self.socket.sendall(json.dumps(words).encode() + b"\n")

    def heard(self) -> Any:
        """Return the next answer; None if there is none yet."""
        line, end, behind = self.rest.partition(b"\n")
        if not end:
            return None
        self.rest = behind
        answer = json.loads(line)
        if isinstance(answer, dict) and "error" in answer:
            raise CommandError(answer["error"])
        return answer

    def read(self) -> None:
        """Read a part of the next answer."""
        chunk = self.socket.recv(1 << 16)
        if not chunk:
            raise CommandError("a process of a rank has ended")
        self.rest += chunk

    def end(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError):
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        self.socket.close()


def be_rank(job: dict[str, Any], token: bytes, told: socket.socket) -> NoReturn:
    """Carry out a rank; never returns, whatever fails, and ends with its parent."""
    try:
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
        lines = told.makefile("r")
        for answer in answers_of_rank(job, token, lines):
            told.sendall(json.dumps(answer).encode() + b"\n")
        # The connections stay until all others are done.
        lines.readline()
    finally:
        os._exit(0)


def answers_of_rank(job: dict[str, Any], token: bytes, lines: TextIO) -> Iterator[Any]:
    """Carry out a rank by the commands in lines; yield each answer, and the error that ends it."""
    try:
        listener = opened(job["address"], socket.SOCK_STREAM)
        listener.listen(4096)
        yield listener.getsockname()[1]
        places = json.loads(lines.readline())[0]
        rank = Rank(job["rank"], connected(job, token, listener, places), job["rendezvous_from"])
        operations = unpacked(job["operations"])
        yield "connected"
        start_ns = json.loads(lines.readline())[0]
        yield played(rank, operations, start_ns)
    except (OSError, LostError, CommandError) as error:
        yield {"error": f"rank {job['rank']}: {error}"}
    except Exception as error:  # every kind: the process must not go on as a second agent
        yield {"error": f"rank {job.get('rank')}: {type(error).__name__}: {error}"}


def connected(
    job: dict[str, Any], token: bytes, listener: socket.socket, places: dict[str, Any]
) -> dict[int, socket.socket]:
    """Connect to the ranks with smaller numbers, and take the others' connections."""
    own: int = job["rank"]
    found: dict[int, socket.socket] = {}
    for peer in (one for one in job["peers"] if one < own):
        address, port = places[str(peer)]
        end = opened(job["address"], socket.SOCK_STREAM)
        end.settimeout(CONNECT_S)
        try:
            end.connect((address, port))
        except OSError as error:
            raise CommandError(f"no connection to rank {peer} at {address}: {error}") from None
        end.sendall(token + own.to_bytes(4, "big"))
        found[peer] = end
    listener.settimeout(CONNECT_S)
    while len(found) < len(job["peers"]):
        try:
            end = listener.accept()[0]
        except socket.timeout:  # noqa: UP041 - the same from Python 3.10 on
            silent = sorted(set(job["peers"]) - found.keys())
            raise CommandError(f"no connection from ranks {silent[:5]}") from None
        peer = greeted(end, token)
        if peer is not None and peer in job["peers"] and peer not in found:
            found[peer] = end
        else:
            end.close()
    return found


def greeted(end: socket.socket, token: bytes) -> int | None:
    """Return the rank at the other end of a connection; None for a stranger, also a silent one."""
    end.settimeout(HELLO_S)
    try:
        hello = end.recv(HELLO, socket.MSG_WAITALL)
    except OSError:
        return None
    end.settimeout(CONNECT_S)
    is_known = len(hello) == HELLO and hello[:TOKEN_BYTES] == token
    return int.from_bytes(hello[TOKEN_BYTES:], "big") if is_known else None


def played(rank: Rank, operations: list[Any], start_ns: int) -> dict[str, Any]:
    """Carry out operations from a time on; return the marks, and the shares of the processor."""
    late_ns = time.monotonic_ns() - start_ns
    while time.monotonic_ns() < start_ns:
        time.sleep(max(0.0, (start_ns - time.monotonic_ns()) * 1e-9 - 2e-4))
    waited_ns, used_ns = waited(), time.process_time_ns()
    rank.play(operations)
    return {
        "rank": rank.number,
        "marks": rank.marks,
        "ended_ns": time.monotonic_ns(),
        "late_ns": max(0, late_ns),
        "waited_ns": waited() - waited_ns,
        "used_ns": time.process_time_ns() - used_ns,
    }


def waited() -> int:
    """Return the nanoseconds for which this process has waited for a processor."""
    try:
        return int((PROC / "self" / "schedstat").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0


class Agent:
    """The commands of the first process."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.mark, self.token = given["mark"], given["token"].encode()[:TOKEN_BYTES]
        self.nics = given["nics"]
        self.ranks: list[RankProcess] = []
        self.clocks: dict[str, int] = {}
        self.guard: Guard | None = None
        self.off: dict[tuple[str, str], list[str]] = {}
        self.input = b""

    def run(self) -> None:
        """Carry out commands until the end of standard input."""
        while True:
            line, end, behind = self.input.partition(b"\n")
            if not end:
                self.listen()
                continue
            self.input = behind
            name, argument = json.loads(line)
            try:
                answer = getattr(self, f"do_{name}")(argument)
            except (CommandError, OSError, ValueError, subprocess.SubprocessError) as error:
                answer = {"error": str(error)}
            self.say(answer)

    def say(self, value: Any) -> None:
        """Write an answer."""
        sys.stdout.write(self.mark + json.dumps(value) + "\n")
        sys.stdout.flush()

    def listen(self) -> None:
        """Read standard input; its end is that of all processes."""
        chunk = os.read(0, 1 << 16)
        if not chunk:
            self.do_release(None)
            os._exit(0)
        self.input += chunk

    def answers(self) -> list[Any]:
        """Return an answer of each rank, while standard input is watched."""
        found: dict[int, Any] = {}
        while len(found) < len(self.ranks):
            for place, rank in enumerate(self.ranks):
                answer = rank.heard() if place not in found else None
                if answer is not None:
                    found[place] = answer
            waiting = [one for place, one in enumerate(self.ranks) if place not in found]
            if waiting:
                ready = select.select([0, *(one.socket.fileno() for one in waiting)], [], [])[0]
                for one in waiting:
                    if one.socket.fileno() in ready:
                        one.read()
                if 0 in ready:
                    self.listen()
        return [found[place] for place in range(len(self.ranks))]

    def do_ranks(self, jobs: list[dict[str, Any]]) -> list[Any]:
        """Start a process per rank; return the port of each."""
        self.do_release(None)
        self.ranks = [RankProcess(job, self.token) for job in jobs]
        return self.answers()

    def do_connect(self, places: dict[str, Any]) -> list[Any]:
        """Connect all ranks."""
        for rank in self.ranks:
            rank.say(places)
        return self.answers()

    def do_play(self, start_ns: int) -> list[Any]:
        """Let all ranks play from a time on; return what each found."""
        for rank in self.ranks:
            rank.say(start_ns)
        return self.answers()

    def do_release(self, _: None) -> bool:
        """End the processes of ranks."""
        for rank in self.ranks:
            rank.end()
        self.ranks = []
        return True

    def do_now(self, _: None) -> int:
        """Return the time."""
        return time.monotonic_ns()

    def do_clock(self, address: str) -> list[Any]:
        """Serve the time and echoes at an address; return its port."""
        if address not in self.clocks:
            served = opened(address, socket.SOCK_DGRAM)
            threading.Thread(target=self.serve_time, args=(served,), daemon=True).start()
            self.clocks[address] = served.getsockname()[1]
        return [self.clocks[address]]

    def serve_time(self, served: socket.socket) -> None:
        """Answer each datagram of a holder of the token by itself and the time."""
        while True:
            found, sender = served.recvfrom(1 << 16)
            if found[:TOKEN_BYTES] == self.token:
                now = time.monotonic_ns().to_bytes(8, "big")
                with contextlib.suppress(OSError):
                    served.sendto(
                        found[: TOKEN_BYTES + 4] + now + found[TOKEN_BYTES + 12 :], sender
                    )

    def do_align(self, given: dict[str, Any]) -> list[int]:
        """Exchange datagrams with a served clock; return the time here, the clock's lead over it,
        and the largest error of the lead.
        """
        best = min(self.exchanges(given, EXCHANGES, 0), default=None)
        if best is None:
            raise CommandError(f"no answer from the clock at {given['address']}")
        round_ns, here_ns, there_ns = best
        return [here_ns, there_ns - here_ns, round_ns // 2]

    def do_echoes(self, given: dict[str, Any]) -> list[int]:
        """Return the number of datagrams that were sent to a served clock, and of those back."""
        return [given["count"], len(self.exchanges(given, given["count"], given["size_bytes"]))]

    def exchanges(
        self, given: dict[str, Any], count: int, size_bytes: int
    ) -> list[tuple[int, int, int]]:
        """Return round trip, middle of it here, and time there, of each exchange that came back."""
        found: list[tuple[int, int, int]] = []
        with opened(given["source"], socket.SOCK_DGRAM) as own:
            own.settimeout(ECHO_S)
            own.connect((given["address"], given["port"]))
            for number in range(count):
                text = self.token + number.to_bytes(4, "big")
                begin_ns = time.monotonic_ns()
                try:
                    own.send(text.ljust(max(size_bytes, TOKEN_BYTES + 12), b"\0"))
                    answer = own.recv(1 << 16)
                    while answer[: len(text)] != text:
                        answer = own.recv(1 << 16)
                except OSError:
                    if not found and number > 4:
                        break
                    continue
                end_ns = time.monotonic_ns()
                there_ns = int.from_bytes(answer[len(text) : len(text) + 8], "big")
                found.append((end_ns - begin_ns, (begin_ns + end_ns) // 2, there_ns))
        return found

    def do_routes(self, packets: list[list[str]]) -> list[str]:
        """Return the interface by which each packet leaves; `lo` for own addresses, and nothing
        where there is no route. A packet is its source, destination and interface of arrival.
        """
        return [self.route(*one) for one in packets]

    def route(self, source: str, address: str, came_by: str) -> str:
        """Return the interface by which packets leave."""
        words = ["ip", "-json", "route", "get", address, "from", source]
        words += ["iif", came_by] if came_by else []
        done = subprocess.run(words, capture_output=True, check=False, timeout=ETHTOOL_S)
        return str(json.loads(done.stdout)[0].get("dev", "")) if not done.returncode else ""

    def do_counters(self, _: None) -> dict[str, Any]:
        """Return the counters of all interfaces, of TCP, and the time of the processors."""
        names = [one.name for one in NET.iterdir() if one.name != "lo"]
        return {"nics": {name: counters(name) for name in names}, "tcp": tcp(), "cpu": processors()}

    def do_offloads(self, nic: str) -> dict[str, bool]:
        """Return whether each offload of an interface is on; those that are fixed are left out."""
        return {
            one.strip(): state == "on" for one, state in features(nic) if state in ("on", "off")
        }

    def do_offload(self, given: list[Any]) -> bool:
        """Switch an offload of an interface of the fabric off, for the time of this program at
        most, or on again: those of its features that were on.
        """
        nic, name, is_on = given
        if nic not in self.nics:
            raise CommandError(f"{nic} is no port of the fabric")
        if self.guard is None:
            self.guard = Guard()
        if is_on:
            own = self.off.get((nic, name), [])
            set_features(nic, own, is_on=True)
            self.guard.note("-", nic, own)
        else:
            own = self.off[nic, name] = features_of(nic, name)
            self.guard.note("+", nic, own)
            set_features(nic, own, is_on=False)
        return True


class Guard:
    """A process of its own session that switches offloads on again when this program has ended."""

    def __init__(self) -> None:
        reads, self.writes = os.pipe()
        self.process = os.fork()
        if not self.process:
            os.setsid()
            os.close(self.writes)
            nothing = os.open(os.devnull, os.O_RDWR)
            for descriptor in range(3):
                os.dup2(nothing, descriptor)
            with os.fdopen(reads) as lines:
                give_back(lines)
            os._exit(0)
        os.close(reads)

    def note(self, sign: str, nic: str, names: list[str]) -> None:
        """Note features that will be off, or that are on again."""
        os.write(self.writes, f"{sign} {' '.join([nic, *names])}\n".encode())


def give_back(lines: Iterable[str]) -> None:
    """Switch the features on that are noted as off at the end of the lines."""
    off: list[list[str]] = []
    for line in lines:
        sign, *words = line.split()
        if sign == "+":
            off.append(words)
        elif words in off:
            off.remove(words)
    for nic, *names in off:
        with contextlib.suppress(CommandError, OSError, subprocess.SubprocessError):
            set_features(nic, names, is_on=True)


def features(nic: str) -> list[tuple[str, str]]:
    """Return the offloads of an interface with their states; behind each come its features, whose
    names begin with a tab.
    """
    done = subprocess.run(
        ["ethtool", "-k", nic], capture_output=True, text=True, check=True, timeout=ETHTOOL_S
    )
    parts = (line.rstrip().partition(": ") for line in done.stdout.splitlines()[1:])
    return [(name, state) for name, _, state in parts]


def features_of(nic: str, name: str) -> list[str]:
    """Return the features of an offload that are on; the offload itself if it has none."""
    own = ""
    found = []
    for one, state in features(nic):
        if not one.startswith("\t"):
            own = one
        elif own == name:
            found.append((one.strip(), state))
    return [one for one, state in found if state == "on"] if found else [name]


def set_features(nic: str, names: list[str], *, is_on: bool) -> None:
    """Switch features of an interface."""
    if not names:
        return
    state = "on" if is_on else "off"
    words = ["ethtool", "-K", nic, *(word for name in names for word in (name, state))]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=ETHTOOL_S)
    if done.returncode:
        raise CommandError(done.stderr.strip()[-200:] or f"{' '.join(words)} fails")


def counters(nic: str) -> dict[str, int]:
    """Return the counters of an interface."""
    found = {}
    for name in COUNTERS:
        with contextlib.suppress(OSError, ValueError):
            found[name] = int((NET / nic / "statistics" / name).read_text())
    return found


def tcp() -> dict[str, int]:
    """Return the segments that TCP has sent, and those that it has sent again."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        rows = [one.split() for one in (PROC / "net" / "snmp").read_text().splitlines()]
        names, values = (one for one in rows if one[0] == "Tcp:")
        found = dict(zip(names[1:], map(int, values[1:])))  # noqa: B905 - new in Python 3.10
        return {name: found[name] for name in ("OutSegs", "RetransSegs")}
    return {}


def processors() -> list[float]:
    """Return the busy and the whole time of all processors in seconds, and their number."""
    lines = (PROC / "stat").read_text().splitlines()
    ticks = [int(one) for one in lines[0].split()[1:9]]
    per_s = os.sysconf("SC_CLK_TCK")
    idle = ticks[3] + ticks[4]
    n = sum(one.startswith("cpu") for one in lines) - 1
    return [(sum(ticks) - idle) / per_s, sum(ticks) / per_s, n]


def main() -> None:
    """Serve until the end of standard input."""
    line = b""
    while not line.endswith(b"\n"):
        line += os.read(0, 1) or os._exit(1)
    given = json.loads(line)
    agent = Agent(given)
    if given["version"] != VERSION:
        agent.say({"error": f"version {given['version']} of the protocol, not {VERSION}"})
        return
    agent.say(1)
    agent.run()


if __name__ == "__main__":
    main()
