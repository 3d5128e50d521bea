"""Settings of the nodes' kernels and routing daemons, for the files of a plan and for emulations
alike.
"""

IDENTITY = "id0"
"""Name of the interface that carries the identity of a node, if the plan has it on the loopback:
MPI libraries pass over loopback interfaces.
"""
