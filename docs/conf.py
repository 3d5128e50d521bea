"""How the pages are built: Markdown through MyST, the Furo theme, no network.

`make docs` treats every warning as an error, so that no link between pages is dead.
"""

from importlib.metadata import version as installed_version

project = "Linkwright"
author = "The Linkwright developers"
version = release = installed_version("linkwright")

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "Linkwright"
