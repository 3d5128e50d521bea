"""Calibrations: constants of real machines, each with its origin, on which predictions rest.

A calibration is a TOML file in this folder, or any file of the same form. It is fitted only to
point-to-point measurements (`targets/`), never to a result that it predicts. It may name a stack
(`stacks/`) and leave out the constants of that stack, and take those of NICs from the class of the
design's (`nics/`). The meaning of each constant is given below
its name here, in ``host.py`` or in ``tcp.py``; docs/reference/calibrations.md is made from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator

from linkwright.calibrations import changes, nics, stacks
from linkwright.calibrations.compute import Compute, MeasuredRate
from linkwright.calibrations.disk import Disk
from linkwright.calibrations.draws import Draws, check_draws, with_draw
from linkwright.calibrations.host import HostCosts, InterfaceQueues, Steering
from linkwright.calibrations.kinds import (
    Cost,
    Count,
    Flag,
    Frozen,
    Quantity,
    Threshold,
    numbers,
    without_costs,
)
from linkwright.calibrations.links import LinkOptions
from linkwright.calibrations.local import Local
from linkwright.calibrations.nic_merge import with_nic
from linkwright.calibrations.nics import NicClass
from linkwright.calibrations.tcp import AckRule, TcpOptions, WindowRule
from linkwright.calibrations.validation_errors import validation_errors
from linkwright.errors import DesignError, shown, unknown_name
from linkwright.files import read_text
from linkwright.notebook import Shown
from linkwright.records.validation import as_one
from linkwright.text.toml_text import TomlError, read_toml

__all__ = [
    "AckRule",
    "Calibration",
    "Compute",
    "Cost",
    "Count",
    "Disk",
    "Flag",
    "HostCosts",
    "InterfaceQueues",
    "Library",
    "LinkOptions",
    "Local",
    "MeasuredRate",
    "Messages",
    "NicClass",
    "PathConstants",
    "Quantity",
    "Steering",
    "TcpOptions",
    "Threshold",
    "WindowRule",
    "load",
    "names",
    "nics",
    "parse",
    "stacks",
    "text_of",
]


Library = Literal["mpich-1.1", "mpich-4", "openmpi-4"]
"""A message library whose algorithms carry out collectives: MPICH 1.1, MPICH 4 or Open MPI 4.1."""

HEADER_BYTES = 40
"""IPv4 and TCP headers without options."""
MOST_FRAMING_BYTES = 65_536
"""Largest number of bytes that a message library adds to a message."""


class Messages(Frozen):
    """Framing of messages by the message library, and its cost for the process."""

    header_bytes: Count
    """Header written before every transfer; 0 for none."""
    envelope_bytes: Count
    """Envelope (source, tag, length) in front of the data of a message."""
    control_bytes: Count
    """Body of a rendezvous request."""
    clear_to_send_bytes: Count | None = None
    """Body of the clear-to-send. Default: as the request."""
    long_from: Threshold
    """Smallest message, in bytes, whose envelope is sent before its data."""
    rendezvous_from: Threshold
    """Smallest message, in bytes, that is sent by rendezvous."""
    both_drain: Flag
    """Whether both processes of a pair go on with other transfers while their writes have no room
    and read their connections in turn, or only the one with the lower rank reads meanwhile, and
    each reads a transfer to its end, as in P4."""
    reads_lowest_first: Flag = Flag(value=False, origin="default: off")
    """Whether a process that finds several messages reads that of the lowest rank first, as P4
    does, instead of the first to arrive. Only the packet engine models it."""
    retry_in_use_percent: Count = Count(value=0, origin="default: none")
    """Share of the time for which the socket is in use while a process repeats a read or write that
    would block, as P4 does; a time-out that finds it so is put off. Default: 0, for a process that
    sleeps. Only the packet engine models it."""
    watch: Cost = Cost(us=0.0, origin="default: none")
    """Watching one more connection, for each transfer received: P4 waits for a message on all
    connections at once."""
    look: Cost = Cost(us=0.0, origin="default: none")
    """Looking for a message on one connection, which P4 does for each before it tries a blocked
    write again. Room in the send buffer is noticed at the end of such a round. Only the packet
    engine models it."""
    send_call: Cost
    """Entering a send."""
    take: Cost
    """Matching, select and peek, for each transfer received."""
    short_copy: Cost
    """One copy of a short message: one at the sender, two at the receiver."""
    long_copy: Cost
    """The copy of a long message to its user buffer."""

    @model_validator(mode="after")
    def _is_a_share(self) -> Messages:
        if self.retry_in_use_percent.value > 100:
            raise ValueError(
                f"retry_in_use_percent of {self.retry_in_use_percent.value} are more than all of "
                "the time; give 100 or less"
            )
        return self

    @model_validator(mode="after")
    def _frames_little(self) -> Messages:
        names = ("header_bytes", "envelope_bytes", "control_bytes", "clear_to_send_bytes")
        for name in names:
            count = getattr(self, name)
            if count and count.value > MOST_FRAMING_BYTES:
                raise ValueError(
                    f"{name} of {count.value} are too many for the frame of a message; give "
                    f"{MOST_FRAMING_BYTES} or less"
                )
        return self


class PathConstants(Frozen):
    """Constants of the closed forms for latency and bandwidth along a path."""

    link_rate_mbps: Quantity
    """Rate of the links on which these constants were measured."""
    latency_us: Quantity
    """Latency of one message between two nodes on one wire."""
    latency_per_switch_us: Quantity
    """Latency added by each switch."""
    latency_per_forward_us: Quantity
    """Latency added by each forward."""
    bandwidth_bytes_per_s: Quantity
    """Throughput between two nodes on one wire."""
    bandwidth_per_switch_bytes_per_s: Quantity
    """Throughput lost to each switch."""
    bandwidth_per_forward_bytes_per_s: Quantity
    """Throughput lost to each forward."""

    @model_validator(mode="after")
    def _has_links(self) -> PathConstants:
        for name in ("link_rate_mbps", "bandwidth_bytes_per_s"):
            if getattr(self, name).value < 1:
                raise ValueError(f"{name} must not be less than 1; give 1 or more")
        return self


class Calibration(Shown, Frozen):
    """The hosts of a run."""

    name: str
    title: str
    algorithms: Library
    """Message library whose algorithms carry out the collectives."""
    stack: str = ""
    """The preset with the constants that the file does not give."""
    nics: bool = False
    """Whether the class of the design's NICs replaces the constants that depend on the NIC."""
    host: HostCosts
    queues: InterfaceQueues
    links: LinkOptions = LinkOptions()
    tcp: TcpOptions
    messages: Messages
    disk: Disk | None = None
    local: Local | None = None
    compute: Compute = Compute()
    path: PathConstants | None = None
    draws: Draws = Field(default_factory=dict)
    """Values that the targets allow the fitted constants together: by constant, draw after draw."""

    @model_validator(mode="after")
    def _draws_are_sound(self) -> Calibration:
        check_draws(self.draws, self)
        return self

    @property
    def summary(self) -> str:
        """Name and title of the hosts."""
        return f"{self.name}: {self.title}"

    def constants(self, mtu: int = 1500) -> dict[str, object]:
        """Return the constants for the engines: by name, in the units of the file.

        An option that the file leaves out is None, which means off.

        Parameters
        ----------
        mtu : int
            Longest IP packet of the interfaces, in bytes, which determines the segment size.
        """
        sections = (self.host, self.queues, self.links, self.tcp, self.messages)
        table = {name: number for section in sections for name, number in numbers(section)}
        most, room = self.tcp.segment_bytes, mtu - HEADER_BYTES
        return table | {
            "segment_bytes": min(most.value, room) if most else room,
            "disk": dict(numbers(self.disk)) if self.disk else None,
            "local": dict(numbers(self.local)) if self.local else None,
        }

    def without_costs(self) -> Calibration:
        """Return the same hosts with processors that take no time, the limit of faster ones."""
        free: dict[str, Any] = {
            "host": without_costs(self.host),
            "messages": without_costs(self.messages),
            "local": self.local.without_costs() if self.local else None,
        }
        return self.model_copy(update={**free, "draws": {}})

    def with_nic(self, nic: NicClass, *, forwards: bool) -> Calibration:
        """Return the same hosts with NICs of a class; themselves if they have their own.

        A constant that a user has set keeps its value.

        Parameters
        ----------
        nic : NicClass
            A class that `nics.load` returns.
        forwards : bool
            Whether nodes forward packets for others.

        Examples
        --------
        >>> usb4 = load("linux-6-desktop").with_nic(nics.load("usb4"), forwards=False)
        >>> usb4.name, usb4.queues.interrupt_hold_us.value
        ('linux-6-desktop nic=usb4', 57)
        """
        return with_nic(self, nic, forwards=forwards) if self.nics else self

    @property
    def n_draws(self) -> int:
        """Number of draws of the fitted constants; 0 if no covariance is known."""
        return min(map(len, self.draws.values()), default=0)

    def drawn(self, draw: int) -> Calibration:
        """Return the same hosts with one draw of the fitted constants.

        A constant that a user has set keeps its value.

        Parameters
        ----------
        draw : int
            Number of the draw, from 1 to `n_draws`.

        Raises
        ------
        UsageError
            If there is no such draw.

        Examples
        --------
        >>> hosts = load("pentium-pro-200-linux-2.0")
        >>> hosts.drawn(1).messages.take.us != hosts.messages.take.us
        True
        """
        return with_draw(self, draw)

    def published(self) -> dict[str, dict[str, Any]]:
        """Return every constant with its origin, by section and name: ``tcp.initial_window``."""
        table = self.model_dump(exclude_none=True, exclude={"draws"})
        sections = ((name, part) for name, part in table.items() if isinstance(part, dict))
        constants = {f"{name}.{key}": part[key] for name, part in sections for key in part}
        rates = constants.pop("compute.rates", {})
        return constants | {
            f"compute.rates.{kernel}.{place}": rate
            for kernel, measured in rates.items()
            for place, rate in enumerate(measured)
        }

    def published_draws(self) -> dict[str, dict[str, Any]]:
        """Return the values of every draw by constant, as `draws.host.send.us`."""
        return {f"draws.{name}": {"values": values} for name, values in self.draws.items()}

    def changed(self, values: Mapping[str, object]) -> Calibration:
        """Return a copy with a new name and other values of some constants.

        Parameters
        ----------
        values : mapping of str to object
            Numbers, choices, true or false, by section and name: ``tcp.initial_window``. The parts
            of a cost are named ``host.send.us`` and ``host.send.us_per_byte``.

        Raises
        ------
        UsageError
            If there is no such constant, or it cannot have that value.

        Examples
        --------
        >>> load("ideal-reno").changed({"tcp.initial_window": 2}).name
        'ideal-reno tcp.initial_window=2'
        """
        return changes.changed(self, values)


