"""A cable is pulled under a TCP stream: on real kernels of this machine, and as predicted.

Prints how long nothing arrived, and draws the throughput over time into pull-a-cable.svg. Needs
root and /dev/net/tun, as `linkwright emulate` does.
"""

import sys
from pathlib import Path

import numpy as np

import linkwright
from linkwright import engines
from linkwright.views.traffic_plot import traffic_plot

CUT_S, MENDED_S = 0.3, 0.8
FAULT = f"cable:0 down at {CUT_S}s up at {MENDED_S}s"
STREAM = linkwright.workloads.Shift(k=1, size_bytes=10_000_000)
RING = """
name: ring
topology: {kind: ring, shape: [3]}
parts: {catalogue: whitney-1998}
routing: {fallback: true}
"""

network = linkwright.compile(linkwright.Cluster.parse(RING))
rates = {}
for engine, name in (("emulation", "real kernels"), ("packet", "packet engine")):
    result, watched = engines.watch(
        network,
        STREAM,
        engine=engine,
        calibration="ideal-reno",
        faults=[FAULT],
        has_capture=False,
    )
    time_s, rate = rates[name] = watched.traffic.received_by("n1")
    arrives = time_s[rate > 1e6]
    gap_s = np.diff(arrives).max()
    print(f"{name}: nothing arrived for {gap_s * 1e3:.0f} ms, complete after {arrives[-1]:.2f} s")
    print("\n".join(f"  {remark}" for remark in result.remarks))

picture = Path(sys.argv[1] if len(sys.argv) > 1 else "pull-a-cable.svg")
marks_s = {"cable pulled": CUT_S, "plugged in": MENDED_S}
picture.write_text(traffic_plot(rates, "received by n1", marks_s), encoding="utf-8")
print(f"wrote {picture}")
