"""RDMA devices: their ports, interfaces, rates and GIDs, from sysfs.

A GID that is zero is an empty place of the table. Its type says the version of RoCE.
"""

from __future__ import annotations

import re
from typing import Any

from linkwright.facts.fact import Answers, Fact, Files, whole

__all__ = ["RDMA"]

_CLASS = "/sys/class/infiniband/"
_PORTS = f"{_CLASS}*/ports/*/"
_RATE = re.compile(r"(\d{1,6}(\.\d{1,3})?) Gb/sec")
_GID = re.compile(r"[0-9a-f:]{2,64}")


def read(answers: Answers) -> dict[str, Any]:
    """Return the ports of all RDMA devices."""
    firmware = {_parts(path)[0]: value for path, value in answers.files("fw_ver").items()}
    gids, types, interfaces = (_by_index(answers.files(one)) for one in ("gids", "types", "ndevs"))
    rates = _by_index(answers.files("rate"))
    found = []
    for path, state in answers.files("state").items():
        device, _, port, *_ = _parts(path)
        place = (device, port)
        rate = _RATE.match(rates.get(place, {}).get("rate", ""))
        own = {k: v for k, v in gids.get(place, {}).items() if _GID.fullmatch(v) and v.strip("0:")}
        used = {index: interfaces.get(place, {}).get(index) for index in own}
        found.append(
            {
                "device": device,
                "port": whole(port),
                "interface": next(filter(None, used.values()), None),
                "state": state.partition(": ")[2] or state,
                "rate_gbps": float(rate[1]) if rate else None,
                "firmware": firmware.get(device),
                "gids": own,
                "gid_types": {k: v for k, v in types.get(place, {}).items() if k in own},
            }
        )
    return {"rdma": found}


def _parts(path: str) -> list[str]:
    """Return the parts of a path below the class of devices: at least three."""
    return [*path.removeprefix(_CLASS).split("/"), "", ""]


def _by_index(files: dict[str, str]) -> dict[tuple[str, str], dict[str, str]]:
    """Return values by their index, for each device and port."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for path, value in files.items():
        device, _, port, *_ = _parts(path)
        found.setdefault((device, port), {})[path.rpartition("/")[2]] = value
    return found


RDMA = Fact(
    "rdma",
    "RDMA devices with their ports, interfaces, rates and GIDs.",
    {
        "state": Files(f"{_PORTS}state"),
        "rate": Files(f"{_PORTS}rate"),
        "fw_ver": Files(f"{_CLASS}*/fw_ver"),
        "gids": Files(f"{_PORTS}gids/*"),
        "types": Files(f"{_PORTS}gid_attrs/types/*"),
        "ndevs": Files(f"{_PORTS}gid_attrs/ndevs/*"),
    },
    read,
)
