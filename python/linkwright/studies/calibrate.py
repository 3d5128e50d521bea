"""Fit a calibration to its point-to-point figures, through the packet engine itself.

Relative errors of all targets, each divided by its tolerance, are minimised together with the
constants' relative distance from where they started: the targets fix sums of constants, not each of
them, and what they do not fix should stay where the evidence put it. Method: trust-region least
squares (SciPy), which the base installation does not need; the extra is called ``calibrate``. What
the targets fix is told in identifiability.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright.calibrations import Calibration, changes
from linkwright.calibrations.rewriting import rewritten
from linkwright.calibrations.targets import FreeConstant, Targets, load_targets
from linkwright.errors import CapabilityError, UsageError, nearest_name, shown
from linkwright.progress import Report
from linkwright.studies.identifiability import Identifiability, identifiability
from linkwright.studies.point_to_point import TargetCheck, compare_with_targets

__all__ = ["Fit", "Fitted", "fit"]

PRIOR_WEIGHT = 1.0
"""A constant that has moved by its whole value counts as one tolerance."""
STEPS = (0.02, 0.05)
"""Relative changes of a constant that show what depends on it: larger than the steps in which
frames follow each other. A search by the first may end in a hollow that such steps made."""
LEAST_GAIN = 0.01
"""By how much less a search by another step must miss to be taken."""
BOUNDS = (0.2, 5.0)
"""Between which parts of its start a constant may move."""
MOST_ROUNDS = 30
DIGITS = 4
"""Of a fitted constant: more say nothing."""
HALF = 0.5
"""Standard error, as a part of the start, beyond which a constant is told as hardly fixed."""


@dataclass(frozen=True)
class Fitted:
    """A constant that was free."""

    constant: str
    start: float
    value: float
    standard_error: float
    """As a part of where it started."""
    origin: str
    """Where the start is from."""


@dataclass(frozen=True)
class Fit:
    """A fitted calibration."""

    calibration: Calibration
    targets: str
    """File of the targets; of shipped ones below the folder of the calibrations."""
    constants: tuple[Fitted, ...]
    comparisons: tuple[TargetCheck, ...]
    identifiability: Identifiability

    def rewritten(self, text: str) -> str:
        """Return a calibration's text with the fitted constants and how each came about."""
        table = self.calibration.model_dump()
        whole: dict[tuple[str, str], dict[str, Any]] = {}
        for one in self.constants:
            section, name, part = one.constant.split(".")
            said = f"{part} from {one.start:g}, {_surely(one.standard_error)}: {one.origin}"
            if before := whole.get((section, name)):
                before["origin"] += f"; {said}"
                continue
            # A part of zero is what a constant without it has.
            constant = {key: value for key, value in table[section][name].items() if value != 0.0}
            whole[section, name] = constant | {"origin": f"fit [{self.targets}]: {said}"}
        return rewritten(text, whole)


def _surely(standard_error: float) -> str:
    return f"sure to {standard_error:.0%}" if standard_error <= HALF else "hardly fixed"


def _silent(done: int, known: int, last: str) -> None:
    """Report nothing."""


