"""Plans put on machines that are up, confirmed, and taken back.

`present.py` and `keeper.py` run on the machines; the other files run here.
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

__all__ = [
    "Outcome",
    "Proposal",
    "bring_all",
    "confirm_all",
    "new_run",
    "propose",
    "take_back_all",
]
