"""Fitting constants to the point-to-point figures, through the engine.

The fits whose results are shipped are made again here; each takes some seconds.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from linkwright import calibrations
from linkwright.calibrations import targets
from linkwright.errors import DesignError, UsageError
from linkwright.fit.calibrate import Fit, fit
from linkwright.fit.point_to_point import compare_with_targets

PENTIUM_PRO = calibrations.load("pentium-pro-200-linux-2.0")
FITTED = ("486dx4-100-linux-1.2", "pentium-ii-400-linux-2.2")
"""Those whose constants the command found; the others' are of earlier evidence."""


@pytest.fixture(scope="module", params=FITTED)
def again(request: pytest.FixtureRequest) -> Fit:
    return fit(calibrations.load(request.param))


def test_a_fit_moves_only_what_is_free_and_improves_what_is_wrong() -> None:
    # Large messages take most of the time and hardly depend on the constant.
    shipped = targets.load_targets(PENTIUM_PRO.name)
    paths = [one.model_copy(update={"throughput": (), "ratio": ()}) for one in shipped.path]
    short = shipped.model_copy(update={"path": tuple(one for one in paths if one.latency)})
    found = fit(PENTIUM_PRO, ["host.forward.us"], targets=short)
    (forward,) = found.constants
    assert forward.start == PENTIUM_PRO.host.forward.us
    # The printed 40 us per hop leave little room.
    assert forward.value == pytest.approx(forward.start, rel=0.1)
    assert forward.value != forward.start
    assert found.calibration.host.forward.us == forward.value
    assert found.calibration.host.read.us == PENTIUM_PRO.host.read.us
    latencies = [c for c in found.comparisons if c.metric == "latency"]
    assert all(abs(c.error) < 0.03 for c in latencies)


def test_the_shipped_constants_are_those_that_the_command_finds(again: Fit) -> None:
    shipped = calibrations.load(again.calibration.name).model_dump()
    for one in again.constants:
        section, name, part = one.constant.split(".")
        assert shipped[section][name][part] == pytest.approx(one.value, rel=0.005), one.constant


def test_a_fit_does_not_depend_on_the_constants_it_is_to_find(again: Fit) -> None:
    name = again.calibration.name
    moved = calibrations.load(name).changed({"messages.take.us": 1.0})
    wanted = {one.constant: one for one in again.constants}["messages.take.us"]
    (take,) = fit(moved, ["messages.take.us"], targets=name).constants
    assert take.start == wanted.start


def test_the_shipped_text_is_the_one_that_the_command_writes(again: Fit) -> None:
    name = again.calibration.name
    text = calibrations.text_of(name)
    told, shipped = tomllib.loads(again.rewritten(text)), tomllib.loads(text)
    del shipped["draws"]
    assert told == shipped
    assert told["messages"]["take"]["origin"].startswith(f"fit [targets/{name}]: us from ")


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FITTED, PENTIUM_PRO.name])
def test_the_shipped_draws_are_those_that_the_command_makes(name: str) -> None:
    shipped = calibrations.load(name)
    found = fit(shipped, n_draws=shipped.n_draws, keeps=name not in FITTED).calibration
    for constant, values in shipped.draws.items():
        assert found.draws[constant] == pytest.approx(values, rel=0.01), constant


@pytest.mark.parametrize("name", [*FITTED, PENTIUM_PRO.name])
def test_every_draw_meets_the_targets(name: str) -> None:
    """Each draw is fitted to targets that are off by their tolerance, rarely by more than two."""
    hosts = calibrations.load(name)
    at_fit = compare_with_targets(hosts)
    for draw in range(1, 9):
        for one, before in zip(compare_with_targets(hosts.drawn(draw)), at_fit, strict=True):
            assert abs(one.error - before.error) < 3 * one.tolerance, (draw, one.path, one.metric)


def test_one_figure_fixes_one_sum() -> None:
    """A token's time between two hosts on a wire does not determine its parts."""
    found = fit(
        calibrations.load("486dx4-100-linux-1.2"), ["host.send.us", "messages.take.us"]
    ).identifiability
    assert found.correlations[0, 1] < 0
    assert found.singular_values[0] > 5 * found.singular_values[1]


@pytest.mark.parametrize(
    ("constant", "hint"),
    [("host.forwards.us", "host.forward.us"), ("host.forward", ""), ("tcp.initial_window", "")],
)
def test_what_is_no_processor_time_cannot_be_fitted(constant: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"'{constant}' is no processor time") as raised:
        fit(PENTIUM_PRO, [constant])
    assert hint in raised.value.hint


def test_nothing_can_be_fitted_from_zero() -> None:
    with pytest.raises(UsageError, match="is zero"):
        fit(PENTIUM_PRO, ["messages.short_copy.us"])


def test_targets_that_name_nothing_ask_for_constants() -> None:
    with pytest.raises(UsageError, match="name no constant") as raised:
        fit(calibrations.load("linux-6-desktop"))
    assert "--free" in raised.value.hint


PATH = '[[path]]\nname = "a"\ndst = 1\ndesign = { topology = { kind = "direct" } }\n'
RATIO = 'ratio = [{ size_bytes = 1, to_path = "b", value = 1.0, tolerance = 0.1, origin = "" }]\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("calibration = ", "are not TOML"),
        ('calibration = "x"\n', "path is missing"),
        (f'calibration = "x"\n{PATH}{PATH}', "two paths are called 'a'"),
        (f'calibration = "x"\n{PATH}{RATIO}', "'b', which does not exist"),
        (f'calibration = "x"\n{PATH.replace("1", "0")}', "dst cannot be 0"),
    ],
)
def test_a_wrong_file_of_targets_says_where(
    text: str, said: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("targets") / "mine.toml"
    file.write_text(text)
    with pytest.raises(DesignError, match=said):
        targets.load_targets(str(file))


def test_a_path_inside_a_node_determines_the_local_transport(tmp_path: Path) -> None:
    """Half a round trip of 1 byte is send, latency and matching; all but one of them are known."""
    hosts = calibrations.load("linux-6-desktop")
    file = tmp_path / "targets.toml"
    file.write_text(
        'calibration = "mine"\n'
        'free = [{ constant = "local.latency.us", start = 0.5, origin = "estimate" }]\n'
        "[[path]]\n"
        'name = "inside"\n'
        'design = { topology = { kind = "direct" } }\n'
        'dst = 1\nplacement = "row:2"\n'
        'latency = { value_us = 1.0, tolerance = 0.01, origin = "measured" }\n',
        encoding="utf-8",
    )
    found = fit(hosts, targets=str(file))
    (latency,) = found.constants
    assert hosts.local is not None
    known_us = hosts.local.send.us + hosts.local.take.us
    assert latency.value == pytest.approx(1.0 - known_us, rel=0.01)
