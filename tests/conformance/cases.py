"""Cases whose answer is known by hand, for every engine that can have it.

A case says what is built, what runs, which figure is meant and what it is; and per engine how far
its answer may lie beside that, with the reason where it is more than rounding. An engine that is
not named does not claim to know: the analytic engine lets nothing share anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.conformance import by_hand

from linkwright import workloads
from linkwright.calibrations import Calibration, Cost, load

MEGABYTE = 1_000_000
EXACT = 1e-9
SWITCH = "mode: store-and-forward, latency_us: 0, ports: [16]"
OPEN = f"switch: {{{SWITCH}, backplane_mbps: null, queue_bytes: 4000000}}"
NARROW = f"switch: {{{SWITCH}, backplane_mbps: 400, queue_bytes: 4000000}}"
HUB = "hub: {domain_delay_us: 2}"
EVERY: Mapping[str, float] = {"analytic": EXACT, "flow": EXACT, "packet": EXACT}


@dataclass(frozen=True)
class Case:
    """One question with its answer."""

    title: str
    topology: str
    workload: workloads.Workload
    metric: str
    expected: float
    parts: str = OPEN
    calibration: Calibration = field(default_factory=lambda: load("ideal-reno"))
    tolerance: Mapping[str, float] = field(default_factory=lambda: EVERY)
    background: workloads.Background | None = None
    """Background traffic of the front end; default: none."""
    n_seeds: int = 1
    """Number of runs whose median counts, if chance matters."""

    @property
    def design(self) -> str:
        """The design file."""
        parts = f"{{catalogue: whitney-1998, cable: {{delay_us: 1}}, {self.parts}}}"
        front_end = "" if self.background is None else ", front_end: true"
        return f"{{name: case, topology: {self.topology}, parts: {parts}{front_end}}}"


def ping(dst: int, size_bytes: int) -> workloads.PingPong:
    """Return one message to a node and back, on windows that are open."""
    return workloads.PingPong(dst=dst, size_bytes=size_bytes)


def idle_paths() -> list[Case]:
    """Return single messages: of one, three and nine segments, over one to five wires."""
    paths = {
        "a cable": ("{kind: direct}", 1, 1),
        "a switch": ("{kind: switch, nodes: 4}", 1, 2),
        "a forwarder": ("{kind: ring, shape: [10]}", 2, 2),
        "two forwarders": ("{kind: ring, shape: [10]}", 3, 3),
        "four forwarders": ("{kind: ring, shape: [10]}", 5, 5),
        "a P-Mesh corner": ("{kind: p-mesh, shape: [3, 3], lines_per_switch: 1}", 4, 4),
    }
    # With an odd number of segments the reply acknowledges the last one, so that no pure
    # acknowledgement comes before it.
    sizes = (1, 700, 1460, 3 * 1460, 2 * 1460 + 5, 9 * 1460)
    return [
        Case(
            title=f"{size} bytes over {title}",
            topology=topology,
            workload=ping(dst, size),
            metric="latency",
            expected=by_hand.stored(size, n_wires),
        )
        for title, (topology, dst, n_wires) in paths.items()
        for size in sizes
    ]


def hub_path() -> Case:
    """Return a message on a hub, which is one wire for all."""
    return Case(
        title="700 bytes on a hub",
        topology="{kind: hub, nodes: 4}",
        workload=ping(1, 700),
        metric="latency",
        # The answer waits for the gap, as the wire is the same.
        expected=by_hand.stored(700, 1, delay_s=2e-6) + by_hand.GAP_BYTES * by_hand.BYTE_S,
        parts=HUB,
        # Alone, the answer would not wait.
        tolerance={"analytic": 0.02, "flow": 0.02, "packet": EXACT},
    )


def shared_servers() -> list[Case]:
    """Return servers that several flows keep busy all the time."""
    on_wire = by_hand.wire_bytes(MEGABYTE, with_acks=False)
    both_ways = by_hand.wire_bytes(MEGABYTE, with_acks=True)
    return [
        Case(
            title="a backplane of 400 Mb/s under 16 flows",
            topology="{kind: switch, nodes: 16}",
            parts=NARROW,
            workload=workloads.Shift(k=1, size_bytes=MEGABYTE),
            metric="time",
            expected=by_hand.served(16 * by_hand.frame_bytes(MEGABYTE), 400e6),
            # The last segments of a flow cross when others have already ended.
            tolerance={"flow": 0.01, "packet": 0.02},
        ),
        Case(
            title="both directions of every cable of a switch",
            topology="{kind: switch, nodes: 16}",
            workload=workloads.Shift(k=1, size_bytes=MEGABYTE),
            metric="time",
            # Data one way, acknowledgements of the other flow on the same wire.
            expected=by_hand.served(both_ways, 100e6),
            # Slow start, and the last segment on the second wire.
            tolerance={"flow": 0.01, "packet": 0.02},
        ),
        Case(
            title="one wire of data",
            topology="{kind: switch, nodes: 4}",
            workload=ping(1, MEGABYTE),
            metric="latency",
            expected=by_hand.served(on_wire, 100e6),
            tolerance={"analytic": 0.005, "flow": 0.005, "packet": 0.005},
        ),
    ]


def senders_into_one() -> list[Case]:
    """Return nodes that all send to one, whose cable is then busy all the time."""
    one = by_hand.wire_bytes(MEGABYTE, with_acks=False)
    return [
        Case(
            title=f"{n} senders into one",
            topology=f"{{kind: switch, nodes: {n + 1}}}",
            workload=workloads.Incast(size_bytes=MEGABYTE),
            metric="time",
            expected=by_hand.served(n * one, 100e6),
            # The first segment on the first wire, and slow start.
            tolerance={"flow": 0.005, "packet": 0.005},
        )
        for n in (2, 4, 8)
    ]


def saturated_hub() -> list[Case]:
    """Return a hub on which n stations always have a full frame to send."""
    return [
        Case(
            title=f"a hub saturated by {n} stations",
            topology=f"{{kind: hub, nodes: {n}}}",
            parts=HUB,
            workload=workloads.DatagramStream(count=3000),
            metric="goodput",
            # The share of the rate that is carried as frame bits [ETHERNET, sec. 3].
            expected=share * 100e6 / 8 * 1472 / 1518,
            tolerance={"packet": 0.02},
        )
        for n, share in ((2, 0.983), (4, 0.978), (8, 0.968))
    ]


def hub_of_streams() -> list[Case]:
    """Return a hub that carries n streams with their acknowledgements."""
    both_ways = by_hand.wire_bytes(MEGABYTE, with_acks=True)
    return [
        Case(
            title=f"a hub of {n} streams",
            topology=f"{{kind: hub, nodes: {n}}}",
            parts=HUB,
            workload=workloads.Shift(k=1, size_bytes=MEGABYTE),
            metric="time",
            expected=by_hand.served(n * both_ways, 100e6),
            # By hand is what fits without a collision. Who has just sent wins the next contention
            # too (capture), so that acknowledgements are put off until windows run dry: only the
            # packet engine knows.
            tolerance={"flow": 0.05, "packet": 0.35},
        )
        for n in (2, 4, 8)
    ]


def senders_on_a_hub() -> list[Case]:
    """Return nodes on a hub that all send to one, which reads them in turn."""
    both_ways = by_hand.wire_bytes(MEGABYTE, with_acks=True)
    return [
        Case(
            title=f"{n} senders into one on a hub",
            topology=f"{{kind: hub, nodes: {n + 1}}}",
            parts=HUB,
            workload=workloads.Incast(size_bytes=MEGABYTE),
            metric="time",
            expected=by_hand.served(n * both_ways, 100e6),
            # As above; and now and then a first segment is given up after sixteen collisions, whose
            # time-out is a second as nothing has been measured yet.
            tolerance={"flow": 0.05, "packet": 0.35},
            n_seeds=7,
        )
        for n in (1, 3, 7)
    ]


def shift_over_a_bond() -> Case:
    """Return four streams over two buses at once: half the time of one."""
    both_ways = by_hand.wire_bytes(MEGABYTE, with_acks=True)
    return Case(
        title="four streams over a bond of two buses",
        topology="{kind: bonded-dual-net, nodes: 4}",
        parts=HUB,
        workload=workloads.Shift(k=1, size_bytes=MEGABYTE),
        metric="time",
        expected=by_hand.served(4 * both_ways, 200e6),
        # As far from it as one bus is (0.417 s for 0.346 s by hand), and 3 % for frames that
        # overtake each other: duplicate acknowledgements, and segments sent again without a loss.
        tolerance={"flow": 0.05, "packet": 0.35},
        n_seeds=7,
    )


def bond_of_buses() -> Case:
    """Return a message over two buses at once, each of which carries half of it."""
    both_ways = by_hand.wire_bytes(MEGABYTE, with_acks=True)
    return Case(
        title="a bond of two buses",
        topology="{kind: bonded-dual-net, nodes: 4}",
        parts=HUB,
        workload=ping(1, MEGABYTE),
        metric="latency",
        expected=by_hand.served(both_ways, 200e6),
        # Frames overtake each other and are acknowledged twice, and as on one hub.
        tolerance={"analytic": 0.05, "flow": 0.05, "packet": 0.35},
    )


def forwarder_at_its_limit() -> Case:
    """Return a forwarder that takes 200 us for every packet, three times what the wire does."""
    cost_us = 200.0
    ideal = load("ideal-reno")
    slow = ideal.host.model_copy(update={"forward": Cost(us=cost_us, origin="definition")})
    return Case(
        title="a forwarder at the limit of its processor",
        topology="{kind: mesh, shape: [3]}",
        workload=ping(2, MEGABYTE),
        metric="latency",
        expected=by_hand.forwarded(MEGABYTE, cost_us * 1e-6),
        calibration=ideal.model_copy(update={"host": slow}),
        # Alone, the answer does not meet the acknowledgements of the last window.
        tolerance={"analytic": 0.02, "flow": 0.02, "packet": 0.01},
    )


CASES = [
    *idle_paths(),
    hub_path(),
    *shared_servers(),
    *senders_into_one(),
    *saturated_hub(),
    *hub_of_streams(),
    *senders_on_a_hub(),
    shift_over_a_bond(),
    bond_of_buses(),
    forwarder_at_its_limit(),
]
