"""The part of a kernel in a network as a JSON value: read, and brought to another.

It runs by itself on the machine, without the package, in one program (`program.py`). A scope says
which interfaces, tables, priorities of rules, kernel parameters and lines of the firewall belong to
the part. Nothing outside of it is read or changed.

Routes, rules and addresses are the words of `ip` in one fixed form, so that a line that was read
can be given back. No text is part of a shell's program.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

INSTALLED = "/usr/local/sbin/linkwright-keeper"
"""Place of the program that sudo lets a login run."""
SYSTEM_PATH = "/usr/sbin:/sbin:/usr/bin:/bin"


def environment_of(program: str, environment: dict[str, str]) -> dict[str, str]:
    """Return the environment of programs; the limited one takes nothing of its login's."""
    if program == INSTALLED:
        return {"PATH": SYSTEM_PATH, "LC_ALL": "C"}
    path = f"{SYSTEM_PATH}:{environment.get('PATH', '')}".rstrip(":")
    return {**environment, "PATH": path, "LC_ALL": "C"}


ENVIRONMENT = environment_of(sys.argv[0], dict(os.environ))
PATH = ENVIRONMENT["PATH"]
COMMAND_S = 30
NET = Path("/sys/class/net")
PARAMETERS = Path("/proc/sys")
FAMILIES = ("-4", "-6")
FORWARDING_FIRST = ("net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding")
"""Parameters that change others with them."""
LOCAL_TYPES = ("2", "3", "4", "5")
"""Routes that the kernel makes of addresses: local, broadcast, anycast, multicast."""
STATES_OF_ROUTES = ("linkdown", "dead", "offload", "rt_offload")
MADE = ("bond", "dummy", "ifb")
"""Kinds of interfaces that a configuration makes."""
OFFLOADS = {"tso": "tcp-segmentation-offload", "lro": "large-receive-offload"}


class StepError(Exception):
    """A step that failed, in words."""


