"""Machines: each runs programs, takes and gives files, and says what it is; one file per kind.

Whatever asks or changes a live node goes through its machine.
"""

from __future__ import annotations

from linkwright.machines.local import Local
from linkwright.machines.machine import Answer, Machine
from linkwright.machines.namespace import Namespace
from linkwright.machines.ssh import Ssh

__all__ = ["Answer", "Local", "Machine", "Namespace", "Ssh"]
