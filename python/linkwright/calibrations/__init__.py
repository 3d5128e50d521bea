"""Constants of real machines, each with its origin: what a prediction rests on.

A calibration is a TOML file beside this one, or any file of the same form. It is fitted from
point-to-point measurements only (`targets/`), never from a result it is used to predict. What each
constant means is documented where the engine takes it: ``crates/simulation/src/host/mod.rs``
and ``host/tcp.rs``.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from linkwright.errors import DesignError, unknown_name


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Cost(_Frozen):
    """Processor time: a fixed part and a part per byte, in microseconds."""

    us: float = Field(ge=0)
    us_per_byte: float = Field(default=0.0, ge=0)
    origin: str

    def pair(self) -> tuple[float, float]:
        """Return (microseconds, microseconds per byte)."""
        return (self.us, self.us_per_byte)


class Count(_Frozen):
    """A whole number: bytes, frames, segments or microseconds, as the field's name says."""

    value: int = Field(ge=0)
    origin: str


class Figure(_Frozen):
    """A measured or printed figure in the unit that the field's name says."""

    value: float = Field(ge=0)
    origin: str


class Switch(_Frozen):
    """A yes or no."""

    value: bool
    origin: str


class WindowRule(_Frozen):
    """How the advertised window follows from the receive buffer."""

    value: Literal["free", "half-in-segments"]
    origin: str


class AckRule(_Frozen):
    """When received data are acknowledged."""

    value: Literal["every-second", "on-read"]
    origin: str


class HostCosts(_Frozen):
    """Processor time of the kernel and of the process."""

    write_call: Cost
    send: Cost
    receive: Cost
    read: Cost
    make_ack: Cost
    take_ack: Cost
    forward: Cost


class InterfaceQueues(_Frozen):
    """Frames that an interface keeps."""

    transmit_frames: Count
    receive_frames: Count


class TcpOptions(_Frozen):
    """How TCP behaves; see ``crates/simulation/src/host/tcp.rs``."""

    segment_bytes: Count
    receive_buffer_bytes: Count
    window_rule: WindowRule
    ack_rule: AckRule
    ack_delay_us: Count | None = None
    ack_pushed_us: Count | None = None
    ack_longest_us: Count | None = None
    send_buffer_segments: Count | None = None
    send_buffer_bytes: Count | None = None
    initial_window: Count
    fast_retransmit: Switch
    restart_when_idle: Switch
    tick_us: Count
    first_timeout_us: Count
    shortest_timeout_us: Count
    longest_timeout_us: Count
    most_retransmissions: Count

    @model_validator(mode="after")
    def _is_complete(self) -> TcpOptions:
        if (self.send_buffer_segments is None) == (self.send_buffer_bytes is None):
            raise ValueError("give one of send_buffer_segments and send_buffer_bytes")
        on_read = self.ack_rule.value == "on-read"
        if on_read and (self.ack_pushed_us is None or self.ack_longest_us is None):
            raise ValueError("ack_rule on-read needs ack_pushed_us and ack_longest_us")
        if not on_read and self.ack_delay_us is None:
            raise ValueError("ack_rule every-second needs ack_delay_us")
        return self

    @model_validator(mode="after")
    def _moves_data(self) -> TcpOptions:
        """Refuse options with which a sender would wait for ever."""
        for name in ("segment_bytes", "initial_window", "first_timeout_us", "shortest_timeout_us"):
            if getattr(self, name).value == 0:
                raise ValueError(f"{name} must not be zero")
        share = 2 if self.window_rule.value == "half-in-segments" else 1
        least = share * self.segment_bytes.value
        if self.receive_buffer_bytes.value < least:
            raise ValueError(
                f"receive_buffer_bytes must be at least {least}: a smaller window holds no segment"
            )
        if self.longest_timeout_us.value < self.shortest_timeout_us.value:
            raise ValueError("longest_timeout_us must not be less than shortest_timeout_us")
        return self


class Messages(_Frozen):
    """How the message library frames messages, and what it costs its process."""

    header_bytes: Count
    envelope_bytes: Count
    control_bytes: Count
    long_from: Count
    rendezvous_from: Count
    send_call: Cost
    take: Cost
    short_copy: Cost
    long_copy: Cost


class PathConstants(_Frozen):
    """Base figures of the closed forms for latency and bandwidth along a path."""

    link_rate_mbps: Figure
    latency_us: Figure
    latency_per_switch_us: Figure
    latency_per_forward_us: Figure
    bandwidth_bytes_per_s: Figure
    bandwidth_per_switch_bytes_per_s: Figure
    bandwidth_per_forward_bytes_per_s: Figure


class Calibration(_Frozen):
    """The hosts of a run."""

    name: str
    title: str
    algorithms: Literal["mpich-1.1"]
    host: HostCosts
    queues: InterfaceQueues
    tcp: TcpOptions
    messages: Messages
    path: PathConstants | None = None

    def constants(self) -> dict[str, object]:
        """Return the constants as the engine takes them: numbers by name, times in microseconds."""
        table: dict[str, object] = {}
        for section in (self.host, self.queues, self.tcp, self.messages):
            for name, constant in section:
                if isinstance(constant, Cost):
                    table[name] = constant.pair()
                elif isinstance(constant, Count | Switch):
                    table[name] = constant.value
        tcp = self.tcp
        table["window_in_half_segments"] = tcp.window_rule.value == "half-in-segments"
        table["acks_on_read"] = tcp.ack_rule.value == "on-read"
        delay = tcp.ack_pushed_us if tcp.ack_rule.value == "on-read" else tcp.ack_delay_us
        table["ack_delay_us"] = delay.value if delay else 0
        table.setdefault("ack_longest_us", 0)
        table.setdefault("send_buffer_segments", None)
        table.setdefault("send_buffer_bytes", 0)
        return table


@cache
def names() -> tuple[str, ...]:
    """Return the names of the calibrations that come with Linkwright."""
    files = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml")))


def load(name: str) -> Calibration:
    """Return a calibration by its name, or from a file when `name` ends in ``.toml``.

    Raises
    ------
    DesignError
        When there is no such calibration, or the file is not one.

    Examples
    --------
    >>> load("pentium-pro-200-linux-2.0").host.forward.us
    31.2
    """
    if name.endswith(".toml"):
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DesignError(
                f"calibration file {name} cannot be read: {error}",
                "give a readable TOML file or a name that `linkwright list calibrations` prints",
            ) from error
        return _parse(text, name)
    if name not in names():
        raise DesignError(f"there is no calibration {name!r}", unknown_name(name, names()))
    return _shipped(name)


@cache
def _shipped(name: str) -> Calibration:
    text = resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return _parse(text, name)


def _parse(text: str, source: str) -> Calibration:
    try:
        return Calibration.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise DesignError(
            f"calibration {source} is not TOML: {error}", "correct the line"
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        raise DesignError(
            f"calibration {source}: {place}: {first['msg']}",
            "compare with a calibration that `linkwright list calibrations` prints",
        ) from error
