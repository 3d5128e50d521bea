"""Workloads: benchmarks and traffic patterns, one file each.

A workload is a description. `linkwright.program.compile_program` turns it into the operations of
every rank, which the engines run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from linkwright.errors import UsageError, shown, unknown_name
from linkwright.registry import Registry, attribute_of

if TYPE_CHECKING:
    from linkwright.workloads.all_gather import AllGather
    from linkwright.workloads.all_reduce import AllReduce
    from linkwright.workloads.all_to_all import AllToAll
    from linkwright.workloads.background import Background
    from linkwright.workloads.barrier import Barrier
    from linkwright.workloads.bit_complement import BitComplement
    from linkwright.workloads.broadcast import Broadcast
    from linkwright.workloads.datagrams import DatagramStream
    from linkwright.workloads.disk_net import DiskNet
    from linkwright.workloads.file_server import FileServer
    from linkwright.workloads.goal import Goal
    from linkwright.workloads.hpl import Hpl
    from linkwright.workloads.incast import Incast
    from linkwright.workloads.keep_alive import KeepAlive
    from linkwright.workloads.neighbour import Neighbour
    from linkwright.workloads.netpipe import NetPipe
    from linkwright.workloads.pattern import Pattern
    from linkwright.workloads.permutation import Permutation
    from linkwright.workloads.ping_pong import PingPong
    from linkwright.workloads.recording import Recording
    from linkwright.workloads.reduce_scatter import ReduceScatter
    from linkwright.workloads.shift import Shift
    from linkwright.workloads.token import Token
    from linkwright.workloads.uniform import Uniform
    from linkwright.workloads.workload import Datagrams, Marks, Measurement, Workload
    from linkwright.workloads.worst_case import WorstCase

__all__ = [
    "BACKGROUNDS",
    "PATTERNS",
    "WORKLOADS",
    "AllGather",
    "AllReduce",
    "AllToAll",
    "Background",
    "Barrier",
    "BitComplement",
    "Broadcast",
    "DatagramStream",
    "Datagrams",
    "DiskNet",
    "FileServer",
    "Goal",
    "Hpl",
    "Incast",
    "KeepAlive",
    "Marks",
    "Measurement",
    "Neighbour",
    "NetPipe",
    "Pattern",
    "Permutation",
    "PingPong",
    "Recording",
    "ReduceScatter",
    "Shift",
    "Token",
    "Uniform",
    "Workload",
    "WorstCase",
    "parse",
    "parse_pattern",
]

WORKLOADS: Registry[type[Workload]] = Registry(
    __name__,
    {
        "ping-pong": "ping_pong:PingPong",
        "broadcast": "broadcast:Broadcast",
        "barrier": "barrier:Barrier",
        "all-reduce": "all_reduce:AllReduce",
        "all-to-all": "all_to_all:AllToAll",
        "all-gather": "all_gather:AllGather",
        "reduce-scatter": "reduce_scatter:ReduceScatter",
        "shift": "shift:Shift",
        "permutation": "permutation:Permutation",
        "uniform": "uniform:Uniform",
        "neighbour": "neighbour:Neighbour",
        "bit-complement": "bit_complement:BitComplement",
        "incast": "incast:Incast",
        "datagrams": "datagrams:DatagramStream",
        "token": "token:Token",
        "disk-net": "disk_net:DiskNet",
        "keep-alive": "keep_alive:KeepAlive",
        "file-server": "file_server:FileServer",
        "netpipe": "netpipe:NetPipe",
        "hpl": "hpl:Hpl",
        "goal": "goal:Goal",
        "recording": "recording:Recording",
        "npb.bt": "npb.bt:Bt",
        "npb.sp": "npb.sp:Sp",
        "npb.lu": "npb.lu:Lu",
        "npb.ft": "npb.ft:Ft",
        "npb.mg": "npb.mg:Mg",
        "npb.is": "npb.integer_sort:IntegerSort",
        "npb.ep": "npb.ep:Ep",
        "npb.cg": "npb.cg:Cg",
    },
)
"""Every workload by name."""

PATTERNS: Registry[type[Pattern]] = Registry(
    __name__,
    {
        "uniform": "uniform:Uniform",
        "permutation": "permutation:Permutation",
        "neighbour": "neighbour:Neighbour",
        "bit-complement": "bit_complement:BitComplement",
        "incast": "incast:Incast",
        "shift": "shift:Shift",
        "worst-case": "worst_case:WorstCase",
    },
)
"""Every pattern of traffic by name; the worst case depends on a network and is not a workload."""

BACKGROUNDS: Registry[type[Background]] = Registry(
    __name__,
    {"keep-alive": "keep_alive:KeepAlive", "file-server": "file_server:FileServer"},
)
"""Every workload that can run in the background of another, by name."""

_BASES: Registry[Any] = Registry(
    __name__,
    {
        "background": "background:Background",
        "datagrams": "workload:Datagrams",
        "marks": "workload:Marks",
        "measurement": "workload:Measurement",
        "pattern": "pattern:Pattern",
        "workload": "workload:Workload",
    },
)

__getattr__ = attribute_of(__name__, _BASES, WORKLOADS, PATTERNS)


def parse(name: str, settings: Mapping[str, str] | None = None) -> Workload:
    """Return the workload of that name with settings given as text.

    Parameters
    ----------
    name : str
        Name of a workload; underscores count as hyphens.
    settings : mapping of str to str
        Settings as on the command line: lists by comma, sizes such as `4K` or `1MiB`.

    Raises
    ------
    UsageError
        If the name or a setting is unknown, or a setting is out of its range.

    Examples
    --------
    >>> parse("ping-pong", {"dst": "5", "size_bytes": "1,4K"}).size_bytes
    (1, 4096)
    """
    found = name.replace("_", "-")
    if found not in WORKLOADS:
        raise UsageError(f"unknown workload {shown(name)}", unknown_name(name, WORKLOADS))
    return WORKLOADS[found](**(settings or {}))


def parse_background(name: str, settings: Mapping[str, str] | None = None) -> Workload:
    """Return the background of that name with settings given as text; else as `parse`.

    Examples
    --------
    >>> parse_background("keep-alive", {"spacing_s": "0.1"}).spacing_s
    0.1
    """
    if name not in WORKLOADS:
        raise UsageError(f"there is no background {shown(name)}", unknown_name(name, BACKGROUNDS))
    return WORKLOADS[name](**(settings or {}))


def parse_pattern(name: str, settings: Mapping[str, str] | None = None) -> Pattern:
    """Return the pattern of that name with settings given as text; else as `parse`.

    Examples
    --------
    >>> parse_pattern("neighbour", {"shape": "4,4"}).shape
    (4, 4)
    """
    if name not in PATTERNS:
        raise UsageError(f"unknown pattern {shown(name)}", unknown_name(name, PATTERNS))
    return PATTERNS[name](**(settings or {}))
