"""Fixtures of all tests: seeded property tests, expectations that one command rewrites, and real
hosts.

`make golden` runs with `--rewrite-golden`: every expectation is rewritten and the test that
rewrote one fails, so that a rewrite is never mistaken for a pass. The diff is what gets reviewed.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest
from tests.machines.real_hosts import RealHosts, missing, real_hosts

GOLDEN = Path(__file__).parent / "golden"
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGALRM")

# The same examples in every run: a failure is reproduced by running the test again.
hypothesis.settings.register_profile("linkwright", derandomize=True, deadline=None)
hypothesis.settings.load_profile("linkwright")


# Results do not depend on the terminal; pytest-xdist sets these for its processes.
for _name in ("COLUMNS", "LINES"):
    os.environ.pop(_name, None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden", action="store_true", help="rewrite tests/golden instead of comparing"
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the processes of `make test`: one per processor, since some tests judge moments."""
    return min(8, len(os.sched_getaffinity(0)))


def pytest_collection_finish() -> None:
    """Keep the thousands of tests that are collected out of every later search for garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Refuse a test that leaves its process with other handlers of signals, which end later tests
    without a word: a write to a pipe without a reader, for example.
    """
    watched = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
    before = [signal.getsignal(one) for one in watched]
    yield
    assert [signal.getsignal(one) for one in watched] == before


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return `check(name, text)`: compare a text with the file tests/golden/<name>."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--rewrite-golden"):
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                pytest.fail(f"tests/golden/{name} was rewritten: read its diff")
            return
        assert path.is_file(), f"tests/golden/{name} does not exist: run `make golden`"
        assert text == path.read_text(encoding="utf-8"), f"differs from tests/golden/{name}"

    return check


@pytest.fixture(scope="module")
def up(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealHosts]:
    """Provide the hosts that a file of tests names in NAMES, with its CABLES."""
    lacks = missing()
    if lacks:
        pytest.skip(lacks)
    cables = getattr(request.module, "CABLES", ())
    with real_hosts(tmp_path_factory.mktemp("hosts"), request.module.NAMES, cables) as found:
        yield found


@pytest.fixture
def reached(up: RealHosts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RealHosts:
    """Let ssh find the hosts of a file from an empty folder."""
    monkeypatch.setenv("PATH", up.search_path)
    monkeypatch.chdir(tmp_path)
    return up
