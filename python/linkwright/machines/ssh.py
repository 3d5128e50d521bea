"""A machine that the system's OpenSSH reaches, with the user's keys, agent and `~/.ssh/config`.

All programs on a machine share one connection. No word of a command is part of a shell's line: the
login shell of the machine reads one fixed line, whose last word is the command in base 64, and
Python there starts it.
"""

from __future__ import annotations

import base64
import json
import math
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from linkwright.errors import RunError, UsageError, shown
from linkwright.machines.host import Host
from linkwright.machines.machine import MOST_OF_REASON, Machine, text_of
from linkwright.threads import threads

__all__ = ["Ssh", "connections"]

CONNECT_S = 10
"""Time in which a machine accepts a connection."""
SILENCE_S, MOST_SILENCES = 5, 3
"""A connection ends after this many intervals without a sign of life."""
MOST_AT_ONCE = 16
"""Programs of ssh that only read the configuration, or end a connection, at the same time."""
KEPT_S = 60
"""Time for which an unused connection stays, should this process be killed."""
FAILED = 255
"""Exit code of ssh where the connection fails; no program that runs on machines ends with it."""
LONGEST_CONFIGURATION_S = 10.0

START = (
    "import base64,ctypes,json,os,signal,sys;"
    "ctypes.CDLL(None).prctl(1,signal.SIGKILL);"
    "longest_s,words=json.loads(base64.b64decode(sys.argv[1]));"
    "signal.alarm(longest_s);"
    "os.execvp(words[0],words)"
)
"""Program of Python that becomes another one, which ends with its connection, or at its time."""

FIXED = {
    "BatchMode": "yes",  # nothing asks for a password in the middle of many machines
    "LogLevel": "ERROR",  # banners are no reasons
    "ClearAllForwardings": "yes",
    "ForwardAgent": "no",
    "ForwardX11": "no",
    "PermitLocalCommand": "no",
    "RemoteCommand": "none",
    "RequestTTY": "no",
}
"""Options of every connection."""
DEFAULTS = {
    "ConnectTimeout": CONNECT_S,
    "ServerAliveInterval": SILENCE_S,
    "ServerAliveCountMax": MOST_SILENCES,
}
"""Options that a host may have otherwise."""

CHECK_KEY = "another machine answers, or it was installed again: compare its key"
LOOK = "check that the machine is up and its management network connected"
REMEDIES = {
    "REMOTE HOST IDENTIFICATION HAS CHANGED": CHECK_KEY,
    "Host key verification failed": "connect once by ssh and compare the key of the host",
    "Could not resolve": "correct the name, or give the address",
    "Permission denied": "add your key there (ssh-copy-id), or to your agent (ssh-add)",
    "Too many authentication failures": "name the key: options: {IdentityFile: FILE}",
    "UNPROTECTED PRIVATE KEY": "let your user alone read the key: chmod 600 FILE",
    "Connection refused": "start sshd there, or give its port in ~/.ssh/config",
    "timed out": LOOK,
    "No route to host": LOOK,
    "Network is unreachable": LOOK,
    "Bad configuration option": "correct the options of the hosts, or ~/.ssh/config",
    "not found": "install python3 there",
}
"""Words of a failure -> the remedy; the first that fits counts."""


