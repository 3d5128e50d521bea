"""A broadcast to sixteen nodes on four networks, from Python.

Compile each design once, play the workload, pick the rows that are wanted.
"""

import linkwright

DESIGNS = {
    "hub": "{kind: hub, nodes: 16}",
    "switch": "{kind: switch, nodes: 16}",
    "torus 4x4": "{kind: torus, shape: [4, 4]}",
    "p-mesh 4x4": "{kind: p-mesh, shape: [4, 4], lines_per_switch: 1}",
}
SIZES_BYTES = (64, 1024, 4096)

print(f"{'broadcast, ms':14}" + "".join(f"{size:>8} B" for size in SIZES_BYTES))
for name, topology in DESIGNS.items():
    cluster = linkwright.Cluster.parse(
        f"{{name: example, topology: {topology}, parts: {{catalogue: whitney-1998}}}}"
    )
    network = linkwright.compile(cluster)
    workload = linkwright.workloads.Broadcast(size_bytes=SIZES_BYTES)
    times_s = linkwright.run(network, workload, seed=1).filter(metric="time").values()
    print(f"{name:14}" + "".join(f"{1e3 * time_s:10.3f}" for time_s in times_s))
