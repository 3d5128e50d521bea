"""The machines of a cluster: names for ssh, from the command line or a file.

On the command line, commas separate machines: `n0=root@10.0.0.1,n1=box1`, or names of
`~/.ssh/config` alone. A file has one machine a line in YAML, `n0: root@10.0.0.1`, below `hosts`. A
design names its machines by the management address, or else the name, of its `nodes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linkwright.design.document import read_document
from linkwright.errors import UsageError, shown, shown_path
from linkwright.files import read_text

__all__ = ["inventory"]

HINT = (
    "write {hosts: {n0: root@10.0.0.1, n1: box1}}, a design with nodes that have a management "
    "address, or n0=root@10.0.0.1,n1=box1 instead of a file"
)
MOST_HOSTS = 16_384


def inventory(hosts: str) -> list[tuple[str, str]]:
    """Return name and destination for ssh of each machine.

    Parameters
    ----------
    hosts : str
        A file, or machines separated by commas.

    Raises
    ------
    UsageError
        If a name occurs twice, or the file has another form.
    DesignError
        If the file is no YAML.

    Examples
    --------
    >>> inventory("n0=root@10.0.0.1,box1")
    [('n0', 'root@10.0.0.1'), ('box1', 'box1')]
    """
    if Path(hosts).is_file():
        given = read_text(hosts, "hosts", hint=HINT)
        pairs = list(_of_file(hosts, given))
    else:
        entries = [one.strip() for one in hosts.split(",") if one.strip()]
        pairs = [(name, destination or name) for name, _, destination in map(_split, entries)]
    names = [name for name, _ in pairs]
    twice = next((one for one in names if names.count(one) > 1), None)
    if twice is not None:
        raise UsageError(f"the machine {shown(twice)} is there twice", "name each machine once")
    if not pairs or len(pairs) > MOST_HOSTS:
        raise UsageError(f"there are {len(pairs)} machines in {shown_path(hosts)}", HINT)
    return pairs


def _split(entry: str) -> tuple[str, str, str]:
    name, equals, destination = entry.partition("=")
    return name.strip(), equals, destination.strip()


def _of_file(path: str, text: str) -> list[tuple[str, str]]:
    given: dict[str, Any] = read_document(text, shown_path(path))
    hosts = _of_nodes(given.pop("nodes", None)) if "topology" in given else given.get("hosts")
    if isinstance(hosts, list):
        hosts = {str(one): None for one in hosts}
    if not isinstance(hosts, Mapping) or not {"topology", "hosts"} & set(given):
        raise UsageError(f"{shown_path(path)} has no hosts, or other keys", HINT)
    for name, destination in hosts.items():
        if not isinstance(destination, str | None) or not isinstance(name, str):
            raise UsageError(f"{shown(str(name))} in {shown_path(path)} has no destination", HINT)
    return [(name, destination or name) for name, destination in hosts.items()]


def _of_nodes(nodes: Any) -> dict[str, Any]:
    """Return the destination of each node of a design that names its machine."""
    entries = nodes.items() if isinstance(nodes, Mapping) else ()
    return {
        node: one.get("management") or one.get("name")
        for node, one in entries
        if isinstance(one, Mapping) and (one.get("management") or one.get("name"))
    }
