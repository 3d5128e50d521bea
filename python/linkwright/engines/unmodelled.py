"""Properties of the hosts that an engine without frames does not model, each with its effect.

Every result lists them: `linkwright.engines.remarks` adds them to the remarks on the run. Such an
engine loses no frame, not even if a wire is faster than the processor behind it and windows are
longer than the queue between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from linkwright.calibrations import Calibration
from linkwright.engines.engine import Engine
from linkwright.engines.inputs import Run
from linkwright.network import Network

__all__ = ["unmodelled"]

AROUND_BYTES = 14 + 4 + 8 + 12
"""Bytes of a frame besides its payload: header, check sequence, preamble and gap."""
HEADERS_BYTES = 40


def unmodelled(engine: Engine, run: Run) -> Iterator[str]:
    """Yield a sentence for each constant whose effect on a run the engine does not model."""
    if engine.moves_frames or engine.counts_loads or engine.origin == "measured":
        return
    hosts, network = run.hosts, run.network
    if _overruns(hosts, network):
        n_frames, rate_gbps = hosts.queues.receive_frames.value, _fastest_bps(network) / 1e9
        yield (
            f"the {engine.name} engine does not model that queues.receive_frames = {n_frames} of "
            f"{hosts.name} can overflow: a link of {rate_gbps:g} Gb/s delivers frames faster than "
            "a processor handles them, and the losses halve the rate of streams of a megabyte and "
            "more, or cost time-outs; the packet engine models it"
        )


def _overruns(hosts: Calibration, network: Network) -> bool:
    """Return whether a window sent at the rate of the fastest link overflows a receive queue."""
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
