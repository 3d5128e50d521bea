"""The time line of a run in Chrome's trace event format, which Perfetto opens: the activities of
ranks with arrows for messages; of the packet engine also processors, frames on wires, queues and
windows.

The format is "Trace Event Format" of the Chromium project [TRACE-EVENTS]: an object with a list of
events, each with a phase `ph`, a time `ts` in microseconds, and the process `pid` and thread `tid`
in whose track it is drawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linkwright.observations.capture import interface_names

if TYPE_CHECKING:
    from linkwright.network import Network

__all__ = ["timeline_json"]

RANKS, PROCESSORS, WIRES, CONNECTIONS, HUBS = 1, 2, 3, 4, 5
TRACKS = {
    RANKS: "Ranks",
    PROCESSORS: "Processors",
    WIRES: "Wires and queues, by the port that sends",
    CONNECTIONS: "Connections",
    HUBS: "Hubs",
}
"""Name of each process of the trace."""
STATES = ("compute", "send", "wait", "sleep")
WORKS = ("compute", "send", "receive", "forward", "acknowledge", "kernel")
FRAMES = ("data", "acknowledgement", "address resolution", "datagram", "pause")
FATES = ("", "queue full", "receiver full", "lost", "too many collisions", "no route")
NONE = 0xFFFFFFFF

Event = dict[str, Any]
Table = Mapping[str, NDArray[Any]]


def timeline_json(network: Network, recording: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of a time line, in pieces.

    Parameters
    ----------
    network : Network
        The network, for the names.
    recording : mapping
        Columns of the compiled core, by table and name: "ranks.start"; "places.node" has the node
        of each rank.
    """
    yield '{"displayTimeUnit":"ns","traceEvents":[\n'
    separator = ""
    for event in _events(network, recording):
        yield f"{separator}{json.dumps(event, separators=(',', ':'))}"
        separator = ",\n"
    is_whole = json.dumps(bool(recording["is_whole"]))
    yield f'\n],"otherData":{{"design":{json.dumps(network.name)},"is_whole":{is_whole}}}}}\n'


def _events(network: Network, recording: Mapping[str, Any]) -> Iterator[Event]:
    def table(name: str) -> Table:
        prefix = f"{name}."
        columns = recording.items()
        return {key.removeprefix(prefix): one for key, one in columns if key.startswith(prefix)}

    ranks, nodes = table("ranks"), recording["places.node"]
    yield from _names(
        RANKS,
        {
            rank: f"rank {rank} on {network.device_names[nodes[rank]]}"
            for rank in np.unique(ranks["rank"]).tolist()
        },
    )
    yield from _activities(ranks)
    yield from _messages(table("messages"))
    if "frames.start" in recording:
        yield from _of_frames(network, table)


def _of_frames(network: Network, table: Any) -> Iterator[Event]:
    ports = dict(enumerate(interface_names(network)))
    devices = dict(enumerate(network.device_names))
    frames, work, collisions = table("frames"), table("work"), table("collisions")
    used = np.unique(frames["from"]).tolist()
    yield from _names(WIRES, {port: ports[port] for port in used})
    yield from _frames(frames)
    yield from _queues(table("queues"), ports)
    yield from _processors(work, devices)
    yield from _connections(table)
    hubs = np.unique(collisions["hub"]).tolist()
    yield from _names(HUBS, {hub: devices[hub] for hub in hubs})
    yield from _collisions(collisions)


def _names(pid: int, threads: Mapping[int, str]) -> Iterator[Event]:
    """Yield the names of a process and its threads, and their order."""
    if not threads:
        return
    whole: Event = {"ph": "M", "pid": pid, "tid": 0}
    yield {**whole, "name": "process_name", "args": {"name": TRACKS[pid]}}
    yield {**whole, "name": "process_sort_index", "args": {"sort_index": pid}}
    for thread, name in threads.items():
        yield {"ph": "M", "name": "thread_name", **_track(pid, thread), "args": {"name": name}}


def _track(pid: int, thread: int) -> Event:
    """Return the place of an event. Perfetto takes thread 0 for the first of its process."""
    return {"pid": pid, "tid": thread + 1}


def _rows(table: Table, *columns: str) -> Iterator[tuple[Any, ...]]:
    return zip(*(table[column].tolist() for column in columns), strict=True)


def _ns(seconds: float) -> int:
    return round(seconds * 1e9)


def _us(seconds: float) -> float:
    """Return microseconds, to the nanosecond."""
    return _ns(seconds) / 1000


def _slice(pid: int, thread: int, name: str, start: float, end: float) -> Event:
    """Return a slice. Perfetto keeps whole nanoseconds, of times and durations each, and drops
    slices that then overlap: a duration is the difference of two rounded times.
    """
    duration = (_ns(end) - _ns(start)) / 1000
    return {"ph": "X", **_track(pid, thread), "name": name, "ts": _us(start), "dur": duration}


