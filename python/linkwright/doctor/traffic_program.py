"""Traffic of one machine: echoes of datagrams, and streams to other machines, bounded in time.

It runs by itself on the machine, with Python's standard library alone and without root. The first
line on standard input is {"mark", "token", "nics"}; each further one is a command with one line as
its answer behind the mark. Only holders of the token are served, nothing is sent by any other NIC
than those named, and all ends with standard input.
"""

from __future__ import annotations

import contextlib
import json
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LONGEST_S = 10.0
ANSWER_S = 0.5
"""Time in which an echo comes back."""
CHUNK = 1 << 18
TOKEN_BYTES = 16
SO_BINDTODEVICE = 25
MTU_DISCOVER = {socket.AF_INET: (socket.IPPROTO_IP, 10, 3), socket.AF_INET6: (41, 23, 3)}
"""Option that forbids fragments and ignores what the kernel believes about the path."""
HEADERS = {socket.AF_INET: 28, socket.AF_INET6: 48}
COUNTERS = ("tx_bytes", "rx_bytes", "rx_errors", "rx_dropped", "tx_errors", "rx_crc_errors")


def family_of(address: str) -> socket.AddressFamily:
    """Return the family of an address."""
    return socket.AF_INET6 if ":" in address else socket.AF_INET


class Traffic:
    """The services and commands of the machine."""

    def __init__(self, token: bytes, nics: list[str]) -> None:
        self.token, self.nics = token, nics

    def do_listen(self, addresses: list[str]) -> dict[str, Any]:
        """Serve at addresses; return the port for datagrams and that for streams of each."""
        return {address: self.serve(address) for address in addresses}

    def serve(self, address: str) -> Any:
        """Serve at an address; return both ports, or the reason why not."""
        try:
            datagrams = socket.socket(family_of(address), socket.SOCK_DGRAM)
            datagrams.setsockopt(*MTU_DISCOVER[family_of(address)])
            datagrams.bind((address, 0))
            streams = socket.socket(family_of(address), socket.SOCK_STREAM)
            streams.bind((address, 0))
            streams.listen(16)
        except OSError as error:
            return str(error)
        threading.Thread(target=self.echo, args=(datagrams,), daemon=True).start()
        threading.Thread(target=self.accept, args=(streams,), daemon=True).start()
        return [datagrams.getsockname()[1], streams.getsockname()[1]]

    def echo(self, served: socket.socket) -> None:
        """Send datagrams back."""
        while True:
            found, sender = served.recvfrom(1 << 16)
            if found[:TOKEN_BYTES] == self.token:
                with contextlib.suppress(OSError):
                    served.sendto(found, sender)

    def accept(self, served: socket.socket) -> None:
        """Take streams."""
        while True:
            connected = served.accept()[0]
            connected.settimeout(LONGEST_S)
            threading.Thread(target=self.drain, args=(connected,), daemon=True).start()

    def drain(self, connected: socket.socket) -> None:
        """Count the bytes of a stream and the time from its first to its last."""
        with contextlib.suppress(OSError), connected:
            found = connected.recv(TOKEN_BYTES, socket.MSG_WAITALL)
            if found != self.token:
                return
            room = bytearray(CHUNK)
            n_bytes, start_s = 0, time.monotonic()
            while True:
                n = connected.recv_into(room)
                if not n:
                    break
                n_bytes += n
            answer = {"bytes": n_bytes, "seconds": time.monotonic() - start_s}
            connected.sendall(json.dumps(answer).encode())

    def do_ping(self, pings: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Send datagrams that must not be fragmented; return those that came back, and times."""
        return [self.guarded(self.ping, one) for one in pings]

    def ping(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return sizes with the number of echoes and the time of each."""
        with self.opened(socket.SOCK_DGRAM, given) as own:
            own.setsockopt(*MTU_DISCOVER[family_of(given["address"])])
            own.settimeout(ANSWER_S)
            own.connect((given["address"], given["port"]))
            sizes = [[size, *self.echoes(own, size, given["count"])] for size in given["sizes"]]
        return {"sizes": sizes}

    def echoes(self, own: socket.socket, size: int, count: int) -> tuple[int, Any]:
        """Return the number of echoes and the median of half their round trips in seconds."""
        payload = max(size - HEADERS[socket.AddressFamily(own.family)], TOKEN_BYTES + 4)
        times: list[float] = []
        for number in range(count):
            text = self.token + number.to_bytes(4, "big")
            start_s = time.monotonic()
            try:
                own.send(text.ljust(payload, b"\0"))
                while own.recv(1 << 16)[: len(text)] != text:
                    pass
            except OSError:
                if not times and number:
                    break
                continue
            times.append((time.monotonic() - start_s) / 2)
        return len(times), statistics.median(times) if times else None

    def do_send(self, given: dict[str, Any]) -> dict[str, Any]:
        """Send a stream for some time; return its bytes and time as the other end counted them."""
        return self.guarded(self.send, given)

    def send(self, given: dict[str, Any]) -> dict[str, Any]:
        """Send a stream and wait for the count of the other end."""
        with self.opened(socket.SOCK_STREAM, given) as own:
            own.settimeout(LONGEST_S)
            own.connect((given["address"], given["port"]))
            own.sendall(self.token)
            chunk = bytes(CHUNK)
            n_bytes, start_s, busy_s = 0, time.monotonic(), time.process_time()
            while time.monotonic() - start_s < given["seconds"] and n_bytes < given["most_bytes"]:
                own.sendall(chunk)
                n_bytes += len(chunk)
            took_s = time.monotonic() - start_s
            busy = (time.process_time() - busy_s) / max(took_s, 1e-9)
            own.shutdown(socket.SHUT_WR)
            found = b""
            while not found.endswith(b"}"):
                part = own.recv(1000)
                if not part:
                    break
                found += part
            return {**json.loads(found), "busy": busy}

    def opened(self, kind: int, given: dict[str, Any]) -> socket.socket:
        """Return a socket whose packets leave by a NIC of the fabric.

        Raises
        ------
        OSError
            If they would not.
        """
        nic = given.get("nic") or self.route(given["source"], given["address"])
        if nic not in self.nics:
            raise OSError(f"wrong plane: {nic}")
        own = socket.socket(family_of(given["address"]), kind)
        if given.get("nic"):
            own.setsockopt(socket.SOL_SOCKET, SO_BINDTODEVICE, nic.encode() + b"\0")
        own.bind((given["source"], 0))
        return own

    def route(self, source: str, address: str) -> str:
        """Return the interface by which packets leave."""
        words = ["ip", "-json", "route", "get", address, "from", source]
        done = subprocess.run(words, capture_output=True, check=False, timeout=LONGEST_S)
        if done.returncode:
            raise OSError("no route: " + done.stderr.decode(errors="replace").strip()[-200:])
        return str(json.loads(done.stdout)[0].get("dev", ""))

    def guarded(self, work: Callable[[Any], dict[str, Any]], given: Any) -> dict[str, Any]:
        """Return the answer of work, or its error."""
        try:
            return work(given)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            return {"error": str(error)}

    def do_counters(self, nics: list[str]) -> dict[str, dict[str, int]]:
        """Return the counters of interfaces."""
        found: dict[str, dict[str, int]] = {}
        for nic in nics:
            own: dict[str, int] = {}
            found[nic] = own
            for name in COUNTERS:
                with contextlib.suppress(OSError, ValueError):
                    place = Path("/sys/class/net", nic, "statistics", name)
                    own[name] = int(place.read_text())
        return found


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Serve until the end of standard input."""
    given = json.loads(sys.stdin.readline())
    traffic = Traffic(given["token"].encode()[:TOKEN_BYTES], given["nics"])
    say(given["mark"] + "1")
    for line in sys.stdin:
        name, argument = json.loads(line)
        answer = getattr(traffic, f"do_{name}")(argument)
        say(given["mark"] + json.dumps(answer))


if __name__ == "__main__":
    main()
