"""The look of objects in a prompt and in a notebook: a short line, and HTML.

Tables and drawings are views, which no part below them imports: `VIEWS` names the view of each
class, and the view is imported when a notebook asks for it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from linkwright.registry import Registry

__all__ = ["PLOTS", "VIEWS", "Brief", "Shown", "counted", "listed"]

VIEWS: Registry[Callable[[Any], str]] = Registry(
    "linkwright.views.notebook",
    {
        "Answer": "results:answer",
        "ArchitectureComparison": "comparisons:comparison",
        "Calibration": "descriptions:calibration",
        "Cluster": "descriptions:cluster",
        "Cost": "plans:cost",
        "FailureProof": "plans:failure_proof",
        "Findings": "plans:findings",
        "Network": "plans:network",
        "Properties": "plans:properties",
        "Result": "results:result",
        "StudyFolder": "results:study_folder",
    },
)
"""Class -> the function that returns its HTML."""

PLOTS: Registry[Callable[..., Any]] = Registry(
    "linkwright.views",
    {
        "ArchitectureComparison": "result_plots:comparison_plot",
        "Result": "result_plots:result_plot",
    },
)
"""Class -> the function that returns its plot."""


class Brief:
    """Base of classes whose `repr` is one line."""

    __slots__ = ()

    @property
    @abstractmethod
    def summary(self) -> str:
        """The object in a few words, on one line."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.summary}>"

    __str__ = __repr__


class Shown(Brief):
    """Base of classes that a notebook shows as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return VIEWS[type(self).__name__](self)


def counted(n: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "cable"), counted(1024, "cable"), counted(2, "switch", "switches")
    ('1 cable', '1,024 cables', '2 switches')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names as a list in a sentence; further ones are counted.

    Examples
    --------
    >>> listed(["n0"]), listed(["n0", "n1", "n2"]), listed(["n0", "n1", "n2", "n3"], most=2)
    ('n0', 'n0, n1 and n2', 'n0, n1 and 2 more')
    """
    shown = list(names[:most])
    more = len(names) - len(shown)
    last = f"{more} more" if more else shown.pop() if shown else ""
    return f"{', '.join(shown)} and {last}" if shown else last
