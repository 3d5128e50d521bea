"""The output of `ibnetdiscover`: switches and adapters of an InfiniBand fabric, port by port.

The adapters of a machine, `gpu1 mlx5_0` and `gpu1 mlx5_1`, are NICs of one node. Every cable is
listed from both sides. A description that several devices share gives way to their GUIDs.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from linkwright.design.importers.drawing import Drawing, DrawnEnd
from linkwright.design.importers.importer import Importer
from linkwright.design.importers.sketch import Sketch
from linkwright.errors import DesignError

__all__ = ["IBNETDISCOVER"]

_REMEDY = "give the output of ibnetdiscover without options"
_GUID = r'"([SHR])-(?:0x)?([0-9a-fA-F]+)"'
_DEVICE = re.compile(rf'(Switch|Ca|Rt)\s+\d+\s+{_GUID}\s*(?:#\s*"([^"]*)")?.*')
_LINK = re.compile(
    rf'\[(\d+)\](?:\[ext \d+\])?(?:\([^)]*\))?\s+{_GUID}\[(\d+)\](?:\[ext \d+\])?(?:\([^)]*\))?'
    r'\s*(?:#\s*(.*))?'
)  # fmt: skip
_ADAPTER = re.compile(r"(\S+)\s+(HCA-?\d+|[a-z]+\w*_\d+\w*|ib\w*\d+)", re.IGNORECASE)
_SWITCH = re.compile(r"MF0;([^:;]+):.*")
_RATE = re.compile(r"\b(\d{1,2})x(SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)\b")
_LANE_MBPS = {
    "SDR": 2500, "DDR": 5000, "QDR": 10_000, "FDR10": 10_000, "FDR": 14_000, "EDR": 25_000,
    "HDR": 50_000, "NDR": 100_000, "XDR": 200_000,
}  # fmt: skip


@dataclass(frozen=True)
class _Device:
    """A device of the fabric: its name, and the name of the adapter if its machine has several."""

    name: str
    adapter: str
    kind: str

    def end(self, port: str) -> DrawnEnd:
        if self.kind == "switch":
            return DrawnEnd(self.name, port)
        if not self.adapter:
            return DrawnEnd(self.name, f"ib{int(port) - 1}" if int(port) else "ib0")
        return DrawnEnd(self.name, self.adapter if port == "1" else f"{self.adapter}-{port}")


def _read(text: str, where: str) -> Drawing:
    lines = [line.strip() for line in text.splitlines()]
    devices = _devices(lines)
    sketch = Sketch(where)
    current = ""
    for number, line in enumerate(lines, start=1):
        device = _DEVICE.fullmatch(line)
        link = _LINK.fullmatch(line)
        if device:
            current = _plain(device[3])
            sketch.device(devices[current].name, number, devices[current].kind)
        elif link:
            other = _plain(link[3])
            if not current:
                raise sketch.wrong(number, "a port before any device", _REMEDY)
            if other not in devices:
                raise sketch.wrong(number, f"there is no device {link[2]}-{link[3]}", _REMEDY)
            rate = _RATE.search(link[5] or "")
            rate_mbps = int(rate[1]) * _LANE_MBPS[rate[2]] if rate else None
            sketch.cable(
                devices[current].end(link[1]), devices[other].end(link[4]), number, rate_mbps
            )
        elif line.startswith("["):
            raise sketch.wrong(number, "this is no port of ibnetdiscover", _REMEDY)
    if not devices:
        raise DesignError(f"{where} lists no device", _REMEDY)
    return sketch.drawing()


def _devices(lines: list[str]) -> dict[str, _Device]:
    """Return the devices by GUID, also those that only a port names."""
    found: dict[str, tuple[str, str]] = {}
    for line in lines:
        device, link = _DEVICE.fullmatch(line), _LINK.fullmatch(line)
        if device:
            found[_plain(device[3])] = device[2], device[4] or ""
        elif link:
            quoted = re.search(r'"([^"]*)"', link[5] or "")
            found.setdefault(_plain(link[3]), (link[2], quoted[1] if quoted else ""))
    described = Counter(text.strip() for _, text in found.values())
    return {
        guid: _device(letter, guid, text.strip() if described[text.strip()] == 1 else "")
        for guid, (letter, text) in found.items()
    }


def _plain(guid: str) -> str:
    """Return a GUID in lower case without leading zeros, which some lines have and others not."""
    return guid.lower().lstrip("0")


def _device(letter: str, guid: str, description: str) -> _Device:
    unnamed = f"{letter}-{guid:0>16}"
    if letter == "S":
        own = _SWITCH.fullmatch(description)
        return _Device(own[1] if own else description or unnamed, "", "switch")
    adapter = _ADAPTER.fullmatch(description)
    if adapter:
        return _Device(adapter[1], adapter[2], "node")
    return _Device(description or unnamed, "", "node")


IBNETDISCOVER = Importer(
    source="ibnetdiscover (infiniband-diags)",
    read=_read,
    suffixes=("ibnetdiscover", "lst", "out", "topo", "txt"),
    recognises=lambda text: bool(re.search(rf"^(?:Switch|Ca)\s+\d+\s+{_GUID}", text, re.MULTILINE)),
)
