"""Fit a calibration to point-to-point measurements, through the packet engine itself.

Relative errors of all targets, each divided by its tolerance, are minimised together with the
relative distance of the constants from their start: the targets determine sums of constants, not
each of them, and all other constants should stay where the evidence put them. Method: trust-region
least squares (SciPy), which the base installation does not need; the extra is called ``calibrate``.
identifiability.py reports which constants the targets determine, drawing.py draws the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwright.calibrations import Calibration, changes
from linkwright.calibrations.rewriting import rewritten, with_draws
from linkwright.calibrations.targets import FreeConstant, Targets, load_targets
from linkwright.errors import CapabilityError, UsageError, nearest_name, shown
from linkwright.fit.drawing import draw_factors
from linkwright.fit.identifiability import Identifiability, identifiability
from linkwright.fit.point_to_point import TargetCheck, compare_with_targets
from linkwright.progress import Report

__all__ = ["Fit", "Fitted", "fit"]

Array = NDArray[np.float64]

PRIOR_WEIGHT = 1.0
"""Weight of the start: a change of a constant by its whole value counts as one tolerance."""
STEPS = (0.02, 0.05)
"""Relative changes of a constant for derivatives, larger than the steps that single frames cause.
A search with the first may end in a local minimum that such steps make."""
LEAST_GAIN = 0.01
"""Decrease of the misfit for which the result of a search with another step is preferred."""
BOUNDS = (0.2, 5.0)
"""Limits of a constant, as factors of its start."""
SCALES = tuple(2.0**power for power in range(-4, 9))
"""Factors of all constants that are tried first for measured rows."""
MOST_ROUNDS = 30
DIGITS = 4
"""Significant digits kept in a fitted constant; the fit does not support more."""
Z_90 = 1.645
"""Standard errors on either side of a value that hold 90 %."""
HALF = 0.5
"""Standard error, as a fraction of the start, above which a constant is reported as hardly
fixed."""


@dataclass(frozen=True)
class Fitted:
    """A constant that was fitted."""

    constant: str
    start: float
    value: float
    standard_error: float
    """Standard error as a fraction of the start."""
    origin: str
    """Origin of the start."""

    @property
    def interval(self) -> tuple[float, float]:
        """The interval in which the constant is with a probability of 90 %, none below zero."""
        half = Z_90 * self.standard_error * self.start
        return max(0.0, self.value - half), self.value + half


@dataclass(frozen=True)
class Fit:
    """A fitted calibration."""

    calibration: Calibration
    targets: str
    """File of the targets; for shipped ones, relative to the folder of the calibrations."""
    constants: tuple[Fitted, ...]
    comparisons: tuple[TargetCheck, ...]
    identifiability: Identifiability
    is_kept: bool = False
    """Whether the constants were kept, and only drawn."""

    def rewritten(self, text: str) -> str:
        """Return a calibration's text with the fitted constants, their origins and draws."""
        changed = text if self.is_kept else self._with_constants(text)
        return with_draws(changed, self.calibration.draws)

    def _with_constants(self, text: str) -> str:
        table = self.calibration.model_dump()
        whole: dict[tuple[str, str], dict[str, Any]] = {}
        for one in self.constants:
            section, name, part = one.constant.split(".")
            how = f"{part} from {one.start:g}, {_surely(one.standard_error)}: {one.origin}"
            if before := whole.get((section, name)):
                before["origin"] += f"; {how}"
                continue
            # A calibration without this part of a cost has zero for it.
            constant = {key: value for key, value in table[section][name].items() if value != 0.0}
            whole[section, name] = constant | {"origin": f"fit [{self.targets}]: {how}"}
        return rewritten(text, whole)


def _surely(standard_error: float) -> str:
    return f"sure to {standard_error:.0%}" if standard_error <= HALF else "hardly fixed"


def _silent(done: int, known: int, last: str) -> None:
    """Report nothing."""


def fit(
    calibration: Calibration,
    free: Sequence[str] = (),
    *,
    targets: str | Targets = "",
    source: str = "",
    n_draws: int = 0,
    keeps: bool = False,
    report: Report = _silent,
) -> Fit:
    """Return a calibration with the `free` constants fitted to its targets.

    Parameters
    ----------
    calibration : Calibration
        The start; its other constants stay.
    free : sequence of str
        Constants to fit, by section, name and part: ``host.forward.us_per_byte``. Default: those
        that the targets name; other constants start from their value.
    targets : str or Targets
        Name or file of the targets, or themselves. Default: those with the calibration's name.
    source : str
        Name of targets that have no file.
    n_draws : int
        Number of draws of the constants, with which the targets are met too (drawing.py).
    keeps : bool
        Whether the constants keep their values: only their errors are found, and draws.
    report : callable
        Called with the progress.

    Raises
    ------
    CapabilityError
        If SciPy is not installed.
    UsageError
        If a constant does not exist or is not a number, or one that was asked for is not determined
        by measured rows.
    """
    is_measured = isinstance(targets, Targets)
    named = source if is_measured else str(targets or calibration.name)
    wanted = targets if isinstance(targets, Targets) else load_targets(named)
    constants = _free(calibration, wanted, free)
    names = [one.constant for one in constants]
    if keeps:
        constants = tuple(_as_it_is(calibration, name) for name in names)
    misses = _Misses(calibration, wanted, names, report)
    if is_measured and not keeps:
        constants = _scaled(constants, misses)
    start = np.array([one.start for one in constants])
    values, slope = _kept(misses, start) if keeps else _searched(misses, start)
    known = identifiability(names, slope, start, PRIOR_WEIGHT)
    if is_measured:
        _expect_determined(known, free, named)
    fitted = _set(calibration, names, values)
    if n_draws:
        factors = draw_factors(lambda one: misses(values * one), slope * (values / start), n_draws)
        fitted = _with_draws(fitted, names, values * factors)
    errors = known.standard_errors.tolist()
    return Fit(
        fitted,
        named if is_measured or named.endswith(".toml") else f"targets/{named}",
        tuple(
            Fitted(one.constant, one.start, value, error, one.origin)
            for one, value, error in zip(constants, values.tolist(), errors, strict=True)
        ),
        compare_with_targets(fitted, wanted),
        known,
        keeps,
    )


