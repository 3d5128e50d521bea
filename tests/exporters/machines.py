"""Machines in namespaces that read their files: each target is judged by the program that reads it
and by the kernel.

The machines are those of an emulation with nothing set up: NICs that are down, without addresses,
and every parameter of the kernel that matters at the value that hurts most.
"""

from __future__ import annotations

import functools
import json
import re
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import numpy as np
from tests.namespaces import SYSTEM_PATH
from tests.plan.networks import rows

from linkwright.design.cluster import Cluster
from linkwright.emulation.cluster import SETTLED_S
from linkwright.emulation.sandbox import Sandbox
from linkwright.machines.walks import ARRIVED
from linkwright.network import RULE_PRIORITY, Network
from linkwright.network import compile as compile_network
from linkwright.nodes.sources import SOURCE_PRIORITY
from linkwright.plan import export, plan
from linkwright.plan.exporters import EXPORTERS
from linkwright.plan.exporters.loading import Loaded, load
from linkwright.plan.failures import Failure, failures_of
from linkwright.verification.disagreement import Disagreement
from linkwright.verification.failures import FailureTrial

FALLBACK = "routing: {scheme: shortest-path, fallback: true}\n"
BY_INTERFACE = "routing: {fallback: by-interface}\n"
UNNUMBERED = "addressing: {scheme: unnumbered, ipv4: true}\n"
BOTH = "addressing: {ipv4: true, ipv6: true}\n"
TWINS = """
topology:
  kind: custom
  nodes: {a: {nics: {eth0: usb4, eth1: usb4}}, b: {nics: {eth0: usb4, eth1: usb4}}}
  cables: [["a:eth0", "b:eth0"], ["a:eth1", "b:eth1"]]
parts: {catalogue: ethernet-2026, node: mini-pc, cable: usb4-cable}
mtu: 9000
routing: {fallback: true}
"""
SHARED = """
topology:
  kind: custom
  nodes: {a: {nics: {r0: , r1: }}, b: {nics: {r0: , r1: }}}
  switches: {sw: }
  cables: [["a:r0", sw], ["a:r1", sw], ["b:r0", sw], ["b:r1", sw]]
parts: {catalogue: ethernet-2026, node: server, nic: nic-100g, cable: dac-100g,
  switch: switch-100g-32}
"""
DESIGNS = {
    "ring": "topology: {kind: ring, shape: [3]}\n" + FALLBACK + BOTH,
    "unnumbered": "topology: {kind: ring, shape: [4]}\n" + FALLBACK + UNNUMBERED,
    "unnumbered beside IPv6": "topology: {kind: ring, shape: [4]}\n"
    + FALLBACK
    + UNNUMBERED.replace("}", ", ipv6: true}"),
    "ring of six": "topology: {kind: ring, shape: [6]}\n" + FALLBACK,
    "ring by interface": "topology: {kind: ring, shape: [4]}\n" + BY_INTERFACE,
    "ring of three by interface": "topology: {kind: ring, shape: [3]}\n" + BY_INTERFACE + BOTH,
    "ring of six by interface": "topology: {kind: ring, shape: [6]}\n" + BY_INTERFACE + BOTH,
    "torus that survives two cuts": "topology: {kind: torus, shape: [3, 3]}\n"
    "routing: {fallback: {by: interface, failures: 2}}\n",
    "ring of IPv6": "topology: {kind: ring, shape: [3]}\n"
    + FALLBACK
    + "addressing: {ipv4: false, ipv6: true}\n",
    "chain": "topology: {kind: mesh, shape: [3]}\n",
    "chain of IPv6": "topology: {kind: mesh, shape: [3]}\naddressing: {ipv4: false, ipv6: true}\n",
    "torus": "topology: {kind: torus, shape: [3, 3]}\n" + FALLBACK,
    "large torus": "topology: {kind: torus, shape: [4, 4]}\n" + FALLBACK,
    "p-mesh": "topology: {kind: p-mesh, shape: [3, 3], lines_per_switch: 1}\n" + FALLBACK + BOTH,
    "twins": TWINS,
    "two ports on a switch": SHARED,
    "two ports on a switch, IPv6": SHARED + BOTH,
    "tree": "topology: {kind: tree, leaves: 2, nodes_per_leaf: 2}\n",
    "stack ring": "topology: {kind: stack-ring, stages: 4, nodes_per_stage: 2}\n",
}
"""Small designs that differ in their addresses, routes and wires."""
PRIORITIES = f"{RULE_PRIORITY} {SOURCE_PRIORITY}"
FRR_REACTS_S = 0.5
LONGEST_S, LOOK_S = 10.0, 0.1
"""Time within which a manager has set its machine up, and between two looks."""
HOSTILE = """
for family in 4 6; do
    conf=/proc/sys/net/ipv$family/conf
    for scope in all default {ports}; do
        echo 0 > $conf/$scope/ignore_routes_with_linkdown
        echo 0 > $conf/$scope/forwarding
    done
done
for scope in all default {ports}; do
    echo 1 > /proc/sys/net/ipv4/conf/$scope/rp_filter
    echo 0 > /proc/sys/net/ipv4/conf/$scope/accept_local
    echo 0 > /proc/sys/net/ipv4/conf/$scope/arp_ignore
    echo 0 > /proc/sys/net/ipv4/conf/$scope/arp_announce
    echo 1 > /proc/sys/net/ipv4/conf/$scope/send_redirects
    echo 1 > /proc/sys/net/ipv6/conf/$scope/accept_ra
    echo 1 > /proc/sys/net/ipv6/conf/$scope/accept_dad
done
for port in {ports}; do
    ip address flush dev $port
    ip link set dev $port down mtu 1400
done
if [ -e /sys/class/net/id0 ]; then ip link del dev id0; fi
for family in 4 6; do
    for priority in {priorities}; do
        while ip -$family rule del priority $priority 2> /dev/null; do :; done
    done
done
"""
STATE = """
ip -details -oneline link | sed 's/qlen [0-9]*//; s/^[0-9]*: //; s/state [A-Z]* //'
ip -oneline address | sed 's/^[0-9]*: //; / fe80:/d'
ip route show table all | sed '/fe80\\|ff00/d'
ip -6 route show table all | sed '/fe80\\|ff00/d'
ip rule
ip -6 rule
grep -r . /proc/sys/net/ipv4/conf /proc/sys/net/ipv4/ip_forward /proc/sys/net/ipv6/conf \\
    2> /dev/null | grep -v '_secret'
"""
"""Shell commands that print all settings of a machine, without link-local addresses."""