def _activities(ranks: Table) -> Iterator[Event]:
    for rank, start, end, state in _rows(ranks, "rank", "start", "end", "state"):
        yield _slice(RANKS, rank, STATES[state], start, end)


def _messages(messages: Table) -> Iterator[Event]:
    """Yield an arrow for each message, from the begin of its write to the end of its reading."""
    rows = _rows(messages, "from", "to", "start", "end", "bytes")
    for number, (source, target, start, end, n_bytes) in enumerate(rows):
        arrow = {"cat": "message", "name": f"{int(n_bytes)} B", "id": number}
        yield {"ph": "s", **arrow, **_track(RANKS, source), "ts": _us(start)}
        yield {"ph": "f", "bp": "e", **arrow, **_track(RANKS, target), "ts": _us(end)}


def _frames(frames: Table) -> Iterator[Event]:
    """Yield a slice for each frame on a wire, which ends when the next one of the port begins."""
    columns = ("from", "start", "end", "bytes", "kind", "connection", "is_resent", "fate")
    ends = _before_the_next(frames)
    rows = zip(_rows(frames, *columns), ends.tolist(), strict=True)
    for (port, start, end, n_bytes, kind, connection, is_resent, fate), shown_end in rows:
        args: Event = {"bytes": n_bytes}
        if connection != NONE:
            args["connection"] = connection
        if is_resent:
            args["resent"] = True
        if fate:
            args["dropped"] = FATES[fate]
        if end > start:
            yield {**_slice(WIRES, port, FRAMES[kind], start, shown_end), "args": args}
        if fate:
            drop = {"ph": "i", "s": "t", "name": f"dropped: {FATES[fate]}", "args": args}
            yield {**drop, **_track(WIRES, port), "ts": _us(end)}


def _before_the_next(frames: Table) -> NDArray[np.float64]:
    """Return the end of each frame, or the start of the next one of its port where that is earlier:
    on a long cable a frame leaves before the last one has arrived.
    """
    port, start, end = frames["from"], frames["start"], frames["end"].copy()
    was_sent = np.flatnonzero(end > start)
    order = was_sent[np.lexsort((start[was_sent], port[was_sent]))]
    same = port[order[:-1]] == port[order[1:]]
    first, second = order[:-1][same], order[1:][same]
    end[first] = np.minimum(end[first], start[second])
    return end


def _queues(queues: Table, ports: Mapping[int, str]) -> Iterator[Event]:
    for port, time, n_bytes in _rows(queues, "port", "time", "bytes"):
        yield _counter(WIRES, f"queue {ports[port]}", time, {"bytes": n_bytes})


def _counter(pid: int, name: str, time: float, values: Event) -> Event:
    return {"ph": "C", "pid": pid, "tid": 0, "name": name, "ts": _us(time), "args": values}


def _processors(work: Table, devices: Mapping[int, str]) -> Iterator[Event]:
    n_cpus = int(work["cpu"].max(initial=0)) + 1
    thread = work["node"].astype(np.int64) * n_cpus + work["cpu"]
    threads = {
        one: devices[one // n_cpus] + (f" processor {one % n_cpus}" if n_cpus > 1 else "")
        for one in np.unique(thread).tolist()
    }
    yield from _names(PROCESSORS, threads)
    rows = zip(thread.tolist(), _rows(work, "start", "end", "kind"), strict=True)
    for one, (start, end, kind) in rows:
        yield _slice(PROCESSORS, one, WORKS[kind], start, end)


def _connections(table: Any) -> Iterator[Event]:
    """Yield the windows of senders as counters, and their time-outs."""
    ends = list(_rows(table("connections"), "from", "to"))
    titles = [f"rank {source} to {target}" for source, target in ends]
    windows, timeouts = table("windows"), table("timeouts")
    used: Iterable[int] = np.unique(windows["connection"]).tolist()
    yield from _names(CONNECTIONS, {one: titles[one] for one in used})
    columns = ("connection", "time", "congestion", "in_flight", "limit")
    for connection, time, congestion, in_flight, limit in _rows(windows, *columns):
        values = {"congestion window": congestion, "in flight": in_flight, "receiver": limit}
        yield _counter(CONNECTIONS, f"windows of {titles[connection]}", time, values)
    for connection, time in _rows(timeouts, "connection", "time"):
        timeout = {"ph": "i", "s": "t", "name": "time-out", "ts": _us(time)}
        yield {**timeout, **_track(CONNECTIONS, connection)}


def _collisions(collisions: Table) -> Iterator[Event]:
    for hub, start, end, stations in _rows(collisions, "hub", "time", "until", "stations"):
        yield {**_slice(HUBS, hub, "collision", start, end), "args": {"stations": stations}}