@dataclass(frozen=True)
class Ssh(Machine):
    """A machine reached by ssh.

    Attributes
    ----------
    destination : str
        The machine for ssh: a name of `~/.ssh/config`, a host, or user@host.
    options : tuple of str
        Options of ssh that all commands share.
    before : tuple of str
        Program that starts programs of Python there, such as one that asks sudo.
    """

    destination: str
    options: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    kind: ClassVar[str] = "ssh"

    def __post_init__(self) -> None:
        if not self.destination or self.destination[0] == "-" or not self.destination.isprintable():
            raise UsageError(
                f"{shown(self.destination)} is no host for ssh", "give a host, or user@host"
            )

    @property
    def python(self) -> str:
        """Its interpreter of Python."""
        return "python3"

    def of_python(self) -> list[str]:
        """Return the words that start a program of Python, which standard input has first."""
        return [*self.before, *super().of_python()]

    def command(self, words: Sequence[str]) -> list[str]:
        """Return the command of this machine that runs a program there."""
        return self.bounded(words, None)

    def bounded(self, words: Sequence[str], longest_s: float | None) -> list[str]:
        """Return the same for a program that ends there at its time."""
        given = [math.ceil(longest_s or 0), list(words)]
        packed = base64.b64encode(json.dumps(given).encode()).decode()
        line = shlex.join([self.python, "-I", "-S", "-c", START, packed])
        return ["ssh", *self.options, "--", self.destination, f"exec {line}"]

    def _done(
        self, words: Sequence[str], given: bytes = b"", timeout_s: float | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        done = super()._done(words, given, timeout_s)
        if done.returncode in (FAILED, 127) and not done.stdout:
            raise RunError(*_failure(self, text_of(done.stderr)))
        return done


def _failure(machine: Ssh, errors: str) -> tuple[str, str]:
    """Return message and remedy for a connection that failed."""
    lines = [line.strip(" @") for line in errors.splitlines() if line.strip(" @")]
    reason = lines[-1] if lines else "the connection was lost"
    remedy = next((text for words, text in REMEDIES.items() if words in errors), None)
    where = f" ({machine.destination})" if machine.destination != machine.name else ""
    return (
        f"{machine.name}{where} is not reached: {shown(reason, MOST_OF_REASON)}",
        remedy or f"try `ssh {machine.destination}` by hand",
    )


@contextmanager
def connections(
    hosts: Sequence[Host],
    *,
    are_new: bool = False,
    kept_s: float = KEPT_S,
    before: tuple[str, ...] = (),
) -> Iterator[list[Ssh]]:
    """Provide the machines of hosts; their connections end with the block.

    A connection that the user's own configuration shares among programs stays the user's, and is
    used, unless the connections have to be new. Others end before the block does, if nothing uses
    them for `kept_s`, or for `KEPT_S` if that is longer. `before` starts programs of Python there.
    """
    with tempfile.TemporaryDirectory(prefix="linkwright-") as folder:
        with threads(MOST_AT_ONCE) as pool:
            kept = math.ceil(max(kept_s, KEPT_S))
            options = list(
                pool.map(lambda host: _options(host, Path(folder), kept, are_new=are_new), hosts)
            )
        pairs = zip(hosts, options, strict=True)
        machines = [Ssh(host.name, host.ssh, words, before) for host, words in pairs]
        try:
            yield machines
        finally:
            _close(Path(folder))


def _options(host: Host, folder: Path, kept_s: int, *, are_new: bool) -> tuple[str, ...]:
    """Return the options of ssh for a machine: of two values for one option, the first counts."""
    chosen = [*FIXED.items(), *host.options.items(), *DEFAULTS.items()]
    words = tuple(word for key, value in chosen for word in ("-o", f"{key}={value}"))
    if not are_new and _is_shared_already(host.ssh, words):
        return words
    shared = {"ControlMaster": "auto", "ControlPath": f"{folder}/%C", "ControlPersist": kept_s}
    return (*(word for key, one in shared.items() for word in ("-o", f"{key}={one}")), *words)


def _is_shared_already(destination: str, options: Sequence[str]) -> bool:
    """Return whether the user's configuration has a shared connection for the machine."""
    if destination.startswith("-"):
        return False
    try:
        asked = subprocess.run(
            ["ssh", *options, "-G", "--", destination],
            capture_output=True,
            check=False,
            timeout=LONGEST_CONFIGURATION_S,
        )
    except FileNotFoundError:
        raise RunError("ssh is not installed", "install OpenSSH's client") from None
    except subprocess.TimeoutExpired:
        return False
    lines = dict(line.partition(" ")[::2] for line in text_of(asked.stdout).splitlines())
    return lines.get("controlmaster", "false") != "false" and "controlpath" in lines


def _close(folder: Path) -> None:
    """End the shared connections whose sockets are in a folder."""
    with threads(MOST_AT_ONCE) as pool:
        list(pool.map(_close_one, folder.iterdir()))


def _close_one(socket: Path) -> None:
    words = ["ssh", "-o", f"ControlPath={socket}", "-O", "exit", "--", "any"]
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(words, capture_output=True, check=False, timeout=CONNECT_S)
