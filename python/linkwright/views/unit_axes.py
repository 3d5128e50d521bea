"""Axes of plots whose values have a unit: a name, one display unit, and plain numbers in it."""

from __future__ import annotations

from typing import Any

from linkwright.views.quantities import display_unit

__all__ = ["name_axis"]


def name_axis(axis: Any, name: str, unit: str) -> None:
    """Name an axis, and number it in the unit that suits its longest value.

    Parameters
    ----------
    axis : matplotlib.axis.Axis
        An axis with its scale and its limits, in base units.
    name : str
        The name of the metric.
    unit : str
        Its base unit; "1" has none.
    """
    from matplotlib.ticker import LogLocator, NullFormatter

    factor, shown = display_unit(axis.get_view_interval(), unit)
    words = name.replace("_", " ")
    axis.set_label_text(words if shown == "1" else f"{words} ({shown})")
    if axis.get_scale() == "log":
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(lambda value, _: f"{value * factor:.6g}")
