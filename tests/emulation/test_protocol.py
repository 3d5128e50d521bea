"""The protocol of rank processes: values, bytes and errors come through, versions are checked.

Whole runs are in test_engine.py.
"""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest
from tests.kinds import network

from linkwright import calibrations, workloads
from linkwright._core import unpacked_program
from linkwright.emulation.deaths import Death
from linkwright.emulation.protocol import VERSION, expected, say
from linkwright.emulation.rank_processes import Job
from linkwright.engines import Run
from linkwright.engines.playing import packed_inputs
from linkwright.errors import LinkwrightError, RunError, UsageError
from linkwright.program import compile_program


def said(value: object, packed: bytes = b"") -> BytesIO:
    pipe = BytesIO()
    say(pipe, "said", value, packed)
    pipe.seek(0)
    return pipe


def test_numbers_and_bytes_are_the_same_on_the_other_side() -> None:
    times_s = np.array([0.1 + 0.2, 1e-9, 2.0**-40])
    answer, packed = expected(said({"time_s": times_s, "n": np.uint32(3)}, b"a\nb"), "said")
    assert answer == {"time_s": times_s.tolist(), "n": 3}
    assert packed == b"a\nb"


def test_several_messages_follow_each_other() -> None:
    pipe = BytesIO()
    say(pipe, "job", {}, b"{}\n")
    say(pipe, "start_s", 0.25)
    pipe.seek(0)
    assert expected(pipe, "job") == ({}, b"{}\n")
    assert expected(pipe, "start_s") == (0.25, b"")


def test_an_error_of_the_core_keeps_its_kind_and_numbers() -> None:
    error = RunError("", "")
    error.kind, error.numbers = "run.ConnectionLost", {"source": 1, "destination": 2}
    with pytest.raises(RunError) as found:
        expected(said(error), "said")
    assert (found.value.kind, found.value.numbers) == (error.kind, error.numbers)


@pytest.mark.parametrize("error", [UsageError("a mistake", "mend it"), RunError("lost", "again")])
def test_an_error_of_a_user_is_raised_again(error: LinkwrightError) -> None:
    with pytest.raises(type(error)) as found:
        expected(said(error), "said")
    assert (found.value.message, found.value.hint) == (error.message, error.hint)


def test_a_fault_is_not_hidden() -> None:
    with pytest.raises(RuntimeError, match="KeyError: 'rank'"):
        expected(said(KeyError("rank")), "said")


def test_another_version_and_an_early_end_are_refused() -> None:
    other = json.loads(said("ready").getvalue()) | {"version": VERSION + 1}
    with pytest.raises(RunError, match=f"speak version {VERSION + 1} of their protocol"):
        expected(BytesIO(json.dumps(other).encode() + b"\n"), "said")
    with pytest.raises(RunError, match="ended without an answer"):
        expected(BytesIO(), "said")


def test_a_job_has_the_program_in_its_packed_form() -> None:
    ring, hosts = network("ring"), calibrations.load("linux-6-desktop")
    run = Run.of(ring, workloads.Barrier(), calibration=hosts)
    program = compile_program(run.workload, ring.n_compute, hosts=hosts)
    job = Job(
        packed=packed_inputs([run], [program]),
        nodes=["n0", "n1"],
        addresses=["10.0.0.1", "10.0.0.2"],
        constants=hosts.constants(ring.mtu),
        dilation=1.5,
        deaths=[Death(1, 0.25)],
    )
    pipe = BytesIO()
    job.say(pipe)
    pipe.seek(0)
    heard = Job.heard(pipe)
    assert (heard.packed, heard.deaths, heard.dilation) == (job.packed, job.deaths, 1.5)
    assert heard.constants == job.constants
    unpacked = unpacked_program(heard.packed)
    assert (unpacked.n_ranks, unpacked.n_operations) == (program.n_ranks, program.n_operations)
    with pytest.raises(ValueError, match="Malformed"):
        unpacked_program(job.packed[:20])
