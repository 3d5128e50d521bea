"""The origin of a page about one network: command, versions, time and design.

Pages are sent to others: the folders of this computer are left out of commands.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linkwright.network import Network
    from linkwright.results import Manifest

__all__ = ["command_text", "provenance", "without_folders"]

_FILE = re.compile(r"\.[A-Za-z]\w*$")
"""The end of the name of a file."""


def command_text(manifest: Manifest) -> str:
    """Return the command of a manifest, with the names of files and without their folders."""
    return " ".join(without_folders(word) for word in manifest.command)


def without_folders(text: str) -> str:
    """Return a text in which each path of a file is its name.

    Examples
    --------
    >>> without_folders("--facts=/srv/b.json"), without_folders("10.0.0.0/24")
    ('--facts=b.json', '10.0.0.0/24')
    """
    return " ".join(map(_without_folder, text.split(" ")))


def _without_folder(word: str) -> str:
    option, sign, value = word.rpartition("=")
    path = PurePath(value.replace("\\", "/"))
    is_rooted = path.is_absolute() or value.startswith(("~", "./", "../"))
    is_file = len(path.parts) > 1 and bool(_FILE.search(path.name))
    if "://" in value or not (is_rooted or is_file):
        return word
    return f"{option}{sign}{path.name}"


def provenance(network: Network, manifest: Manifest) -> list[tuple[str, str]]:
    """Return names and values, in the order of the page."""
    return [
        ("command", command_text(manifest)),
        ("Linkwright", manifest.version),
        ("Python", manifest.python),
        ("finished", f"{manifest.finished:%Y-%m-%d %H:%M:%S %Z}"),
        ("design", f"{network.name} {network.design_hash}"),
    ]
