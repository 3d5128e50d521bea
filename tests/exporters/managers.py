"""The programs that read files for machines, started in machines of the harness.

A program that is not installed is named with the command that installs it.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.exporters.machines import Machines, stand_in

from linkwright.plan import export


@dataclass(frozen=True)
class Program:
    """A program, and the package of Debian that has it."""

    place: str
    package: str

    @property
    def why_missing(self) -> str:
        """The reason why it cannot be run; empty if it can."""
        return "" if Path(self.place).exists() else f"{self.place}: apt install {self.package}"


NETPLAN = Program("/usr/libexec/netplan/generate", "netplan.io")
IFUPDOWN2 = Program("/usr/share/ifupdown2/ifupdown2", "ifupdown2")
VTYSH = Program("/usr/bin/vtysh", "frr")
DNSMASQ = Program("/usr/sbin/dnsmasq", "dnsmasq-base")
IPTABLES = Program("/usr/sbin/iptables", "iptables")
UDEVADM = Program("/usr/bin/udevadm", "udev")
NMCLI = Program("/usr/bin/nmcli", "network-manager")
NETWORKMANAGER = Program("/usr/sbin/NetworkManager", "network-manager")
NETWORKD = Program("/lib/systemd/systemd-networkd", "systemd")

START_NETWORKD = """
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/network /run/systemd/netif/links /run/systemd/netif/leases \\
    /run/systemd/netif/lldp /run/dbus /run/udev/data
