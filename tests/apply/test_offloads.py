"""Offloads on the way to a plan and back: all features are as they were, those too that are off by
default.

`ethtool` is a function that knows the features of one interface.
"""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from linkwright.apply import present

MEMBERS = ("tx-tcp-segmentation", "tx-tcp-mangleid-segmentation", "tx-tcp6-segmentation")
BEFORE = {
    "tx-tcp-segmentation": True,
    "tx-tcp-mangleid-segmentation": False,
    "tx-tcp6-segmentation": True,
    "large-receive-offload": True,
}


class Ethtool:
    """Features of an interface, with the options of `ethtool` that show and switch them."""

    def __init__(self) -> None:
        self.features = dict(BEFORE)

    def __call__(self, words: list[str], *_: Any) -> subprocess.CompletedProcess[str]:
        if words[1] == "-k":
            return subprocess.CompletedProcess(words, 0, self.shown(), "")
        key, state = words[3:]
        for one in {"tso": MEMBERS, "lro": ("large-receive-offload",)}.get(key, (key,)):
            self.features[one] = state == "on"
        return subprocess.CompletedProcess(words, 0, "", "")

    def shown(self) -> str:
        word = {True: "on", False: "off"}
        is_on = any(self.features[one] for one in MEMBERS)
        return (
            f"Features for port0:\ntcp-segmentation-offload: {word[is_on]}\n"
            + "".join(f"\t{one}: {word[self.features[one]]}\n" for one in MEMBERS)
            + "\ttx-tcp-ecn-segmentation: off [fixed]\n"
            + "generic-segmentation-offload: on\n\tno-feature-of-ours: on\n"
            + f"large-receive-offload: {word[self.features['large-receive-offload']]}\n"
        )


def test_features_are_as_before_on_the_way_back(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = Ethtool()
    monkeypatch.setattr(present, "call", tool)

    def do(*words: str) -> None:
        tool(list(words))

    noted = present.offloads_of("port0")
    assert noted == {
        "tso": True, "tx-tcp-segmentation": True, "tx-tcp-mangleid-segmentation": False,
        "tx-tcp6-segmentation": True, "lro": True,
    }  # fmt: skip
    present.set_links({"links": {}, "offloads": {"port0": {"tso": False, "lro": False}}}, do)
    assert not any(tool.features.values())
    present.set_links({"links": {}, "offloads": {"port0": noted}}, do)
    assert tool.features == BEFORE
