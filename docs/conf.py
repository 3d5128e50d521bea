"""How the pages are built: Markdown through MyST, the Furo theme, no network.

`make docs` treats every warning as an error, so that no link between pages is dead. The pages of
the Python interface are made from its docstrings, which follow numpydoc.
"""

import re
from html import escape
from importlib.metadata import version as installed_version

from docutils import nodes
from docutils.parsers.rst import Directive
from pydantic import BaseModel

# Autodoc changes the annotations of pydantic's base class: models are built before it begins.
from linkwright.papers import Reproduction  # noqa: F401

project = "Linkwright"
author = "The Linkwright developers"
version = release = installed_version("linkwright")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

autodoc_default_options = {"exclude-members": "model_config, model_post_init, examples"}
autodoc_member_order = "bysource"
autodoc_type_aliases = {name: name for name in ("Choice", "Origin", "Part", "Report", "Role")}
autodoc_typehints_format = "short"
default_role = "literal"
maximum_signature_line_length = 88
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
python_use_unqualified_type_names = True

html_extra_path = ["_build/extra"]
html_theme = "furo"
html_title = "Linkwright"
html_static_path = ["_static"]
html_css_files, html_js_files = ["site.css"], ["site.js"]
copyright = f"{author}. Linkwright {version}, licence Apache-2.0"

_ALIAS = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")
_ARRAY = re.compile(r"~?(?:numpy\.)?ndarray\[.*?dtype\[~?(?:numpy\.)?(\w+)\]\]")


class Living(Directive):
    """A page that tools/living.py makes, in a frame that loads once a reader comes near.

    The argument is its name, the content its title.
    """

    required_arguments = 1
    has_content = True

    def run(self):
        """Return the frame, and a link to the page alone."""
        document = self.state.document.settings.env.docname
        page = escape("../" * document.count("/") + f"living/{self.arguments[0]}.html")
        title = escape(" ".join(self.content))
        frame = (
            f'<iframe src="{page}" title="{title}" loading="lazy" width="100%" height="760"'
            ' style="border: 1px solid var(--color-background-border)"></iframe>'
            f'<p><a href="{page}">{title}: the whole page</a></p>'
        )
        return [nodes.raw("", frame, format="html")]


def _without_type(app, what, name, obj, options, lines):
    """Keep napoleon from taking the words before a colon for the type of an attribute."""
    if what in ("attribute", "data", "property"):
        lines[:0] = ["..", ""]


def _short(app, what, name, obj, options, signature, returned):
    """Shorten a signature: the fields of a model have their own entries."""
    if isinstance(obj, type) and issubclass(obj, BaseModel):
        return "(**fields)", returned
    return _plain(signature), _plain(returned)


def _plain(text):
    if not text:
        return text
    text = _ALIAS.sub(r"\1", _ARRAY.sub(r"NDArray[\1]", text))
    return text.replace("<factory>", "...")


def setup(app):
    """Connect the handlers above."""
    app.add_directive("living", Living)
    app.connect("autodoc-process-docstring", _without_type, priority=400)
    app.connect("autodoc-process-signature", _short)
