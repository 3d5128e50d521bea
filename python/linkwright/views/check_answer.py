"""The answer of a check: one sentence, and three numbers of failures beside the connections.

The words are those of docs/glossary.md: a failure heals by itself, needs new tables, or cuts nodes
off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from linkwright.notebook import counted
from linkwright.plan import Severity

if TYPE_CHECKING:
    from linkwright.plan import FailureProof, Finding
    from linkwright.plan.resilience import FailureImpact

__all__ = ["CheckAnswer", "check_answer"]


@dataclass(frozen=True)
class CheckAnswer:
    """The answer of a check."""

    mood: Literal["good", "fair", "bad"]
    sentences: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...]
    """Value and words: failures that heal by themselves, that need new tables, that cut nodes off,
    and connections.
    """

    @property
    def text(self) -> str:
        """All sentences."""
        return " ".join(self.sentences)


def check_answer(name: str, findings: Sequence[Finding], proof: FailureProof | None) -> CheckAnswer:
    """Return the answer of a check.

    Parameters
    ----------
    name : str
        The design.
    findings : sequence of Finding
        Its findings.
    proof : FailureProof, optional
        The cost of failures, if any were tried.
    """
    n_errors = sum(one.severity is Severity.ERROR for one in findings)
    n_warnings = sum(one.severity is Severity.WARNING for one in findings)
    errors = f"{name} has {counted(n_errors, 'error')}: it does not work as designed."
    doubts = f"{counted(n_warnings, 'warning')}." if n_warnings and not n_errors else ""
    first = (
        errors if n_errors else "" if proof else f"{name} has no errors; no failures were tried."
    )
    said = [first, *(_outcome(proof) if proof else ()), doubts]
    return CheckAnswer(
        "bad" if n_errors else _mood(proof),
        tuple(filter(None, said)),
        tuple(_numbers(proof)) if proof else (),
    )


def _counts(proof: FailureProof) -> tuple[int, int, int]:
    """Return the failures that heal, that need new tables, and that cut nodes off."""
    heal = sum(one.n_by_itself for one in proof.kinds)
    cut = sum(one.n_disconnected for one in proof.kinds)
    return heal, len(proof.impacts) - heal - cut, cut


def _mood(proof: FailureProof | None) -> Literal["good", "fair", "bad"]:
    if proof is None:
        return "good"
    _, tables, cut = _counts(proof)
    return "bad" if cut else "fair" if tables else "good"


def _outcome(proof: FailureProof) -> Iterator[str]:
    n_all = len(proof.impacts)
    heal, tables, cut = _counts(proof)
    what = "single failure" if proof.failures.startswith("single") else "failure tried"
    need = "a routing daemon" if proof.needs_daemon else "new tables"
    if heal == n_all:
        yield f"Every {what} heals by itself: all nodes still connected keep their connections."
        return
    heals = f"{_share(heal, n_all)} heal by themselves" if heal > 1 else "1 heals by itself"
    parts = [
        *([f"{_share(cut, n_all)} {'cut' if cut > 1 else 'cuts'} nodes off"] if cut else []),
        *(
            [f"{_share(tables, n_all)} {'need' if tables > 1 else 'needs'} {need}"]
            if tables
            else []
        ),
        heals if heal else "none heals by itself",
    ]
    yield f"Of {counted(n_all, what)}, {', '.join(parts[:-1])} and {parts[-1]}."
    worst = max(proof.impacts, key=lambda one: (one.n_disconnected, one.n_lost))
    yield _worst(worst)


def _share(n: int, n_all: int) -> str:
    return "all" if n == n_all else f"{n:,}"


def _worst(worst: FailureImpact) -> str:
    kind = worst.kind.replace("nic", "NIC")
    return (
        f"Worst is {kind} {worst.name}: {worst.n_lost:,} of {worst.n_connections:,} connections end"
        + (f", {worst.n_disconnected:,} of them for good." if worst.n_disconnected else ".")
    )


def _numbers(proof: FailureProof) -> Iterator[tuple[str, str]]:
    heal, tables, cut = _counts(proof)
    need = "need a routing daemon" if proof.needs_daemon else "need new tables"
    yield f"{heal:,}", "failures heal by themselves"
    yield f"{tables:,}", need
    yield f"{cut:,}", "cut nodes off"
    yield f"{proof.whole.n_connections:,}", "connections"
