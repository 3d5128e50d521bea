"""A cluster that is up on this machine: its nodes, the wires between them, and the sandbox of its
programs.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from linkwright import calibrations
from linkwright.emulation.cables import kernel_cables
from linkwright.emulation.daemons import Daemons
from linkwright.emulation.kernels import Kernels
from linkwright.emulation.mpi import mpi_settings
from linkwright.emulation.preload import preloaded
from linkwright.emulation.sandbox import Sandbox
from linkwright.emulation.waiting import Waiting
from linkwright.emulation.wires import Wires
from linkwright.errors import UsageError, shown, unknown_name
from linkwright.faults.columns import fault_columns
from linkwright.observations.capture import SNAP_BYTES

if TYPE_CHECKING:
    from linkwright.calibrations import Calibration
    from linkwright.faults import Fault
    from linkwright.network import Network

__all__ = [
    "EmulatedCluster",
    "WireOptions",
    "cabled",
    "configured_by",
    "emulated",
    "is_configured",
    "quiet_wires",
    "unwired",
]


SETTLED_S = 1.1
"""Time without changes of carrier after which a kernel acts upon one at once. It acts once a
second, also on a real machine.
"""


MOST_LISTED = 3
"""Largest number of files that a remark names."""


@dataclass(frozen=True, kw_only=True)
class WireOptions:
    """The options of the wires between nodes.

    Attributes
    ----------
    hosts : Calibration
        Queues, and the TCP options that a kernel has settings for; processors are those of this
        machine.
    dilation : float
        Real seconds for one second of the network.
    seed : int
        Seed of collisions and losses.
    faults : sequence of Fault
        Faults; their times count from when the cluster is up.
    has_capture : bool
        Whether frames are captured.
    """

    hosts: Calibration
    dilation: float = 1.0
    seed: int = 1
    faults: Sequence[Fault] = ()
    has_capture: bool = False

    @property
    def quiet(self) -> WireOptions:
        """The same without faults and captures."""
        return replace(self, faults=(), has_capture=False)


class EmulatedCluster:
    """A cluster that is up until `emulated`, `cabled` or `unwired` is left.

    Attributes
    ----------
    network : Network
        The network that its plan is made from.
    kernels : Kernels
        Kernels of its nodes.
    sandbox : Sandbox
        Programs of its nodes.
    """

    def __init__(
        self, network: Network, kernels: Kernels, sandbox: Sandbox, dilation: float = 1.0
    ) -> None:
        self.network, self.kernels, self.sandbox = network, kernels, sandbox
        self._dilation = dilation
        self._configure = _CONFIGURE.get()
        has_daemons = network.daemon and self._configure is None
        self._daemons = Daemons(network, kernels, sandbox) if has_daemons else None

    @property
    def needs_frames(self) -> bool:
        """Whether nodes are not ready before frames have moved."""
        return self._daemons is not None or self._configure is not None

    def find_routes(self) -> None:
        """Let the routing daemons of the design, if it has any, find all routes, or configure the
        nodes otherwise. Frames must move, and wires may change afterwards.

        Raises
        ------
        RunError
            If they do not find all.
        """
        configure, self._configure = self._configure, None
        if configure is not None:
            configure(self)
        if self._daemons is not None:
            self._daemons.find_routes()

    def wires(self, options: WireOptions) -> Wires:
        """Return wires between the nodes, which move frames while they are entered."""
        network, hosts = self.network, options.hosts
        if options.faults:
            self.kernels.plug(self.kernels.cabled, has_carrier=True)
            time.sleep(SETTLED_S)
        return Wires(
            self.kernels.nodes,
            network,
            hosts.constants(network.mtu),
            dilation=options.dilation,
            seed=options.seed,
            faults=fault_columns(options.faults, network, hosts),
            snap_bytes=SNAP_BYTES if options.has_capture else None,
        )

    def waiting(self) -> Waiting:
        """Return a watch on the time for which programs wait for a processor."""
        return Waiting(self.sandbox.root)

    def node(self, name: str) -> str:
        """Return the name of a node, or refuse a name that no node has.

        Raises
        ------
        UsageError
            If no node has it.
        """
        names = self.network.device_names[: self.network.n_nodes]
        if name not in names:
            raise UsageError(f"there is no node {shown(name)}", unknown_name(name, names))
        return name

    def call(self, node: str, words: Sequence[str], tell: Callable[[str], None]) -> int:
        """Run a command in a node with the settings of MPI; return its exit code as a shell does.

        `tell` receives a remark if the machine cannot build the library for waiting ranks.
        """
        library = preloaded(self.sandbox, self._dilation, tell)
        settings = {**library, **mpi_settings(self.network, can_sleep=bool(library))}
        # Set inside: outside, there is no such library.
        assignments = [f"{name}={value}" for name, value in settings.items()]
        code = self.sandbox.machine(node).call(["env", *assignments, *words])
        return code if code >= 0 else 128 - code

    def lost_files(self) -> Iterator[str]:
        """Yield the remark on the files that programs have left in a /tmp that ends, if any."""
        names = self.sandbox.temporary_files()
        if names:
            listed = ", ".join(map(shown, names[:MOST_LISTED]))
            listed += ", ..." if len(names) > MOST_LISTED else ""
            yield (
                f"the nodes have a /tmp of their own, and it ends with {listed} in it; write to "
                "the working directory, or to a folder that is there before"
            )

    @property
    def how_to_enter(self) -> str:
        """The command that enters a node from another terminal."""
        words = self.sandbox.command_from_elsewhere("NODE", ["COMMAND"])
        names = self.network.device_names
        last = names[self.network.n_nodes - 1]
        return (
            f"nodes {names[0]} to {last} are up until Ctrl-C; enter one from another terminal "
            f"with\n  {' '.join(words)}"
        )


_CONFIGURE: ContextVar[Callable[[EmulatedCluster], None] | None] = ContextVar(
    "configure", default=None
)


@contextlib.contextmanager
def configured_by(configure: Callable[[EmulatedCluster], None]) -> Iterator[None]:
    """Let clusters that come up meanwhile, in a workload too, be configured by a function when
    frames move for the first time; routing daemons of a design are not started.
    """
    token = _CONFIGURE.set(configure)
    try:
        yield
    finally:
        _CONFIGURE.reset(token)


def is_configured() -> bool:
    """Return whether clusters that come up now are configured by a function."""
    return _CONFIGURE.get() is not None


def quiet_wires(kernels: Kernels, network: Network) -> Wires:
    """Return wires of a network with the hosts of its catalogue, without faults."""
    hosts = calibrations.load(network.calibration)
    constants, faults = hosts.constants(network.mtu), fault_columns((), network, hosts)
    return Wires(kernels.nodes, network, constants, faults=faults)


def _has_routes(network: Network) -> bool:
    """Return whether nodes come up with the routes of the plan."""
    return network.daemon is None or is_configured()


@contextlib.contextmanager
def unwired(
    network: Network, hosts: Calibration, *, dilation: float = 1.0
) -> Iterator[EmulatedCluster]:
    """Bring the nodes of a cluster up on this machine, without wires, and end them.

    Nothing but namespaces of its own is touched, and all of it ends with this process, however
    that ends.

    Parameters
    ----------
    network : Network
        The compiled network.
    hosts : Calibration
        Queues and TCP of the nodes.
    dilation : float
        Real seconds for one second of the network.

    Raises
    ------
    CapabilityError
        If this machine cannot bring them up.
    """
    kernels = Kernels(network, hosts, dilation=dilation, has_routes=_has_routes(network))
    with Sandbox(kernels.nodes, network) as sandbox:
        yield EmulatedCluster(network, kernels, sandbox, dilation)


@contextlib.contextmanager
def cabled(network: Network, hosts: Calibration) -> Iterator[EmulatedCluster]:
    """Bring a cluster up with cables of the kernel, as `unwired` does, and end it.

    Raises
    ------
    CapabilityError
        If this machine cannot bring it up, or the kernel has no such cables.
    """
    kernels = Kernels(
        network, hosts, cables=kernel_cables(network), has_routes=_has_routes(network)
    )
    with Sandbox(kernels.nodes, network) as sandbox:
        up = EmulatedCluster(network, kernels, sandbox)
        up.find_routes()
        yield up


@contextlib.contextmanager
def emulated(network: Network, options: WireOptions) -> Iterator[tuple[EmulatedCluster, Wires]]:
    """Bring a cluster with its wires up on this machine, as `unwired` does, and end it.

    Raises
    ------
    RunError
        If routing daemons do not find all routes.
    """
    with unwired(network, options.hosts, dilation=options.dilation) as up:
        if up.needs_frames:
            with up.wires(options.quiet):
                up.find_routes()
        with up.wires(options) as wires:
            yield up, wires
