"""The keeper of a machine's state: nothing is changed before its present value is in the journal.

It follows `present.py` in one program (`program.py`), which runs by itself on the machine. The
journal is the folder /var/lib/linkwright:

- `before.json`, the state before the first plan, as long as a plan is applied;
- `under-way.json`, the state before a change that is not confirmed yet, with its end;
- `last.json`, the same of the last change that is confirmed;
- `keeper.py`, this program: `python3 /var/lib/linkwright/keeper.py undo` needs nothing else.

A change that is not confirmed in time is taken back by a timer of the machine: one of systemd, or a
process of its own session. The journal is read and written under a lock, so that confirmation,
timer and undo come one after the other. Taking back may end at any step and begin again. A journal
of an earlier start of the machine is void: the start has taken all of it back.
"""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from linkwright.apply.present import NET, StepError, after, bring, call, has_filter, output, read

FOLDER = Path("/var/lib/linkwright")
BEFORE = FOLDER / "before.json"
UNDER_WAY = FOLDER / "under-way.json"
LAST = FOLDER / "last.json"
KEEPER = FOLDER / "keeper.py"
LOCK_S = 60.0
MOST_TRIES = 600
"""Tries of the timer to take a change back, a second apart, where other programs hold the lock."""


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Hold the lock of the journal; an empty journal is removed at the end."""
    deadline = time.monotonic() + LOCK_S
    while True:
        try:
            FOLDER.mkdir(0o700, parents=True, exist_ok=True)
            descriptor = os.open(FOLDER, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise StepError(f"{FOLDER} cannot be made: {error.strerror}") from None
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The folder may have been removed before it was locked.
            if os.path.samestat(os.fstat(descriptor), FOLDER.stat()):
                break
        os.close(descriptor)
        if time.monotonic() > deadline:
            raise StepError("another program changes this machine at the moment")
        time.sleep(0.05)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if not UNDER_WAY.exists() and not BEFORE.exists():
                shutil.rmtree(FOLDER)
        os.close(descriptor)


def saved(path: Path) -> Any:
    """Return a part of the journal; None if it is not there, or of an earlier start."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return found if found["boot"] == boot() else None
    except FileNotFoundError:
        return None
    except (KeyError, TypeError, ValueError):
        raise StepError(f"{path} is damaged: see what it has, and remove {FOLDER}") from None


def forget(*paths: Path) -> None:
    """Remove parts of the journal."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()


def write(path: Path, text: str, mode: int = 0o600) -> None:
    """Write a file of the journal completely or not at all, also if the machine loses its power."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), mode)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise StepError(f"{path} cannot be written: {error.strerror}") from None


def save(path: Path, value: Any) -> None:
    """Write a part of the journal."""
    write(path, json.dumps(value))


def snapshot(given: dict[str, Any]) -> dict[str, Any]:
    """Return the state before a change."""
    before = saved(BEFORE)
    scope = given["scope"] if before is None else joined(before["scope"], given["scope"])
    return {
        "run": given["run"],
        "earlier": before,
        "boot": boot(),
        "ends_s": now_s() + given["confirm_s"],
        "scope": scope,
        "state": read(scope),
        "given": given["wanted"],
    }


