"""Problems that follow from measurements, and answers of machines that are checked first.

Measurements are values here; real hosts make them in test_real_hosts.py.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.as_built.rendered import Rendered, facts_of
from tests.kinds import compiled
from tests.views.sample import manifest

import linkwright.doctor
from linkwright.as_built.matched import matched
from linkwright.doctor import Diagnosis, _reached
from linkwright.doctor.diagnosis import diagnosed
from linkwright.doctor.expectation import Expectation
from linkwright.doctor.measuring import Echo, Stream, _echo, _stream
from linkwright.doctor.transfers import Course, Measures, measures_of
from linkwright.views.doctor_page import doctor_page
from linkwright.views.doctor_table import number_texts

PROGRAM = Path(linkwright.doctor.__path__[0]) / "traffic_program.py"


def ring(n: int = 4) -> Rendered:
    return facts_of(compiled({"kind": "ring", "shape": [n]}))


def measures(rendered: Rendered) -> Measures:
    return measures_of(rendered.planned, matched(rendered.planned, rendered.facts()))


def well(rendered: Rendered) -> tuple[list[Echo], list[Stream]]:
    """Return measurements that are as predicted."""
    expected, found = Expectation(rendered.planned.network), measures(rendered)
    cables = [one for one in found.streams if one.kind == "cable"]
    echoes = [Echo(one, 5, 5, expected.latency_s(one)) for one in (*cables, *found.pings)]
    streams = [Stream(one, expected.rate_bps(one), 0.2, one.target_nic) for one in found.streams]
    return echoes, streams


def diagnosis(
    rendered: Rendered,
    echoes: list[Echo],
    streams: list[Stream],
    gone: dict[str, str] | None = None,
    expectation: Expectation | None = None,
) -> Diagnosis:
    nodes = matched(rendered.planned, rendered.facts()).nodes
    return diagnosed(
        rendered.verify(),
        echoes,
        streams,
        expectation=expectation or Expectation(rendered.planned.network),
        left_out=(),
        gone=gone or {},
        fabric={name: [one.name for _, one in node.ports] for name, node in nodes.items()},
    )


def test_every_cable_is_measured_in_both_directions_and_every_pair_is_pinged() -> None:
    found = measures(ring(6))
    cables = [one for one in found.streams if one.kind == "cable"]
    assert len({(one.source, one.target) for one in cables}) == len(cables) == 12
    assert len(found.pings) == 15
    assert {one.source for one in found.streams if one.kind == "forwarded"} == {
        f"n{number}" for number in range(6)
    }
    assert "12 directions of cables and 6 forwarded paths" in found.announcement(1)


def test_a_cluster_as_planned_is_well() -> None:
    rendered = ring()
    found = diagnosis(rendered, *well(rendered))
    assert found.problems == ()
    assert "has no problems: it is as planned; 2" in found.answer
    assert all(one.is_normal for one in found.numbers)


def changed(name: str) -> tuple[list[Echo], list[Stream]]:
    """Return measurements with one fault."""
    echoes, streams = well(ring())
    if name == "no echo":
        echoes[0] = Echo(echoes[0].course)
    elif name == "only small packets":
        echoes[0] = replace(echoes[0], n_long=0)
    elif name == "late":
        echoes[-1] = replace(echoes[-1], latency_s=0.5)
    elif name == "wrong plane":
        echoes[-1] = Echo(echoes[-1].course, error="wrong plane: mgmt0")
    elif name == "another port":
        streams[0] = replace(streams[0], came_by="eth0")
    elif name == "another port of the sender":
        streams[0] = replace(streams[0], left_by="mgmt0")
    elif name == "broken frames":
        streams[0] = replace(streams[0], n_lost=7)
    elif name == "slow":
        streams[0] = replace(streams[0], rate_bps=1e6)
    elif name == "slow by its processor":
        streams[0] = replace(streams[0], rate_bps=1e6, busy=0.99)
    elif name == "slow when forwarded":
        streams[-1] = replace(streams[-1], rate_bps=1e6)
    else:
        streams[0] = Stream(streams[0].course, error="timed out")
    return echoes, streams


FAULTS = {
    "no echo": ("no echo over c00 (n0:eth0 - n1:eth1)", "sure", "plugs"),
    "only small packets": ("packets of 1500 bytes are lost over c00", "sure", "MTU"),
    "late": ("echoes take 500000 us over n2 - n3", "possible", "idle"),
    "wrong plane": ("n2 to n3 leave by mgmt0", "sure", "routes"),
    "another port": ("n1 gets the packets of c00 (n0:eth0 - n1:eth1) by eth0", "sure", "--probe"),
    "another port of the sender": (
        "n0 sends the packets of c00 (n0:eth0 - n1:eth1) by mgmt0",
        "sure",
        "routes",
    ),
    "broken frames": ("n1 got 7 broken frames", "likely", "replace the cable"),
    "slow": ("1 Mb/s over c00 (n0:eth0 - n1:eth1)", "likely", "swap this cable"),
    "slow by its processor": ("1 Mb/s over c00", "possible", "processor limits"),
    "slow when forwarded": ("1 Mb/s over n3 - n1", "likely", "TSO"),
    "no stream": ("no stream over c00 (n0:eth0 - n1:eth1): timed out", "sure", "firewall"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_measurements_is_one_problem(name: str) -> None:
    found = diagnosis(ring(), *changed(name))
    text, certainty, step = FAULTS[name]
    [problem] = found.problems
    assert text.replace("c00", "c0") in problem.problem.replace("c00", "c0")
    assert problem.certainty == certainty
    assert step in problem.next_step


def test_findings_of_verify_come_first_and_explain_slow_streams() -> None:
    rendered = ring()
    echoes, streams = changed("slow")
    rendered.interface("n1", "eth1")["speed_mbps"] = 10
    found = diagnosis(rendered, echoes, streams)
    assert len(found.problems) > 1
    assert found.problems[0].problem == rendered.verify().findings[0].reason
    assert any("mend first" in one.next_step for one in found.problems)


def test_a_machine_that_goes_away_is_one_problem() -> None:
    rendered = ring()
    echoes, streams = changed("no echo")
    found = diagnosis(rendered, echoes, streams, {"n1": "no answer within 30 s"})
    [problem] = found.problems
    assert problem.place == "n1"
    assert "stopped answering" in problem.problem
    assert not [one for one in found.numbers if "n1" in one.place]


def test_a_design_without_parts_predicts_the_speed_of_links_and_nothing_else() -> None:
    rendered = ring()
    _, streams = well(rendered)
    speeds = {("n0", "eth0"): 10e9, ("n1", "eth1"): 10e9}
    expected = Expectation(rendered.planned.network, speeds, has_parts=False)
    on_cable = [one for one in streams if (one.course.source, one.course.target) == ("n0", "n1")]
    measured = [replace(on_cable[0], rate_bps=9e9), replace(streams[-1], rate_bps=9e9)]
    found = diagnosis(rendered, [], measured, expectation=expected)
    assert [(one.predicted, one.is_normal) for one in found.numbers] == [(10e9, True), (None, None)]
    assert "1 of 1 number is normal, 1 number without a prediction" in found.answer
    slow = diagnosis(rendered, [], [replace(on_cable[0], rate_bps=1e9)], expectation=expected)
    assert "10 Gb/s are predicted" in slow.problems[0].problem


def test_cables_that_are_all_slow_are_one_problem_beside_one_that_is_far_slower() -> None:
    rendered = ring()
    _, streams = well(rendered)
    slow = [
        replace(one, rate_bps=0.4 * (one.rate_bps or 0)) if one.course.kind == "cable" else one
        for one in streams
    ]
    [problem] = diagnosis(rendered, [], slow).problems
    assert (problem.place, problem.certainty) == ("8 directions of cables", "possible")
    assert "7 others are as slow" in problem.problem
    slow[0] = replace(slow[0], rate_bps=1e6)
    first, others = diagnosis(rendered, [], slow).problems
    assert first.cables == (slow[0].course.cable,)
    assert others.place == "7 directions of cables"


def test_a_number_far_above_its_prediction_is_not_normal_and_no_problem() -> None:
    rendered = ring()
    echoes, streams = well(rendered)
    streams[0] = replace(streams[0], rate_bps=247 * (streams[0].rate_bps or 0))
    found = diagnosis(rendered, echoes, streams)
    assert found.problems == ()
    [number] = [one for one in found.numbers if not one.is_normal]
    assert number_texts(number)[-1] == "no, 247 times"


def test_both_ends_of_a_stream_are_watched() -> None:
    answer = {"bytes": 1e9, "seconds": 1, "busy": 0.1}
    sent = {"eth0": {"tx_bytes": 10**9, "rx_bytes": 10**7}, "mgmt0": {"tx_bytes": 1000}}
    got = {"eth1": {"rx_bytes": 10**9, "rx_errors": 3}, "mgmt0": {"rx_bytes": 1000}}
    found = _stream(COURSE, answer, sent, got)
    assert (found.left_by, found.came_by, found.n_lost) == ("eth0", "eth1", 3)


def test_nodes_whose_facts_come_from_a_file_send_nothing_and_are_named() -> None:
    rendered = ring()
    nodes = _reached(matched(rendered.planned, rendered.facts()), {"n0", "n1", "n3"})
    found = measures_of(rendered.planned, nodes)
    assert not [one for one in (*found.pings, *found.streams) if "n2" in (one.source, one.target)]
    assert found.left_out == ("n2: the facts come from a file",)


def test_cables_with_problems_are_red_with_the_number_of_the_problem() -> None:
    found = diagnosis(ring(), *changed("broken frames"))
    page = doctor_page(found, manifest("linkwright", "doctor"))
    assert re.findall(r'class="cable misplaced" data-cables="([0-9 ]+)"', page) == ["0"]
    assert "<title>problem 1: " in page


def test_the_page_shows_problems_and_numbers() -> None:
    found = diagnosis(ring(), *changed("slow"))
    page = doctor_page(found, manifest("linkwright", "doctor"))
    assert "swap this cable" in page
    assert "Is this number normal?" in page


COURSE = Course("cable", "n0", "n1", "10.0.0.0", "10.0.0.1", "eth0", "eth1", "c0", 1500, "c0")
HOSTILE: list[Any] = [
    None, 3, "x", [], {}, {"error": 7}, {"error": "\x1b[31m" * 99}, {"sizes": 1},
    {"sizes": [[64, 5, math.inf], [1500, 5, None]]}, {"sizes": [[64, "5", 1], [1500, 5, 1]]},
    {"bytes": -1, "seconds": 1, "busy": 0}, {"bytes": 1, "seconds": 0, "busy": 0},
    {"bytes": True, "seconds": 1, "busy": 0}, {"bytes": 1e30, "seconds": 1, "busy": 0},
]  # fmt: skip


@pytest.mark.parametrize("answer", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_answers_are_measurements_that_failed(answer: Any) -> None:
    echo, stream = _echo(COURSE, answer), _stream(COURSE, answer, {}, {})
    assert (echo.latency_s, stream.rate_bps) == (None, None)
    assert echo.error
    assert stream.error.isprintable()


def test_the_program_serves_only_holders_of_the_token_and_sends_by_named_nics_only() -> None:
    given = {"mark": "M", "token": "0123456789abcdef", "nics": ["eth0"]}
    ping = {"source": "127.0.0.1", "address": "127.0.0.1", "port": 9, "sizes": [64], "count": 1}
    lines = [given, ["listen", ["127.0.0.1"]], ["ping", [ping]], ["counters", ["lo"]]]
    done = subprocess.run(
        [sys.executable, "-I", str(PROGRAM)],
        input="".join(json.dumps(one) + "\n" for one in lines),
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    ready, ports, refused, counters = (json.loads(one[1:]) for one in done.stdout.splitlines())
    assert ready == 1
    assert len(ports["127.0.0.1"]) == 2
    assert refused == [{"error": "wrong plane: lo"}]
    assert counters["lo"]["rx_bytes"] >= 0
