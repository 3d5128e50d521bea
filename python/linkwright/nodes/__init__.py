"""Settings of the nodes' kernels and routing daemons, for the files of a plan and for emulations
alike.
"""