def joined(scope: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return all that one of two scopes has."""
    return {
        key: list({json.dumps(one): one for one in scope[key] + other[key]}.values())
        for key in other
    }


def boot() -> str:
    """Return the number of this start of the machine."""
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()


def now_s() -> float:
    """Return the seconds since the machine has started, those of its sleep included."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def apply(given: dict[str, Any]) -> dict[str, Any]:
    """Bring this machine to a plan; who sent it has to confirm it in time."""
    with locked():
        under_way = saved(UNDER_WAY)
        if under_way is not None:
            left_s = under_way["ends_s"] - now_s()
            if left_s > 0:
                raise StepError(f"another change is confirmed or taken back within {left_s:.0f} s")
            left = take_back(under_way)
            if left:
                raise StepError(f"an earlier change is not taken back: {left[0]}")
        found = snapshot(given)
        if json.loads(json.dumps(read(given["scope"]))) != given["present"]:
            raise StepError(
                "the machine has changed since its changes were listed: list them again"
            )
        save(UNDER_WAY, found)
        write(KEEPER, given["source"], 0o700)
        start_timer(given["run"], given["confirm_s"])
        try:
            bring(found["scope"], given["wanted"], strictly=True)
        except (StepError, OSError) as error:
            return {"failed": str(error), "left": take_back(found)}
        return {"state": read(given["scope"])}


def take_back(found: dict[str, Any]) -> list[str]:
    """Go back to a state of the journal; return sentences about what could not be given back."""
    said = bring(found["scope"], found["state"], strictly=False)
    if not said:
        if found["earlier"] is None:
            forget(BEFORE)
        else:
            save(BEFORE, found["earlier"])
        forget(UNDER_WAY, LAST)
    return said


def confirm(given: dict[str, Any]) -> dict[str, Any]:
    """Keep a change; the state before the first one stays in the journal."""
    with locked():
        found = saved(UNDER_WAY)
        if found is None or found["run"] != given["run"]:
            return {"failed": "the change was taken back: its confirmation came too late"}
        save(BEFORE, merged(saved(BEFORE), found))
        UNDER_WAY.replace(LAST)
    if has_systemd():
        call(["systemctl", "stop", f"linkwright-{given['run']}.timer"])
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


def has_systemd() -> bool:
    """Return whether systemd runs this machine."""
    return Path("/run/systemd/system").is_dir()


def start_timer(run: str, after_s: float) -> None:
    """Start the timer that takes a change back; it outlives the connection and its session."""
    program = [sys.executable or "python3", "-I", str(KEEPER), "expire", run]
    if has_systemd():
        timer = ["systemd-run", "--quiet", "--collect", f"--unit=linkwright-{run}"]
        when = [f"--on-active={after_s}", "--timer-property=AccuracySec=1s"]
        with contextlib.suppress(StepError):
            if call([*timer, *when, *program, "0"]).returncode == 0:
                return
    null = subprocess.DEVNULL
    subprocess.Popen(
        [*program, str(after_s)],
        stdin=null, stdout=null, stderr=null, start_new_session=True, cwd="/",
    )  # fmt: skip


def expire(run: str, after_s: float) -> None:
    """Wait, and take a change back unless it was confirmed or taken back meanwhile."""
    ends = time.monotonic() + after_s
    while time.monotonic() < ends:
        found = saved(UNDER_WAY)
        if found is None or found["run"] != run:
            return
        time.sleep(min(0.5, max(0.0, ends - time.monotonic())))
    for _ in range(MOST_TRIES):
        with contextlib.suppress(StepError), locked():
            found = saved(UNDER_WAY)
            if found is None or found["run"] != run or not take_back(found):
                return
        time.sleep(1)


def look(given: dict[str, Any]) -> dict[str, Any]:
    """Return the facts about this machine that decide whether it may be changed."""
    if os.geteuid() != 0:
        return {"is_root": False}
    before = saved(BEFORE)
    lines = [line.split() for family in ("-4", "-6") for line in main_routes(family)]
    return {
        "is_root": True,
        "hostname": os.uname().nodename,
        "names": [found_name(one) for one in given["interfaces"]],
        "management": sorted(below(of_connection())),
        "default": sorted(below(default_interfaces())),
        "routes": [words for words in lines if words and words[0] != "default"],
        "has_docker": has_filter("iptables", "filter", "-N", "DOCKER-USER"),
        "scope": before["scope"] if before else None,
        "given": before["given"] if before else None,
    }


def of_connection() -> set[str]:
    """Return the interfaces with the address that this connection has come to."""
    words = os.environ.get("SSH_CONNECTION", "").split()
    address = words[2].partition("%")[0] if len(words) > 2 else None
    listed = json.loads(output("ip", "-j", "address"))
    return {
        one["ifname"]
        for one in listed
        if any(each.get("local") == address for each in one.get("addr_info", []))
    }


def below(names: set[str]) -> set[str]:
    """Return interfaces, and those that bridges, bonds and VLANs among them are made of."""
    found = set(names)
    for name in names:
        lower = {one.name[len("lower_") :] for one in (NET / name).glob("lower_*")}
        found |= below(lower)
    return found


def main_routes(family: str) -> list[str]:
    """Return the lines of the main table of a family."""
    return output("ip", "-N", "-o", family, "route", "show").splitlines()


def default_interfaces() -> set[str]:
    """Return the interfaces with a default route, in any table."""
    found = set()
    for family in ("-4", "-6"):
        for line in output("ip", "-o", family, "route", "show", "table", "all").splitlines():
            words = line.split()
            if words[0] == "default":
                found |= {name for key, name in itertools.pairwise(words) if key == "dev"}
    return found


def found_name(one: dict[str, str]) -> str | None:
    """Return the interface with a hardware address, a place or a name; None if there is none."""
    there = [nic for nic in sorted(NET.iterdir()) if (nic / "address").exists()]
    nics = [nic for nic in there if not any(nic.glob("lower_*"))]
    if one["mac"]:
        has = (nic.name for nic in nics if (nic / "address").read_text().strip() == one["mac"])
        return next(has, None)
    if one["path"]:
        return next((nic.name for nic in nics if is_at(nic, one["path"])), None)
    return one["name"] if (NET / one["name"]).exists() else None


def is_at(nic: Path, place: str) -> bool:
    """Return whether a NIC is at a place of the machine."""
    about = call(["udevadm", "info", "--query=property", f"--path={nic}"]).stdout
    return f"ID_PATH={place}" in about.splitlines()


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


def main() -> None:
    """Do what standard input or the command line says."""
    if sys.argv[1:2] == ["expire"]:
        expire(sys.argv[2], float(sys.argv[3]))
    elif sys.argv[1:2] == ["undo"]:
        found = undo({})
        said = ["nothing to take back" if found["is_clean"] else "all is taken back"]
        said += [f"not taken back: {one}" for one in found["left"]]
        sys.stdout.write("\n".join(said) + "\n")
    else:
        given = json.load(sys.stdin)
        try:
            found = ACTIONS[given["action"]](given)
        except StepError as error:
            found = {"failed": str(error)}
        sys.stdout.write("\n" + given["mark"] + json.dumps(found))


if __name__ == "__main__":
    main()
