"""Build the reference from the docstrings: ``python docs/make.py [FOLDER]``, by default into ``docs/reference``.

pdoc finds the public names and lays out the pages; docutils reads the docstrings, which are numpydoc in
reStructuredText, and turns equations into MathML, which browsers draw by themselves. The pages fetch nothing.

An equation is written as it is read in a terminal, in the words of LaTeX but without its signs, a line each, at the end
of which may stand where it comes from::

    .. math::

        q_{j|i} = exp(-d_ij) / sum_{h != i} exp(-d_ih)     [Hinton2002, Eq. 3]

What docutils cannot read is an error, and so is every warning.
"""

import inspect
import re
import sys
import warnings
from functools import cache
from html import escape
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pdoc
import pdoc.docstrings
import pdoc.render
import pdoc.search
from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.states import Inliner
from docutils.utils import SystemMessage
from docutils.utils.math.latex2mathml import tex2mathml
from docutils.writers import html5_polyglot
from markupsafe import Markup
from pdoc.render_helpers import format_signature
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonConsoleLexer

HERE = Path(__file__).parent

PAGES = """affinities baselines datasets failures networks networks.coded networks.network quality
quality.leave_one_out relations senses views mathematics.* sums.* machine.* optimizers.* portable.* models.base
models.single models.several models.placed baselines.solved baselines.net_map fitting.states runs.readable
runs.recording runs.recording.recorder widgets.map_view widgets.explorer_traits""".split()
"""Modules and packages with a page of what they offer, and packages all of whose modules have; the first page is that
of notebook_sne itself."""

# ---- equations ----

_SIGNS = {
    "||": r"\parallel ", "!=": r"\neq ", ">=": r"\geq ", "<=": r"\leq ", "<-": r"\leftarrow ", "...": r"\dots ",
    "log2": r"\log_2 ",
}  # fmt: skip
_FUNCTIONS = "exp log max min cos sin".split()
_LETTERS = "sum lambda pi sigma theta mu eta beta alpha phi Phi".split()
_SOURCE = re.compile(r"\s{2,}(\[[A-Z][^][]*\]|\([^()]*\))$")  # [Hinton2002, Eq. 3], or (a remark), two blanks away
_SYMBOL = re.compile(r"(?<![\w\\/.])(?:[A-Za-z]|pi|sigma|sum)_(?:\{[^}]+\}|[a-z][A-Za-z0-9]?)(?:\^[a-z]{1,2}\b)?(?!\w)")


def tex(equation):
    """Return LaTeX for an equation as it is written in a docstring; LaTeX itself stays as it is."""
    equation = re.sub(r"\bd(?=[A-Z]\w*/d|[a-z(])(.*?)/d(?=[a-z(])", r"\\partial \1/\\partial ", equation)  # dC/dy_i
    for sign, command in _SIGNS.items():
        equation = equation.replace(sign, command)
    equation = re.sub(r"\|(?=\S)([^|]*\S)\|(?=[\s^,)]|$)", r"\\lvert \1\\rvert ", equation)
    equation = re.sub(r"(?<=\w)([_^])(-[A-Za-z0-9]+|[A-Za-z0-9]{2,})", r"\1{\2}", equation)  # d_ij, 10^-4
    equation = re.sub(r"(?<![\\A-Za-z])[A-Za-z]{2,}(?![A-Za-z])", _word, equation)
    names = "|".join(_FUNCTIONS)
    equation = re.sub(rf"(?<=[\w}})]) (\\(?:{names})\b)", r" \\,\1", equation)  # p log q: a little room around log
    equation = re.sub(rf"(\\(?:{names})(?:_2)?) +(?=[\w\\])", r"\1\\, ", equation)
    return re.sub(r", {2,}", r",\\quad ", equation)


def _word(found):
    """Return LaTeX for letters that stand together: a function, a Greek letter, a word, or a few symbols."""
    word, before = found[0], found.string[: found.start()]
    if word in _FUNCTIONS or word in _LETTERS:
        return rf"\{word} "
    if before.endswith(("_{", "^{")) and len(word) < 4:
        return word  # indices
    return rf"\mathrm{{{word}}}" if len(word) > 2 or word.isupper() else word


def mathml(equation, block=False):
    """Return MathML for an equation as it is written in a docstring."""
    drawn = re.sub(r">\s+<", "><", tex2mathml(tex(equation), as_block=block))
    # A bar is as high as a letter and has no room around it: p_{j|i}, |x|.
    return re.sub(r"<mo[^>]*>\|</mo>", '<mo stretchy="false" lspace="0" rspace="0">|</mo>', drawn)


class Equations(Directive):
    """The directive ``math``: an equation a line."""

    has_content = True
    optional_arguments, final_argument_whitespace = 1, True

    def run(self):
        """Return each line as MathML, with its source at the margin."""
        rows = []
        for line in [*self.arguments, *self.content]:
            if source := _SOURCE.search(line):
                line = line[: source.start()]
            remark = f'<span class="source">{escape(source[1])}</span>' if source else ""
            if line.strip():
                rows.append(f'<div class="equation">{mathml(line.strip(), block=True)}{remark}</div>')
        return [nodes.raw("", "\n".join(rows), format="html")]


