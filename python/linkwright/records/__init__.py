"""Records of all parts of the package: frozen dataclasses, and models that users fill in.

One file each: arrays that are locked, NumPy's numbers as Python's, the docstrings of fields, and
what is wrong with the fields that a user gave.
"""
