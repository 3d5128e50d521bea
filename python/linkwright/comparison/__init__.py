"""Architectures for a number of nodes, or designs, side by side: price, speed, failures, runs."""

from linkwright.comparison.compare import compare
from linkwright.comparison.result import Architecture, ArchitectureComparison

__all__ = ["Architecture", "ArchitectureComparison", "compare"]
