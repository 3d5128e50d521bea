"""The same workloads on Linkwright, ns-3 and SimGrid: what each is told, started and measured."""
