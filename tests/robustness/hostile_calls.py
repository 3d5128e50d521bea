"""Calls functions of the compiled core with arguments of which one is hostile, and prints a line
of JSON for each call: its name, the exception or "returned", and the seconds that it took.

Run as a script with the name of a group; it limits its own address space to 2 GB.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

import linkwright
from linkwright import Cluster, _core, calibrations, workloads
from linkwright.program import compile_program

LIMIT_BYTES = 2 * 10**9
HUGE = (2**31, 2**32 - 1)
Call = tuple[str, Callable[[], object]]

NETWORK = linkwright.compile(Cluster.parse("topology: {kind: torus, shape: [3, 4]}"))
BOXES = linkwright.compile(
    Cluster.parse("topology: {kind: p-mesh, shape: [3, 3], lines_per_switch: 1}")
)
BONDS = linkwright.compile(Cluster.parse("topology: {kind: bonded-dual-net, nodes: 4}"))
CORE = NETWORK.core
HOST = calibrations.load("pentium-pro-200-linux-2.0").constants()
PROGRAM = compile_program(workloads.AllToAll(size_bytes=100), NETWORK.n_compute).core
ENGINES = {"analytic": _core.run_analytic, "flow": _core.run_flow, "packet": _core.run_packet}


def hostile_arrays(array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield arrays of the same type: of other lengths, far longer ones and those of odd values."""
    yield "empty", array[:0]
    yield "short", array[:-1].copy()
    yield "long", np.concatenate([array, array[-1:]])
    row = array[:1] if len(array) else np.zeros((1, *array.shape[1:]), array.dtype)
    yield "endless", np.broadcast_to(row, (2**31, *array.shape[1:]))
    if array.ndim == 2:
        yield "narrow", array[:, :-1].copy()
        yield "wide", np.broadcast_to(array[:, :1], (len(array), 2**30))
    for value in odd_values(array.dtype):
        yield str(value), np.full_like(array, value)
        if len(array):
            last = array.copy()
            last[-1:] = value
            yield f"last is {value}", last


