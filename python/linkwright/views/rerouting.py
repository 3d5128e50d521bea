"""The cost of failures, as tables for the terminal: by kind of part, and the worst of them by name.

The terms are those of docs/design/failures.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from linkwright.plan.resilience import CONNECTIONS
from linkwright.views.detours import detours_table
from linkwright.views.fitting_table import FittingTable, Heading

if TYPE_CHECKING:
    from linkwright.comparison.detours import Detours
    from linkwright.plan import FailureProof
    from linkwright.plan.resilience import FailureImpact, KindOfFailure

__all__ = ["rerouting_record", "rerouting_table"]

MOST_LISTED = 5
"""Number of failures listed by name."""


def rerouting_table(proof: FailureProof, detours: Detours | None = None) -> RenderableType:
    """Return the cost of failures: a table by kind, the worst detours, remarks, and the worst
    failures by name.
    """
    headings = ["failure of", "tried", "heal by themselves", _need(proof), "cut nodes off"]
    headings += ["longest detour", "busiest node forwards"]
    drops = ["dropped: strict", "dropped: loose"] if proof.counts_return_paths else []
    columns = [Heading(headings[0]), *(Heading(one, "right") for one in headings[1:] + drops)]
    table = FittingTable(columns, [list(_cells(kind, proof)) for kind in proof.kinds])
    parts: list[RenderableType] = [table]
    if detours is not None:
        parts.append(detours_table(proof, detours))
    parts += map(Text, _remarks(proof))
    worst = sorted((one for one in proof.impacts if one.n_lost), key=_cost, reverse=True)
    if worst:
        parts += [Text(), _worst_table(proof, worst[:MOST_LISTED])]
    if len(worst) > MOST_LISTED:
        parts.append(Text(f"and {len(worst) - MOST_LISTED} more failures that end connections"))
    return Group(*parts)


def rerouting_record(proof: FailureProof, detours: Detours) -> dict[str, Any]:
    """Return the cost of failures as JSON values, with the pairs of nodes that take another way,
    null where they were not followed.
    """

    def pairs(at: int) -> list[dict[str, Any]] | None:
        if not proof.impacts[at].n_rerouted:
            return []
        return [one.to_json() for one in detours[at]] if at in detours else None

    return {
        "failures": proof.failures,
        "counts": CONNECTIONS,
        "whole": asdict(proof.whole),
        "kinds": [asdict(kind) for kind in proof.kinds],
        "impacts": [
            asdict(impact) | {"detours": pairs(at)} for at, impact in enumerate(proof.impacts)
        ],
    }


def _cells(kind: KindOfFailure, proof: FailureProof) -> Iterator[str]:
    yield _kind_name(kind.kind)
    yield str(kind.n_failures)
    for number in (kind.n_by_itself, kind.n_recomputed + kind.n_daemon, kind.n_disconnected):
        yield str(number) if number else "-"
    yield _hops(kind.worst_extra_hops)
    yield _relayed(kind.most_forwarded, proof.whole.most_forwarded)
    if kind.n_strict is not None:
        yield str(kind.n_strict)
        yield str(kind.n_loose)


def _kind_name(kind: str) -> str:
    return kind.replace("nic", "NIC")


def _hops(extra: int) -> str:
    return "-" if not extra else f"{extra} hop{'s' if extra > 1 else ''}"


def _relayed(most: int, whole: int) -> str:
    """Return a load and its ratio to that of the whole network."""
    if not most:
        return "-"
    return f"{most} ({most / whole:.2f}x)" if whole else str(most)


def _need(proof: FailureProof) -> str:
    """Return the need of failures that do not heal: tables that the user wrote need a daemon."""
    return "need a routing daemon" if proof.needs_daemon else "need new tables"


def _remarks(proof: FailureProof) -> Iterator[str]:
    whole = proof.whole
    yield (
        f"Every node opens a connection to every other, {whole.n_connections:,} in all; each needs "
        "the packets of both directions."
    )
    if whole.n_lost:
        yield (f"{whole.n_lost:,} of them fail before anything else does; see the findings.")
    if proof.counts_return_paths:
        yield (
            "Dropped are connections that last, but not with reverse-path filters (rp_filter 1 "
            "strict, 2 loose) on all nodes, at the worst failure; without a failure: "
            f"{whole.n_strict} and {whole.n_loose}."
        )
    else:
        yield "Drops by reverse-path filters were not counted; count them with --return-paths."
    circling = [one for one in proof.impacts if one.n_looping]
    if circling:
        most = max(one.n_looping for one in circling)
        of = "one connection circle" if most == 1 else f"up to {most} connections circle"
        yield (
            f"After {len(circling)} of the failures packets of {of} until their TTL ends: they "
            "load the cables on their way until the tables are recomputed."
        )
    cut = [one for one in proof.impacts if one.n_out_of_reach]
    if cut:
        most = max(one.n_out_of_reach for one in cut)
        yield (
            f"After {len(cut)} of the failures up to {most} "
            f"{'node does' if most == 1 else 'nodes do'} not reach the node that distributes "
            "recomputed tables: they get them at a console, or from a daemon."
        )


def _cost(impact: FailureImpact) -> tuple[int, int, int]:
    return impact.n_disconnected, impact.n_daemon, impact.n_recomputed


def _worst_table(proof: FailureProof, impacts: Sequence[FailureImpact]) -> FittingTable:
    counted = ["connections end", _need(proof), "disconnected", "only answers lost"]
    headings = [Heading("worst failures"), *(Heading(one, "right") for one in counted)]
    rows = []
    for impact in impacts:
        example = impact.example
        example_text = f"{example.sender} to {example.receiver}: {example.cause}" if example else ""
        needing = impact.n_recomputed + impact.n_daemon
        numbers = (impact.n_lost, needing, impact.n_disconnected, impact.n_unanswered)
        counts = [f"{n:,}" if n else "-" for n in numbers]
        rows.append([f"{_kind_name(impact.kind)} {impact.name}", *counts, example_text])
    return FittingTable([*headings, Heading("for example", wraps=True)], rows)
