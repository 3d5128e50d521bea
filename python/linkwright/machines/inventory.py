"""The machines of a cluster: hosts for ssh, from the command line or a file.

On the command line, commas separate machines: `n0=root@10.0.0.1,n1=box1`, or names of
`~/.ssh/config` alone, or archives that the script of `facts` has written there. A file is YAML with
an entry per machine below `machines`; an inventory of Ansible (ansible.py); or a design, whose
`nodes` name their machines by the management address, or else the name.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from linkwright.design.document import read_document
from linkwright.errors import UsageError, shown, shown_path
from linkwright.files import read_text
from linkwright.machines.ansible import hosts_of_ini, hosts_of_yaml, is_ini
from linkwright.machines.host import Host
from linkwright.notebook import counted, listed
from linkwright.records.docstrings import DescribedSchema
from linkwright.records.validation import each_mistake, rule_and_remedy

__all__ = ["Host", "hosts_schema_text", "inventory", "reachable"]

HINT = (
    "write {machines: {n0: {ssh: root@10.0.0.1}, n1: {ssh: box1}}}, or give "
    "n0=root@10.0.0.1,n1=box1, an inventory of Ansible, or a design with management addresses"
)
MOST_HOSTS = 16_384
MOST_OF_NAME = 256
FILES = (".yaml", ".yml", ".ini", ".tar")
"""Ends of words that name files."""
ARCHIVE = ".tar"
"""End of the names of files that the script of `facts` writes on machines."""
FILE_OPTIONS = ("certificatefile", "identityfile", "userknownhostsfile")
"""Options of ssh whose files may stand beside the file of hosts."""

Word = Annotated[str, StringConstraints(min_length=1, max_length=1000, pattern=r"^[^\r\n\x00]+$")]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, title="Machine")

    ssh: Word | None = None
    """The machine for ssh: a name of `~/.ssh/config`, a host, or user@host."""
    archive: Word | None = None
    """Instead of ssh: file that the script has written on the machine, beside this file."""
    options: dict[
        Annotated[str, StringConstraints(pattern="^[A-Za-z0-9]{1,64}$")], Word | int | bool
    ] = Field(default_factory=dict)
    """Options of ssh_config. Relative files are those beside this file, where they exist."""

    @model_validator(mode="after")
    def _check(self) -> _Entry:
        if (self.ssh is None) == (self.archive is None):
            raise ValueError("a machine has either ssh or an archive; give one of them")
        return self


class _Hosts(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    machines: Annotated[dict[Word, _Entry], Field(min_length=1, max_length=MOST_HOSTS)]
    """Machines by the names of their nodes."""


def inventory(hosts: str) -> list[Host]:
    """Return the machines.

    Parameters
    ----------
    hosts : str
        Files, and machines, separated by commas.

    Raises
    ------
    UsageError
        If a name occurs twice, or the file has another form.
    DesignError
        If the file is no YAML.

    Examples
    --------
    >>> [(one.name, one.ssh) for one in inventory("n0=root@10.0.0.1,box1")]
    [('n0', 'root@10.0.0.1'), ('box1', 'box1')]
    """
    words = [hosts] if _is_file(hosts) else [one.strip() for one in hosts.split(",")]
    found = [host for word in words if word for host in _of_word(word)]
    _check_names([one.name for one in found])
    if not found or len(found) > MOST_HOSTS:
        raise UsageError(f"{shown_path(hosts)} names {counted(len(found), 'machine')}", HINT)
    return found


def reachable(hosts: Sequence[Host], verb: str) -> Sequence[Host]:
    """Return machines if ssh reaches all of them.

    Parameters
    ----------
    hosts : sequence of Host
    verb : str
        The deed for which archives of facts will not do.

    Raises
    ------
    UsageError
        If one is an archive.
    """
    archives = [one.name for one in hosts if one.archive]
    if archives:
        are = "is an archive" if len(archives) == 1 else "are archives"
        raise UsageError(
            f"{listed(archives)} {are} of facts, and no machine to {verb}",
            "give the way to each machine by ssh: n0=root@10.0.0.1",
        )
    return hosts


def _check_names(names: list[str]) -> None:
    unfit = next((one for one in names if len(one) > MOST_OF_NAME or not one.isprintable()), None)
    if unfit is not None:
        raise UsageError(
            f"{shown(unfit)} is no name of a machine",
            f"give at most {MOST_OF_NAME} characters that can be printed",
        )
    twice = next((one for one, n in Counter(names).items() if n > 1), None)
    if twice is not None:
        raise UsageError(f"the machine {shown(twice)} is there twice", "name each machine once")


def hosts_schema_text() -> str:
    """Return the text of the published schema of files with hosts (JSON Schema, draft 2020-12)."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_Hosts.model_json_schema(schema_generator=DescribedSchema),
        "title": "Linkwright hosts",
        "description": "The machines of a cluster, and the way to each by ssh.",
    }
    return json.dumps(head, indent=2) + "\n"


