"""Records of all parts of the package: frozen dataclasses, and models that users fill in.

One file each: locked arrays, NumPy numbers as Python numbers, docstrings of fields, and mistakes in
the fields that a user gave.
"""
