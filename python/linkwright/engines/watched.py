"""Observations of the frames of a run besides its figures: a capture, and the traffic of ports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from linkwright.engines.capture import interface_names, pcapng
from linkwright.engines.traffic import Traffic
from linkwright.version import VERSION

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["Watched"]


@dataclass(frozen=True, eq=False)
class Watched:
    """The frames of a run as seen at every port."""

    capture: bytes
    """A pcapng file; without frames unless they were asked for."""
    traffic: Traffic

    @classmethod
    def of(cls, network: Network, answer: Mapping[str, Any]) -> Watched:
        """Return the observations in an answer of the compiled core."""
        names = interface_names(network)
        file = pcapng(answer["captured"], names, application=f"linkwright {VERSION}")
        return cls(file, Traffic.of(network, answer["traffic"]))
