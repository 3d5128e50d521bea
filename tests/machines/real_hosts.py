"""Real hosts on this machine, for tests: namespaces, each with an sshd of its own on a management
network, and cables between them.

A host is the namespaces of one process. When this process ends, so do they. Logins have an empty
home, so that no file of this machine's user runs there, such as one that takes a lock.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SUBNET = "192.168.77"
INIT = """
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/sshd /run/lldpd /run/home
mount -t sysfs -o ro sysfs /sys
mount -t proc proc /proc
mount -t tmpfs -o mode=755 tmpfs /var/lib
hostname "$1"
{sshd} -f "$2/sshd_config" -E "$2/sshd.log"
exec sleep infinity
"""
SSHD = """
ListenAddress {address}
HostKey {folder}/host
PidFile /run/sshd.pid
AuthorizedKeysFile {folder}/authorized_keys /run/authorized_keys
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
UseDNS no
PrintMotd no
PrintLastLog no
MaxStartups 200
SetEnv HOME=/run/home
"""


@dataclass(frozen=True)
class Host:
    """A host: its name, its address on the management network, and its first process."""

    name: str
    address: str
    folder: Path
    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        """End all that runs on the host."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@dataclass(frozen=True)
class RealHosts:
    """Hosts that are up, and what a client needs."""

    hosts: list[Host]
    prefix: str
    folder: Path
    cables: Sequence[tuple[str, str, str, str]] = ()
    init: str = INIT

    def reboot(self, name: str) -> None:
        """End a host and start it from its files; its ports keep their cables and addresses."""
        host = self._named(name)
        host.kill()
        space, waiting = self.space(name), f"{self.prefix}m"
        ports = ("mgmt0", *self._ports(name))
        for port in ports:
            _run("ip", "-n", space, "link", "set", "dev", port, "mtu", "1500", "netns", waiting)
        _run("ip", "netns", "del", space)
        _run("ip", "netns", "add", space)
        for port in ports:
            _run("ip", "-n", waiting, "link", "set", "dev", port, "netns", space)
        number = self.hosts.index(host)
        self.hosts[number] = _started(self.folder, space, number, name, self.init)
        for port in self._ports(name):
            _run("ip", "-n", space, "link", "set", "dev", port, "up")
        _await(self)

    def _named(self, name: str) -> Host:
        return next(one for one in self.hosts if one.name == name)

    def _ports(self, host: str) -> list[str]:
        """Return the ports of a host with a cable."""
        ends = [end for a, b, c, d in self.cables for end in ((a, b), (c, d))]
        return [port for name, port in ends if name == host]

    @property
    def search_path(self) -> str:
        """The variable PATH with which `ssh` finds the hosts."""
        return f"{self.folder / 'bin'}:{os.environ['PATH']}"

    def enter(self) -> list[str]:
        """Return the words before a command that runs it on the management network."""
        return ["ip", "netns", "exec", f"{self.prefix}m"]

    def space(self, host: str) -> str:
        """Return the network namespace of a host."""
        return f"{self.prefix}h{[one.name for one in self.hosts].index(host)}"

    def plug(self, a: str, a_port: str, b: str, b_port: str) -> None:
        """Plug a cable between ports of two hosts, which come with it."""
        ends = ((self.space(a), a_port), (self.space(b), b_port))
        first, second = (["name", port, "netns", space] for space, port in ends)
        _run("ip", "link", "add", *first, "type", "veth", "peer", *second)
        for space, port in ends:
            _run("ip", "-n", space, "link", "set", "dev", port, "up")

    def unplug(self, host: str, port: str) -> None:
        """Take out a cable with both its ports."""
        _run("ip", "-n", self.space(host), "link", "del", "dev", port)

    def run(self, host: str, *words: str) -> None:
        """Run a program in the network of a host."""
        _run("ip", "netns", "exec", self.space(host), *words)

    def inside(self, host: str) -> list[str]:
        """Return the words before a command that runs it in all namespaces of a host."""
        (first,) = Path(f"/proc/{self._named(host).process.pid}/task").glob("*/children")
        return ["nsenter", "--all", f"--target={first.read_text().split()[0]}"]


def missing() -> str | None:
    """Return the reason why this machine cannot have such hosts; None if it can."""
    if os.geteuid() != 0:
        return "only root makes namespaces with an sshd"
    programs = ("ip", "ssh", "ssh-keygen", "nsenter", "unshare")
    lacks = [one for one in programs if shutil.which(one) is None]
    lacks += [] if _sshd() else ["sshd"]
    return f"{', '.join(lacks)} missing (apt install openssh-server iproute2)" if lacks else None


def _sshd() -> str | None:
    return shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def _run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True)


