"""The datagrams of a run: which arrived, when, and how long they took.

A workload computes its figures from the methods, each of which returns one number, so that a page
computes the same (`readings`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkwright.records.read_only import ArrayRecord

__all__ = ["Datagrams"]


class Datagrams(ArrayRecord):
    """The datagrams of one run, in the order in which they were sent."""

    source: NDArray[np.uint32]
    """shape (n,): rank of the sender."""
    destination: NDArray[np.uint32]
    """shape (n,): rank of the receiver."""
    size_bytes: NDArray[np.uint32]
    """shape (n,): user data."""
    sent_s: NDArray[np.float64]
    """shape (n,): time at which the sender began."""
    received_s: NDArray[np.float64]
    """shape (n,): time at which the receiver had read it, NaN if it was lost."""

    def n_sent(self, source: int | None = None) -> float:
        """Return the number of datagrams, of one rank or of all."""
        return float(self._of(source).sum())

    def n_arrived(self, source: int | None = None) -> float:
        """Return the number of those that arrived."""
        return float((self._of(source) & ~np.isnan(self.received_s)).sum())

    def last_s(self) -> float:
        """Return the time at which the last one had arrived; 0 if none did."""
        return float(np.nanmax(self.received_s, initial=0.0))

    def goodput(self, size_bytes: int) -> float:
        """Return the bytes that arrived, of datagrams of one size, per second until the last."""
        last_s = self.last_s()
        return self.n_arrived() * size_bytes / last_s if last_s else 0.0

    def mean_latency_s(self) -> float | None:
        """Return the mean time of those that arrived; None if none did."""
        latency_s = self._latency_s()
        return float(latency_s.mean()) if latency_s.size else None

    def latency_percentile_s(self, per_cent: int) -> float | None:
        """Return a percentile of the times of those that arrived; None if none did."""
        latency_s = self._latency_s()
        return float(np.percentile(latency_s, per_cent)) if latency_s.size else None

    def _of(self, source: int | None) -> NDArray[np.bool_]:
        return np.full(self.source.shape, True) if source is None else self.source == source

    def _latency_s(self) -> NDArray[np.float64]:
        latency_s = self.received_s - self.sent_s
        return latency_s[~np.isnan(latency_s)]
