"""Packet captures: a pcapng file made from the packet blocks of the packet engine.

The engine returns Enhanced Packet Blocks whose interface numbers are ports and whose times are
nanoseconds (see crates/packet/src/capture). The parts with names are added here: the section header
and the description of every interface, little-endian, as in the pcapng draft
(draft-ietf-opsawg-pcapng), sections 4.1 and 4.2. Nothing is written to disk here.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from linkwright.network import Network

__all__ = ["SNAP_BYTES", "blocks_at", "interface_names", "pcapng"]

SNAP_BYTES = 128
"""Bytes kept of each frame: all headers, and some of the zeros after them."""

_SECTION_HEADER = 0x0A0D0D0A
_INTERFACE_DESCRIPTION = 1
_BYTE_ORDER = 0x1A2B3C4D
_UNKNOWN_LENGTH = -1
_ETHERNET = 1
_NANOSECONDS = 9

# Option codes; those of the section and of an interface overlap.
_END_OF_OPTIONS = 0
_APPLICATION = 4
_INTERFACE_NAME = 2
_TIME_RESOLUTION = 9


def pcapng(
    blocks: bytes,
    interface_names: Sequence[str],
    *,
    application: str,
    snap_bytes: int = SNAP_BYTES,
) -> bytes:
    """Return a complete capture file.

    Parameters
    ----------
    blocks : bytes
        Enhanced Packet Blocks as the engine returns them; may be empty.
    interface_names : sequence of str
        Name of each port, in order of its number: ``n00:eth0``.
    application : str
        Name and version of the writer.
    snap_bytes : int
        Largest number of bytes kept of a frame, as passed to the engine.

    Returns
    -------
    bytes
        The file, as Wireshark and tshark read it.

    Examples
    --------
    >>> len(pcapng(b"", ["n0:eth0"], application="linkwright"))
    92
    """
    interfaces = (_interface(name, snap_bytes) for name in interface_names)
    return b"".join([_section(application), *interfaces, blocks])


def blocks_at(blocks: bytes, port: int) -> bytes:
    """Return the Enhanced Packet Blocks of one port.

    Parameters
    ----------
    blocks : bytes
        Enhanced Packet Blocks as the engine returns them.
    port : int
        Number of the port.

    Returns
    -------
    bytes
        The blocks of its frames, in their order.
    """
    words = np.frombuffer(blocks, "<u4")
    starts = _starts(words)
    kept = starts[words[starts + 2] == port]
    inside = np.zeros(len(words) + 1, np.int8)
    inside[kept] += 1
    inside[kept + words[kept + 1] // 4] -= 1
    return words[np.cumsum(inside[:-1], dtype=np.int8) > 0].tobytes()


def _starts(words: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Return the places of the first words of all blocks.

    Each block says its length, so that its end is known from its begin alone: all ends are found
    by steps of one block, of two, of four and so on.
    """
    n = len(words)
    step = np.full(n + 1, n, np.intp)
    step[: n - 1] = np.minimum(np.arange(n - 1) + np.maximum(words[1:] // 4, 1), n)
    found = np.zeros(min(n, 1), np.intp)
    while len(more := np.setdiff1d(step[found], [n])) and more[-1] > found[-1]:
        found = np.union1d(found, more)
        step = step[step]
    return found


def interface_names(network: Network) -> list[str]:
    """Return the name of each port in order of its number: ``n00:eth0``, ``sw0:p3``."""
    return [
        f"{name}:{network.port_name(device, port)}"
        for device, name in enumerate(network.device_names)
        for port in range(network.wiring.n_ports[device])
    ]


def _section(application: str) -> bytes:
    version = (1, 0)
    body = struct.pack("<IHHq", _BYTE_ORDER, *version, _UNKNOWN_LENGTH)
    return _block(_SECTION_HEADER, body, [(_APPLICATION, application.encode())])


def _interface(name: str, snap_bytes: int) -> bytes:
    reserved = 0
    body = struct.pack("<HHI", _ETHERNET, reserved, snap_bytes)
    options = [(_INTERFACE_NAME, name.encode()), (_TIME_RESOLUTION, bytes([_NANOSECONDS]))]
    return _block(_INTERFACE_DESCRIPTION, body, options)


def _block(kind: int, body: bytes, options: Sequence[tuple[int, bytes]]) -> bytes:
    content = body + b"".join(_option(code, value) for code, value in options)
    content += struct.pack("<HH", _END_OF_OPTIONS, 0)
    length = struct.pack("<I", len(content) + 12)
    return struct.pack("<I", kind) + length + content + length


def _option(code: int, value: bytes) -> bytes:
    return struct.pack("<HH", code, len(value)) + value + bytes(-len(value) % 4)
