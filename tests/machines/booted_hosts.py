"""Real hosts that systemd starts from their files, as it starts computers: its first process, in a
namespace of its own, with the network's manager, a bus, and an sshd.

Files in /etc and /var/lib of a host are its own and stay when it starts again; everything else is
of this machine. Units other than those below are not started, so that nothing of this machine's
own services runs twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.machines import real_hosts
from tests.machines.real_hosts import RealHosts

INIT = """
mount --make-rprivate /
mkdir -p "$2/etc" "$2/work" "$2/lib" "$2/sbin"
mount --bind "$2/sbin" /usr/local/sbin
mount -t overlay -o "lowerdir=/etc,upperdir=$2/etc,workdir=$2/work" overlay /etc
mount --bind "$2/lib" /var/lib
mount -t tmpfs -o mode=755 tmpfs /run
mkdir -p /run/sshd /run/home /run/dbus /run/lock /run/network
cp "$2/authorized_keys" /run/authorized_keys
mount -t sysfs -o ro sysfs /sys
mount -t proc proc /proc
cat /proc/sys/kernel/random/uuid > /run/boot_id
mount --bind /run/boot_id /proc/sys/kernel/random/boot_id
mount --bind /proc/sys/net /mnt
mount --rbind /proc/sys /proc/sys
mount -o remount,bind,ro /proc/sys
mount --move /mnt /proc/sys/net
mount -t cgroup2 cgroup2 /sys/fs/cgroup
if [ ! -e "$2/is_installed" ]; then
  . "$2/../install.sh"
  touch "$2/is_installed"
fi
hostname "$1"
export SYSTEMD_UNIT_PATH=/run/systemd/transient:/etc/systemd/system:/etc/units
export container=namespace
exec /lib/systemd/systemd --system --unit=multi-user.target --show-status=0 \\
  --log-target=console --log-level=warning > "$2/systemd.log" 2>&1
"""
"""First process of a host, whose folder keeps its disk."""
INSTALL = """
rm -rf /etc/systemd/system /etc/systemd/network /etc/netplan /etc/NetworkManager
rm -rf /etc/network/interfaces.d /etc/sysctl.d
mkdir -p /etc/systemd/system /etc/systemd/network /etc/netplan /etc/network/interfaces.d
mkdir -p /etc/NetworkManager/system-connections /etc/NetworkManager/conf.d /etc/sysctl.d /etc/units
mkdir -p /var/lib/NetworkManager
printf 'auto lo\\niface lo inet loopback\\nsource /etc/network/interfaces.d/*\\n' \\
  > /etc/network/interfaces
printf '[main]\\nplugins=keyfile\\nno-auto-default=*\\ndns=none\\nrc-manager=unmanaged\\n' \\
  > /etc/NetworkManager/NetworkManager.conf
printf '[device]\\nmatch-device=interface-name:mgmt0\\nmanaged=0\\n' \\
  > /etc/NetworkManager/conf.d/mgmt.conf
address=$(ip -4 -o address show dev mgmt0 | awk '{ print $4 }')
printf '[Match]\nName=mgmt0\n[Network]\nAddress=%s\nLinkLocalAddressing=ipv6\n' "$address" \
  > /etc/systemd/network/50-management.network
if [ "$manager" = netplan ]; then
  rm /etc/systemd/network/50-management.network
  printf 'network:\n  version: 2\n  ethernets:\n    mgmt0:\n      addresses: [%s]\n' "$address" \
    > /etc/netplan/50-management.yaml
fi
echo 'deploy:x:1500:1500::/run/home:/bin/sh' >> /etc/passwd
echo 'deploy:*:19000:0:99999:7:::' >> /etc/shadow
cp -r "$2/../units/." /etc/units
"""
"""Makes the disk of a host that starts for the first time."""
TARGETS = {
    "sysinit": "",
    "basic": "Requires=sysinit.target\nAfter=sysinit.target timers.target\nWants=timers.target",
    "timers": "",
    "shutdown": "",
    "network-pre": "",
    "network": "After=network-pre.target",
    "multi-user": "Requires=basic.target\nAfter=basic.target",
}
"""Target of systemd -> its lines."""
BUS = "[Service]\nExecStart=/usr/bin/dbus-daemon --system --nofork --nopidfile\n"
SYSCTL = """
[Unit]
DefaultDependencies=no
Before=sysinit.target
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'for one in /etc/sysctl.d/*; do \
  [ ! -e "$one" ] || /lib/systemd/systemd-sysctl "$one"; done'
