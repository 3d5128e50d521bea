"""Designs tried on real kernels: nodes as namespaces of this machine."""
