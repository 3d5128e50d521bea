"""The traffic of every port of a network over time, in spans of equal length.

The compiled core counts, whichever hosts there are: those of the packet engine, or real kernels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.observations.capture import interface_names
from linkwright.records.read_only import ArrayRecord
from linkwright.text.csv_text import csv_text

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["SPAN_S", "Traffic"]

SPAN_S = 1e-3
"""Shortest span; long runs have longer ones."""
_COUNTS = ("frames_sent", "bytes_sent", "frames_received", "bytes_received")


class Traffic(ArrayRecord):
    """Frames and bytes of each of `p` ports in each of `t` spans of time.

    A frame on a hub counts at the port that sends it and at the one that it is for, or at all
    others if it is for all: a hub's own ports have no counts, nor has a node that filters the
    frame. Bytes count from the header to the frame check sequence.

    Attributes
    ----------
    span_s : float
        Length of a span, in seconds of the network.
    ports : tuple of str
        Names of the ports: ``n0:eth0``, ``sw0:p3``.
    frames_sent, bytes_sent, frames_received, bytes_received : ndarray of uint64, shape (t, p)
        Counts of each span.
    """

    span_s: float
    ports: tuple[str, ...]
    frames_sent: NDArray[np.uint64]
    bytes_sent: NDArray[np.uint64]
    frames_received: NDArray[np.uint64]
    bytes_received: NDArray[np.uint64]

    @classmethod
    def of(cls, network: Network, columns: Mapping[str, Any] | None) -> Traffic:
        """Return the traffic of a network's ports from the columns of the compiled core, if it
        counted any.
        """
        ports = tuple(interface_names(network))
        if columns is None:
            nothing = dict.fromkeys(_COUNTS, np.zeros((0, len(ports)), np.uint64))
            return cls(span_s=SPAN_S, ports=ports, **nothing)
        counts = {name: columns[name] for name in _COUNTS}
        return cls(span_s=columns["span_s"], ports=ports, **counts)

    def received_by(self, node: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the rate at which a device received bytes.

        Returns
        -------
        time_s, rate : ndarray of float, shape (t,)
            The beginning of each span in seconds, and bytes per second in it.

        Raises
        ------
        UsageError
            If no device has the name.
        """
        of = [index for index, port in enumerate(self.ports) if port.split(":")[0] == node]
        if not of:
            names = dict.fromkeys(port.split(":")[0] for port in self.ports)
            raise UsageError(f"there is no device {shown(node)}", unknown_name(node, names))
        total = self.bytes_received[:, of].sum(axis=1).astype(np.float64)
        time_s: NDArray[np.float64] = np.arange(len(total), dtype=np.float64) * self.span_s
        rate: NDArray[np.float64] = total / self.span_s
        return time_s, rate

    @property
    def csv(self) -> str:
        """A table with a row for each span and port with traffic."""
        return csv_text(["time_s", "span_s", "device", "port", *_COUNTS], self._rows())

    def _rows(self) -> Iterator[list[object]]:
        is_used = (self.frames_sent > 0) | (self.frames_received > 0)
        for span, port in np.argwhere(is_used).tolist():
            counts = [int(getattr(self, name)[span, port]) for name in _COUNTS]
            time_s = round(span * self.span_s, 9)
            yield [time_s, self.span_s, *self.ports[port].split(":"), *counts]