@cache
def names() -> tuple[str, ...]:
    """Return the names of the shipped calibrations."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


def load(name: str) -> Calibration:
    """Return a calibration by its name, or from a file when `name` ends in ``.toml``.

    Raises
    ------
    DesignError
        If there is no such calibration, or the file is not one.

    Examples
    --------
    >>> load("pentium-pro-200-linux-2.0").host.forward.us
    28.35
    """
    return _parse(text_of(name), name) if name.endswith(".toml") else _shipped(name)


def parse(name: str, changes_as_text: Mapping[str, str]) -> Calibration:
    """Return a calibration as `load` does, with constants changed by text from a command line.

    Examples
    --------
    >>> parse("ideal-reno", {"tcp.congestion": "cubic"}).tcp.congestion.value
    'cubic'
    """
    hosts = load(name)
    values = {key: changes.parsed(text) for key, text in changes_as_text.items()}
    return hosts.changed(values) if values else hosts


def text_of(name: str) -> str:
    """Return the TOML text of a calibration; `name` as for `load`.

    Raises
    ------
    DesignError
        If there is no such calibration, or its file cannot be read.
    """
    if name.endswith(".toml"):
        hint = "give a readable TOML file or a name that `linkwright list calibrations` prints"
        return read_text(name, "calibration file", hint=hint, error=DesignError)
    if name not in names():
        raise DesignError(f"there is no calibration {shown(name)}", unknown_name(name, names()))
    return resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")


@cache
def _shipped(name: str) -> Calibration:
    return _parse(text_of(name), name)


def _parse(text: str, source: str) -> Calibration:
    try:
        return Calibration.model_validate(stacks.completed(read_toml(text)))
    except TomlError as error:
        raise DesignError(
            f"calibration {source} is not TOML: {error}", "correct the line"
        ) from error
    except ValidationError as error:
        where = f"calibration {source}"
        raise as_one(validation_errors(error, where), where) from error
