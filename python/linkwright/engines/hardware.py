"""The hardware engine: a program played by processes on the machines of a cluster that is up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from linkwright.engines.engine import Engine, Outcome
from linkwright.engines.inputs import Run
from linkwright.engines.simulated import executed
from linkwright.errors import CapabilityError
from linkwright.hardware.operations import operations_of
from linkwright.hardware.playing import Performance, perform
from linkwright.observations.observation import ROWS_ALONE, Observation
from linkwright.program import Program

__all__ = ["HARDWARE"]


def _simulate(run: Run, wanted: Observation = ROWS_ALONE) -> Outcome:
    """Run a workload once, or repeatedly until it is long enough to measure."""
    made: list[Performance] = []
    fleet = run.machines
    assert fleet is not None, "it has been checked"

    def execute(program: Program, setup: dict[str, Any]) -> dict[str, Any]:
        names = run.network.device_names
        found = perform(
            fleet,
            [names[node] for node in setup["node_of_rank"].tolist()],
            operations_of(program),
            rendezvous_from=run.hosts.messages.rendezvous_from.value,
        )
        made.append(found)
        figures = {
            "simulated_s": found.span_s,
            "retransmissions": found.n_retransmitted,
            "waited_share": found.waited,
            "clock_error_s": found.clock_error_s,
        }
        columns = {"mark": found.mark, "rank": found.rank, "time_s": found.time_s}
        return {**columns, "figures": figures}

    outcome = executed(run, execute, wanted)
    # Only the last time counts, which was long enough.
    return replace(outcome, remarks=made[-1].remarks)


def _settle(run: Run) -> Run:
    if run.machines is None:
        raise CapabilityError(
            "the hardware engine needs machines that are up",
            "measure them: linkwright measure DESIGN --hosts HOSTS --workload W",
        )
    return run


HARDWARE = Engine(name="hardware", simulate=_simulate, settle=_settle, origin="measured")