# With a read-only /sys it does not wait for udev.
mount -o remount,bind,ro /sys
for files in "$folder"/etc/systemd/network "$folder"/run/systemd/network; do
    if [ -e "$files" ]; then cp -r "$files"/* /run/systemd/network; fi
done
chown -R systemd-network /run/systemd/netif
if [ -e "$folder/etc/sysctl.d" ]; then
    /lib/systemd/systemd-sysctl "$folder"/etc/sysctl.d/*
fi
if [ -e "$folder/etc/systemd/system" ]; then
    sed -n 's/^ExecStart=//p' "$folder"/etc/systemd/system/*.service | sh -eu
fi
NOTIFY_SOCKET= SYSTEMD_LOG_TARGET=console exec /lib/systemd/systemd-networkd > "$folder/log" 2>&1
"""


IFUP = """
mount -t tmpfs tmpfs /run
mkdir -p /run/network
if [ -e "$folder/etc/sysctl.d" ]; then
    /lib/systemd/systemd-sysctl "$folder"/etc/sysctl.d/*
fi
if [ -e "$folder/etc/systemd/system" ]; then
    sed -n 's/^ExecStart=//p' "$folder"/etc/systemd/system/*.service | sh -eu
fi
ifup --all --interfaces "$folder/etc/network/interfaces.d/linkwright"
ifquery --all --check --interfaces "$folder/etc/network/interfaces.d/linkwright"
"""


START_NETWORKMANAGER = """
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus
# With a read-only /sys it does not wait for udev.
mount -o remount,bind,ro /sys
mount -t tmpfs tmpfs /var/lib/NetworkManager
mount -t tmpfs tmpfs /etc/NetworkManager
cp -r "$folder"/etc/NetworkManager/* /etc/NetworkManager
chmod 600 /etc/NetworkManager/system-connections/*
cat > /etc/NetworkManager/NetworkManager.conf << END
[main]
plugins=keyfile
no-auto-default=*
hostname-mode=none
dns=none
rc-manager=unmanaged
[device]
managed=1
END
if [ -e "$folder/etc/sysctl.d" ]; then
    /lib/systemd/systemd-sysctl "$folder"/etc/sysctl.d/*
fi
if [ -e "$folder/etc/systemd/system" ]; then
    sed -n 's/^ExecStart=//p' "$folder"/etc/systemd/system/*.service | sh -eu
fi
# It leaves virtual interfaces that are down alone.
case $ports in *id0*) ip link add dev id0 type ifb ;; esac
for port in $ports; do ip link set dev "$port" up; done
# It asks for a bus of its own.
dbus-daemon --system --nofork --nopidfile &
until [ -e /run/dbus/system_bus_socket ]; do sleep 0.1; done
exec NetworkManager --debug --log-level=INFO > "$folder/log" 2>&1
"""


UP = 'LINKWRIGHT_JOURNAL="$journal" sh "$folder/up.sh"'
"""Shell command that runs the script of the target `ip`."""


def run_scripts(up: Machines) -> None:
    """Run the scripts of `ip` commands."""
    for node, folder in up.folders.items():
        up.shell(node, UP, folder=str(folder), journal=str(folder / "journal"))


def start_networkd(up: Machines) -> None:
    """Start networkd in each machine; it ends with the machine."""
    for node, folder in up.folders.items():
        up.start(node, START_NETWORKD, folder=str(folder))


def generate_and_start(up: Machines) -> None:
    """Let the generator of netplan write files of networkd, and start networkd."""
    for folder in up.folders.values():
        (folder / "etc/netplan/60-linkwright.yaml").chmod(0o600)
        done = subprocess.run([NETPLAN.place, "--root-dir", str(folder)], check=False)
        assert done.returncode == 0
    start_networkd(up)


def run_ifup(up: Machines) -> None:
    """Run `ifup` in each machine, and `ifquery`, which compares."""
    for node, folder in up.folders.items():
        checked = up.shell(node, IFUP, folder=str(folder))
        assert "[fail]" not in checked, checked


def start_networkmanager(up: Machines) -> None:
    """Start NetworkManager in each machine; it ends with the machine.

    The ports of the harness are TAPs, and this kernel may have no dummy interfaces.
    """
    for node, folder in up.folders.items():
        connections = folder / "etc/NetworkManager/system-connections"
        for file in connections.iterdir():
            text = file.read_text().replace("type=ethernet", "type=tun")
            text = re.sub("type=(?:dummy|ifb)", "type=generic", text)
            file.write_text(text + "[tun]\nmode=2\n" * ("type=tun" in text))
        ports = " ".join(path.stem.removeprefix("linkwright-") for path in connections.iterdir())
        up.start(node, START_NETWORKMANAGER, folder=str(folder), ports=ports)


START_FRR = """
mount -t tmpfs tmpfs /var/tmp
own=/var/tmp/frr
mkdir -p $own
chown frr:frr $own
for program in zebra $(sed -n 's/=yes//p' "$folder/etc/frr/daemons"); do
    /usr/lib/frr/$program -d -f /dev/null -z $own/zserv.api -i $own/$program.pid \\
        --vty_socket $own -P 0
done
vtysh --vty_socket $own -f "$folder/etc/frr/frr.conf"
exec sleep infinity
"""


def start_frr(up: Machines) -> None:
    """Run the scripts of `ip` without routes of the main table, and start FRR; it ends with the
    machine.
    """
    up.reaction_s = 0.5
    files = export(up.network, ["ip"]).files
    for node, folder in up.folders.items():
        script = stand_in(files[f"nodes/{node}/ip/up.sh"])
        (folder / "up.sh").write_text(re.sub(r"(?m)^route (?!.* table ).*via.*", "", script))
        up.shell(node, UP, folder=str(folder), journal=str(folder / "journal"))
        up.start(node, START_FRR, folder=str(folder))


@dataclass(frozen=True)
class Loader:
    """The way in which machines load the files of a target."""

    target: str
    load: Callable[[Machines], None]
    programs: tuple[Program, ...] = ()

    @property
    def why_missing(self) -> str:
        """The reason why it cannot be done; empty if it can."""
        return next((one.why_missing for one in self.programs if one.why_missing), "")


LOADERS = {
    one.target: one
    for one in (
        Loader("ip", run_scripts),
        Loader("networkd", start_networkd, (NETWORKD,)),
        Loader("netplan", generate_and_start, (NETPLAN, NETWORKD)),
        Loader("ifupdown2", run_ifup, (IFUPDOWN2,)),
        Loader("frr", start_frr, (VTYSH,)),
        Loader("networkmanager", start_networkmanager, (NETWORKMANAGER,)),
    )
}
"""How machines load the files of each target that sets up addresses and routes."""
