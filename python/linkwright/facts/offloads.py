"""Drivers, offloads, rings and pauses of the interfaces, as `ethtool` says."""

from __future__ import annotations

import re
from typing import Any

from linkwright.facts.fact import Answers, EachInterface, Fact

__all__ = ["OFFLOADS"]

KEPT = {
    "tcp-segmentation-offload": "tso",
    "generic-segmentation-offload": "gso",
    "generic-receive-offload": "gro",
    "large-receive-offload": "lro",
}
"""Feature of `ethtool` -> its short name."""
_FEATURE = re.compile(r"^([a-z0-9-]+): (on|off)\b", re.MULTILINE)
_RING = re.compile(r"^(RX|TX):\s+(\d{1,9})$", re.MULTILINE)
_PAUSE = re.compile(r"^(RX|TX):\s+(on|off)$", re.MULTILINE)
_DRIVER = re.compile(r"^(driver|firmware-version): (\S.{0,200})$", re.MULTILINE)


def read(answers: Answers) -> dict[str, Any]:
    """Return the settings of each interface that `ethtool` knows."""
    found: dict[str, dict[str, Any]] = {}
    for name, output in answers.outputs("ethtool -k").items():
        features = dict(_FEATURE.findall(output))
        offloads = {
            short: features[name] == "on" for name, short in KEPT.items() if name in features
        }
        found.setdefault(name, {})["offloads"] = offloads
    for name, output in answers.outputs("ethtool -i").items():
        words = dict(_DRIVER.findall(output))
        known = {"driver": words.get("driver"), "firmware": words.get("firmware-version")}
        found.setdefault(name, {}).update({k: one for k, one in known.items() if one})
    for name, output in answers.outputs("ethtool -g").items():
        current = output.partition("Current hardware settings:")[2]
        rings = {key.lower(): int(size) for key, size in _RING.findall(current)}
        found.setdefault(name, {})["rings"] = rings
    for name, output in answers.outputs("ethtool -a").items():
        pauses = {key.lower(): state == "on" for key, state in _PAUSE.findall(output)}
        found.setdefault(name, {})["pauses"] = pauses
    return {"interfaces": found}


OFFLOADS = Fact(
    "offloads",
    "Driver, offloads, rings and pauses of each interface.",
    {
        f"ethtool {flag}": EachInterface(("ethtool", flag, None))
        for flag in ("-k", "-i", "-g", "-a")
    },
    read,
)
