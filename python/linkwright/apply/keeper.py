"""The keeper of a machine's state: nothing is changed before its present value is in the journal.

It is the last part of one program (`program.py`), which runs by itself on the machine. A change
that is not confirmed in time is taken back by a timer of the machine: one of systemd, or a process
of its own session; and by a unit of systemd, should the machine start again meanwhile. The journal
is read and written under a lock, so that confirmation, timer and undo come one after the other.
Taking back may end at any step and begin again.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from pathlib import Path
from typing import Any

from linkwright.apply.allowed import expect_allowed
from linkwright.apply.guard import GUARD, UNITS_OF_ADMIN, guard, guarded_places
from linkwright.apply.journal import (
    BEFORE,
    KEEPER,
    LAST,
    UNDER_WAY,
    boot,
    forget,
    locked,
    now_s,
    save,
    saved,
    write,
)
from linkwright.apply.looks import below, default_interfaces, look, of_connection
from linkwright.apply.placed import set_files, with_contents
from linkwright.apply.present import INSTALLED, StepError, after, call
from linkwright.apply.state import bring, places, read
from linkwright.apply.timer import start_timer, stop_timer

MOST_TRIES = 600
"""Tries of the timer to take a change back, a second apart, where other programs hold the lock."""


def snapshot(given: dict[str, Any]) -> dict[str, Any]:
    """Return the state before a change."""
    before = saved(BEFORE)
    scope = given["scope"] if before is None else joined(before["scope"], given["scope"])
    if scope.get("files"):
        guarded = [one for one in guarded_places() if one not in scope["files"]]
        scope = {**scope, "files": [*scope["files"], *guarded], "ports": scope["interfaces"]}
    state = read(scope)
    kept = {key: with_contents(state[key]) for key in ("files", "generated")}
    return {
        "run": given["run"],
        "earlier": before,
        "boot": boot(),
        "ends_s": now_s() + given["confirm_s"],
        "scope": scope,
        "state": {**state, **kept},
        "given": given["wanted"],
    }


def joined(scope: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return all that one of two scopes has."""
    return {
        key: list({json.dumps(one): one for one in [*scope.get(key, []), *other[key]]}.values())
        for key in other
    }


def apply(given: dict[str, Any]) -> dict[str, Any]:
    """Bring this machine to a plan; who sent it has to confirm it in time."""
    with locked():
        take_back_earlier()
        expect_spare(given["scope"]["interfaces"])
        found = snapshot(given)
        if json.loads(json.dumps(read(given["scope"]))) != given["present"]:
            raise StepError(
                "the machine has changed since its changes were listed: list them again"
            )
        save(UNDER_WAY, found)
        try:
            write(KEEPER, given["source"], 0o700)
            bring_guarded(found, given)
        except (StepError, OSError) as error:
            return {"failed": str(error), "left": take_back(found)}
        return {"state": read(given["scope"])}


def expect_spare(names: list[str]) -> None:
    """Expect that neither this connection nor a default route needs an interface."""
    needed = below(of_connection()) | below(default_interfaces())
    for name in names:
        if name in needed:
            raise StepError(f"{name} has this connection, or the default route of the machine")


def take_back_earlier() -> None:
    """Take back a change that was not confirmed in time."""
    under_way = saved(UNDER_WAY)
    if under_way is None:
        return
    left_s = under_way["ends_s"] - now_s()
    if left_s > 0 and under_way["boot"] == boot():
        raise StepError(f"another change is confirmed or taken back within {left_s:.0f} s")
    left = take_back(under_way)
    if left:
        raise StepError(f"an earlier change is not taken back: {left[0]}")


def bring_guarded(found: dict[str, Any], given: dict[str, Any]) -> None:
    """Start what takes the change back, and bring the machine to the plan."""
    wanted = given["wanted"]
    if found["scope"].get("files"):
        guarding = guard(given["run"])
        set_files(guarding, fail)
        wanted = {**wanted, "files": {**wanted["files"], **guarding}}
    start_timer(given["run"], given["confirm_s"])
    bring(found["scope"], wanted, strictly=True)


def fail(problem: str) -> None:
    """End a change at its first step that fails."""
    raise StepError(problem)


def take_back(found: dict[str, Any]) -> list[str]:
    """Go back to a state of the journal; return sentences about what could not be given back."""
    said = bring(found["scope"], found["state"], strictly=False)
    if not said:
        if found["earlier"] is None:
            forget(BEFORE)
        elif saved(BEFORE) != found["earlier"]:
            save(BEFORE, found["earlier"])
        under_way = saved(UNDER_WAY)
        forget(UNDER_WAY, LAST)
        if under_way is not None:
            stop_timer(under_way["run"])
    return said


def restarted(run: str) -> list[str]:
    """Take the files of a change back that was not confirmed before the machine went down."""
    said: list[str] = []
    with locked():
        found = saved(UNDER_WAY)
        if found is None or found["run"] != run or found["boot"] == boot():
            return said
        given_back = places(found["scope"], found["state"])
        # Units of the plan are to start already: systemd has read them before this one runs.
        units = [one for one in given_back if one.startswith(f"{UNITS_OF_ADMIN}/linkwright")]
        gone = [Path(one).name for one in units if given_back[one] is None]
        call(["systemctl", "--no-block", "stop", *(one for one in gone if one != GUARD)])
        set_files(given_back, said.append)
        if not said:
            forget(UNDER_WAY, LAST)
    return said


