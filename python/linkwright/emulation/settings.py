"""Settings of the nodes' kernels: how they forward, and the TCP of the calibration as far as
kernels have settings for it.

The delay of acknowledgements, the initial window and the time-out of new connections have no
settings: they are those of this machine's kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from linkwright.calibrations.kinds import Cost
from linkwright.nodes.sources import shared_ports

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.calibrations.tcp import TcpOptions
    from linkwright.network import Network

__all__ = ["dilated", "forwarding_settings", "tcp_settings", "without_effect"]

UNTOLD = ("ack_delay_us", "ack_longest_us", "first_timeout_us", "timer_margin_us")
"""Timers of TCP for which kernels have no setting."""

ALLOWED = Path("/proc/sys/net/ipv4/tcp_allowed_congestion_control")
"""Congestion controls that namespaces may have."""
RTO_FLOOR = "ipv4/tcp_rto_min_us"
"""Setting of the floor of TCP's time-out, from Linux 6.11 on."""
LONGEST_RTO_US = 120_000_000
"""Ceiling of the time-out in the kernel."""
LEAST_BUFFER_BYTES = 4096
SEGMENT_BYTES = 1460
"""Segment for calibrations that count their send buffer in segments."""
SEGMENT_MEMORY_BYTES = 1764
"""Memory of a full segment where Linux 2.0.30 counts it."""


def forwarding_settings(network: Network) -> list[tuple[str, str]]:
    """Return paths below /proc/sys/net with values, for all nodes of a network: they forward,
    routes by an interface without carrier are ignored, and no packet is filtered by its source.
    With several ports on a segment, each answers ARP for itself alone.
    With routes by incoming interface, packets that come back are accepted without a word.
    """
    found = [
        ("ipv4/ip_forward", "1"),
        ("ipv4/conf/all/rp_filter", "0"),
        ("ipv4/conf/default/rp_filter", "0"),
        ("ipv4/conf/all/ignore_routes_with_linkdown", "1"),
        ("ipv4/conf/default/ignore_routes_with_linkdown", "1"),
    ]
    if shared_ports(network):
        found += [
            (f"ipv4/conf/{scope}/{name}", value)
            for scope in ("all", "default")
            for name, value in (("arp_ignore", "1"), ("arp_announce", "2"))
        ]
    if network.by_interface:
        # Packets come back by the cable that they left by, to their sender too.
        found += [
            (f"ipv4/conf/{scope}/{name}", value)
            for scope in ("all", "default")
            for name, value in (("accept_local", "1"), ("send_redirects", "0"))
        ]
    if not network.addresses.is_v6.any():
        return [
            *found,
            ("ipv6/conf/all/disable_ipv6", "1"),
            ("ipv6/conf/default/disable_ipv6", "1"),
        ]
    for scope in ("all", "default"):
        found += [
            (f"ipv6/conf/{scope}/forwarding", "1"),
            (f"ipv6/conf/{scope}/ignore_routes_with_linkdown", "1"),
            (f"ipv6/conf/{scope}/accept_dad", "0"),
            (f"ipv6/conf/{scope}/router_solicitations", "0"),
        ]
    return found


def tcp_settings(hosts: Calibration, dilation: float) -> list[tuple[str, str]]:
    """Return paths below /proc/sys/net with values: buffers, options and congestion control of a
    calibration, and its floor of time-outs, which takes `dilation` times as long.
    """
    tcp = hosts.tcp
    # A kernel counts its own overhead in a buffer; about half of it is data.
    window = int(tcp.receive_buffer_bytes.value) // tcp.window_rule.share
    received = max(LEAST_BUFFER_BYTES, 2 * window)
    sent = max(LEAST_BUFFER_BYTES, 2 * _send_buffer_bytes(tcp))
    first_received, first_sent = received, sent
    if tcp.first_receive_buffer_bytes:
        first_received = max(LEAST_BUFFER_BYTES, 2 * tcp.first_receive_buffer_bytes.value)
    if tcp.send_buffer_grows.value:
        # The kernel's own rule, which counts memory, and begins with more than this.
        first_sent, sent = LEAST_BUFFER_BYTES, _send_buffer_bytes(tcp)
    found = [
        ("ipv4/tcp_congestion_control", _congestion(tcp.congestion.value)),
        ("ipv4/tcp_rmem", f"{LEAST_BUFFER_BYTES} {first_received} {received}"),
        ("ipv4/tcp_wmem", f"{LEAST_BUFFER_BYTES} {first_sent} {sent}"),
        ("ipv4/tcp_sack", str(int(tcp.sack.value))),
        ("ipv4/tcp_recovery", str(int(tcp.rack.value))),
        ("ipv4/tcp_early_retrans", "3" if tcp.rack.value else "0"),
        ("ipv4/tcp_frto", "2" if tcp.undo.value else "0"),
        ("ipv4/tcp_dsack", str(int(tcp.undo.value))),
        ("ipv4/tcp_timestamps", str(int(tcp.timestamps.value))),
        ("ipv4/tcp_window_scaling", str(int(tcp.window_scaling.value))),
        ("ipv4/tcp_slow_start_after_idle", str(int(tcp.restart_when_idle.value))),
        ("ipv4/tcp_ecn", str(int(tcp.ecn.value))),
    ]
    if (Path("/proc/sys/net") / RTO_FLOOR).exists():
        floor_us = min(LONGEST_RTO_US, round(tcp.shortest_timeout_us.value * dilation))
        found.append((RTO_FLOOR, str(max(1, floor_us))))
    return found


def without_effect(constants: Iterable[str]) -> Iterator[str]:
    """Yield the remark on constants of hosts, by name, that kernels have no setting for, if any."""
    found = [
        name
        for name in constants
        if name.startswith("host.") or name.removeprefix("tcp.") in UNTOLD
    ]
    if found:
        yield (
            f"{', '.join(found)} has no effect: processors and these timers are those of this "
            "machine"
        )


def dilated(hosts: Calibration, dilation: float) -> dict[str, float | int]:
    """Return the constants of real hosts as they appear at a dilation, by name with their parts:
    costs of processors and those timers of a kernel that have no setting.

    Parameters
    ----------
    hosts : Calibration
        The hosts at dilation 1.
    dilation : float
        Real seconds for one second of the network.
    """
    found: dict[str, float | int] = {}
    for name, constant in hosts.host:
        if isinstance(constant, Cost):
            found[f"host.{name}.us"] = constant.us / dilation
            if constant.us_per_byte:
                found[f"host.{name}.us_per_byte"] = constant.us_per_byte / dilation
    for name in UNTOLD:
        timer = getattr(hosts.tcp, name)
        if timer is not None:
            found[f"tcp.{name}"] = round(timer.value / dilation)
    return found


def _send_buffer_bytes(tcp: TcpOptions) -> int:
    if tcp.send_buffer_bytes:
        return int(tcp.send_buffer_bytes.value)
    if tcp.send_buffer_memory_bytes:
        return int(tcp.send_buffer_memory_bytes.value) * SEGMENT_BYTES // SEGMENT_MEMORY_BYTES
    assert tcp.send_buffer_segments is not None
    return int(tcp.send_buffer_segments.value) * SEGMENT_BYTES


def _congestion(rule: str) -> str:
    """Return a congestion control of this kernel: the rule itself, or Reno, which all have."""
    return rule if rule in ALLOWED.read_text(encoding="utf-8").split() else "reno"