def call(words: list[str], given: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program with an end, without a shell."""
    try:
        return subprocess.run(
            words,
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=COMMAND_S,
            check=False,
            env=ENVIRONMENT,
        )
    except subprocess.TimeoutExpired:
        raise StepError(f"{' '.join(words)} does not end within {COMMAND_S} s") from None
    except OSError as error:
        raise StepError(f"{words[0]} does not run: {error.strerror}") from None


def output(*words: str) -> str:
    """Return the output of a program that must succeed."""
    done = call(list(words))
    if done.returncode:
        raise StepError(f"{' '.join(words)}: {done.stderr.strip()[:300]}")
    return done.stdout


def tried(failed: Any, deed: Any, *given: Any) -> None:
    """Do something; call `failed` with the words of its failure."""
    try:
        deed(*given)
    except StepError as error:
        failed(str(error))


def there(scope: dict[str, Any]) -> list[str]:
    """Return the interfaces of the scope that this machine has."""
    return [one for one in scope["interfaces"] if (NET / one).exists()]


def links(scope: dict[str, Any]) -> dict[str, Any]:
    """Return how the interfaces of the scope are set up."""
    return {one: link(one) for one in there(scope)}


def link(name: str) -> dict[str, Any]:
    """Return how an interface is set up; `kind` is that of an interface made by configuration."""
    found = json.loads(output("ip", "-j", "-d", "link", "show", "dev", name))[0]
    kind = found.get("linkinfo", {}).get("info_kind")
    return {
        "kind": kind if kind in MADE else None,
        "mtu": found["mtu"],
        "is_up": "UP" in found["flags"],
        "master": found.get("master"),
    }


def offloads(scope: dict[str, Any]) -> dict[str, dict[str, bool]]:
    """Return the offloads of the scope."""
    return {one: offloads_of(one) for one in scope["offloads"] if (NET / one).exists()}


def offloads_of(name: str) -> dict[str, bool]:
    """Return which offloads of an interface are on, and which of their features, whose lines begin
    with a tab; of those that can be switched.
    """
    shorts = {long: short for short, long in OFFLOADS.items()}
    own, found = None, {}
    for line in call(["ethtool", "-k", name]).stdout.splitlines():
        key, _, state = line.strip().partition(": ")
        if not line.startswith("\t"):
            own = key = shorts.get(key, "")
        if own and state in ("on", "off"):
            found[key] = state == "on"
    return found


def addresses(scope: dict[str, Any]) -> list[list[str]]:
    """Return the addresses of the interfaces of the scope."""
    return [words for one in there(scope) for words in addresses_of(one)]


def addresses_of(name: str) -> list[list[str]]:
    """Return the addresses of an interface that no protocol gave it, in their order."""
    found = json.loads(output("ip", "-j", "address", "show", "dev", name))[0]
    words = []
    for one in found.get("addr_info", []):
        if one.get("scope") == "link" or one.get("dynamic"):
            continue
        line = [f"{one['local']}/{one['prefixlen']}"]
        if "address" in one:
            line = [one["local"], "peer", f"{one['address']}/{one['prefixlen']}"]
        line += ["broadcast", one["broadcast"]] if "broadcast" in one else []
        line += ["label", one["label"]] if one.get("label", name) != name else []
        line += ["scope", one["scope"]] if one.get("scope", "global") != "global" else []
        line += ["noprefixroute"] if one.get("noprefixroute") else []
        words.append([*line, "dev", name])
    return words


def routes(scope: dict[str, Any]) -> list[list[str]]:
    """Return the routes by interfaces of the scope, or in its tables."""
    return [words for family in FAMILIES for words in routes_of(family, scope)]


def routes_of(family: str, scope: dict[str, Any]) -> list[list[str]]:
    """Return those of a family."""
    found = []
    tables = {str(one) for one in scope["tables"]}
    for line in output("ip", "-N", "-o", family, "route", "show", "table", "all").splitlines():
        # A backslash stands for a line's end between the next hops of a route.
        words = [one for one in line.split() if one not in (*STATES_OF_ROUTES, "\\")]
        if words[0] in LOCAL_TYPES or after(words, "proto") == "2" or "expires" in words:
            continue
        if after(words, "dev") in scope["interfaces"] or after(words, "table") in tables:
            found.append([family, *without(words, "pref")])
    return found


def rules(scope: dict[str, Any]) -> list[list[str]]:
    """Return the rules that name an interface, a table or a priority of the scope."""
    return [words for family in FAMILIES for words in rules_of(family, scope)]


def rules_of(family: str, scope: dict[str, Any]) -> list[list[str]]:
    """Return those of a family."""
    found = []
    priorities = {str(one) for one in scope["priorities"]}
    tables = {str(one) for one in scope["tables"]}
    for line in output("ip", "-N", family, "rule", "show").splitlines():
        priority, _, text = line.partition(":")
        words = [one for one in text.split() if one != "[detached]"]
        is_ours = priority in priorities or after(words, "lookup") in tables
        if is_ours or after(words, "iif") in scope["interfaces"]:
            found.append([family, "priority", priority, *words])
    return found


def parameters(scope: dict[str, Any]) -> dict[str, str]:
    """Return the kernel parameters of the scope, and those that change with them."""
    found = list(scope["parameters"])
    found += of_ports([one for one in scope.get("ports", []) if (NET / one).exists()])
    for first in FORWARDING_FIRST:
        if first in found:
            version = first.split("/")[1]
            kin = sorted((PARAMETERS / f"net/{version}/conf").glob("*/forwarding"))
            found += [str(one.relative_to(PARAMETERS)) for one in kin]
    if FORWARDING_FIRST[0] in found:
        kin = sorted((PARAMETERS / "net/ipv4/conf").glob("*/accept_redirects"))
        found += [str(one.relative_to(PARAMETERS)) for one in kin]
    return {one: parameter(one) for one in found if (PARAMETERS / one).exists()}


def of_ports(names: list[str]) -> list[str]:
    """Return all kernel parameters of interfaces that can be read and written."""
    paths = [
        path
        for name in names
        for kind in ("conf", "neigh")
        for version in ("ipv4", "ipv6")
        for path in sorted((PARAMETERS / "net" / version / kind / name).glob("*"))
    ]
    return [str(one.relative_to(PARAMETERS)) for one in paths if is_plain(one)]


def is_plain(path: Path) -> bool:
    """Return whether a kernel parameter can be read and written."""
    if path.stat().st_mode & 0o600 != 0o600 or path.name == "stable_secret":
        return False
    with contextlib.suppress(OSError):
        path.read_text(encoding="utf-8")
        return True
    return False


def parameter(key: str) -> str:
    """Return the value of a kernel parameter."""
    return (PARAMETERS / key).read_text(encoding="utf-8").strip()


def filters(scope: dict[str, Any]) -> list[list[str]]:
    """Return the lines of the scope that the firewall has."""
    return [line for line in scope["filters"] if has_filter(*line)]


def has_filter(program: str, table: str, action: str, chain: str, *words: str) -> bool:
    """Return whether the firewall has a rule (`-A`) or a chain (`-N`)."""
    try:
        done = call([program, "-w", "-t", table, "-S", chain])
    except StepError:
        return False
    line = " ".join([action, chain, *words])
    return done.returncode == 0 and line in done.stdout.splitlines()


def after(words: list[str], key: str) -> str | None:
    """Return the word behind a key."""
    return words[words.index(key) + 1] if key in words[:-1] else None


def without(words: list[str], key: str) -> list[str]:
    """Return words without a key and its value."""
    if key not in words:
        return words
    place = words.index(key)
    return words[:place] + words[place + 2 :]


def plain(words: list[str]) -> tuple[str, ...]:
    """Return a line without the words by which managers write the same thing in other ways."""
    found = [one for one in words if one != "noprefixroute"]
    return tuple(without(without(found, "proto"), "broadcast"))


def set_kernel(scope: dict[str, Any], wanted: dict[str, Any], failed: Any, form: Any) -> None:
    """Bring the kernel to a value, by the steps that are missing alone.

    `failed` is called with the words of a step that fails; `form` returns the part of a line that
    counts when two are compared.
    """

    def do(*words: str) -> None:
        tried(failed, output, *words)

    tried(failed, take_away, scope, wanted, do, form)
    tried(failed, set_links, wanted, do)
    set_parameters(wanted, failed)
    tried(failed, give, scope, wanted, do, form)


def take_away(scope: dict[str, Any], wanted: dict[str, Any], do: Any, form: Any) -> None:
    """Remove what is not wanted; a route ends with its address, so that each kind is read again."""
    for program, table, action, *words in surplus(filters(scope), wanted["filters"], tuple)[::-1]:
        opposite = {"-A": "-D", "-N": "-X"}[action]
        do(program, "-w", "-t", table, opposite, *words)
    for family, *words in surplus(rules(scope), wanted["rules"], form):
        do("ip", family, "rule", "del", *words)
    for family, *words in surplus(routes(scope), wanted["routes"], form):
        do("ip", family, "route", "del", *words)
    for words in surplus(addresses(scope), wanted["addresses"], form):
        # An address may have ended with the first one of its subnet.
        if words in addresses(scope):
            do("ip", "address", "del", *without(words, "broadcast"))
    for name, one in links(scope).items():
        if name not in wanted["links"] and one["kind"]:
            do("ip", "link", "del", "dev", name)


def set_links(wanted: dict[str, Any], do: Any) -> None:
    """Make interfaces, and set masters, MTU, state and offloads."""
    for name, one in wanted["links"].items():
        if one["kind"] and not (NET / name).exists():
            do("ip", "link", "add", "dev", name, "type", one["kind"], *one.get("options", ()))
    for name, one in wanted["links"].items():
        is_there = (NET / name).exists()
        present = link(name) if is_there else {}
        if present.get("master") != one["master"]:
            do("ip", "link", "set", "dev", name, "down")
            do("ip", "link", "set", "dev", name, *master(one["master"]))
        if one["mtu"] is not None and present.get("mtu") != one["mtu"]:
            do("ip", "link", "set", "dev", name, "mtu", str(one["mtu"]))
        if not is_there or link(name)["is_up"] != one["is_up"]:
            do("ip", "link", "set", "dev", name, "up" if one["is_up"] else "down")
    for name, values in wanted["offloads"].items():
        set_offloads(name, {key: one for key, one in values.items() if key in OFFLOADS}, do)
        # An offload that is switched on switches all its features on.
        set_offloads(name, {key: one for key, one in values.items() if key not in OFFLOADS}, do)


def set_offloads(name: str, values: dict[str, bool], do: Any) -> None:
    """Switch offloads or features of an interface that are not as wanted."""
    present = offloads_of(name) if values else {}
    for key, is_on in values.items():
        if present.get(key, is_on) != is_on:
            do("ethtool", "-K", name, key, "on" if is_on else "off")


def master(name: str | None) -> list[str]:
    """Return the words that give an interface a master, or none."""
    return ["master", name] if name else ["nomaster"]


def set_parameters(wanted: dict[str, Any], failed: Any) -> None:
    """Set kernel parameters, those first that change others."""
    for key in sorted(wanted["parameters"], key=lambda one: one not in FORWARDING_FIRST):
        path, value = PARAMETERS / key, wanted["parameters"][key]
        try:
            if path.exists() and parameter(key) != value:
                path.write_text(f"{value}\n", encoding="utf-8")
        except OSError as error:
            failed(f"{path} takes no {value}: {error.strerror}")


def give(scope: dict[str, Any], wanted: dict[str, Any], do: Any, form: Any) -> None:
    """Add what is missing."""
    for words in surplus(wanted["addresses"], addresses(scope), form):
        do("ip", "address", "add", *words, *(["nodad"] if ":" in words[0] else []))
    for family, *words in surplus(wanted["routes"], routes(scope), form):
        do("ip", family, "route", "add", *words)
    for family, *words in surplus(wanted["rules"], rules(scope), form):
        do("ip", family, "rule", "add", *words)
    for program, table, action, *words in surplus(wanted["filters"], filters(scope), tuple):
        is_head = words[0] == "DOCKER-USER"
        do(program, "-w", "-t", table, "-I" if is_head else action, *words)


def surplus(lines: list[list[str]], others: list[list[str]], form: Any) -> list[list[str]]:
    """Return the lines that are not among others, in a form that leaves out details."""
    known = {form(one) for one in others}
    return [one for one in lines if form(one) not in known]
