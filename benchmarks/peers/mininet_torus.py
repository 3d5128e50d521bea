"""A cluster brought up and taken down by Mininet, run with Debian's own Python as
`python3 mininet_torus.py PLAN`; prints the seconds of both.

Links are plain pairs of interfaces, and the addresses and routes of a node are one file of
`ip -batch`, which is faster than a command for each. Mininet's own changes to limits of the machine
are left out. The caller gives it namespaces of its own, in which nothing of the machine is reached.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any


def main() -> None:
    """Bring a plan up, ask the last node for an answer, and take it down."""
    plan: dict[str, Any] = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    net: Any = importlib.import_module("mininet.net")
    net.fixLimits = lambda: None
    begin_s = time.perf_counter()
    cluster = net.Mininet(controller=None)
    for name in plan["batches"]:
        cluster.addHost(name, ip=None)
    for (a, nic_a), (b, nic_b) in plan["links"]:
        cluster.addLink(
            cluster.get(a), cluster.get(b), intfName1=f"{a}-{nic_a}", intfName2=f"{b}-{nic_b}"
        )
    cluster.build()
    for name, batch in plan["batches"].items():
        said = cluster.get(name).cmd(f"sysctl -qw net.ipv4.ip_forward=1; ip -batch {batch}")
        if said:
            sys.exit(f"{name}: {said}")
    up_s = time.perf_counter() - begin_s
    first, *_ = plan["batches"]
    answers = " 0% packet loss" in cluster.get(first).cmd(f"ping -c 1 -W 5 {plan['last']}")
    begin_s = time.perf_counter()
    cluster.stop()
    down_s = time.perf_counter() - begin_s
    print(json.dumps({"up_s": up_s, "down_s": down_s, "answers": answers}))


main()
