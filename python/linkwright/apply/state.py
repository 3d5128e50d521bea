"""The whole part of a machine in a network: its files and its kernel, read and brought to another
value.

It runs by itself on the machine, in one program (`program.py`). Files come first, their manager
loads them, and the kernel gets the steps that the manager has left out: offloads of ports that are
there already, kernel parameters, lines of the firewall.
"""

from __future__ import annotations

import time
from typing import Any

from linkwright.apply.managers import UNITS, before_files, load_files, of_generator
from linkwright.apply.placed import files, generated, set_files
from linkwright.apply.present import (
    NET,
    StepError,
    addresses,
    call,
    filters,
    links,
    offloads,
    parameters,
    plain,
    routes,
    rules,
    set_kernel,
    surplus,
    tried,
)

READERS = {
    "files": files,
    "generated": generated,
    "links": links,
    "offloads": offloads,
    "addresses": addresses,
    "routes": routes,
    "rules": rules,
    "parameters": parameters,
    "filters": filters,
}
"""Kind -> its reader, given a scope."""
SETTLED_S, QUIET_S = 15.0, 1.0
"""Time within which a manager has loaded its files, and for which nothing changes afterwards."""


def read(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the part of this machine in a network."""
    return {kind: read_kind(scope) for kind, read_kind in READERS.items()}


def bring(scope: dict[str, Any], wanted: dict[str, Any], *, strictly: bool) -> list[str]:
    """Bring the part of this machine to a value, by the steps that are missing alone.

    With `strictly`, on the way to a plan, the first step that fails ends it. On the way back, all
    others are done, and the sentences about those that failed are returned.
    """
    said: list[str] = []

    def failed(problem: str) -> None:
        if strictly:
            raise StepError(problem)
        said.append(problem)

    if not scope.get("targets"):
        set_kernel(scope, wanted, failed, plain if strictly else tuple)
        return said
    load(scope, wanted, failed, strictly=strictly)
    if strictly:
        set_kernel(scope, wanted, failed, plain)
        expect_kept(scope, wanted)
        return said
    # A manager may come in between: the second round counts.
    set_kernel(scope, wanted, str, tuple)
    time.sleep(QUIET_S)
    set_kernel(scope, wanted, failed, tuple)
    return said


def load(scope: dict[str, Any], wanted: dict[str, Any], failed: Any, *, strictly: bool) -> None:
    """Write or remove files, and wait until the managers have done their part."""
    running = [one for one in scope["targets"] if is_running(one, failed)]
    names = scope["interfaces"]
    if not strictly:
        for one in running:
            tried(failed, before_files, one, names)
    set_files(places(scope, wanted), failed)
    for one in running:
        tried(failed, load_files, one, names)
    if strictly and running != ["ip"]:
        wait_for(lambda: not missing(scope, wanted))


def places(scope: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the value of each place of a scope.

    A plan has none for generated files: those of an earlier plan go, and netplan writes its own.
    """
    own: dict[str, Any] = {path: wanted["files"].get(path) for path in scope["files"]}
    own |= wanted.get("generated", dict.fromkeys(of_generator(scope)))
    return own


def is_running(target: str, failed: Any) -> bool:
    """Return whether the manager of a target can be asked at present."""
    unit = UNITS.get("networkd" if target == "netplan" else target)
    try:
        return unit is None or call(["systemctl", "is-active", "--quiet", unit]).returncode == 0
    except StepError as error:
        failed(str(error))
        return False


def wait_for(is_done: Any) -> None:
    """Wait until something is done, but not forever."""
    ends = time.monotonic() + SETTLED_S
    while not is_done() and time.monotonic() < ends:
        time.sleep(0.2)


def missing(scope: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """Return the lines of a plan, and its interfaces, that the kernel does not have yet."""
    kinds = {"addresses": addresses, "routes": routes, "rules": rules}
    lines = [
        " ".join(words)
        for kind, read_kind in kinds.items()
        for words in surplus(wanted[kind], read_kind(scope), plain)
    ]
    return lines + [name for name in wanted["links"] if not (NET / name).exists()]


def expect_kept(scope: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Look again, whether a manager takes a part of the plan away."""
    time.sleep(QUIET_S)
    lost = missing(scope, wanted)
    if lost:
        raise StepError(f"a manager of the network takes `{lost[0]}` away again")
