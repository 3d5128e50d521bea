"""HPL as a skeleton: the messages of a parallel LU factorisation, and computation between them.

Written from the published description of the algorithm [HPL]; no code of the benchmark is here.
"""

from __future__ import annotations

from linkwright.workloads.hpl.benchmark import Hpl

__all__ = ["Hpl"]
