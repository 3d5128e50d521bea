"""The page of `doctor`: the answer, problems to tick off in their order, the drawing, the numbers.

It works without scripts and without a network. The frame is templates/report.html.j2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linkwright.views.doctor_table import NUMBER_HEADINGS, number_texts
from linkwright.views.frame import page
from linkwright.views.verdict_page import head_of

if TYPE_CHECKING:
    from linkwright.doctor import Diagnosis
    from linkwright.results import Manifest

__all__ = ["doctor_page"]


def doctor_page(diagnosis: Diagnosis, manifest: Manifest) -> str:
    """Return the HTML page of a diagnosis.

    Raises
    ------
    UsageError
        If the network is too large for a page.
    """
    return page(
        "doctor.html.j2",
        title=f"{diagnosis.verdict.network.name}: its state",
        diagnosis=diagnosis,
        headings=NUMBER_HEADINGS,
        numbers=[number_texts(one) for one in diagnosis.numbers],
        **head_of(diagnosis.verdict, manifest, _problems_of_cables(diagnosis)),
    )


def _problems_of_cables(diagnosis: Diagnosis) -> dict[str, list[int]]:
    """Return the numbers of the problems of each cable."""
    found: dict[str, list[int]] = {}
    for number, problem in enumerate(diagnosis.problems, 1):
        for cable in problem.cables:
            found.setdefault(cable, []).append(number)
    return found
