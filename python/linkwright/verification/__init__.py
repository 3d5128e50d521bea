"""Decisions and connections of real kernels, compared with the proofs of a plan."""
