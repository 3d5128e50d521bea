"""Equal parameters: the settings of ns-3 for the hosts of a calibration.

Ethernet's 38 bytes of preamble, header, frame check and gap are longer than the 2 of ns-3's
point-to-point frames, so that its devices stay silent for 36 bytes more. A queue here counts the
frame being sent, one of ns-3 does not.
"""

from __future__ import annotations

from linkwright.calibrations import Calibration, Flag

__all__ = ["FRAME_BYTES_HERE", "HOSTS", "QUEUE_FRAMES", "ns3_arguments"]

HOSTS = "ns3-reno.toml"
QUEUE_FRAMES = 100
FRAME_BYTES_HERE = 1518
"""A full frame as a switch here counts it."""
_FRAME_BYTES = 1502
"""A full frame as ns-3 counts it."""
_GAP_BYTES = 36

_TIMESTAMP_BYTES = 12
_NEVER = "1000000"
"""More duplicate acknowledgements than ever come."""

_FIXED = {
    "ns3::TcpL4Protocol::RecoveryType": "ns3::TcpClassicRecovery",
    "ns3::TcpSocketBase::ClockGranularity": "1ns",
    "ns3::TcpCubic::HyStart": "false",
}
"""Features of the calibration's TCP, present or absent, without a constant."""

_CONGESTION = {"reno": "ns3::TcpNewReno", "cubic": "ns3::TcpCubic", "dctcp": "ns3::TcpDctcp"}


def ns3_arguments(hosts: Calibration, queue_frames: int = QUEUE_FRAMES) -> dict[str, str]:
    """Return arguments of the driver for ns-3.

    Parameters
    ----------
    hosts : Calibration
        Hosts without cost, whose TCP is the one of `HOSTS` with other constants.
    queue_frames : int
        Full frames that the queue of a switch port holds.
    """
    tcp = hosts.tcp
    assert tcp.segment_bytes
    assert tcp.ack_delay_us
    assert tcp.send_buffer_bytes
    # With whole segments plus time stamps, a packet of ns-3 is too long and is cut in pieces.
    options = _TIMESTAMP_BYTES if tcp.timestamps.value else 0
    return _FIXED | {
        "ns3::TcpL4Protocol::SocketType": _CONGESTION[tcp.congestion.value],
        "ns3::TcpSocketBase::Sack": _word(tcp.sack),
        "ns3::TcpSocketBase::Timestamp": _word(tcp.timestamps),
        "ns3::TcpSocketBase::LimitedTransmit": _word(tcp.limited_transmit),
        "ns3::TcpSocketBase::ReTxThreshold": "3" if tcp.fast_retransmit.value else _NEVER,
        "ns3::TcpSocket::DelAckCount": "2" if tcp.ack_delay_us.value else "1",
        "ns3::TcpSocket::SegmentSize": str(tcp.segment_bytes.value - options),
        "ns3::TcpSocket::RcvBufSize": str(tcp.receive_buffer_bytes.value),
        "ns3::TcpSocket::SndBufSize": str(tcp.send_buffer_bytes.value),
        "ns3::TcpSocket::InitialCwnd": str(tcp.initial_window.value),
        "ns3::TcpSocket::DelAckTimeout": f"{tcp.ack_delay_us.value}us",
        "ns3::TcpSocket::DataRetries": str(tcp.most_retransmissions.value),
        "ns3::TcpSocketBase::MinRto": f"{tcp.shortest_timeout_us.value}us",
        "hostQueue": f"{hosts.queues.transmit_frames.value - 1}p",
        "switchQueue": f"{(queue_frames - 1) * _FRAME_BYTES}B",
        "gap": str(_GAP_BYTES),
    }


def _word(flag: Flag) -> str:
    return "true" if flag.value else "false"
