"""Questions over many runs: one file per study."""

from linkwright.studies.compare import compare
from linkwright.studies.comparison import Architecture, ArchitectureComparison

__all__ = ["Architecture", "ArchitectureComparison", "compare"]
