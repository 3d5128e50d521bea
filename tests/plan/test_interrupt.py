"""Ctrl-C ends what can last at once, also for who calls the library: each call is sent a signal."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import signal
import linkwright

def interrupt(*_):
    raise KeyboardInterrupt

design = "{topology: {kind: torus, shape: [120, 120]}}"
network = linkwright.compile(linkwright.Cluster.parse(design))
calls = {
    "reachability": network.core.reachability,
    "forwards": lambda: network.core.forwards(network.addresses.identity[:4096]),
    "routes": network.core.routes,
}
signal.signal(signal.SIGALRM, interrupt)
for name, call in calls.items():
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        call()
    except KeyboardInterrupt:
        print(name)
"""
"""Counts that take minutes on any machine; those that take less have no need to stop."""


def test_a_signal_ends_a_count() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert ended.stdout.split() == ["reachability", "forwards", "routes"]
