"""The limits of a login that sudo lets run this program, and nothing else: it sets up the ports of
a plan, but gets no other right of root's.

It runs by itself on the machine, in one program (`program.py`), before anything else reads what it
was given. Files that carry commands (scripts, units but that of marks, those of ifupdown2) are
refused.
"""

from __future__ import annotations

import base64
import ipaddress
import re
from typing import Any

from linkwright.apply.contents import (
    FOLDERS,
    KEY,
    LINKS,
    MARK,
    MARKED,
    NAME,
    OF_GENERATOR,
    PORT,
    PRIORITIES,
    VALUE,
    fits,
    foreign_line,
    forms_of,
    is_narrow,
    is_table,
)
from linkwright.apply.present import MADE, OFFLOADS, StepError, after

WORD = re.compile(r"[0-9a-z][0-9A-Za-z.:/_-]{0,63}")
RUN = re.compile(r"[0-9a-f]{16}")
PLAIN_TARGETS = ("networkd", "netplan", "networkmanager")
KEYS_OF_ROUTES = ("via", "dev", "table", "scope", "src", "metric", "proto")
MODES = (0o600, 0o644)
FILTERS = (
    ("filter", rf"-N LINKWRIGHT|-A LINKWRIGHT -o {PORT} -j ACCEPT"),
    ("filter", rf"-A DOCKER-USER -i {PORT} -j LINKWRIGHT"),
    ("mangle", rf"-A {MARKED} --set-xmark {MARK}/0xffffffff"),
)
LEAST_S, MOST_S = 5, 3600
SCOPE = frozenset(
    [
        "interfaces",
        "tables",
        "priorities",
        "parameters",
        "offloads",
        "filters",
        "files",
        "generated",
        "targets",
    ]
)
STATE = frozenset(
    ["links", "offloads", "addresses", "routes", "rules", "parameters", "filters", "files"]
)
"""Kinds that a plan has; files that a manager generates are not given."""


def expect(is_allowed: object, subject: object) -> None:
    """Expect something to be within the limits."""
    if not is_allowed:
        text = ascii(subject)[:100]
        raise StepError(f"{text} is more than this login may do: see the page on `apply`, Rights")


def expect_allowed(given: dict[str, Any]) -> None:
    """Expect all that this program was given to be within the limits of a login."""
    try:
        if "run" in given:
            expect(RUN.fullmatch(given["run"]), given["run"])
        if "scope" in given:
            expect_scope(given["scope"])
        if "wanted" in given:
            expect(LEAST_S <= given["confirm_s"] <= MOST_S, given["confirm_s"])
            expect_state(given["wanted"], given["scope"]["interfaces"])
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise StepError("this program was given something of another form") from None


def expect_scope(scope: dict[str, Any]) -> None:
    """Expect a scope to name ports, parameters, lines and plain files alone."""
    expect(scope.keys() <= SCOPE, sorted(scope))
    expect_names(scope["interfaces"])
    expect(set(scope["offloads"]) <= set(scope["interfaces"]), scope["offloads"])
    for table in scope["tables"]:
        expect(is_table(table), table)
    for priority in scope["priorities"]:
        expect(priority in PRIORITIES, priority)
    ports = scope["interfaces"]
    for key in scope["parameters"]:
        expect(fits(KEY.pattern, key, ports), key)
    for line in scope["filters"]:
        expect_filter(line, ports)
    for place in scope["files"]:
        is_known = place in LINKS or is_folder(place, ports) or forms_of(place, ports)
        expect(is_known, place)
    for place in scope["generated"]:
        expect(fits(OF_GENERATOR, place, ports), place)
    for target in scope["targets"]:
        expect(target in PLAIN_TARGETS, target)


def expect_names(names: Any) -> None:
    """Expect names of interfaces that may be ports of a plan."""
    for name in names:
        expect(re.fullmatch(NAME, name) and name != "lo", name)


def is_folder(place: str, ports: list[str]) -> bool:
    """Return whether a plan may make a folder."""
    return any(fits(form, place, ports) for form in FOLDERS)


def expect_filter(line: list[str], ports: list[str]) -> None:
    """Expect a line of the firewall to be one of a plan."""
    program, table, *words = line
    forms = [form for of, form in FILTERS if of == table]
    is_known = any(fits(form, " ".join(words), ports) for form in forms)
    expect(program in ("iptables", "ip6tables") and is_known, line)


def expect_state(state: dict[str, Any], ports: list[str]) -> None:
    """Expect the state of a plan to change its ports alone."""
    expect(state.keys() <= STATE, sorted(state))
    for name, one in state["links"].items():
        expect(name in ports and one["kind"] in (None, *MADE), name)
        expect(one["master"] is None or one["master"] in ports, one["master"])
        expect(one["mtu"] is None or isinstance(one["mtu"], int), one["mtu"])
        expect_words(one["options"])
    for name, values in state["offloads"].items():
        expect(name in ports and set(values) <= set(OFFLOADS), name)
    for words in state["addresses"]:
        expect(
            is_narrow(words[0]) and len(words) == 3 and words[1] == "dev" and words[2] in ports,
            words,
        )
    for words in state["routes"]:
        expect_route(words, ports)
    for words in state["rules"]:
        expect_rule(words, ports)
    for key, value in state["parameters"].items():
        expect(fits(KEY.pattern, key, ports), key)
        expect(VALUE.fullmatch(value), value)
    for line in state["filters"]:
        expect_filter(line, ports)
    for place, value in state["files"].items():
        expect_file(place, value, ports)


def expect_words(words: list[str]) -> None:
    """Expect words that are no options of programs."""
    for word in words:
        expect(WORD.fullmatch(word), word)


def expect_route(words: list[str], ports: list[str]) -> None:
    """Expect a route by a port of the plan that is no default route."""
    family, destination, *others = words
    expect(family in ("-4", "-6") and is_narrow(destination), words)
    # The gateway of an unnumbered port is on its link: a word without a value.
    pairs = others[:-1] if others[-1] == "onlink" else others
    values = dict(zip(pairs[::2], pairs[1::2], strict=True))
    expect(set(values) <= set(KEYS_OF_ROUTES) and values.pop("dev") in ports, words)
    expect("table" not in values or is_table(values["table"]), words)
    expect_words(list(values.values()))


def expect_rule(words: list[str], ports: list[str]) -> None:
    """Expect a rule of plans: for packets that come in by a port, or that have one source."""
    family, *named, _from, source = words[:5]
    expect(family in ("-4", "-6") and (named[0], _from) == ("priority", "from"), words)
    expect(int(named[1]) in PRIORITIES and words[-2] == "lookup", words)
    expect(is_table(words[-1]), words)
    if source == "all":
        expect(len(words) == 9 and after(words, "iif") in ports, words)
    else:
        ipaddress.ip_address(source)
        expect(len(words) == 7, words)


def expect_file(place: str, value: dict[str, Any], ports: list[str]) -> None:
    """Expect a file of a plan that belongs to root, a folder, or the link that starts a unit."""
    if place in LINKS:
        expect(value == {"kind": "link", "target": LINKS[place]}, place)
        return
    expect((value["uid"], value["gid"]) == (0, 0), place)
    if value["kind"] == "folder":
        expect(is_folder(place, ports) and value["mode"] == 0o755, place)
        return
    forms = forms_of(place, ports)
    expect(forms and value["kind"] == "file" and value["mode"] in MODES, place)
    if forms:
        line = foreign_line(base64.b64decode(value["content"]).decode(), forms, ports)
        expect(line is None, line)
