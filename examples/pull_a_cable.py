"""A cable of a ring is pulled in the middle of a transfer and plugged in again: what that costs.

With three nodes the other way round is a fallback route; with five there is none that is safe, and
the transfer waits for the cable. TCP tries again after 0.2 s, 0.6 s, 1.4 s, 3 s and so on.
"""

import linkwright

OUTAGES_S = (0.05, 0.3, 1, 5)
SHIFT = linkwright.workloads.Shift(k=1, size_bytes=1_000_000)

for n_nodes in (3, 5):
    cluster = linkwright.Cluster.parse(
        f"{{topology: {{kind: torus, shape: [{n_nodes}]}}, routing: {{fallback: true}}}}"
    )
    network = linkwright.compile(cluster)
    print(f"ring of {n_nodes}: 1 MB from each node to the next, cable 0 pulled at 20 ms")
    print(f"{'pulled for, s':>16}{'frames lost':>14}{'stood still, s':>16}{'complete, s':>14}")
    for outage_s in OUTAGES_S:
        fault = f"cable:0 down at 20ms for {outage_s}s"
        result = linkwright.run(network, SHIFT, calibration="ideal-reno", seed=1, faults=[fault])
        lost, stall_s, time_s = (
            result.filter(metric=metric).values()[0]
            for metric in ("frames_lost", "recovery_s", "time")
        )
        print(f"{outage_s:16g}{lost:14.0f}{stall_s:16.3f}{time_s:14.3f}")