def odd_values(dtype: np.dtype) -> list[Any]:
    """Return the values of a type that a careless reader trips over."""
    if dtype.kind == "f":
        return [float("nan"), float("inf"), -float("inf"), -1.0, 1e300]
    if dtype.kind == "b":
        return [True, False]
    most = np.iinfo(dtype).max
    return sorted({np.iinfo(dtype).min, 0, 1, *(v for v in HUGE if v <= most), most // 2, most})


def with_one_hostile(
    name: str, function: Callable[..., object], given: dict[str, Any], *places: object
) -> Iterator[Call]:
    """Yield a call for every hostile value of every argument that is an array or a number."""

    def call(key: str, value: object) -> Callable[[], object]:
        return lambda: function(*places, **{**given, key: value})

    for key, right in given.items():
        values: Iterator[tuple[str, object]] = iter(())
        if isinstance(right, np.ndarray):
            values = iter(hostile_arrays(right))
        elif isinstance(right, bool | str) or right is None:
            continue
        elif isinstance(right, int):
            values = ((str(v), v) for v in (-1, 0, 1, *HUGE, 2**32, 2**63, 2**64 - 1, 2**64))
        elif isinstance(right, float):
            values = ((str(v), v) for v in odd_values(np.dtype(np.float64)))
        elif isinstance(right, list):
            values = ((str(v), v) for v in ([], [0], [2**31] * 4, [2**32 - 1] * 2, [-1], right * 9))
        for label, value in values:
            yield f"{name} {key} {label}", call(key, value)


def fabrics() -> Iterator[Call]:
    for name, network in (("torus", NETWORK), ("boxes", BOXES), ("bonds", BONDS)):
        wiring, constants = network.core.fabric.__getnewargs_ex__()[0]
        given = {**vars(wiring), **vars(constants)}
        given["bonds"] = given["bonds"] if len(given["bonds"]) else np.zeros((0, 3), np.uint32)
        yield from with_one_hostile(f"Fabric {name}", routed, given)
        for n in HUGE:
            together = {
                key: np.broadcast_to(v[:1], (n, *v.shape[1:]))
                for key, v in given.items()
                if isinstance(v, np.ndarray) and len(v)
            }
            yield f"Fabric {name} all {n}", lambda g=given | together: fabric_of(**g)


def fabric_of(**columns: Any) -> _core.Fabric:
    table = SimpleNamespace(**columns)
    return _core.Fabric(table, table)


def routed(**columns: Any) -> object:
    """Build a fabric, and a network of every scheme on it: what is wrong may show only then."""
    fabric = fabric_of(**columns)
    (_, addresses), arguments = CORE.__getnewargs_ex__()
    for scheme in ("shortest-path", "dimension-order", "stack"):
        try:
            network = _core.Network(fabric, addresses, **{**arguments, "routing": scheme})
        except (ValueError, linkwright.LinkwrightError):
            continue
        play("analytic", network)
    return fabric


def networks() -> Iterator[Call]:
    (_, addresses), given = CORE.__getnewargs_ex__()
    columns = vars(addresses)
    yield from with_one_hostile("Network", partial(addressed, **given), columns)
    yield from with_one_hostile("Network shortest", counted, columns)


def addressed(routing: str, with_fallback: bool, ties: Any, explicit: Any, **columns: Any) -> Any:
    return _core.Network(
        CORE.fabric,
        SimpleNamespace(**columns),
        routing=routing,
        with_fallback=with_fallback,
        ties=ties,
        explicit=explicit,
    )


def counted(**columns: Any) -> object:
    network = _core.Network(CORE.fabric, SimpleNamespace(**columns), routing="shortest-path")
    return network.reachability(), network.soundness(), network.load(NETWORK.addresses.identity)


def explicit() -> Iterator[Call]:
    (fabric, addresses), given = CORE.__getnewargs_ex__()
    found = CORE.routes()
    names = ("node", "destination", "is_v6", "prefix_length", "via", "port", "metric")
    routes = {name: getattr(found, name) for name in names}

    def network(**columns: Any) -> object:
        tables = _core.ExplicitRoutes(SimpleNamespace(**columns))
        keywords = {**given, "routing": "explicit", "explicit": tables}
        built = _core.Network(fabric, addresses, **keywords)
        return built.reachability(), built.routes(), built.path(0, 3)

    yield from with_one_hostile("ExplicitRoutes", network, routes)


def metrics() -> Iterator[Call]:
    identities = {"identities": np.array(NETWORK.addresses.identity)}
    for name in ("forwards", "load", "forwarding"):
        yield from with_one_hostile(name, getattr(CORE, name), identities)
    yield from with_one_hostile("reachability", CORE.reachability, {"n_counted": 12})
    yield from with_one_hostile("routes_of", CORE.routes_of, {"node": 3})
    yield from with_one_hostile("leaves_by", CORE.leaves_by, {"node": 3, "address": 4})
    yield from with_one_hostile("path", CORE.path, {"node": 3, "address": 4})
    ends = {"nodes": np.arange(3, dtype=np.uint32), "addresses": np.arange(3, dtype=np.uint32)}
    yield from with_one_hostile("paths", CORE.paths, ends)
    for network in (NETWORK, BOXES):
        yield from with_one_hostile("bisection", network.core.bisection, {"n_split": 8})
    rerouting = {
        **identities,
        "failure_start": np.array([0, 1, 2], np.uint32),
        "part_kind": np.array([0, 2], np.uint8),
        "part_id": np.array([1, 3], np.uint32),
        "with_fallback": True,
        "with_return_paths": True,
        "planner": 0,
        "most_examples": 3,
    }
    yield from with_one_hostile("rerouting", CORE.rerouting, rerouting)
    parts = {name: rerouting[name] for name in ("failure_start", "part_kind", "part_id")}
    connectivity = {"is_counted": np.ones(NETWORK.n_nodes, np.bool_), **parts}
    yield from with_one_hostile("connectivity", CORE.connectivity, connectivity)
    alive = {"is_alive": np.ones(len(NETWORK.wiring.cable_a), np.bool_)}
    yield from with_one_hostile("components", CORE.components, alive)


def saturations() -> Iterator[Call]:
    given = {
        "identities": np.array(NETWORK.addresses.identity),
        "source": np.arange(12, dtype=np.uint32),
        "destination": np.roll(np.arange(12, dtype=np.uint32), 1),
    }
    yield from with_one_hostile(
        "pattern", lambda **g: _core.pattern_saturation(CORE, host=HOST, **g), given
    )
    yield from with_one_hostile(
        "uniform",
        lambda identities: _core.pattern_saturation(CORE, host=HOST, identities=identities),
        {"identities": given["identities"]},
    )
    yield (
        "one side",
        lambda: _core.pattern_saturation(
            CORE, host=HOST, identities=given["identities"], source=given["source"]
        ),
    )
    yield from with_one_hostile(
        "worst_case",
        lambda identities: _core.worst_case(CORE, identities),
        {"identities": given["identities"]},
    )


def programs() -> Iterator[Call]:
    table = workloads.PingPong(size_bytes=(1, 64), repeats=2).steps(2)
    columns = {
        name: np.array(getattr(table, name))
        for name in ("kind", "rank", "peer", "size_bytes", "tag", "compute_s", "number")
    }
    small = {"n_ranks": 2, "algorithms": "mpich-1.1", "n_background": 0, **columns}
    yield from with_one_hostile("Program", program_of, small)
    for kind in range(len(_core.STEP_KINDS) + 1):
        one = {name: column[:1] for name, column in columns.items()}
        one["kind"] = np.array([kind], np.uint8)
        yield from with_one_hostile(
            f"Program {kind}", lambda **g: program_of(2, "mpich-1.1", **g), one
        )
        every = {**one, "rank": np.array([-1], np.int32)}
        for n in (2**20, *HUGE):
            yield f"Program {kind} of {n} ranks", partial(program_of, n, "mpich-1.1", **every)


def program_of(
    n_ranks: int, algorithms: str, *, n_background: int = 0, **columns: Any
) -> _core.Program:
    steps = SimpleNamespace(**columns)
    return _core.Program(n_ranks, algorithms, steps, n_background=n_background)


def goals() -> Iterator[Call]:
    for text in (
        b"",
        b"num_ranks 4294967295\n",
        b"num_ranks 0\n",
        b"num_ranks 99999999999999999999\n",
        b"num_ranks 1048576\n",
        b"\xff\xfe\x00",
        b"num_ranks 1\nrank 0 {\n",
        b"num_ranks 1\nrank 0 {\nl999999999: calc 1\n}\n",
        b"num_ranks 2\nrank 0 {\nsend 18446744073709551616b to 1\n}\nrank 1 {\n}\n",
        b"num_ranks 2\nrank 0 {\nl1: calc 1\nl1 requires l1\n}\nrank 1 {\n}\n",
    ):
        yield f"read_goal {text[:40]!r}", lambda text=text: _core.read_goal(text)
    yield "read_goal str", lambda: _core.read_goal("num_ranks 1")  # type: ignore[arg-type]


def play(engine: str, network: _core.Network = CORE, **changed: Any) -> object:
    setup = {
        "identities": np.array(NETWORK.addresses.identity),
        "node_of_rank": np.arange(12, dtype=np.uint32),
        "host": HOST,
        "seed": 1,
    }
    return ENGINES[engine](network, PROGRAM, {**setup, **changed})


def runs() -> Iterator[Call]:
    setup = {
        "identities": np.array(NETWORK.addresses.identity),
        "node_of_rank": np.arange(12, dtype=np.uint32),
        "seed": 1,
    }
    for engine in ENGINES:
        yield from with_one_hostile(engine, lambda e=engine, **g: play(e, **g), setup)
    full = {**setup, "host": HOST}
    yield from with_one_hostile(
        "precision", lambda **g: _core.run_flow(CORE, PROGRAM, full, **g), {"precision": 0.1}
    )
    yield from with_one_hostile(
        "snap", lambda **g: _core.run_packet(CORE, PROGRAM, full, **g), {"snap_bytes": 64}
    )


def hosts() -> Iterator[Call]:
    for engine in ENGINES:
        for key, right in HOST.items():
            if isinstance(right, bool | str) or right is None:
                continue
            for label, value in hostile_constants(right):
                yield (
                    f"{engine} {key} {label}",
                    lambda e=engine, k=key, v=value: play(e, host={**HOST, k: v}),
                )


def hostile_constants(right: Any) -> Iterator[tuple[str, object]]:
    odd = odd_values(np.dtype(np.float64))
    if isinstance(right, tuple) and len(right) == 2:
        yield from ((f"({v}, 0)", (v, 0.0)) for v in odd)
        yield from ((f"(0, {v})", (0.0, v)) for v in odd)
    elif isinstance(right, float):
        yield from ((str(v), v) for v in [0.0, *odd])
    elif isinstance(right, int):
        # Constants in microseconds are floating-point numbers in the core.
        yield from ((str(v), v) for v in (-1, 0, 1, 255, *HUGE, 2**32, 2**64 - 1, 1e300))


def faults() -> Iterator[Call]:
    given = {
        "kind": [0, 1],
        "probability": [0.0, 0.5],
        "from_s": [0.0, 0.0],
        "until_s": [1e-3, 1e-3],
        "part_start": [0, 1, 2],
        "part_kind": [0, 2],
        "part_id": [1, 3],
        "with_fallback": True,
        "bond_poll_s": 0.1,
    }
    setup = {
        "identities": np.array(NETWORK.addresses.identity),
        "node_of_rank": np.arange(12, dtype=np.uint32),
        "host": HOST,
        "seed": 1,
    }

    def run(changed: dict[str, object]) -> object:
        return _core.run_packet(CORE, PROGRAM, setup, faults={**given, **changed})

    floats = odd_values(np.dtype(np.float64))
    for key, right in given.items():
        if isinstance(right, list):
            odd = floats if isinstance(right[0], float) else [0, 3, 255, -1, *HUGE]
            for value in ([], right[:1], [*right, right[-1]], *([v] * len(right) for v in odd)):
                yield f"faults {key} {value}", lambda k=key, v=value: run({k: v})
        elif isinstance(right, float):
            for value in [0.0, *floats]:
                yield f"faults {key} {value}", lambda k=key, v=value: run({k: v})


GROUPS: dict[str, Callable[[], Iterator[Call]]] = {
    one.__name__: one
    for one in (
        fabrics,
        networks,
        explicit,
        metrics,
        saturations,
        programs,
        goals,
        runs,
        hosts,
        faults,
    )
}


def main() -> None:
    """Make the calls of the group named on the command line."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    for name, call in GROUPS[sys.argv[1]]():
        print(json.dumps([name]), flush=True)  # noqa: T201 - its parent reads it
        begin_s = time.perf_counter()
        outcome = "returned"
        try:
            call()
        except BaseException as error:  # a panic is no Exception
            outcome = f"{type(error).__name__}: {error}"
            if isinstance(error, KeyboardInterrupt):
                raise
        print(json.dumps([name, outcome, time.perf_counter() - begin_s]), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
