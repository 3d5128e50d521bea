"""The same workloads on Linkwright, ns-3 and SimGrid: inputs, start and figures of each."""
