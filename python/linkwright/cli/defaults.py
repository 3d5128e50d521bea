"""The file of defaults: values for some options that every command takes from a file of the user.

It is `linkwright.toml` in $XDG_CONFIG_HOME or ~/.config. Its values stand for options that are not
given; a design or a study never depends on it. `invocation.command_line` adds them to the command
that manifests record, so that the recorded command gives the same result without the file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linkwright.errors import UsageError, shown, shown_path, unknown_name

__all__ = ["Defaults", "file_of_defaults", "listed", "read_defaults"]

COLOURS = ("auto", "always", "never")
FORMATS = ("table", "json", "csv")
_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "catalogue": {"compare": "catalogue", "import": "catalogue"},
    "engine": {"compare": "engine", "simulate": "engine"},
}
"""Key of the file -> commands that it is for, with the name of their parameter."""
_HINT = "correct the file, or move it away; `linkwright list defaults` shows its keys"


@dataclass(frozen=True)
class Defaults:
    """Values of the file by key; empty without a file."""

    file: Path
    values: Mapping[str, str] = field(default_factory=dict)

    def of(self, command: str) -> dict[str, Any]:
        """Return the values of the parameters of a command."""
        found = {
            commands[command]: self.values[key]
            for key, commands in _OPTIONS.items()
            if command in commands and key in self.values
        }
        if "format" in self.values:
            found["shown"] = self.values["format"]
        return found


_KEYS: Mapping[str, tuple[str, str]] = {
    "catalogue": ("whitney-1998; import: ethernet-2026", "compare, import"),
    "engine": ("packet", "compare, simulate"),
    "format": ("table", "every command with --format table, json or csv"),
    "colours": ("auto", "every command: auto, always or never"),
}
"""Key -> value without a file, and commands that it is for."""


def listed() -> list[dict[str, str]]:
    """Return all keys with their values, and where these come from."""
    found = read_defaults()
    return [
        {
            "key": key,
            "value": found.values.get(key, without),
            "from": str(found.file) if key in found.values else "Linkwright",
            "used by": used,
        }
        for key, (without, used) in _KEYS.items()
    ]


def file_of_defaults() -> Path:
    """Return the path of the file, which may not exist."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    # By the rule of XDG, a relative path counts as none.
    folder = Path(home) if home.startswith("/") else Path.home() / ".config"
    return folder / "linkwright.toml"


def read_defaults() -> Defaults:
    """Return the defaults of the user.

    Raises
    ------
    UsageError
        If the file cannot be read, or has an unknown key or value.
    """
    try:
        file = file_of_defaults()
        is_there = file.exists()
    except (OSError, RuntimeError):  # no home, or no right to enter it
        return Defaults(Path())
    return Defaults(file, _values(file)) if is_there else Defaults(file)


def _values(file: Path) -> dict[str, str]:
    from linkwright.files import read_text
    from linkwright.text.toml_text import TomlError, read_toml

    text = read_text(file, "file of defaults", hint=_HINT)
    where = f"file of defaults {shown_path(file)}"
    try:
        found = read_toml(text)
    except TomlError as error:
        raise UsageError(f"{where} is no TOML: {error}", _HINT) from None
    for key, value in found.items():
        if key not in _KEYS:
            raise UsageError(f"{where} has the key {shown(key)}", unknown_name(key, _KEYS))
        known = _known(key)
        if value not in known:
            raise UsageError(f"{where}: {key} is {shown(value)}", unknown_name(str(value), known))
    return found


def _known(key: str) -> list[str]:
    if key == "catalogue":
        from linkwright.design.parts import catalogue_names

        return list(catalogue_names())
    if key == "engine":
        from linkwright.engines import ENGINES

        return list(ENGINES)
    return list(FORMATS if key == "format" else COLOURS)
