# Types of the compiled extension. Signatures only; the package documents behaviour.
# Ids are dense: devices count nodes first, ports count over all devices, addresses as given.

from collections.abc import Callable
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

VERSION: str

# network

@final
class Stop:
    def __new__(cls) -> Stop: ...
    def obey(self) -> None: ...
    def request(self) -> None: ...

class Fabric:
    def __new__(
        cls,
        *,
        kind: NDArray[np.uint8],
        n_ports: NDArray[np.uint32],
        shape: list[int],
        coordinates: NDArray[np.int32],
        hub_delay_ps: NDArray[np.uint64],
        switch_cut_through: NDArray[np.bool_],
        switch_latency_ps: NDArray[np.uint64],
        switch_backplane: NDArray[np.int32],
        switch_queue_bytes: NDArray[np.uint32],
        switch_multipath: NDArray[np.bool_],
        backplane_bps: NDArray[np.uint64],
        cable_a: NDArray[np.uint32],
        cable_b: NDArray[np.uint32],
        cable_rate_bps: NDArray[np.uint64],
        cable_delay_ps: NDArray[np.uint64],
        bonds: NDArray[np.uint32],
    ) -> Fabric: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_devices(self) -> int: ...
    @property
    def n_segments(self) -> int: ...
    @property
    def port_start(self) -> NDArray[np.uint32]: ...
    @property
    def port_segment(self) -> NDArray[np.uint32]: ...

@final
class Routes:
    # one entry per route; `destination` has shape (r, 16), `via` is -1 where no gateway is needed
    @property
    def node(self) -> NDArray[np.uint32]: ...
    @property
    def destination(self) -> NDArray[np.uint8]: ...
    @property
    def is_v6(self) -> NDArray[np.bool_]: ...
    @property
    def prefix_length(self) -> NDArray[np.uint8]: ...
    @property
    def via(self) -> NDArray[np.int32]: ...
    @property
    def port(self) -> NDArray[np.uint32]: ...
    @property
    def metric(self) -> NDArray[np.uint32]: ...

@final
class Reachability:
    @property
    def n_unreachable(self) -> int: ...
    @property
    def unreachable(self) -> list[tuple[int, int, str]]: ...
    @property
    def hops_histogram(self) -> NDArray[np.uint64]: ...
    @property
    def forwards_mean(self) -> float: ...
    @property
    def forwards_worst(self) -> int: ...
    @property
    def addresses(self) -> NDArray[np.uint32]: ...
    @property
    def forwards_worst_of_address(self) -> NDArray[np.uint32]: ...

@final
class Load:
    @property
    def forwarded(self) -> NDArray[np.uint64]: ...
    @property
    def links(self) -> NDArray[np.float64]: ...
    @property
    def n_destinations(self) -> int: ...
    @property
    def exact(self) -> bool: ...

@final
class Forwarding:
    @property
    def forwarded(self) -> NDArray[np.uint64]: ...
    @property
    def n_destinations(self) -> int: ...
    @property
    def exact(self) -> bool: ...

@final
class Paths:
    # the devices of path i, both ends included, are those from start[i] to start[i + 1]
    @property
    def start(self) -> NDArray[np.int64]: ...
    @property
    def device(self) -> NDArray[np.uint32]: ...

@final
class Bisection:
    @property
    def bps(self) -> int: ...
    @property
    def straight_bps(self) -> int: ...
    @property
    def exact(self) -> bool: ...
    @property
    def method(self) -> str: ...
    @property
    def side(self) -> NDArray[np.bool_]: ...

MOST_PROVED_NODES: int

@final
class FailureImpacts:
    # one entry per failure: pairs, but extra_hops, out_of_reach (nodes), most_forwarded (packets)
    @property
    def untouched(self) -> NDArray[np.uint64]: ...
    @property
    def rerouted(self) -> NDArray[np.uint64]: ...
    @property
    def replanned(self) -> NDArray[np.uint64]: ...
    @property
    def daemon(self) -> NDArray[np.uint64]: ...
    @property
    def cut_off(self) -> NDArray[np.uint64]: ...
    @property
    def looping(self) -> NDArray[np.uint64]: ...
    @property
    def unanswered(self) -> NDArray[np.uint64]: ...
    @property
    def out_of_reach(self) -> NDArray[np.uint64]: ...
    @property
    def extra_hops(self) -> NDArray[np.uint64]: ...
    @property
    def worst_extra_hops(self) -> NDArray[np.uint64]: ...
    @property
    def most_forwarded(self) -> NDArray[np.uint64]: ...
    @property
    def strict(self) -> NDArray[np.uint64]: ...
    @property
    def loose(self) -> NDArray[np.uint64]: ...
    # the examples of failure i are those from example_start[i] on
    @property
    def example_start(self) -> NDArray[np.uint64]: ...
    @property
    def example_from(self) -> NDArray[np.uint32]: ...
    @property
    def example_to(self) -> NDArray[np.uint32]: ...
    @property
    def example_cause(self) -> list[Literal["no-route", "unseen", "loop"]]: ...
    @property
    def example_need(self) -> list[Literal["new-parts", "daemon", "new-tables"]]: ...

