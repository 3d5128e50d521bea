"""The answers of programs on machines, each with its type and bounds.

Machines may be broken or hostile, so that every answer is checked before it is used.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from linkwright.errors import RunError, shown

__all__ = [
    "Counters",
    "Exchanges",
    "Lead",
    "Offloads",
    "Played",
    "Ports",
    "checked",
    "expect_answer",
]

T = TypeVar("T")
Nanoseconds = Annotated[int, Field(ge=-(1 << 62), le=1 << 62)]
Count = Annotated[int, Field(ge=0, lt=1 << 64)]
Port = Annotated[int, Field(ge=1, lt=1 << 16)]
Name = Annotated[str, Field(max_length=64)]


def _expect_mark(one: list[int]) -> list[int]:
    if not 0 <= one[0] < 1 << 32:
        raise ValueError("a mark is a number of 32 bits")
    return one


def _expect_processors(one: list[float]) -> list[float]:
    if one[2] < 1:
        raise ValueError("a machine has a processor")
    return one


Mark = Annotated[list[Nanoseconds], Field(min_length=2, max_length=2), AfterValidator(_expect_mark)]
"""Number of a mark, and its time."""
Seconds = Annotated[float, Field(ge=0, le=1e12)]
Processors = Annotated[
    list[Seconds], Field(min_length=3, max_length=3), AfterValidator(_expect_processors)
]
"""Busy and whole time of all processors, and their number."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Played(_Strict):
    """The part of one rank: marks with their times, its end, and its use of processors."""

    rank: Annotated[int, Field(ge=0, lt=1 << 20)]
    marks: list[Mark]
    ended_ns: Nanoseconds
    late_ns: Nanoseconds
    waited_ns: Nanoseconds
    used_ns: Nanoseconds


class Counters(_Strict):
    """Counters of the interfaces and of TCP of a machine, and the time of its processors."""

    nics: dict[Name, dict[Name, Count]]
    tcp: dict[Name, Count]
    cpu: Processors

    def since(self, before: Counters) -> Counters:
        """Return the growth since others were read."""
        nics = {
            nic: {key: max(0, n - before.nics.get(nic, {}).get(key, n)) for key, n in own.items()}
            for nic, own in self.nics.items()
        }
        tcp = {key: max(0, n - before.tcp.get(key, n)) for key, n in self.tcp.items()}
        busy_s, whole_s, n_cpus = self.cpu
        # The kernel's idle time may go back a little.
        spent = [max(0.0, busy_s - before.cpu[0]), max(0.0, whole_s - before.cpu[1])]
        return Counters(nics=nics, tcp=tcp, cpu=[*spent, n_cpus])


Ports = TypeAdapter(Annotated[list[Port], Field(min_length=1)])
Lead = TypeAdapter(Annotated[list[Nanoseconds], Field(min_length=3, max_length=3)])
Exchanges = TypeAdapter(Annotated[list[Count], Field(min_length=2, max_length=2)])
Offloads = TypeAdapter(dict[Name, bool])


def checked(answer: Any, kind: TypeAdapter[T], machine: str) -> T:
    """Return an answer of a kind.

    Raises
    ------
    RunError
        If the machine says an error, or something else.
    """
    if isinstance(answer, dict) and "error" in answer:
        text = answer["error"]
        reason = shown(text, 300) if isinstance(text, str) else "an error without words"
        raise RunError(f"{machine}: {reason}", "see the machine, and try again")
    try:
        return kind.validate_python(answer, strict=True)
    except ValidationError:
        raise _senseless(machine) from None


def expect_answer(is_one: bool, machine: str) -> None:
    """Check that an answer fits what was asked for.

    Raises
    ------
    RunError
        If it does not.
    """
    if not is_one:
        raise _senseless(machine)


def _senseless(machine: str) -> RunError:
    return RunError(f"{machine} gives an answer without sense", "check that python3 runs there")
