"""Names that a design does not accept: one rule, a table of one's own, or refused.

The same holds for ports.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.design.importers.imported import drawn, topology, written
from tests.design.wired import refused

from linkwright.design.importers import read_renamings
from linkwright.design.importers.drawing import Drawing, DrawnCable, DrawnDevice, DrawnEnd
from linkwright.design.importers.naming import named
from linkwright.errors import DesignError


def chain(*names: str, switches: tuple[str, ...] = ()) -> Drawing:
    """Return devices in a row."""
    devices = {
        name: DrawnDevice("switch" if name in switches else "", f"'g', line {line}")
        for line, name in enumerate(names, start=1)
    }
    pairs = list(itertools.pairwise(names))
    return Drawing(
        devices,
        tuple(DrawnCable(DrawnEnd(a), DrawnEnd(b), None, f"'g', line {line}")
              for line, (a, b) in enumerate(pairs, start=1)),
    )  # fmt: skip


def new_names(*names: str, switches: tuple[str, ...] = ()) -> list[str]:
    return list(named(chain(*names, switches=switches), {})[0].devices)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gpu_box_3", "gpu-box-3"),
        ("gpu1.example.org", "gpu1"),
        ("gpu_1.example.org", "gpu-1"),
        ("R1.2", "R1-2"),
        ("10.0.0.1", "n10-0-0-1"),
        ("7", "n7"),
        ("-7.5", "n7-5"),
        ("Köln", "Koeln"),
        ("Łódź", "Lodz"),
        ("Zürich (West)", "Zuerich-West"),
        ("Ærø", "Aero"),
        ("two\nlines", "two-lines"),
        ("東京", "n"),
        ("localhost", "localhost-2"),
        ("fe", "fe-2"),
        ("c0", "c0-2"),
        ("alpha", "alpha"),
        ("a" * 63, "a" * 63),
        ("a" * 64, "a" * 54 + "-ffe054fe"),
        ("MF0;leaf-1:MQM8790/U1", "MF0-leaf-1-MQM8790-U1"),
    ],
)
def test_the_rule(old: str, new: str) -> None:
    assert new_names(old, "other") == [new, "other"]


def test_numbers_get_the_letters_of_their_kind() -> None:
    assert new_names("0", "1", "2", switches=("1",)) == ["n0", "sw1", "n2"]


def test_a_taken_name_gets_a_number_and_a_name_that_fits_stays() -> None:
    assert new_names("gpu1.a.org", "gpu1.b.org", "gpu1", "GPU1") == [
        "gpu1-2", "gpu1-3", "gpu1", "GPU1-4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("eth0.100", "eth0.100"),
        ("Ethernet1/1", "Ethernet1-1"),
        ("GigabitEthernet0/0/0/1", "Gi0-0-0-1"),
        ("lo", "lo-2"),
        ("bond0", "bond0-2"),
        ("über", "ueber"),
        ("e" * 16, "eeeeee-6d4c1213"),
    ],
)
def test_ports_of_nodes(old: str, new: str) -> None:
    text = f"a_device,a_port,b_device,b_port\nx,{old},y,e1\n"
    nics = topology(drawn(text, "cables"))["nodes"]["x"]["nics"]
    assert list(nics) == [new]


def test_ports_of_switches_keep_their_slashes() -> None:
    text = "a_device,a_port,b_device,b_port,b_kind\nx,e0,s,Ethernet1/1,switch\ny,e0,s,Eth 1:2,\n"
    found = topology(drawn(text, "cables"))["cables"]
    assert [one[1] for one in found] == ["s:Ethernet1/1", "s:Eth-1-2"]


def test_changed_names_are_shown_with_their_lines_and_stand_in_comments() -> None:
    text = "a_device,a_port,b_device,b_port\nx,e0,y,e0\ny,e1,gpu_box_3,über 1\n"
    drawing = drawn(text, "cables")
    assert [str(one) for one in named(drawing, {})[1]] == [
        "'g', line 3: 'gpu_box_3' is gpu-box-3",
        "'g', line 3: 'gpu_box_3:über 1' is ueber-1",
    ]
    assert "gpu-box-3: {nics: {ueber-1: }}  # 'gpu_box_3'" in written(drawing)


def test_given_names_come_first(tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("old,new\n# mine\ngpu_box_3,gpu3\ngpu_box_3:p_1,gpu3\n2,two\n")
    text = 'graph { gpu_box_3:p_1 -- 2 -- "gpu-box-3" }'
    new = topology(drawn(text, "dot"), read_renamings(table))
    assert new["cables"][0] == ("gpu3:gpu3", "two:eth0")
    assert list(new["nodes"]) == ["gpu3", "two", "gpu-box-3"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"x": "y"}, ("'y' cannot be the name of 'x'", "taken")),
        ({"x": "a b"}, ("'a b' cannot be the name of 'x'",)),
        ({"x": "c0"}, ("'c0' cannot be the name",)),
        ({"z": "w"}, ("no device or port 'z' to rename",)),
        ({"x:e7": "w"}, ("no device or port 'x:e7' to rename",)),
    ],
)
def test_wrong_given_names_are_refused(given: dict[str, str], words: tuple[str, ...]) -> None:
    with pytest.raises(DesignError) as error:
        named(chain("x", "y"), given)
    refused(error, *words)


def test_a_table_of_names_has_pairs(tmp_path: Path) -> None:
    table = tmp_path / "names.csv"
    table.write_text("a,b\na\n")
    with pytest.raises(DesignError) as error:
        read_renamings(table)
    refused(error, "line 2", "no pair of names")


def test_names_may_be_refused_instead() -> None:
    with pytest.raises(DesignError) as error:
        named(chain("x", "gpu_3"), {}, is_strict=True)
    refused(error, "'g', line 2", "'gpu_3'", "--rename")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=70), min_size=2, max_size=6, unique=True))
def test_any_names_become_a_design_and_the_same_each_time(names: list[str]) -> None:
    drawing = chain(*names)
    assert len(topology(drawing)["nodes"]) == len(names)
    assert written(drawing) == written(drawing)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=40), min_size=2, max_size=5, unique=True))
def test_any_ports_become_a_design(ports: list[str]) -> None:
    cables = tuple(
        DrawnCable(DrawnEnd("a", port), DrawnEnd(f"b{k}", port), None, f"'g', line {k}")
        for k, port in enumerate(ports)
    )
    names = dict.fromkeys(["a", *(f"b{k}" for k in range(len(ports)))], DrawnDevice())
    assert len(topology(Drawing(names, cables))["nodes"]["a"]["nics"]) == len(ports)