def _expect_determined(known: Identifiability, free: Sequence[str], source: str) -> None:
    """Refuse constants that were asked for, and of which the rows say nothing.

    Raises
    ------
    UsageError
        If there is one, or the rows determine nothing at all.
    """
    told = {name for one in known.combinations for name in one.weights}
    if not told and not free:
        raise UsageError(
            f"the rows of {source} determine no constant: they scatter too much, or a cable limits "
            "all of them",
            "measure again with --repeat while nothing else runs",
        )
    for name in free:
        if name not in told:
            raise UsageError(
                f"the rows of {source} do not determine {name}",
                "leave it out, or measure paths that depend on it, such as forwarded ones",
            )


def _scaled(constants: Sequence[FreeConstant], misses: _Misses) -> tuple[FreeConstant, ...]:
    """Return constants with the factor of them all that meets the targets best.

    Machines that were measured may be slower than those of a calibration many times over, as ranks
    in Python are. The constants are sought near their start, by factors.
    """
    start = np.array([one.start for one in constants])
    best = min(SCALES, key=lambda scale: float(np.square(misses(start * scale)).sum()))
    if best == 1.0:
        return tuple(constants)
    return tuple(
        one.model_copy(
            update={"start": one.start * best, "origin": f"{best:g} times the {one.origin}"}
        )
        for one in constants
    )


def _searched(misses: _Misses, start: Array) -> tuple[Array, Array]:
    """Return the best values, rounded, and the slope of the misses there by relative changes."""
    try:
        from scipy.optimize import least_squares  # type: ignore[import-untyped]
    except ImportError as error:
        raise CapabilityError(
            "fitting a calibration needs SciPy", "install it: pip install scipy"
        ) from error

    def residuals(scales: Array) -> Array:
        return np.concatenate([misses(start * scales), PRIOR_WEIGHT * (scales - 1.0)])

    first, second = (
        least_squares(
            residuals,
            np.ones(len(start)),
            partial(_slope, residuals, step),
            bounds=BOUNDS,
            max_nfev=MOST_ROUNDS,
        )
        for step in STEPS
    )
    found = second if second.cost < first.cost * (1 - LEAST_GAIN) else first
    return _rounded(start * found.x), found.jac[: -len(start)]


def _kept(misses: _Misses, values: Array) -> tuple[Array, Array]:
    """Return the values as they are, and the slope of the misses there by relative changes."""
    return values, _slope(lambda scales: misses(values * scales), STEPS[-1], np.ones(len(values)))


class _Misses:
    """Misses of all targets, in tolerances, for values of the free constants; reports progress."""

    def __init__(
        self, calibration: Calibration, targets: Targets, names: Sequence[str], report: Report
    ) -> None:
        self._calibration, self._targets = calibration, targets
        self._names, self._report = names, report
        self._n_done = 0

    def __call__(self, values: Array) -> Array:
        """Return the misses as an array of shape (n_targets,)."""
        moved = _set(self._calibration, self._names, values)
        compared = compare_with_targets(moved, self._targets)
        misses = np.array([one.error / one.tolerance for one in compared])
        self._n_done += 1
        worst = float(np.abs(misses).max())
        last = f"try {self._n_done}, worst target off by {worst:.2f} of its tolerance"
        self._report(self._n_done, 0, last)
        return misses


def _slope(
    residuals: Callable[[Array], Array],
    part: float,
    scales: Array,
) -> Array:
    """Return the derivative by central differences, which halve the effect of single frames."""
    columns = []
    for place in range(len(scales)):
        step = np.zeros(len(scales))
        step[place] = part * scales[place]
        columns.append((residuals(scales + step) - residuals(scales - step)) / (2 * step[place]))
    return np.stack(columns, axis=1)


def _free(
    calibration: Calibration, targets: Targets, names: Sequence[str]
) -> tuple[FreeConstant, ...]:
    """Return the constants to fit, with their starts."""
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
    """Refuse a constant that is not a processor time: nothing else changes in small steps."""
    known = [key for key in changes.keys(Calibration) if key.endswith((".us", ".us_per_byte"))]
    if constant not in known:
        near = nearest_name(constant, known)
        raise UsageError(
            f"{shown(constant)} is no processor time, so it cannot be fitted",
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
            f"constant {shown(constant)} is zero, and the fit changes constants by factors",
            "give it a value in the calibration",
        )
    return FreeConstant(constant=constant, start=value, origin=cost.origin)


def _set(calibration: Calibration, names: Sequence[str], values: Array) -> Calibration:
    table = calibration.model_dump(exclude={"draws"})
    for constant, value in zip(names, values.tolist(), strict=True):
        section, name, part = constant.split(".")
        cost = table[section][name] or {"us": 0.0, "origin": "fit"}
        table[section][name] = {**cost, part: value}
    return Calibration.model_validate(table)


def _with_draws(calibration: Calibration, names: Sequence[str], values: Array) -> Calibration:
    """Return a calibration with draws of its constants, of shape (n_draws, n_constants)."""
    columns = (tuple(_rounded(column).tolist()) for column in values.T)
    draws = dict(zip(names, columns, strict=True))
    return calibration.model_copy(update={"draws": draws})


def _rounded(values: Array) -> Array:
    return np.array([float(f"{value:.{DIGITS}g}") for value in values])