def fit(
    calibration: Calibration,
    free: Sequence[str] = (),
    *,
    targets: str = "",
    report: Report = _silent,
) -> Fit:
    """Return a calibration with the `free` constants fitted to its targets.

    Parameters
    ----------
    calibration : Calibration
        Its other constants stay.
    free : sequence of str
        Constants that may move, by section, name and part: ``host.forward.us_per_byte``. Those
        that the targets name unless given; others than these start from their value.
    targets : str
        Name or file of the targets; those of the calibration's name unless given.
    report : callable
        Takes the progress.

    Raises
    ------
    CapabilityError
        When SciPy is not installed.
    UsageError
        When a constant does not exist or is no number.
    """
    try:
        from scipy.optimize import least_squares  # type: ignore[import-untyped]
    except ImportError as error:
        raise CapabilityError(
            "fitting a calibration needs SciPy", "install it: pip install scipy"
        ) from error
    wanted = load_targets(targets or calibration.name)
    constants = _free(calibration, wanted, free)
    start = np.array([one.start for one in constants])
    names = [one.constant for one in constants]
    misses = _Misses(calibration, wanted, names, report)

    def residuals(scales: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.concatenate([misses(start * scales), PRIOR_WEIGHT * (scales - 1.0)])

    first, second = (
        least_squares(
            residuals,
            np.ones(len(names)),
            partial(_slope, residuals, step),
            bounds=BOUNDS,
            max_nfev=MOST_ROUNDS,
        )
        for step in STEPS
    )
    found = second if second.cost < first.cost * (1 - LEAST_GAIN) else first
    values = np.array([float(f"{value:.{DIGITS}g}") for value in start * found.x])
    known = identifiability(names, found.jac[: -len(names)], start, PRIOR_WEIGHT)
    fitted = _set(calibration, names, values)
    errors = known.standard_errors.tolist()
    return Fit(
        fitted,
        targets if targets.endswith(".toml") else f"targets/{targets or calibration.name}",
        tuple(
            Fitted(one.constant, one.start, value, error, one.origin)
            for one, value, error in zip(constants, values.tolist(), errors, strict=True)
        ),
        compare_with_targets(fitted, wanted),
        known,
    )


class _Misses:
    """Targets missed by, in tolerances, for values of the free constants; reports as it goes."""

    def __init__(
        self, calibration: Calibration, targets: Targets, names: Sequence[str], report: Report
    ) -> None:
        self._calibration, self._targets = calibration, targets
        self._names, self._report = names, report
        self._n_done = 0

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return them as an array of shape (n_targets,)."""
        moved = _set(self._calibration, self._names, values)
        compared = compare_with_targets(moved, self._targets)
        misses = np.array([one.error / one.tolerance for one in compared])
        self._n_done += 1
        worst = float(np.abs(misses).max())
        last = f"try {self._n_done}, worst target off by {worst:.2f} of its tolerance"
        self._report(self._n_done, 0, last)
        return misses


def _slope(
    residuals: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    part: float,
    scales: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the derivative by central differences, which halve the steps of single frames."""
    columns = []
    for place in range(len(scales)):
        step = np.zeros(len(scales))
        step[place] = part * scales[place]
        columns.append((residuals(scales + step) - residuals(scales - step)) / (2 * step[place]))
    return np.stack(columns, axis=1)


def _free(
    calibration: Calibration, targets: Targets, names: Sequence[str]
) -> tuple[FreeConstant, ...]:
    """Return what may move, from where."""
    known = {one.constant: one for one in targets.free}
    if not names and not known:
        raise UsageError(
            f"the targets of '{calibration.name}' name no constant to fit", "name some with --free"
        )
    chosen = tuple(dict.fromkeys(names or known))
    for name in chosen:
        _check(calibration, name)
    return tuple(known.get(name) or _as_it_is(calibration, name) for name in chosen)


def _check(calibration: Calibration, constant: str) -> None:
    """Refuse what is no processor time: nothing else moves by small steps."""
    known = [key for key in changes.keys(Calibration) if key.endswith((".us", ".us_per_byte"))]
    if constant not in known:
        near = nearest_name(constant, known)
        raise UsageError(
            f"there is no processor time {shown(constant)} to fit",
            f"did you mean '{near}'?" if near else "name one as host.send.us",
        )
    section = constant.partition(".")[0]
    if getattr(calibration, section) is None:
        raise UsageError(
            f"calibration '{calibration.name}' has no [{section}]", "fit a constant that it has"
        )


def _as_it_is(calibration: Calibration, constant: str) -> FreeConstant:
    section, name, part = constant.split(".")
    cost = getattr(getattr(calibration, section), name)
    value = getattr(cost, part) if cost is not None else 0.0
    if value == 0.0:
        raise UsageError(
            f"constant {shown(constant)} is zero, from where no relative change leads away",
            "give it a value in the calibration",
        )
    return FreeConstant(constant=constant, start=value, origin=cost.origin)


def _set(
    calibration: Calibration, names: Sequence[str], values: NDArray[np.float64]
) -> Calibration:
    table = calibration.model_dump()
    for constant, value in zip(names, values.tolist(), strict=True):
        section, name, part = constant.split(".")
        cost = table[section][name] or {"us": 0.0, "origin": "fit"}
        table[section][name] = {**cost, part: value}
    return Calibration.model_validate(table)