def formula(name, rawtext, text, lineno, inliner, options=None, content=None):
    """Return what the role ``math`` stands for."""
    return [nodes.raw("", mathml(text), format="html")], []


# ---- docstrings ----


class Translator(html5_polyglot.HTMLTranslator):
    """Docutils' HTML, in the form that pdoc's style sheet and its links know."""

    def visit_section(self, node):
        """Begin no section: the headings of a docstring are no parts of the page."""

    def depart_section(self, node):
        """End no section."""

    def visit_title(self, node):
        """Write a small heading."""
        self.body.append(f"<h6>{escape(node.astext())}</h6>\n")
        raise nodes.SkipNode

    def visit_literal(self, node):
        """Write a name as pdoc looks for names, to link them."""
        self.body.append(f"<code>{escape(node.astext())}</code>")
        raise nodes.SkipNode

    def visit_doctest_block(self, node):
        """Write an example."""
        text = re.sub(r" *# doctest: \+SKIP", "", node.astext())
        code = highlight(text, PythonConsoleLexer(), HtmlFormatter(cssclass="pdoc-code codehilite"))
        self.body.append(code)
        raise nodes.SkipNode

    def visit_Text(self, node):
        """Write a text, with its symbols as in an equation."""
        text = self.encode(node.astext())
        if not isinstance(node.parent, nodes.literal_block):
            text = _SYMBOL.sub(lambda found: mathml(found[0]), text)
        self.body.append(text)


def bar(self, match, lineno):
    """Return the | of a length such as |x| as text: to docutils it would begin a reference."""
    return match.string[: match.end("start")], [], match.string[match.end("start") :], []


class Writer(html5_polyglot.Writer):
    """The writer that uses `Translator`."""

    def __init__(self):
        super().__init__()
        self.translator_class = Translator


directives.register_directive("math", Equations)
roles.register_local_role("math", formula)
Inliner.dispatch["|"] = bar

_SETTINGS = {
    "report_level": 2, "halt_level": 2, "warning_stream": False, "doctitle_xform": False, "embed_stylesheet": False,
    "stylesheet_path": "", "table_style": "", "raw_enabled": True, "file_insertion_enabled": False,
}  # fmt: skip
_ITEMS = re.compile(
    r"^(Parameters|Attributes|Returns|Yields|Raises|Warns|See Also)\n-+\n(.*?)(?=^[A-Z][A-Za-z ]+\n---|\Z)", re.M | re.S
)
_NAMES = re.compile(r"^(\*{0,2}[\w.]+(?:, \*{0,2}[\w.]+)*)(?= : |$)", re.M)


@cache
def to_html(docstring):
    """Return the HTML of a docstring in numpydoc; a ValueError where it is no valid reStructuredText."""

    def items(found):
        names = _NAMES.sub(lambda item: ", ".join(f"``{name}``" for name in item[1].split(", ")), found[2])
        return f"{found[1]}\n{'-' * len(found[1])}\n{names}"

    source = ".. default-role:: literal\n\n" + _ITEMS.sub(items, docstring)
    try:
        return publish_parts(source, writer=Writer(), settings_overrides=_SETTINGS)["fragment"]
    except SystemMessage as message:
        raise ValueError(f"the docstring that begins with {docstring[:80]!r} is not valid: {message}") from None


# ---- pages ----


def modules():
    """Return the documented modules by name, the package first."""
    package = import_module("notebook_sne")
    for name in package.__all__:
        getattr(package, name)  # loaded when first used, and pdoc reads what is loaded
    names = ["notebook_sne"]
    for page in PAGES:
        name = f"notebook_sne.{page.removesuffix('.*')}"
        names.append(name)
        if page.endswith(".*"):
            names += [f"{name}.{module.name}" for module in iter_modules(import_module(name).__path__)]
    documented = {name: pdoc.doc.Module.from_name(name) for name in names}
    for module in documented.values():
        for member in module.own_members:
            if member.kind == "variable" and inspect.isclass(
                member.default_value
            ):  # another name of a class, as `explore` is
                member.docstring = inspect.getdoc(member.default_value)
    return documented


def signature(found, colon):
    """Return HTML of a signature without its types: docstrings have them in words, with shapes."""
    plain = [parameter.replace(annotation=parameter.empty) for parameter in found.parameters.values()]
    return format_signature(found.replace(parameters=plain, return_annotation=found.empty), colon)


def build(folder):
    """Write the reference into a folder; a warning is an error."""
    folder = Path(folder)
    pdoc.docstrings.convert = lambda docstring, docformat, source_file: to_html(docstring)
    pdoc.search.to_html = pdoc.render.env.filters["to_html"] = Markup
    pdoc.render.env.filters["format_signature"] = signature
    pdoc.render.configure(docformat="numpy", template_directory=HERE / "templates", show_source=True)
    documented = modules()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, module in documented.items():
            page = folder / f"{name.replace('.', '/')}.html"
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(pdoc.render.html_module(module, documented), encoding="utf-8")
        (folder / "index.html").write_text(pdoc.render.html_index(documented), encoding="utf-8")
        (folder / "search.js").write_text(pdoc.render.search_index(documented), encoding="utf-8")
    return folder


if __name__ == "__main__":
    print(build(sys.argv[1] if len(sys.argv) > 1 else HERE / "reference") / "index.html")
