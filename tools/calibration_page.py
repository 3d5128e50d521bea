"""The reference page of calibrations: every constant with its meaning and its values.

Made from the models and the TOML files, so that a constant without a word on what it means, or a
value that has changed, shows as a page that is not current.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from pydantic import BaseModel

from linkwright import calibrations
from linkwright.calibrations import Calibration, nics, stacks
from linkwright.calibrations.nics import NicConstants
from linkwright.records.docstrings import field_docstrings

__all__ = ["calibration_reference"]

INTRODUCTION = """# Calibrations

Made from the calibrations themselves by `make golden`.

A calibration is a TOML file with the constants of the hosts of a run: a name that `linkwright list
calibrations` prints, or a file of your own, given with `--calibration`. Every constant is a table
with its `origin`: a number, a choice or true or false as `value`, processor time as `us` and
`us_per_byte`.

```toml
name = "my-hosts"
title = "what they are"
algorithms = "mpich-1.1"
stack = "linux-2.0"          # a preset with the constants that the file leaves out

[tcp]
initial_window = { value = 2, origin = "measured" }
```

`linkwright simulate --host tcp.initial_window=2` changes a constant for one run, `--host
host.send.us=3.5` a part of a processor time; the option may be given many times. In Python it is
`linkwright.calibrations.load(NAME).changed({"tcp.initial_window": 2})`. Which constants a run had
stands in the [manifest](results.md) of its result.

The section `[draws]`, written by `linkwright calibrate`, holds further values of the fitted
constants, one per draw, with which the measurements are met too. `linkwright simulate --draws 8`
runs eight of them ([uncertainty](../design/uncertainty.md)). Constants without draws count as
certain.

## Classes of NICs

A calibration with `nics = true` stands for a computer: constants that depend on the NIC are those
of the class that the design's NIC names ([parts](parts.md#nics)). The name of such hosts ends in
the class, as in `linux-6-desktop nic=usb4`, and the origin of every such constant in the manifest
begins with it. A constant set with `--host` keeps its value. Your own file leaves `nics` out if its
constants were measured with your NICs. A latency that is an estimate or not known has a remark in
every result, and a finding of `check`. [How classes are made](../design/nic-classes.md).

CLASSES
## Stacks

A stack is the preset of a kernel; `linkwright list stacks` prints them.

"""


def calibration_reference() -> str:
    """Return the page as Markdown."""
    listed = [f"- `{name}`: {stacks.title(name)}\n" for name in stacks.names()]
    names = calibrations.names()
    values = [{**calibrations.load(name).published()} for name in names]
    body = "".join("\n".join(_section(section, model, values)) for section, model in _sections())
    introduction = INTRODUCTION.replace("CLASSES\n", "\n".join(_classes()))
    return introduction + "".join(listed) + _legend(names) + body


def _classes() -> Iterator[str]:
    yield "| class | NICs | latency | constants | while forwarding |"
    yield "|---|---|---|---|---|"
    for name in nics.names():
        one = nics.load(name)
        cells = [f"`{name}`", one.title, one.confidence, _changes(one), _changes(one.forwarding)]
        yield f"| {' | '.join(cells)} |"
    yield ""
    for name in nics.names():
        origins = [
            f"`{constant}`: {value['origin']}"
            for part in (nics.load(name), nics.load(name).forwarding)
            for section in part.sections().values()
            for constant, value in section.items()
            if constant in ("interrupt_hold_us", "forward", "tso_bytes")
        ]
        yield f"- `{name}`: {'. '.join(origins)}."
    yield ""


def _changes(constants: NicConstants) -> str:
    """Return the constants of a class in one cell."""
    return ", ".join(
        f"`{name}` {value['us'] if 'us' in value else value['value']:g}"
        for section in constants.sections().values()
        for name, value in section.items()
    )


def _legend(names: tuple[str, ...]) -> str:
    lines = [f"- {_letter(place)}: `{name}`\n" for place, name in enumerate(names)]
    head = "\n## Constants\n\nColumns of values are those of the calibrations that are shipped:\n\n"
    return head + "".join(lines) + "\nA constant without a value is left out there.\n"


def _letter(place: int) -> str:
    return chr(ord("A") + place)


def _sections() -> Iterator[tuple[str, type[BaseModel]]]:
    for name, field in Calibration.model_fields.items():
        for part in (field.annotation, *get_args(field.annotation)):
            if isinstance(part, type) and issubclass(part, BaseModel):
                yield name, part


def _section(
    section: str, model: type[BaseModel], values: list[dict[str, dict[str, Any]]]
) -> Iterator[str]:
    letters = [_letter(place) for place in range(len(values))]
    yield f"\n### `[{section}]`\n"
    yield f"{(model.__doc__ or '').strip().splitlines()[0]}\n"
    yield f"| constant | meaning | {' | '.join(letters)} |"
    yield f"|---|---|{'---|' * len(letters)}"
    docstrings = field_docstrings(model)
    for name in model.model_fields:
        meaning = " ".join(docstrings.get(name, "").split())
        cells = [_shown(value, f"{section}.{name}") for value in values]
        yield f"| `{name}` | {meaning} | {' | '.join(cells)} |"
    yield ""


def _shown(published: dict[str, dict[str, Any]], key: str) -> str:
    constant = published.get(key)
    if constant is None:
        return _rates(published, f"{key}.")
    if "us" in constant:
        per_byte = constant["us_per_byte"]
        return f"{constant['us']:g}" + (f" + {per_byte:g} per byte" if per_byte else "")
    return str(constant["value"]).lower()


def _rates(published: dict[str, dict[str, Any]], prefix: str) -> str:
    """Return the rates of one node by kernel, in millions per second, smallest problem first."""
    kernels: dict[str, list[str]] = {}
    for key, rate in published.items():
        if key.startswith(prefix):
            kernel = key.removeprefix(prefix).partition(".")[0]
            kernels.setdefault(kernel, []).append(f"{rate['per_s'] / 1e6:g}")
    return "; ".join(f"{kernel} {', '.join(rates)}" for kernel, rates in kernels.items())
