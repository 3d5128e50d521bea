"""Any mistake in a design file is answered by one error that says where it is and what to do.

A design with a mistake drawn at random is loaded, compiled, checked and planned: that works, or
ends with a LinkwrightError that names what was changed, within bounds of memory and of processor
time.
"""

from __future__ import annotations

import re
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from tests.robustness.mutants import Mutant, mutants

from linkwright.design.cluster import Cluster
from linkwright.errors import LinkwrightError
from linkwright.network import compile as compile_design
from linkwright.plan import check, plan

MOST_BYTES = 1 << 30
"""Memory that one design may take besides what the process has."""
MOST_CPU_S = 30.0
"""Processor time that one design may take."""
PRICES = "[prices.category-5]\nprice = 3.5\ndate = 2026-01-31\n"

START = 20
"""Characters by which a message names something long."""
SEED = 1
N_ALWAYS, N_SLOW = 300, 6000
N_TOGETHER = 100
"""Mutants of one test, so that a failure shows roughly where it is."""


@pytest.mark.parametrize("first", range(0, N_ALWAYS, N_TOGETHER))
def test_a_mistake_is_answered(first: int, tmp_path: Path) -> None:
    answered(SEED, first, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, N_SLOW, N_TOGETHER))
def test_every_mistake_is_answered(first: int, tmp_path: Path) -> None:
    answered(SEED + 1, first, tmp_path)


def answered(seed: int, first: int, folder: Path) -> None:
    """Judge the answers to the next mutants of a seed."""
    (folder / "prices.toml").write_text(PRICES, encoding="utf-8")
    chosen = list(mutants(seed, first + N_TOGETHER))[first:]
    faults = {f"{mutant.change}\n{mutant.text}": fault(mutant, folder) for mutant in chosen}
    wrong = [f"{fault_}\n{case}" for case, fault_ in faults.items() if fault_]
    assert not wrong, "\n\n".join(wrong)


def fault(mutant: Mutant, folder: Path) -> str:
    """Return the fault of the answer to a mutant, or nothing."""
    file = folder / "design.yaml"
    file.write_text(mutant.text, encoding="utf-8")
    try:
        with bounded():
            network = compile_design(Cluster.load(file))
            check(network)
            plan(network)
    except LinkwrightError as error:
        return fault_of_answer(error, mutant)
    except BaseException as error:  # whatever else comes out is looked for
        return f"{type(error).__name__}: {error}"
    return ""


def fault_of_answer(error: LinkwrightError, mutant: Mutant) -> str:
    """Return the fault of an error as an answer, or nothing."""
    said = f"{error.message}\n{error.hint}"
    if not error.message.strip() or not error.hint.strip():
        return f"no rule or no remedy: {said!r}"
    if "\n" in error.hint or (
        "\n" in error.message and not re.search(r" \d+ mistakes:$", error.message.splitlines()[0])
    ):
        return f"more than a line: {said!r}"
    if max(map(len, said.splitlines())) > 1000:
        return f"a long line: {said[:300]!r}"
    if not names_it(said, mutant):
        return f"does not say what it is about: {said!r}"
    return ""


def names_it(said: str, mutant: Mutant) -> bool:
    """Return whether an error names the key that was changed, one around it, or what it holds now.

    A message names one of a list by the singular of its key: a cable of `cables`. A change of the
    text itself may belong to any key.
    """
    names = [key[:START].removesuffix("s") for key in mutant.place if isinstance(key, str)]
    if isinstance(mutant.value, str):
        names.append(repr(mutant.value[:START])[1:-1])
    if "prices" in names:
        names.append("price file")
    return not names or any(name in said for name in names)


@contextmanager
def bounded() -> Iterator[None]:
    """Bound memory and processor time of what is done inside."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    before = signal.signal(signal.SIGPROF, _too_long)
    resource.setrlimit(resource.RLIMIT_AS, (taken * resource.getpagesize() + MOST_BYTES, hard))
    signal.setitimer(signal.ITIMER_PROF, MOST_CPU_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGPROF, before)


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"more than {MOST_CPU_S} s of processor time")
