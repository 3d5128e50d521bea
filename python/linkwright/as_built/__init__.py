"""Real machines against their plan: findings by kind, and the fewest moves that mend the cabling.

Not to be confused with `linkwright.verification`, which compares simulated and emulated networks
with the proofs of `check`: here the machines are real, and their facts were asked for.
"""

from __future__ import annotations

from linkwright.as_built.deviation import Deviation
from linkwright.as_built.kinds import KINDS, Kind
from linkwright.as_built.moves import Move
from linkwright.as_built.verify import Verdict, verify

__all__ = ["KINDS", "Deviation", "Kind", "Move", "Verdict", "verify"]
