"""One host that systemd has started, with a connection to it, for tests of plans that it keeps.

A cable joins its own two ports, so that both have a carrier.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.apply.hosts import settled
from tests.exporters.managers import why_not_loaded
from tests.machines.booted_hosts import booted_hosts, missing
from tests.machines.real_hosts import RealHosts

from linkwright.machines import Machine
from linkwright.machines.inventory import inventory
from linkwright.machines.ssh import connections

CABLES = (("n0", "eth0", "n0", "eth1"),)


@contextmanager
def host(folder: Path, manager: str) -> Iterator[tuple[RealHosts, Machine]]:
    """Provide a host with a manager, and a connection to it."""
    reason = missing() or why_not_loaded(manager)
    if reason:
        pytest.skip(reason)
    (folder / "hosts").mkdir()
    with (
        pytest.MonkeyPatch.context() as patch,
        booted_hosts(folder / "hosts", ("n0",), CABLES, manager=manager) as up,
    ):
        patch.setenv("PATH", up.search_path)
        with connected() as machine:
            settled([machine])
            yield up, machine


@contextmanager
def connected() -> Iterator[Machine]:
    """Connect to the host."""
    with connections(inventory("n0")) as (machine,):
        yield machine