DUPLICATES = """
for _ in $(seq 100); do
    [ -n "$(ip -6 address show tentative scope global)" ] || exit 0
    sleep 0.1
done
exit 1
"""
"""Shell commands that wait for the end of the search for duplicates."""


class Machines:
    """The machines of a design, without a plan, and their files.

    Attributes
    ----------
    trial : FailureTrial
        The same network with its proofs; its kernels are those of the machines.
    folders : mapping of str to Path
        Folder with the files of each node.
    reaction_s : float
        Time within which programs of the machines react to a carrier; kernels do at once.
    """

    reaction_s = 0.0
    loaded: tuple[Loaded, ...] = ()

    def __init__(self, cluster: Cluster, target: str, folder: Path) -> None:
        self.network = compile_network(cluster)
        self.trial = FailureTrial.emulated(cluster, self.network, has_marks=False)
        self.sandbox = Sandbox(self.trial.kernels.nodes, self.network)
        self.target = target
        self.names = self.network.device_names[: self.network.n_nodes]
        files = export(self.network, [target]).files
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(self._adapted(name, stand_in(text)))
        self.folders = {name: folder / "nodes" / name / target for name in self.names}
        table = self.trial.kernels.table
        for node, name in enumerate(self.names):
            ports = [
                each
                for each, of, port in zip(
                    table.interface_name, table.interface_node, table.interface_port, strict=True
                )
                if of == node and port >= 0
            ]
            self.shell(name, HOSTILE.format(ports=" ".join(ports), priorities=PRIORITIES))

    def shell(self, node: str, script: str, **settings: str) -> str:
        """Run a script in a node and return its output."""
        words = [*_environment(settings), "sh", "-euc", f"exec 2>&1\n{script}"]
        done = self.sandbox.machine(node).run(words)
        assert done.code == 0, f"{node}: {done.output}"
        return done.output

    def _adapted(self, name: str, text: str) -> str:
        loading, place = EXPORTERS[self.target].loading, name.partition(f"/{self.target}/")[2]
        return loading.adapted(place, text) if loading is not None else text

    def load(self) -> None:
        """Let each machine load its files."""
        loading = EXPORTERS[self.target].loading
        assert loading is not None
        if self.target == "frr":
            self.reaction_s = FRR_REACTS_S
        for node, folder in self.folders.items():
            loaded = load(loading, self.sandbox.machine(node), PurePosixPath(folder))
            self.loaded = (*self.loaded, loaded)

    def undo(self) -> None:
        """Let each machine take its files back; every step succeeds."""
        for one in self.loaded:
            said = one.undo()
            assert said == "", f"{one.machine.name}: {said}"
        self.loaded = ()

    def leave_out(self, pattern: str) -> None:
        """Remove all that matches a regular expression from the files of the nodes."""
        n_left_out = 0
        for folder in self.folders.values():
            for file in (path for path in folder.rglob("*") if path.is_file()):
                if self.target == "frr" and file.suffix == ".sh":
                    continue  # The scripts of `ip` beside its files have mutants of their own.
                text, n = re.subn(pattern, "", file.read_text(), flags=re.MULTILINE)
                file.write_text(text)
                n_left_out += n
        assert n_left_out, pattern

    def close(self) -> None:
        """End all programs."""
        self.sandbox.close()
        for one in self.loaded:
            if one.process is not None:
                one.process.wait()

    def states(self) -> dict[str, str]:
        """Return the settings of each machine."""
        return {name: self.shell(name, STATE) for name in self.names}

    def settle(self) -> None:
        """Wait until kernels have noticed the carrier of all ports."""
        kernels = self.trial.kernels
        kernels.plug(kernels.cabled, has_carrier=True)
        time.sleep(SETTLED_S + self.reaction_s)
        for name in self.names:
            self.shell(name, DUPLICATES)

    def wait_for_routes(self, longest_s: float = LONGEST_S) -> None:
        """Wait until a manager has set all routes up."""
        begin_s = time.monotonic()
        while wrong := self.wrong_routes():
            assert time.monotonic() - begin_s < longest_s, wrong
            time.sleep(LOOK_S)

    def wrong_routes(self) -> list[str]:
        """Return the lookups of `ip route get` that differ from the plan's routes."""
        found = []
        for name in self.names:
            wanted = [*self._own_lookups(name), *self._relayed_lookups(name)]
            script = "".join(f"ip -json route get {words} 2>&1 || true\n" for words, _ in wanted)
            answers = self.shell(name, script).splitlines()
            for (words, expected), line in zip(wanted, answers, strict=True):
                answer = json.loads(line)[0] if line.startswith("[") else {}
                seen = {key: answer.get(key, "") for key in expected}
                if seen != expected:
                    found.append(f"{name} to {words}: {seen or line}, not {expected}")
        return found

    @functools.cached_property
    def _best(self) -> Mapping[tuple[str, str], dict[str, Mapping[str, str]]]:
        """The best route of each node and table to each destination."""
        found: dict[tuple[str, str], dict[str, Mapping[str, str]]] = {}
        for row in rows(plan(self.network)["routes.csv"]):
            of_table = found.setdefault((row["node"], row.get("table", "")), {})
            best = of_table.get(row["destination"])
            if best is None or int(row["metric"]) < int(best["metric"]):
                of_table[row["destination"]] = row
        return found

    def _own_lookups(self, name: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the words of each lookup for a node's own packets, and the expected answer."""
        identity = self._identities(name)
        for row in self._best.get((name, ""), {}).values():
            source = identity[":" in row["via"]]
            answer = {"dev": row["nic"], "gateway": row["via"], "prefsrc": source}
            yield first_address(row["destination"]), answer

    def _relayed_lookups(self, name: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the same for packets that come in by each NIC with a table of its own: those of the
        node itself that were turned back, which only `accept_local` lets in.
        """
        identity, main = self._identities(name), self._best.get((name, ""), {})
        for rule in rows(plan(self.network).get("rules.csv", "")):
            if rule["node"] != name:
                continue
            if rule["from_address"]:
                yield from self._lookups_by_source(name, rule)
                continue
            for destination, row in {**main, **self._best[name, rule["table"]]}.items():
                source = identity[":" in row["via"]]
                words = f"{first_address(destination)} from {source} iif {rule['from_nic']}"
                yield words, {"dev": row["nic"], "gateway": row["via"]}

    def _lookups_by_source(
        self, name: str, rule: Mapping[str, str]
    ) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the same for the node's own packets from the address of a port."""
        table = self._best[name, rule["table"]]
        gateway = next(row["via"] for row in table.values() if row["via"])
        for destination, row in table.items():
            to = first_address(destination) if row["via"] else gateway
            if (":" in to) == (":" in rule["from_address"]):
                words = f"{to} from {rule['from_address']}"
                yield words, {"dev": row["nic"], "gateway": row["via"]}

    def _identities(self, name: str) -> dict[bool, str]:
        addresses = self.network.addresses
        node = np.array([self.names.index(name)])
        return {
            is_v6: str(addresses.ip[addresses.identities(node, np.array([is_v6]))[0]].ip)
            for is_v6 in set(addresses.is_v6.tolist())
        }

    def wrong_links(self) -> list[str]:
        """Return the ports whose MTU is not that of the plan."""
        found = []
        for name in self.names:
            links = json.loads(self.shell(name, "ip -json link"))
            ports = [link for link in links if link["ifname"] not in ("lo", "id0")]
            found += [f"{name}: {link}" for link in ports if link["mtu"] != self.network.mtu]
        return found

    def disagreements(self, what: str = "single:cable") -> Iterator[Disagreement | str]:
        """Yield all that differs from the plan and the proof: whole, after each failure, and
        mended.
        """
        self.settle()
        yield from self.wrong_links()
        yield from self.trial.whole()
        yield from self._stopped(self.network)
        for failure in failures_of(self.network, what):
            yield from self._failed(failure)
        yield from self.trial.whole()

    def _stopped(self, left: Network) -> Iterator[str]:
        """Yield the pairs whose packets nodes on the way stop, which would pass as their own: they
        do not forward, or filter by the source. Pairs with no way back are lost anyway.
        """
        trial = self.trial
        sender, to = trial.pairs(left)
        whole, filtered = (
            trial._walk(left, sender, trial._identity[to], is_filtered=each)
            for each in (False, True)
        )
        arrives = np.zeros((len(self.names), len(self.names)), dtype=np.bool_)
        arrives[sender, to] = whole.end == ARRIVED
        is_stopped = arrives[sender, to] & arrives[to, sender] & (filtered.end != ARRIVED)
        for index in np.flatnonzero(is_stopped).tolist():
            yield f"{self.names[sender[index]]} to {self.names[to[index]]} is stopped"

    def _failed(self, failure: Failure) -> Iterator[Disagreement | str]:
        trial = self.trial
        left = compile_network(trial.cluster, without=failure.name.split(" and "))
        dark = trial.without_carrier(left)
        trial.kernels.plug(dark, has_carrier=False)
        time.sleep(self.reaction_s)
        pairs = trial.pairs(left)
        impacts = trial._impacts(failure)
        walks = trial._walk(left, pairs[0], trial._identity[pairs[1]])
        arrives = ~trial._is_lost(impacts, *pairs)
        if self.network.by_interface and not arrives.all():
            yield f"{failure.name} loses pairs"
        yield from trial._compared(failure, "plan", pairs, walks, arrives)
        yield from self._stopped(left)
        trial.kernels.plug(dark, has_carrier=True)
        time.sleep(self.reaction_s)


def _environment(settings: Mapping[str, str]) -> list[str]:
    """Return the words that run a command with some variables, and with the system's programs."""
    return ["env", f"PATH={SYSTEM_PATH}", *(f"{name}={value}" for name, value in settings.items())]


@functools.cache
def lacks(kind: str) -> str:
    """Return why the kernel has no interfaces of a kind; empty if it has them."""
    make = f"ip link add dev t0 type {kind}"
    made = subprocess.run(["unshare", "--net", "sh", "-c", make], capture_output=True, check=False)
    return f"the kernel has no interfaces of type {kind}" if made.returncode else ""


def stand_in(text: str) -> str:
    """Return files with interfaces that this kernel has: `ifb` behaves like `dummy` here."""
    if not lacks("dummy"):
        return text
    for mine in ("made id0 ", "Kind=", "link-type "):
        text = text.replace(f"{mine}dummy", f"{mine}ifb")
    return text


def first_address(prefix: str) -> str:
    """Return an address of a prefix that no broadcast has: the first one of a host."""
    address, _, length = prefix.partition("/")
    if length in ("31", "32", "127", "128"):
        return address
    from ipaddress import ip_address

    return str(ip_address(address) + 1)


@contextmanager
def machines(cluster: Cluster, target: str, folder: Path) -> Iterator[Machines]:
    """Bring machines up, and end them."""
    up = Machines(cluster, target, folder)
    try:
        yield up
    finally:
        up.close()
