"""Plans put on machines that are up, confirmed, and taken back.

The parts that `program.py` joins run on the machines; the other files run here.
"""

from __future__ import annotations

from linkwright.apply.applying import (
    Outcome,
    Proposal,
    bring_all,
    confirm_all,
    new_run,
    propose,
    take_back_all,
)
from linkwright.apply.installed import KERNEL, TARGETS
from linkwright.apply.rights import AS_ROOT, installation

__all__ = [
    "AS_ROOT",
    "KERNEL",
    "TARGETS",
    "Outcome",
    "Proposal",
    "bring_all",
    "confirm_all",
    "installation",
    "new_run",
    "propose",
    "take_back_all",
]
