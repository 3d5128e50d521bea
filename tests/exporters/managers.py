"""The programs that read files for machines, started in machines of the harness.

A program that is not installed is named with the command that installs it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.exporters.machines import Machines


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
NOTIFY_SOCKET= SYSTEMD_LOG_TARGET=console exec /lib/systemd/systemd-networkd > "$folder/log" 2>&1
"""


IFUP = """
mount -t tmpfs tmpfs /run
mkdir -p /run/network
if [ -e "$folder/etc/sysctl.d" ]; then
    /lib/systemd/systemd-sysctl "$folder"/etc/sysctl.d/*
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
# It leaves virtual interfaces that are down alone.
case $ports in *id0*) ip link add dev id0 type ifb ;; esac
for port in $ports; do ip link set dev "$port" up; done
# It asks for a bus of its own.
dbus-daemon --system --nofork --nopidfile &
until [ -e /run/dbus/system_bus_socket ]; do sleep 0.1; done
exec NetworkManager --debug --log-level=INFO > "$folder/log" 2>&1
"""


def start_networkd(up: Machines, node: str, folder: Path) -> None:
    """Start networkd in a machine with the files of a folder; it ends with the machine."""
    up.start(node, START_NETWORKD, folder=str(folder))


def start_networkmanager(up: Machines, node: str, folder: Path) -> None:
    """Start NetworkManager in a machine with the files of a folder; it ends with the machine.

    The ports of the harness are TAPs, and this kernel may have no dummy interfaces.
    """
    connections = folder / "etc/NetworkManager/system-connections"
    for file in connections.iterdir():
        text = file.read_text().replace("type=ethernet", "type=tun")
        text = re.sub("type=(?:dummy|ifb)", "type=generic", text)
        file.write_text(text + "[tun]\nmode=2\n" * ("type=tun" in text))
    ports = " ".join(path.stem.removeprefix("linkwright-") for path in connections.iterdir())
    up.start(node, START_NETWORKMANAGER, folder=str(folder), ports=ports)