@final
class RouteTables:
    # ids of ports over all devices; the routes of node n for identity i begin at
    # start[i * n_nodes + n], the best first; via -1: not there
    @property
    def start(self) -> NDArray[np.uint32]: ...
    @property
    def port(self) -> NDArray[np.int32]: ...
    @property
    def via(self) -> NDArray[np.int32]: ...

@final
class Network:
    def __new__(
        cls,
        fabric: Fabric,
        *,
        address_bits: NDArray[np.uint8],
        address_is_v6: NDArray[np.bool_],
        prefix_length: NDArray[np.uint8],
        owner_node: NDArray[np.uint32],
        owner_port: NDArray[np.int32],
        routing: Literal["dimension-order", "shortest-path", "stack", "explicit"],
        with_fallback: bool = False,
        explicit: ExplicitRoutes | None = None,
        ties: Literal["spread", "paper"] = "spread",
    ) -> Network: ...
    def __getnewargs_ex__(self) -> tuple[tuple[Fabric], dict[str, Any]]: ...
    @property
    def fabric(self) -> Fabric: ...
    def routes(self, *, with_fallback: bool = False) -> Routes: ...
    def routes_of(self, node: int, *, with_fallback: bool = False) -> Routes: ...
    def reachability(self, n_counted: int | None = None) -> Reachability: ...
    def soundness(self) -> list[tuple[str, int, int]]: ...
    def forwards(self, identities: NDArray[np.uint32]) -> NDArray[np.uint16]: ...
    def load(self, identities: NDArray[np.uint32]) -> Load: ...
    def forwarding(self, identities: NDArray[np.uint32]) -> Forwarding: ...
    def rerouting(
        self,
        identities: NDArray[np.uint32],
        *,
        failure_start: NDArray[np.uint32],
        # 0 cable, 1 port (over all devices), 2 device
        part_kind: NDArray[np.uint8],
        part_id: NDArray[np.uint32],
        with_fallback: bool,
        with_return_paths: bool,
        planner: int,
        most_examples: int,
        report: Callable[[int, int], object] | None = None,
    ) -> FailureImpacts: ...
    def connectivity(
        self,
        is_counted: NDArray[np.bool_],
        failure_start: NDArray[np.uint32],
        part_kind: NDArray[np.uint8],
        part_id: NDArray[np.uint32],
    ) -> NDArray[np.uint64]: ...
    def components(self, is_alive: NDArray[np.bool_]) -> NDArray[np.uint32]: ...
    def route_tables(
        self, identities: NDArray[np.uint32], *, with_fallback: bool
    ) -> RouteTables: ...
    def leaves_by(self, node: int, address: int) -> int: ...
    def path(self, node: int, address: int) -> list[tuple[int, int, int]]: ...
    def paths(self, nodes: NDArray[np.uint32], addresses: NDArray[np.uint32]) -> Paths: ...
    def bisection(self, n_split: int, *, with_backplanes: bool = True) -> Bisection: ...

@final
class ExplicitRoutes:
    def __new__(
        cls,
        *,
        node: NDArray[np.uint32],
        destination: NDArray[np.uint8],
        is_v6: NDArray[np.bool_],
        prefix_length: NDArray[np.uint8],
        via: NDArray[np.int32],
        port: NDArray[np.uint32],
        metric: NDArray[np.uint32],
    ) -> ExplicitRoutes: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]: ...

# program

MAX_RANKS: int
STEP_KINDS: list[str]
ALGORITHM_SETS: list[str]

@final
class Program:
    def __new__(
        cls,
        n_ranks: int,
        algorithms: str,
        *,
        kind: NDArray[np.uint8],
        rank: NDArray[np.int32],
        peer: NDArray[np.int32],
        size_bytes: NDArray[np.uint64],
        tag: NDArray[np.uint32],
        compute_s: NDArray[np.float64],
        number: NDArray[np.uint32],
        n_background: int = 0,
    ) -> Program: ...
    @property
    def n_ranks(self) -> int: ...
    @property
    def n_awaited(self) -> int: ...
    @property
    def n_operations(self) -> int: ...

# goal

def read_goal(text: bytes) -> tuple[int, dict[str, NDArray[Any]]]: ...

@final
class GoalWriter:
    def __new__(cls, program: Program) -> GoalWriter: ...
    @property
    def n_written(self) -> int: ...
    def __iter__(self) -> GoalWriter: ...
    def __next__(self) -> str: ...

# engines; `setup`: `identities` and `node_of_rank` (uint32), `host` (constants by name), `seed`

def run_analytic(
    network: Network, program: Program, setup: dict[str, object]
) -> dict[str, Any]: ...
def run_flow(
    network: Network, program: Program, setup: dict[str, object], *, precision: float = 0.0
) -> dict[str, Any]: ...
def run_packet(
    network: Network,
    program: Program,
    setup: dict[str, object],
    *,
    snap_bytes: int | None = None,
    faults: dict[str, object] | None = None,
) -> dict[str, Any]: ...

# saturation

MOST_EXACT: int

def pattern_saturation(
    network: Network,
    *,
    identities: NDArray[np.uint32],
    host: dict[str, object],
    source: NDArray[np.uint32] | None = None,
    destination: NDArray[np.uint32] | None = None,
) -> dict[str, Any] | None: ...
def worst_case(network: Network, identities: NDArray[np.uint32]) -> NDArray[np.uint32] | None: ...
