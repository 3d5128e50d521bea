"""The check for circles finds every planted one, and takes what is passed on for what it is.

The crates and the package that it reads are made here.
"""

from __future__ import annotations

from pathlib import Path

import circles


def crate(folder: Path, **files: str) -> list[list[str]]:
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".rs")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return list(circles.circles(circles.of_crate(folder)))


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


def test_files_of_a_package_that_import_each_other_are_found(tmp_path: Path) -> None:
    package = tmp_path / "linkwright"
    package.mkdir()
    for name, text in {
        "__init__": "from linkwright.plan import price\n",
        "plan": "from linkwright.cost import total\n",
        "cost": "def total():\n    from linkwright import plan\n",
        "units": "from linkwright import _core\n",
    }.items():
        (package / f"{name}.py").write_text(text)
    found = list(circles.circles(circles.of_package(package)))
    assert found == [["linkwright.cost", "linkwright.plan"]]