"""
"""Applies a host's own files alone: others name parameters of the whole machine."""
SSHD = """
[Unit]
After=network.target
[Service]
ExecStart={sshd} -D -f {config}
"""
MANAGERS = {
    "networkd": (
        "systemd-networkd.service",
        """
[Unit]
After=dbus.service systemd-sysctl.service network-pre.target
Before=network.target
[Service]
Type=notify
RuntimeDirectory=systemd/netif
User=systemd-network
AmbientCapabilities=CAP_NET_ADMIN CAP_NET_BIND_SERVICE CAP_NET_BROADCAST CAP_NET_RAW
ExecStart=/lib/systemd/systemd-networkd
""",
    ),
    "networkmanager": (
        "NetworkManager.service",
        """
[Unit]
After=dbus.service systemd-sysctl.service network-pre.target
Before=network.target
[Service]
Type=exec
ExecStartPre=/sbin/ip link add dev id0 address 02:00:00:00:00:01 up type ifb
ExecStart=/usr/sbin/NetworkManager --no-daemon
""",
    ),
    "ifupdown2": (
        "networking.service",
        """
[Unit]
After=systemd-sysctl.service network-pre.target
Before=network.target
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/sbin/ifup -a
""",
    ),
}
"""Manager -> the name and the text of its unit."""
GENERATE = "ExecStartPre=+/usr/libexec/netplan/generate\n"


def missing() -> str | None:
    """Return the reason why this machine cannot have such hosts; None if it can."""
    reason = real_hosts.missing()
    if reason:
        return reason
    needed = ("/lib/systemd/systemd", "/usr/bin/dbus-daemon", "/sys/fs/cgroup")
    lacks = [one for one in needed if not Path(one).exists()]
    kinds = Path("/proc/filesystems").read_text().split()
    lacks += [one for one in ("overlay", "cgroup2") if one not in kinds]
    return f"{', '.join(lacks)} missing (apt install systemd dbus)" if lacks else None


@contextmanager
def booted_hosts(
    folder: Path,
    names: Sequence[str],
    cables: Sequence[tuple[str, str, str, str]] = (),
    *,
    manager: str = "",
) -> Iterator[RealHosts]:
    """Provide hosts that systemd has started.

    Parameters
    ----------
    folder, names, cables
        As for `real_hosts`.
    manager : str
        The manager of their network, as exporters call it; others than those above: none.
    """
    units = folder / "units"
    units.mkdir()
    for name, lines in TARGETS.items():
        (units / f"{name}.target").write_text(f"[Unit]\nDefaultDependencies=no\n{lines}\n")
    services = {"dbus.service": BUS, "systemd-sysctl.service": SYSCTL}
    if manager in (*MANAGERS, "netplan"):
        name, text = MANAGERS["networkd" if manager == "netplan" else manager]
        services[name] = text + (GENERATE if manager == "netplan" else "")
    for name, text in services.items():
        (units / name).write_text(text)
    sshd = SSHD.format(sshd=real_hosts._sshd(), config="/etc/units/sshd_config")
    (units / "sshd.service").write_text(sshd)
    wants = units / "multi-user.target.wants"
    wants.mkdir()
    for name in (*services, "sshd.service"):
        (wants / name).symlink_to(f"/etc/units/{name}")
    install = f'manager={manager}\n{INSTALL}cp "$2/sshd_config" /etc/units\n'
    (folder / "install.sh").write_text(install)
    with real_hosts.real_hosts(folder, names, cables, init=INIT) as found:
        yield found