def confirm(given: dict[str, Any]) -> dict[str, Any]:
    """Keep a change; the state before the first one stays in the journal."""
    with locked():
        found = saved(UNDER_WAY)
        if found is None or found["run"] != given["run"]:
            return {"failed": "the change was taken back: its confirmation came too late"}
        if found["boot"] != boot():
            return {"failed": "the machine has started again before its confirmation"}
        save(BEFORE, merged(saved(BEFORE), found))
        UNDER_WAY.replace(LAST)
        guarded = {one: found["state"]["files"].get(one) for one in guarded_places()}
        if found["scope"].get("files"):
            # Without a change under way, the guard does nothing.
            set_files(guarded, str)
    stop_timer(given["run"])
    return {}


def merged(before: dict[str, Any] | None, found: dict[str, Any]) -> dict[str, Any]:
    """Return the state before the first change, with that of all that was added to it later."""
    kept = {key: found[key] for key in ("boot", "scope", "state", "given")}
    kept["earlier"] = None
    if before is None:
        return kept
    state = {key: outside(key, value, before["scope"]) for key, value in found["state"].items()}
    for key, value in before["state"].items():
        state[key] = {**state[key], **value} if isinstance(value, dict) else [*value, *state[key]]
    return {**kept, "state": state}


def outside(key: str, value: Any, scope: dict[str, Any]) -> Any:
    """Return the part of a state that a scope does not have."""
    names = scope["interfaces"]
    tables = [str(one) for one in scope["tables"]]
    if key in ("files", "generated"):
        return {path: one for path, one in value.items() if path not in scope.get(key, [])}
    if key in ("links", "offloads"):
        return {name: one for name, one in value.items() if name not in names}
    if key == "parameters":
        return {name: one for name, one in value.items() if name not in scope["parameters"]}
    if key == "filters":
        return [one for one in value if one not in scope["filters"]]
    if key == "rules":
        priorities = [str(one) for one in scope["priorities"]]
        return [
            one
            for one in value
            if one[2] not in priorities
            and after(one, "lookup") not in tables
            and after(one, "iif") not in names
        ]
    return [
        one for one in value if after(one, "dev") not in names and after(one, "table") not in tables
    ]


def undo(given: dict[str, Any]) -> dict[str, Any]:
    """Take back every plan, one under way included; nothing stays in the journal."""
    del given
    with locked():
        under_way, before = saved(UNDER_WAY), saved(BEFORE)
        found = under_way if before is None else before
        if found is None:
            forget(UNDER_WAY, LAST, BEFORE)
            return {"is_clean": True, "left": []}
        if before is not None and under_way is not None:
            found = merged(before, under_way)
        return {"is_clean": False, "left": take_back({**found, "earlier": None})}


def back(given: dict[str, Any]) -> dict[str, Any]:
    """Take back a change, unless another one has followed it."""
    with locked():
        found = saved(UNDER_WAY) or saved(LAST)
        if found is None or found["run"] != given["run"]:
            return {"left": []}
        return {"left": take_back(found)}


def expire(run: str, after_s: str) -> list[str]:
    """Wait, and take a change back unless it was confirmed or taken back meanwhile."""
    ends = time.monotonic() + float(after_s)
    while time.monotonic() < ends:
        if not is_under_way(run):
            return []
        time.sleep(min(0.5, max(0.0, ends - time.monotonic())))
    left = ["the change is not taken back: another program holds the lock of the journal"]
    for _ in range(MOST_TRIES):
        # An interface may vanish between two steps: the next try does without it.
        with contextlib.suppress(StepError, OSError), locked():
            left = take_back(saved(UNDER_WAY)) if is_under_way(run) else []
            if not left:
                return []
        time.sleep(1)
    return left


def is_under_way(run: str) -> bool:
    """Return whether a change is neither confirmed nor taken back."""
    found = saved(UNDER_WAY)
    return found is not None and found["run"] == run


def present(given: dict[str, Any]) -> dict[str, Any]:
    """Return the state of a scope."""
    return {"state": read(given["scope"])}


ACTIONS = {
    "look": look,
    "present": present,
    "apply": apply,
    "confirm": confirm,
    "back": back,
    "undo": undo,
}


def by_hand() -> list[str]:
    """Take back every plan, as a person on the machine itself asks for."""
    found = undo({})
    if not found["left"]:
        sys.stdout.write("nothing to take back\n" if found["is_clean"] else "all is taken back\n")
    return [f"not taken back: {one}" for one in found["left"]]


COMMANDS: dict[str, Any] = {"expire": expire, "restarted": restarted, "undo": by_hand}
"""Commands of the command line; each returns sentences about what is left."""


def main() -> None:
    """Do what the command line or standard input says."""
    command, *words = sys.argv[1:] or [""]
    if command in COMMANDS:
        sys.exit(commanded(command, words))
    answer()


def commanded(command: str, words: list[str]) -> int:
    """Do what the command line says; return the exit code, one of those of `linkwright`."""
    try:
        left = COMMANDS[command](*words)
    except (StepError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 4
    sys.stderr.write("".join(f"{one}\n" for one in left))
    return 1 if left else 0


def answer() -> None:
    """Do what standard input says, and write the answer."""
    is_limited = sys.argv[0] == INSTALLED
    text = framed() if is_limited else ""
    given = json.load(sys.stdin)
    try:
        found = ACTIONS[given["action"]](limited(given, text) if is_limited else given)
    except (StepError, OSError) as error:
        found = {"failed": str(error)}
    sys.stdout.write("\n" + given["mark"] + json.dumps(found))


def framed() -> str:
    """Return the program that comes first on standard input, as on the way to Python itself."""
    length = int(sys.stdin.buffer.read(9))
    return sys.stdin.buffer.read(length).decode()


def limited(given: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a value of a login that sudo lets run this program, if it is within its limits."""
    own = Path(INSTALLED).read_text(encoding="utf-8").partition("\n")[2]
    if text != own:
        raise StepError(f"{INSTALLED} is of another version: install it again")
    expect_allowed(given)
    return {**given, "source": own}


if __name__ == "__main__":
    main()
