"""The check of the crates finds every planted circle, wrong dependency and forbidden call.

The crates that it reads are made here.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import crates


def crate(folder: Path, **files: str) -> list[list[str]]:
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".rs")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(crates.circles(crates.of_crate(folder)))


def test_files_in_a_line_are_in_order(tmp_path: Path) -> None:
    lib = "mod frame;\nmod queue;\npub use queue::Queue;\n"
    frame = "pub struct Frame;\n"
    queue = "use crate::frame::Frame;\npub struct Queue(Vec<Frame>);\n"
    assert crate(tmp_path, lib=lib, frame=frame, queue=queue) == []


def test_two_files_that_name_each_other_are_found(tmp_path: Path) -> None:
    frame = "use crate::queue::{Queue, Limit as Most};\npub struct Frame;\n"
    queue = "pub struct Queue(crate::frame::Frame);\npub struct Limit;\n"
    assert crate(tmp_path, lib="", frame=frame, queue=queue) == [["crate::frame", "crate::queue"]]


def test_what_a_parent_passes_on_belongs_to_the_child_that_defines_it(tmp_path: Path) -> None:
    hub = "mod medium;\nmod station;\npub use medium::Medium;\n"
    station = "use super::Medium;\npub struct Station(Medium);\n"
    medium = "pub struct Medium;\n"
    assert crate(tmp_path, lib="", hub__mod=hub, hub__station=station, hub__medium=medium) == []


def test_a_child_that_names_what_its_parent_defines_is_in_a_circle(tmp_path: Path) -> None:
    hub = "mod station;\nuse station::Station;\npub struct Hub(Station);\npub struct Config;\n"
    station = "use super::Config;\npub struct Station(Config);\n"
    found = crate(tmp_path, lib="", hub__mod=hub, hub__station=station)
    assert found == [["crate::hub", "crate::hub::station"]]


def test_tests_inside_a_file_may_name_anything(tmp_path: Path) -> None:
    frame = "pub struct Frame;\n#[cfg(test)]\nmod tests {\n    use crate::queue::Queue;\n}\n"
    queue = "use crate::frame::Frame;\npub struct Queue(Frame);\n"
    assert crate(tmp_path, lib="", frame=frame, queue=queue) == []


def crate_messages(root: Path, crate: str, dependencies: str, source: str) -> list[str]:
    folder = root / crate
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(
        f"[package]\nname = '{crate}'\n[dependencies]\n{dependencies}"
    )
    (folder / "src" / "lib.rs").write_text(source)
    return [finding.message for finding in crates.check_crate(folder)]


@pytest.mark.parametrize(
    ("crate", "dependencies", "expected"),
    [
        ("quantity", "network.workspace = true\n", "quantity depends on network"),
        ("packet", "flow.workspace = true\n", "packet depends on flow"),
        ("device", "simulation.workspace = true\n", "device depends on simulation"),
        ("packet", "pyo3 = '0.30'\n", "packet may not depend on pyo3"),
        ("gadget", "quantity.workspace = true\n", "stands in no layer"),
    ],
)
def test_crate_dependencies_that_point_the_wrong_way_are_found(
    tmp_path: Path, crate: str, dependencies: str, expected: str
) -> None:
    found = crate_messages(tmp_path, crate, dependencies, "//! A crate.\n")
    assert len(found) == 1
    assert expected in found[0]


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("use std::time::Instant;", "the clock"),
        ("use std::{fmt, time};", "the clock"),
        ("let t = std::time::SystemTime::now();", "the clock"),
        ("std::fs::hard_link(a, b)?;", "files"),
        ('let home = std::env::var("HOME");', "the environment"),
        ('println!("{x}");', "printing"),
        ("dbg!(x);", "printing"),
        ("let seen: HashSet<u32> = x.collect();", "collections without an order"),
        ("use std::collections::{BTreeMap, HashMap};", "collections without an order"),
        ("let mut r = rand::rng();", "unseeded randomness"),
        ("std::net::TcpStream::connect(a)", "the network"),
    ],
)
def test_forbidden_calls_in_a_crate_are_found(tmp_path: Path, source: str, what: str) -> None:
    assert crate_messages(tmp_path, "device", "", source) == [f"crates do not know {what}"]


@pytest.mark.parametrize(
    "source",
    [
        "// a HashMap would differ between runs",
        "use std::time::Duration;",
        "use std::collections::BTreeMap;",
        "let environment = Environment::new();",
        'write!(f, "{x}")?;',
    ],
)
def test_what_looks_like_a_forbidden_call_passes(tmp_path: Path, source: str) -> None:
    assert crate_messages(tmp_path, "device", "", source) == []


def test_a_file_of_tests_that_is_never_compiled_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "device"
    (folder / "tests").mkdir(parents=True)
    for name, text in {"main": "mod hub;\n", "hub": "", "link": ""}.items():
        (folder / "tests" / f"{name}.rs").write_text(text)
    (found,) = crates.forgotten_tests(folder)
    assert found.message == "lacks mod link;"
