"""The origin of a page about one network: command, versions, time and design."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.results import Manifest

__all__ = ["provenance"]


def provenance(network: Network, manifest: Manifest) -> list[tuple[str, str]]:
    """Return names and values, in the order of the page."""
    return [
        ("command", " ".join(manifest.command)),
        ("Linkwright", manifest.version),
        ("Python", manifest.python),
        ("finished", f"{manifest.finished:%Y-%m-%d %H:%M:%S %Z}"),
        ("design", f"{network.name} {network.design_hash}"),
    ]
