"""Options that several commands share, each written once.

Two forms of value need parsing, which is here as well: KEY=VALUE, and lists of parts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from linkwright.cli import completion
from linkwright.cli.formats import Shown
from linkwright.errors import UsageError, shown

__all__ = [
    "AnyHostsOption",
    "CalibrationOption",
    "ConstantsOption",
    "DesignArgument",
    "EngineOption",
    "FormatOption",
    "HostsOption",
    "JobsOption",
    "MeasuredOption",
    "OutputOption",
    "QuietOption",
    "SettingsOption",
    "TargetsOption",
    "WithoutOption",
    "part_names",
    "settings_of",
]

DesignArgument = Annotated[Path, typer.Argument(metavar="DESIGN", help="Design file.")]
_HOSTS = typer.Option(
    "--hosts",
    metavar="HOSTS",
    help="Machines: n0=root@10.0.0.1,n1=box1, or a file; repeatable.",
    show_default=False,
)
HostsOption = Annotated[list[str], _HOSTS]
AnyHostsOption = Annotated[list[str] | None, _HOSTS]
"""For commands that can do without machines."""
CalibrationOption = Annotated[
    str | None,
    typer.Option(
        "--calibration",
        autocompletion=completion.calibrations,
        help="Constants of the hosts: a name or a TOML file (default: the catalogue's).",
    ),
]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine", "-e", autocompletion=completion.engines, help="Engine that runs the workload."
    ),
]
MeasuredOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--measured",
        metavar="FILE",
        help="Rows of `linkwright measure`, shown beside their predictions; repeatable.",
        show_default=False,
    ),
]
FormatOption = Annotated[
    Shown | None, typer.Option("--format", help="Format on stdout (default: a table without -o).")
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="File to write; its suffix gives the format.", show_default=False
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")]
ConstantsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--host", metavar="KEY=VALUE", help="Constant of the hosts to change; repeatable."
    ),
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Setting of the workload; repeatable."),
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, help="Runs at the same time (default: one per core)."),
]
TargetsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--for",
        metavar="TARGET",
        autocompletion=completion.exporters,
        help="Program to write the files of every machine for, such as networkd; repeatable, or "
        "separated by commas. `linkwright list exporters` shows all.",
    ),
]
WithoutOption = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        metavar="PART",
        help="Failed part: a device, unit, chassis, cable, or NIC such as n05:eth1; "
        "repeatable, or separated by commas.",
    ),
]


def part_names(without: list[str] | None) -> list[str]:
    """Return the names of failed parts; one option may hold several."""
    return [name.strip() for given in without or [] for name in given.split(",")]


def settings_of(option: str, pairs: list[str] | None) -> dict[str, str]:
    """Return the KEY=VALUE pairs of a repeatable option."""
    found: dict[str, str] = {}
    for pair in pairs or []:
        key, sign, value = pair.partition("=")
        if not sign or not key.strip():
            raise UsageError(
                f"{option} {shown(pair)} is not a setting", f"write {option} KEY=VALUE"
            )
        if key.strip() in found:
            raise UsageError(f"{option} gives {shown(key.strip())} twice", "keep one of the two")
        found[key.strip()] = value.strip()
    return found
