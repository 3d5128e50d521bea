"""The clocks of machines, aligned with one of them by exchanges of datagrams around a run.

The exchange with the shortest round trip counts; half of it is the largest error. Between both
alignments a clock drifts evenly.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Alignment", "Clock"]

NS = 1e-9


@dataclass(frozen=True)
class Alignment:
    """The lead of the reference over a clock, in nanoseconds, at a time of the clock."""

    at_ns: int
    lead_ns: int
    error_ns: int


@dataclass(frozen=True)
class Clock:
    """A clock of a machine between two alignments."""

    before: Alignment
    after: Alignment

    def reference_ns(self, own_ns: int) -> float:
        """Return the time of the reference at a time of this clock."""
        span_ns = self.after.at_ns - self.before.at_ns
        drift = (self.after.lead_ns - self.before.lead_ns) / span_ns if span_ns > 0 else 0.0
        return own_ns + self.before.lead_ns + drift * (own_ns - self.before.at_ns)

    @property
    def error_s(self) -> float:
        """The largest error, in seconds."""
        return max(self.before.error_ns, self.after.error_ns) * NS
