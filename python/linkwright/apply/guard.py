"""The guard of a change: a unit of systemd that takes its files back, should the machine start
again before the change is confirmed.

It runs by itself on the machine, in one program (`program.py`). The unit is there for the time of
the change alone.
"""

from __future__ import annotations

import base64
import hashlib
import sys
from typing import Any

GUARD = "linkwright-back.service"
UNITS_OF_ADMIN = "/etc/systemd/system"
FIRST_UNITS = f"{UNITS_OF_ADMIN}/sysinit.target.wants"
GUARD_TEXT = """[Unit]
Description=Take back a change of linkwright that was not confirmed before the machine went down
DefaultDependencies=no
RequiresMountsFor=/var/lib/linkwright
ConditionPathExists=/var/lib/linkwright/under-way.json
Wants=network-pre.target
Before=systemd-sysctl.service systemd-udevd.service systemd-networkd.service
Before=network-pre.target sysinit.target shutdown.target
[Service]
Type=oneshot
ExecStart={program} -I /var/lib/linkwright/keeper.py restarted {run}
"""


def guard(run: str) -> dict[str, Any]:
    """Return the files by which the next start of the machine takes files of a change back."""
    text = GUARD_TEXT.format(program=sys.executable, run=run).encode()
    place, owner = f"{UNITS_OF_ADMIN}/{GUARD}", {"uid": 0, "gid": 0}
    digest = hashlib.sha256(text).hexdigest()
    content = {"content": base64.b64encode(text).decode(), "sha256": digest}
    return {
        FIRST_UNITS: {"kind": "folder", "mode": 0o755, **owner},
        f"{FIRST_UNITS}/{GUARD}": {"kind": "link", "target": place},
        place: {"kind": "file", "mode": 0o644, **owner, **content},
    }


def guarded_places() -> list[str]:
    """Return the places of the guard."""
    return list(guard(""))
