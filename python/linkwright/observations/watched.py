"""Observations of a run besides its figures: a capture of frames, the traffic of ports, and the
time line of the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwright.observations.capture import interface_names, pcapng
from linkwright.observations.timeline import timeline_json
from linkwright.observations.traffic import Traffic
from linkwright.version import VERSION

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["Watched"]


@dataclass(frozen=True, eq=False)
class Watched:
    """The observations of a run."""

    network: Network
    capture: bytes
    """A pcapng file; without frames unless they were asked for."""
    traffic: Traffic
    """Counts of every port; without spans unless they were asked for."""
    recording: Mapping[str, Any] | None = None
    """Columns of the time line, if it was asked for."""

    @classmethod
    def of(cls, network: Network, answer: Mapping[str, Any]) -> Watched:
        """Return the observations in an answer of the compiled core."""
        names = interface_names(network)
        blocks = answer.get("captured", b"")
        file = pcapng(blocks, names, application=f"linkwright {VERSION}")
        traffic = Traffic.of(network, answer.get("traffic"))
        return cls(network, file, traffic, answer.get("recording"))

    @property
    def timeline(self) -> Iterator[str]:
        """Pieces of a file in Chrome's trace event format; none unless it was asked for."""
        if self.recording is None:
            return iter(())
        return timeline_json(self.network, self.recording)