@contextmanager
def real_hosts(
    folder: Path,
    names: Sequence[str],
    cables: Sequence[tuple[str, str, str, str]] = (),
    *,
    init: str = INIT,
) -> Iterator[RealHosts]:
    """Provide hosts.

    Parameters
    ----------
    folder : path
        An empty folder for keys.
    names : sequence of str
        Names of the hosts.
    cables : sequence of tuple
        Host and interface of the one end, host and interface of the other.
    init : str
        Script of a host's first process; its arguments are the host's name and its folder.
    """
    prefix = f"lw{os.getpid()}"
    made: list[str] = []
    hosts: list[Host] = []
    try:
        _management(prefix, made)
        _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / "id"))
        for number, name in enumerate(names):
            made.append(f"{prefix}h{number}")
            hosts.append(_host(folder, prefix, number, name, init))
        found = RealHosts(hosts, prefix, folder, cables, init)
        for cable in cables:
            found.plug(*cable)
        _write_client(found)
        for host in hosts:
            (host.folder / "cabled").touch()
        _await(found)
        yield found
    finally:
        for host in hosts:
            if host.process.poll() is None:
                host.kill()
        for space in made:
            subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)


def _management(prefix: str, made: list[str]) -> None:
    space = f"{prefix}m"
    _run("ip", "netns", "add", space)
    made.append(space)
    bridge = ("type", "bridge", "stp_state", "0", "forward_delay", "0")
    _run("ip", "-n", space, "link", "set", "lo", "up")
    _run("ip", "-n", space, "link", "add", "br0", *bridge)
    _run("ip", "-n", space, "addr", "add", f"{SUBNET}.254/24", "dev", "br0")
    _run("ip", "-n", space, "link", "set", "br0", "up")


def _host(folder: Path, prefix: str, number: int, name: str, init: str) -> Host:
    space = f"{prefix}h{number}"
    _run("ip", "netns", "add", space)
    peer = ("peer", "name", f"m{number}", "netns", f"{prefix}m")
    _run("ip", "link", "add", "name", "mgmt0", "netns", space, "type", "veth", *peer)
    _run("ip", "-n", f"{prefix}m", "link", "set", f"m{number}", "master", "br0", "up")
    return _started(folder, space, number, name, init)


def _started(folder: Path, space: str, number: int, name: str, init: str) -> Host:
    """Start a host in its namespace; one that was there before has its folder again."""
    address = f"{SUBNET}.{number + 1}"
    _run("ip", "-n", space, "link", "set", "lo", "up")
    _run("ip", "-n", space, "addr", "add", f"{address}/24", "brd", "+", "dev", "mgmt0")
    _run("ip", "-n", space, "link", "set", "mgmt0", "up")
    own = folder / name
    if not own.exists():
        own.mkdir()
        _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(own / "host"))
        shutil.copy(folder / "id.pub", own / "authorized_keys")
        (own / "sshd_config").write_text(SSHD.format(address=address, folder=own))
    process = subprocess.Popen(
        [
            *("setpriv", "--pdeathsig", "KILL", "nsenter", f"--net=/run/netns/{space}"),
            *("unshare", "--mount", "--uts", "--pid", "--ipc", "--cgroup", "--fork"),
            *("--kill-child", "sh", "-c", init.format(sshd=_sshd()), "init", name, str(own)),
        ],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
    )
    return Host(name, address, own, process)


def _write_client(found: RealHosts) -> None:
    """Write a program `ssh` that finds the hosts, its configuration, and the keys of the hosts."""
    folder = found.folder
    lines, known = [], []
    for host in found.hosts:
        lines += [f"Host {host.name}", f"  HostName {host.address}", f"  HostKeyAlias {host.name}"]
        key = (host.folder / "host.pub").read_text().split()
        known.append(f"{host.name} {key[0]} {key[1]}\n")
    common = {
        "User": "root",
        "IdentityFile": folder / "id",
        "IdentitiesOnly": "yes",
        "UserKnownHostsFile": folder / "known_hosts",
        "StrictHostKeyChecking": "yes",
    }
    lines += ["Host *", *(f"  {key} {value}" for key, value in common.items())]
    (folder / "config").write_text("\n".join(lines) + "\n")
    (folder / "known_hosts").write_text("".join(known))
    program = folder / "bin" / "ssh"
    program.parent.mkdir()
    words = f"{' '.join(found.enter())} {shutil.which('ssh')} -F {folder / 'config'}"
    program.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    program.chmod(0o755)


def _await(found: RealHosts) -> None:
    """Wait until every host accepts connections."""
    probe = "import socket,sys;[socket.create_connection((one, 22), 1) for one in sys.argv[1:]]"
    words = [*found.enter(), "python3", "-c", probe, *(host.address for host in found.hosts)]
    deadline = time.monotonic() + 60
    while subprocess.run(words, check=False, capture_output=True).returncode:
        if time.monotonic() > deadline:
            raise TimeoutError("the hosts do not accept connections")
        time.sleep(0.1)
