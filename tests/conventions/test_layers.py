"""The layer check lets the right imports through and finds every planted violation.

The trees it reads are made here; that this checkout is in order is what `make check` says.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import layers


def messages(root: Path, name: str, text: str) -> list[str]:
    path = root / "linkwright" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return [finding.message for finding in layers.check_package(root / "linkwright")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cli/plan.py", "import linkwright\nfrom linkwright.plan import price\n"),
        ("cli/plan.py", "from .. import plan\n"),
        ("network.py", "from . import _core\nfrom .design import Cluster\n"),
        ("engines/packet.py", "from linkwright import _core\n"),
        ("engines/packet.py", "from .outcome import Outcome\n"),
        ("views/table.py", "from linkwright.studies.compare import ArchitectureComparison\n"),
        ("files/folder.py", "path.write_bytes(text)\n"),
        ("design/document.py", "with path.open('rb') as file:\n    pass\n"),
        ("plan/cost.py", "import json\nfrom numpy import ndarray\n"),
        ("__init__.py", "from .cli import main\nfrom . import _core\n"),
    ],
)
def test_imports_that_point_down_pass(tmp_path: Path, name: str, text: str) -> None:
    assert messages(tmp_path, name, text) == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("design/cluster.py", "from linkwright.network import Network\n", "design imports network"),
        ("design/cluster.py", "def f():\n    from ..plan import price\n", "design imports plan"),
        ("plan/cost.py", "from ..engines import packet\n", "plan imports engines"),
        ("engines/flow.py", "from .. import plan\n", "engines imports plan"),
        ("plan/cost.py", "from linkwright import _core\n", "plan imports _core"),
        ("views/table.py", "import linkwright._core\n", "views imports _core"),
        ("views/table.py", "from linkwright import Cluster\n", "views imports the public surface"),
        ("views/page.py", "path.write_text(page)\n", "writes a file"),
        ("plan/cost.py", "with open(name, 'w') as file:\n    pass\n", "writes a file"),
        ("toolbox/text.py", "from linkwright.design import Cluster\n", "stands in no layer"),
    ],
)
def test_imports_that_point_up_or_sideways_are_found(
    tmp_path: Path, name: str, text: str, expected: str
) -> None:
    found = messages(tmp_path, name, text)
    assert len(found) == 1
    assert expected in found[0]


def crate_messages(root: Path, crate: str, dependencies: str, source: str) -> list[str]:
    folder = root / crate
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(
        f"[package]\nname = '{crate}'\n[dependencies]\n{dependencies}"
    )
    (folder / "src" / "lib.rs").write_text(source)
    return [finding.message for finding in layers.check_crates(root)]


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
