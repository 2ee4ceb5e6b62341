"""How the site looks and what reads it; ``python docs/make.py`` builds it."""

import inspect
import sys
from html import escape
from pathlib import Path
from textwrap import shorten

from docutils import nodes

sys.path.insert(0, str(Path(__file__).parent))

project, author, copyright = "notebook_sne", "The notebook_sne developers", "The notebook_sne developers"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_copybutton",
    "equations",
    "elsewhere",
    "findable",
]
default_role = "py:obj"
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
autosummary_generate = False  # names.py writes the pages
autodoc_typehints = "none"  # docstrings have types in words, with shapes
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"  # links are made of these names alone
numpydoc_xref_aliases = {
    "ndarray": "numpy.ndarray",
    "DataFrame": "pandas.DataFrame",
    "RandomState": "numpy.random.RandomState",
    "Generator": "numpy.random.Generator",
    "Path": "pathlib.Path",
    **{name: f"notebook_sne.{name}" for name in ("State", "Run", "Recording", "Player")},
    "Dataset": "notebook_sne.datasets.Dataset",
}

DESCRIPTION = "Stochastic neighbor embeddings (SNE, t-SNE, aspect maps) that you watch and control in a notebook."
html_theme = "pydata_sphinx_theme"
html_title = "notebook_sne"
html_baseurl = "https://notebook-sne.github.io/notebook_sne/"
html_static_path = ["_static", "../tutorials/figures/player.png"]
html_favicon = "_static/favicon.svg"
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "scorer.js")
html_show_search_summary = False  # summaries are fetched, which no browser allows of a page from disk
html_context = {"default_mode": "auto"}
html_show_sourcelink = html_copy_source = html_show_sphinx = False
html_use_index = html_domain_indices = False  # the search and the pages of the API are shorter ways
html_sidebars = {"index": [], "gallery/*": [], "course/*": []}
html_theme_options = {
    "collapse_navigation": True,  # every page would else list all pages
    "navigation_depth": 2,
    "navigation_with_keys": False,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "search_bar_text": "Search",
    "footer_start": ["copyright"],
    "footer_end": [],
    "icon_links": [
        {"name": "Source", "url": "https://github.com/notebook-sne/notebook_sne", "icon": "fa-brands fa-github"}
    ],
}


def skip(app, what, name, thing, skipped, options):
    """Leave out what a class has from other packages: scikit-learn, ipywidgets and traitlets tell of it."""
    home = getattr(inspect.unwrap(thing) if callable(thing) else thing, "__module__", None)
    return True if home and not home.startswith("notebook_sne") else None


def described(doctree):
    """Return the beginning of the first paragraph of a page or, where it has none, what the site is."""
    paragraphs = list(doctree.findall(nodes.paragraph)) if doctree else []
    text = " ".join(paragraphs[0].astext().split()) if paragraphs else DESCRIPTION
    return shorten(text, 160, placeholder=" ...")


def shared(app, page, template, context, doctree):
    """Say what a link to a page looks like where it is found or sent to others: its title, its beginning, and a map."""
    own, about = context.get("metatags", ""), described(doctree)
    facts = {
        "og:title": f"{context.get('title', project)} - {project}",
        "og:site_name": project,
        "og:type": "website",
        "og:url": f"{html_baseurl}{page}.html",
        "og:image": f"{html_baseurl}_static/player.png",
        "og:description": about,
    }
    lines = [f'<meta property="{name}" content="{escape(value)}">' for name, value in facts.items()]
    if 'name="description"' not in own:  # a page may have one of its own
        lines.append(f'<meta name="description" content="{escape(about)}">')
    context["metatags"] = "\n".join([own, *lines])


def setup(app):
    """Connect what is ours."""
    app.connect("autodoc-skip-member", skip)
    app.connect("html-page-context", shared)
