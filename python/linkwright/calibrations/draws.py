"""Draws of fitted constants: the uncertainty that the targets of a calibration leave.

The targets determine sums of constants, so that the constants vary together: a draw is one value of
each, with which the engine still meets the targets. The section ``[draws]`` holds them by constant,
draw after draw; `linkwright calibrate` writes it (fit/drawing.py). Constants that were read,
printed or estimated have no draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, Field

from linkwright.calibrations.changes import ORIGIN
from linkwright.calibrations.kinds import Cost
from linkwright.errors import UsageError

__all__ = ["Draws", "check_draws", "with_draw"]

Draws = dict[str, tuple[Annotated[float, Field(strict=True, gt=0, le=1e6)], ...]]
"""Values by section, name and part of a constant, as ``host.forward.us_per_byte``."""

Hosts = TypeVar("Hosts", bound=BaseModel)


def check_draws(draws: Mapping[str, tuple[float, ...]], hosts: BaseModel) -> None:
    """Check that every drawn constant is a processor time, and drawn as often as the others.

    Raises
    ------
    ValueError
        If one is not.
    """
    for name in draws:
        if _cost(hosts, name) is None:
            raise ValueError(
                f"drawn constant '{name}' is no processor time of these hosts; leave it out"
            )
    lengths = {len(values) for values in draws.values()}
    if len(lengths) > 1 or 0 in lengths:
        raise ValueError(
            "constants are drawn together, and have one value per draw each; give [draws] as "
            "`linkwright calibrate` writes it"
        )


def with_draw(hosts: Hosts, draw: int) -> Hosts:
    """Return hosts with the constants of one draw, except those that a user has set.

    Raises
    ------
    UsageError
        If there is no such draw.
    """
    table = hosts.model_dump()
    draws: Mapping[str, tuple[float, ...]] = table["draws"]
    n_draws = min(map(len, draws.values()), default=0)
    if not draws:
        raise UsageError(
            f"calibration {table['name']} has no draws: no covariance is known of its constants",
            "leave out draws, or fit it to measurements with `linkwright calibrate`",
        )
    if not 1 <= draw <= n_draws:
        raise UsageError(
            f"calibration {table['name']} has {n_draws} draws, not {draw}",
            f"ask for {n_draws} or fewer, or make more with `linkwright calibrate --draws`",
        )
    for name, values in draws.items():
        cost = _cost(hosts, name)
        if cost is not None and cost.origin != ORIGIN:
            section, key, part = name.split(".")
            table[section][key][part] = values[draw - 1]
            table[section][key]["origin"] = f"draw {draw}: {cost.origin}"
    return type(hosts).model_validate(table)


def _cost(hosts: BaseModel, name: str) -> Cost | None:
    """Return the processor time that a constant is a part of; None if it is none."""
    section, _, rest = name.partition(".")
    key, _, part = rest.partition(".")
    cost: Any = getattr(getattr(hosts, section, None), key, None)
    return cost if isinstance(cost, Cost) and part in ("us", "us_per_byte") else None
