"""Hosts of an Ansible inventory, in its INI or its YAML form, with their variables for ssh.

Variables of a group reach its hosts and the hosts of its children; those nearer to a host count.
Files in `host_vars` and `group_vars`, plugins and templates are not read: a template where a host
needs its value is an error. The two forms are described in Ansible's guide, "How to build your
inventory".
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from linkwright.errors import UsageError, shown
from linkwright.machines.host import Host

__all__ = ["hosts_of_ini", "hosts_of_yaml", "is_ini"]

HINT = "see `ansible-inventory -i FILE --list`, or write a file with `machines` instead"
MOST_HOSTS = 16_384
MOST_DEPTH = 50
_SECTION = re.compile(r"\[([^\[\]:\s]+)(?::(vars|children))?\]")
_RANGE = re.compile(r"\[(\w+):(\w+)(?::(\d+))?\]")
_FLAGS = {"-o": "", "-J": "ProxyJump=", "-p": "Port=", "-i": "IdentityFile=", "-l": "User="}
"""Flag of ssh -> the beginning of the same option."""


@dataclass
class _Group:
    hosts: dict[str, dict[str, Any]] = field(default_factory=dict)
    variables: dict[str, Any] = field(default_factory=dict)
    children: list[str] = field(default_factory=list)


def is_ini(text: str) -> bool:
    """Return whether a text is an inventory in INI form, by its first line with content.

    Examples
    --------
    >>> is_ini("[cluster]"), is_ini("n0 ansible_host=10.0.0.1"), is_ini("all: {hosts: {n0: }}")
    (True, True, False)
    """
    lines = (line.strip() for line in text.split("\n"))
    first = next((line for line in lines if line and line[0] not in "#;"), "")
    return bool(_SECTION.match(first)) or not re.match(r"---|%|\{|[^\s=]+:(\s|$)", first)


def hosts_of_ini(text: str, where: str) -> list[Host]:
    """Return the hosts of an inventory in INI form.

    Raises
    ------
    UsageError
        If a line is none of an inventory.
    """
    groups: dict[str, _Group] = {}
    name, kind = "ungrouped", None
    for number, line in enumerate(text.split("\n"), start=1):
        words = _words(line, f"{where}, line {number}")
        section = _SECTION.fullmatch(" ".join(words))
        if section:
            name, kind = section[1], section[2]
        group = groups.setdefault(name, _Group())
        if section or not words:
            continue
        if kind == "vars":
            group.variables.update(_pairs(["=".join(_halves(line))], f"{where}, line {number}"))
        elif kind == "children":
            group.children.append(words[0])
        else:
            own = _pairs(words[1:], f"{where}, line {number}")
            for host, port in map(_port_of, _expanded(words[0])):
                group.hosts.setdefault(host, {}).update(port | own)
    return _hosts(groups, where)


def hosts_of_yaml(given: Mapping[str, Any], where: str) -> list[Host]:
    """Return the hosts of an inventory in YAML form.

    Raises
    ------
    UsageError
        If it has another form.
    """
    groups: dict[str, _Group] = {}
    _read_groups(given, groups, where, 0)
    return _hosts(groups, where)


def _read_groups(given: Any, groups: dict[str, _Group], where: str, depth: int) -> None:
    for name, value in _mapping(given, where).items():
        parts = _mapping(value, where)
        if depth > MOST_DEPTH or set(parts) - {"hosts", "vars", "children"}:
            raise UsageError(f"{where}: {shown(name)} is no group of an inventory", HINT)
        group = groups.setdefault(name, _Group())
        for pattern, own in _mapping(parts.get("hosts"), where).items():
            for host in _expanded(pattern):
                group.hosts.setdefault(host, {}).update(_mapping(own, where))
        group.variables.update(_mapping(parts.get("vars"), where))
        children = _mapping(parts.get("children"), where)
        group.children += children
        _read_groups(children, groups, where, depth + 1)


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise UsageError(f"{where}: {shown(value)} is no part of an inventory", HINT)
    return value


def _words(line: str, where: str) -> list[str]:
    """Return the words of a line, without its comment."""
    if line.strip()[:1] in ("#", ";"):
        return []
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        raise UsageError(f"{where} has a quote without its partner", HINT) from None


def _halves(line: str) -> list[str]:
    """Return key and value of a line that sets one variable; its value may have spaces."""
    value = line.partition("=")[2].strip()
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return [line.partition("=")[0].strip(), value[1:-1] if is_quoted else value.split(" #")[0]]


def _pairs(words: list[str], where: str) -> dict[str, Any]:
    pairs = [word.partition("=") for word in words]
    wrong = next((key for key, equals, _ in pairs if not equals or not key), None)
    if wrong is not None:
        raise UsageError(f"{where}: {shown(wrong)} sets no variable", HINT)
    return {key: value for key, _, value in pairs}


def _port_of(host: str) -> tuple[str, dict[str, Any]]:
    """Return a host of INI form, and its port as a variable if it has one."""
    name, colon, port = host.rpartition(":")
    is_port = colon and port.isdigit() and ":" not in name
    return (name, {"ansible_port": port}) if is_port else (host, {})


def _expanded(pattern: str) -> Iterator[str]:
    """Yield the hosts of a pattern with ranges: n[01:16], rack[a:c]-[0:3].

    Examples
    --------
    >>> list(_expanded("n[08:10]")), list(_expanded("r[a:b]-[0:2:2]"))
    (['n08', 'n09', 'n10'], ['ra-0', 'ra-2', 'rb-0', 'rb-2'])
    """
    parts = _RANGE.split(pattern)
    # Between texts stand first, last and step of a range.
    ranges = [_values(*parts[i + 1 : i + 4]) for i in range(0, len(parts) - 1, 4)]
    texts = parts[::4]
    n_hosts = 1
    for one in ranges:
        n_hosts *= max(1, len(one))
    if n_hosts > MOST_HOSTS:
        raise UsageError(f"{shown(pattern)} stands for {n_hosts:,} hosts", "name fewer machines")
    for chosen in product(*ranges):
        yield "".join(
            one for pair in zip(texts, (*chosen, ""), strict=True) for one in map(str, pair)
        )


def _values(first: str, last: str, step: str | None) -> list[str] | range:
    """Return the values of a range: numbers as wide as the first, or letters."""
    by = max(1, int(step or 1))
    if first.isdecimal() and last.isdecimal() and len(first) < 9 and len(last) < 9:
        width = len(first) if first[0] == "0" else 0
        numbers = range(int(first), int(last) + 1, by)
        if len(numbers) > MOST_HOSTS:
            return numbers
        return [f"{number:0{width}}" for number in numbers]
    if len(first) == len(last) == 1:
        return [chr(code) for code in range(ord(first), ord(last) + 1, by)]
    raise UsageError(f"[{first}:{last}] is no range of hosts", "write n[1:16] or rack[a:c]")


def _hosts(groups: dict[str, _Group], where: str) -> list[Host]:
    """Return all hosts in the order in which they are named, with their variables."""
    names = dict.fromkeys(host for group in groups.values() for host in group.hosts)
    if len(names) > MOST_HOSTS:
        raise UsageError(f"{where} has {len(names):,} hosts", "name fewer machines")
    order = _outer_first(groups, where)
    inherited: dict[str, dict[str, Any]] = {name: {} for name in names}
    for group in order:
        for host in _members(groups, group):
            inherited[host].update(groups[group].variables)
    for group in order:
        for host, own in groups[group].hosts.items():
            inherited[host].update(own)
    return [_host(name, inherited[name], where) for name in names]


def _outer_first(groups: dict[str, _Group], where: str) -> list[str]:
    """Return the groups, each behind the groups that it is a child of; `all` is the first."""
    depth = {name: int(name != "all") for name in groups}
    for _ in range(len(groups) + 1):
        before = dict(depth)
        for name, group in groups.items():
            for child in group.children:
                if child in depth:
                    depth[child] = max(depth[child], depth[name] + 1)
        if depth == before:
            return sorted(groups, key=lambda name: depth[name])
    raise UsageError(f"{where}: a group is a child of itself", HINT)


def _members(groups: dict[str, _Group], name: str) -> Iterator[str]:
    """Yield the hosts of a group and of its children; those of all groups for `all`."""
    waiting, seen = [*groups] if name == "all" else [name], set()
    while waiting:
        one = waiting.pop()
        if one in groups and one not in seen:
            seen.add(one)
            yield from groups[one].hosts
            waiting += groups[one].children


def _host(name: str, variables: Mapping[str, Any], where: str) -> Host:
    """Return a host for ssh."""

    def value(*keys: str) -> str:
        text = next((str(variables[key]) for key in keys if variables.get(key) is not None), "")
        if "{{" in text or "\n" in text:
            raise UsageError(f"{where}: {shown(text)} of {shown(name)} is a template", HINT)
        return text

    address = value("ansible_host", "ansible_ssh_host") or name
    user = value("ansible_user", "ansible_ssh_user")
    options = {
        "Port": value("ansible_port", "ansible_ssh_port"),
        "IdentityFile": value("ansible_ssh_private_key_file", "ansible_private_key_file"),
    }
    for key in ("ansible_ssh_common_args", "ansible_ssh_extra_args"):
        options |= _options(value(key), name, where)
    used = {key: one for key, one in options.items() if one}
    return Host(name, f"{user}@{address}" if user else address, used)


def _options(arguments: str, name: str, where: str) -> dict[str, str]:
    """Return arguments of ssh as options."""
    words = iter(_words(arguments, f"{where}: the arguments of {shown(name)}"))
    found = {}
    for word in words:
        flag, rest = word[:2], word[2:]
        pair = _FLAGS.get(flag, "?") + (rest or next(words, ""))
        key, equals, one = pair.partition("=")
        if flag not in _FLAGS or not equals or not key.isalnum():
            raise UsageError(
                f"{where}: {shown(word)} of {shown(name)} is no option that is understood here",
                "write options as -o Key=Value",
            )
        found[key] = one
    return found
