"""Questions over many runs: one file per study."""

from linkwright.studies.compare import compare
from linkwright.studies.comparison import Architecture, Comparison

__all__ = ["Architecture", "Comparison", "compare"]