def _is_file(path: str) -> bool:
    """Return whether there is a file; a long list of machines is none."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file fails where a name is too long


def _of_word(word: str) -> list[Host]:
    """Return the machines of a file, or the one that a word names as NAME=PLACE or PLACE."""
    if _is_file(word) and not word.endswith(ARCHIVE):
        return _of_file(word, read_text(word, "hosts", hint=HINT))
    name, _, place = (part.strip() for part in word.rpartition("="))
    if place.endswith(FILES) and not _is_file(place):
        raise UsageError(f"there is no file {shown_path(place)}", HINT)
    if place.endswith(ARCHIVE):
        return [Host(name or Path(place).name.removesuffix(ARCHIVE), place, archive=place)]
    return [Host(name or place, place)]


def _of_file(path: str, text: str) -> list[Host]:
    """Return the machines of a file with relative files as those beside it."""
    where = shown_path(path)
    found = hosts_of_ini(text, where) if is_ini(text) else _of_document(text, where)
    folder = Path(path).absolute().parent
    return [
        replace(host, options={key: _beside(folder, key, one) for key, one in host.options.items()})
        for host in found
    ]


def _of_document(text: str, where: str) -> list[Host]:
    """Return the machines of a YAML text: of our form, a design, or an inventory of Ansible."""
    given: dict[str, Any] = read_document(text, where)
    if "topology" in given:
        return _of_nodes(given.get("nodes"))
    if "machines" not in given and all(_is_group(one) for one in given.values()):
        return hosts_of_yaml(given, where)
    try:
        machines = _Hosts.model_validate(given).machines
    except ValidationError as error:
        first = each_mistake(error)[0]
        place = ".".join(map(str, first["loc"]))
        rule, _ = rule_and_remedy(first, f"{where}: {shown(place).strip(chr(39))}")
        raise UsageError(rule, HINT) from None
    return [
        Host(
            name,
            one.ssh or one.archive or "",
            {key: _text(value) for key, value in one.options.items()},
            one.archive,
        )
        for name, one in machines.items()
    ]


def _is_group(value: Any) -> bool:
    return isinstance(value, dict) and bool({"hosts", "children"} & value.keys())


def _text(value: str | int | bool) -> str:
    """Return the value of an option as ssh reads it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _beside(folder: Path, key: str, value: str) -> str:
    """Return the value of an option, relative files as those in a folder, where they exist."""
    if key.lower() in FILE_OPTIONS and (folder / value).is_file():
        return os.fspath(folder / value)
    return value


def _of_nodes(nodes: Any) -> list[Host]:
    """Return the machine of each node of a design that names it."""
    entries = nodes.items() if isinstance(nodes, Mapping) else ()
    return [
        Host(node, str(one.get("management") or one.get("name")))
        for node, one in entries
        if isinstance(one, Mapping) and (one.get("management") or one.get("name"))
    ]
