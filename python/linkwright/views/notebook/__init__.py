"""Objects in a notebook, as fragments of HTML without scripts or ids.

`linkwright.notebook` names the function of each class; tables are those of the terminal.
"""
