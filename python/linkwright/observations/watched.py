"""Observations of a run besides its figures: a capture of frames, the traffic of ports, and the
time line of the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.observations.capture import blocks_at, interface_names, pcapng
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
    captured: bytes
    """Enhanced Packet Blocks of all ports; none unless they were asked for."""
    traffic: Traffic
    """Counts of every port; without spans unless they were asked for."""
    recording: Mapping[str, Any] | None = None
    """Columns of the time line, if it was asked for."""

    @classmethod
    def of(cls, network: Network, answer: Mapping[str, Any]) -> Watched:
        """Return the observations in an answer of the compiled core."""
        traffic = Traffic.of(network, answer.get("traffic"))
        captured = answer.get("captured", b"")
        return cls(network, captured, traffic, answer.get("recording"))

    @property
    def capture(self) -> bytes:
        """A pcapng file; without frames unless they were asked for."""
        return self._file(self.captured)

    def capture_at(self, connector: str) -> bytes:
        """Return the pcapng file of one connector, such as ``n00:eth0``.

        Raises
        ------
        UsageError
            If there is none of this name.
        """
        names = interface_names(self.network)
        if connector not in names:
            raise UsageError(f"there is no port {shown(connector)}", unknown_name(connector, names))
        return self._file(blocks_at(self.captured, names.index(connector)))

    def _file(self, blocks: bytes) -> bytes:
        names = interface_names(self.network)
        return pcapng(blocks, names, application=f"linkwright {VERSION}")

    @property
    def timeline(self) -> Iterator[str]:
        """Pieces of a file in Chrome's trace event format; none unless it was asked for."""
        if self.recording is None:
            return iter(())
        return timeline_json(self.network, self.recording)
