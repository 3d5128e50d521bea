"""Observations of a run besides its figures: one file each for frames, ports and the time line.

Engines and the wires of an emulation return their raw columns; names are added here.
"""
