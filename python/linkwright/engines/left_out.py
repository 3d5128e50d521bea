"""What the engines without frames leave out of the hosts of a run, and which way they err by it.

What an engine does not know must not be left out unsaid: every manifest carries these remarks, the
commands print them, pages show them. Nothing is lost in these engines; where a wire is faster than
the processor that takes its frames, and windows are longer than the queue between them, frames are.
"""

from __future__ import annotations

from linkwright.calibrations import Calibration
from linkwright.network import Network

__all__ = ["remarks"]

AROUND_BYTES = 14 + 4 + 8 + 12
"""Header and check sequence of a frame, preamble and gap."""
HEADERS_BYTES = 40


def remarks(engine: str, hosts: Calibration, network: Network) -> tuple[str, ...]:
    """Return what an engine leaves out on a network, each with the constant and the effect."""
    if engine == "packet" or not _overruns(hosts, network):
        return ()
    n_frames, rate_gbps = hosts.queues.receive_frames.value, _fastest_bps(network) / 1e9
    remark = (
        f"the {engine} engine leaves out that queues.receive_frames = {n_frames} of {hosts.name} "
        f"can overflow: a link of {rate_gbps:g} Gb/s brings frames faster than a processor takes "
        "them, and what is lost slows streams of a megabyte and more to a half, or costs "
        "time-outs; the packet engine knows it"
    )
    return (remark,)


def _overruns(hosts: Calibration, network: Network) -> bool:
    """Return whether a window that comes at the rate of the fastest link fills a receive queue."""
    payload_bytes = network.mtu - HEADERS_BYTES
    frame_us = (network.mtu + AROUND_BYTES) * 8e6 / _fastest_bps(network)
    together = hosts.queues.gro_bytes.value // payload_bytes if hosts.queues.gro_bytes else 1
    fixed_us, us_per_byte = hosts.host.receive.us, hosts.host.receive.us_per_byte
    frame_cost = hosts.host.receive_frame
    work_us = (frame_cost.us if frame_cost else 0.0) + us_per_byte * payload_bytes
    work_us += fixed_us / max(together, 1)
    window_bytes = hosts.tcp.receive_buffer_bytes.value
    queue_bytes = hosts.queues.receive_frames.value * payload_bytes
    return work_us > frame_us and window_bytes > queue_bytes


def _fastest_bps(network: Network) -> int:
    return int(network.cable_rate_bps.max(initial=1))
