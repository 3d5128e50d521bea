"""Lessons: ready pages for teaching, each a short text beside a run that plays in the page.

One file per lesson names its scenes (a design, a workload, faults) and its charts; the text is in
views/templates/lessons. Every figure of a page is computed when the page is made.
"""

from __future__ import annotations

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.lessons.lesson import Lesson
from linkwright.lessons.scene import Scene
from linkwright.registry import Registry

__all__ = ["LESSONS", "Lesson", "Scene", "lesson_named"]

LESSONS: Registry[Lesson] = Registry(
    __name__,
    {
        "hub-collapse": "hub_collapse:LESSON",
        "capture-effect": "capture_effect:LESSON",
        "torus-or-switch": "torus_or_switch:LESSON",
        "delayed-acknowledgements": "delayed_acknowledgements:LESSON",
        "healing-ring": "healing_ring:LESSON",
        "bonds-and-order": "bonds_and_order:LESSON",
    },
)
"""Every lesson by name, in the order of a course."""


def lesson_named(name: str) -> Lesson:
    """Return a lesson.

    Raises
    ------
    UsageError
        If the name is unknown.

    Examples
    --------
    >>> lesson_named("hub-collapse").title
    'A hub under load'
    """
    if name not in LESSONS:
        raise UsageError(f"there is no lesson {shown(name)}", unknown_name(name, LESSONS))
    return LESSONS[name]
