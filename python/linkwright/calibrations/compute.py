"""The speed of a node's computations, measured on one node alone, and its memory for programs.

A rate depends on whether the cache holds the working set. Between two measured sizes the time of an
operation follows the fraction of the working set outside the cache; beyond them it is constant.
"""

from __future__ import annotations

from bisect import bisect_left

from pydantic import Field

from linkwright.calibrations.kinds import MOST, Cost, Frozen, Quantity

__all__ = ["Compute", "MeasuredRate"]


class MeasuredRate(Frozen):
    """A rate of one node for one working set."""

    working_set_bytes: float = Field(strict=True, ge=0, le=MOST)
    per_s: float = Field(strict=True, ge=1, le=MOST)
    """Operations per second, as the benchmark counts them."""
    origin: str


class Compute(Frozen):
    """Rates of one node by the kernel that it computes."""

    cache: Quantity | None = None
    """Bytes of the largest cache."""
    memory: Quantity | None = None
    """Bytes of memory that a program can use."""
    copying: Cost | None = None
    """Copy from memory to memory, as a program makes for data that it sends and receives."""
    rates: dict[str, tuple[MeasuredRate, ...]] = Field(default_factory=dict)
    """Rates by kernel, from the smallest working set to the largest."""

    @property
    def memory_bytes(self) -> float | None:
        """Bytes of a node's memory that a program can use, if known."""
        return self.memory.value if self.memory else None

    @property
    def copy_us_per_byte(self) -> float:
        """Time to copy one byte from memory to memory, in microseconds."""
        return self.copying.us_per_byte if self.copying else 0.0

    def rate(self, kernel: str, working_set_bytes: float) -> float | None:
        """Return the operations per second of one node, if any are measured for the kernel.

        Examples
        --------
        >>> from linkwright import calibrations
        >>> node = calibrations.load("pentium-pro-200-linux-2.0").compute
        >>> [round(node.rate("lu", size) / 1e6, 2) for size in (1e5, 5e6, 1e8)]
        [55.39, 31.64, 30.85]
        """
        measured = self.rates.get(kernel, ())
        if not measured:
            return None
        sizes = [one.working_set_bytes for one in measured]
        after = bisect_left(sizes, working_set_bytes)
        if after in (0, len(measured)):
            return measured[min(after, len(measured) - 1)].per_s
        small, large = measured[after - 1], measured[after]
        low, here, high = (
            self._missed(size)
            for size in (small.working_set_bytes, working_set_bytes, large.working_set_bytes)
        )
        part = (here - low) / (high - low) if high > low else 0.0
        return 1.0 / ((1.0 - part) / small.per_s + part / large.per_s)

    def _missed(self, working_set_bytes: float) -> float:
        """Return the fraction of a working set that the cache cannot hold."""
        cache_bytes = self.cache.value if self.cache else 0.0
        return max(0.0, 1.0 - cache_bytes / working_set_bytes) if working_set_bytes else 0.0
