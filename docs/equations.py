"""Equations for the site: written as they are read in a terminal, drawn by browsers themselves as MathML.

An equation is written in the words of LaTeX but without its signs, a line each, at the end of which may stand where it
comes from::

    .. math::

        q_{j|i} = exp(-d_ij) / sum_{h != i} exp(-d_ih)     [Hinton2002, Eq. 3]

A symbol in a sentence, such as p_ij, is drawn as one without more ado. What is LaTeX already stays as it is.
"""

import re
from html import escape

from docutils import nodes
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.states import Inliner
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.transforms import SphinxTransform

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
    """The directive ``math``: an equation a line, with its source at the margin."""

    has_content = True
    optional_arguments, final_argument_whitespace = 1, True

    def run(self):
        """Return each line as MathML."""
        rows = []  # a wide one can be pushed aside, by keys as well
        for line in [*self.arguments, *self.content]:
            if source := _SOURCE.search(line):
                line = line[: source.start()]
            remark = f'<span class="source">{escape(source[1])}</span>' if source else ""
            if line.strip():
                rows.append(f'<div class="equation" tabindex="0">{mathml(line.strip(), block=True)}{remark}</div>')
        return [nodes.raw("", "\n".join(rows), format="html")]


def formula(name, rawtext, text, lineno, inliner, options=None, content=None):
    """Return what the role ``math`` stands for."""
    return [nodes.raw("", mathml(text), format="html")], []


def bar(self, match, lineno):
    """Return the | of a length such as |x| as text: to docutils it would begin a reference."""
    return match.string[: match.end("start")], [], match.string[match.end("start") :], []


class Symbols(SphinxTransform):
    """Draw the symbols in the sentences of docstrings."""

    default_priority = 700

    def apply(self, **_):
        """Replace each symbol in a text by its drawing."""
        if not self.env.docname.startswith("api/"):
            return
        for text in list(self.document.findall(nodes.Text)):
            inside = {type(node) for node in _above(text)}
            if inside & {nodes.literal, nodes.literal_block, nodes.raw, nodes.title, nodes.reference}:
                continue
            if parts := _parted(str(text)):
                text.parent.replace(text, parts)


def _above(node):
    while node.parent is not None:
        node = node.parent
        yield node


def _parted(text):
    """Return a text as texts and drawings in turn; nothing where it has no symbol."""
    found, at = [], 0
    for symbol in _SYMBOL.finditer(text):
        found += [nodes.Text(text[at : symbol.start()]), nodes.raw("", mathml(symbol[0]), format="html")]
        at = symbol.end()
    return [*found, nodes.Text(text[at:])] if found else []


def register():
    """Let docutils alone read what the site reads."""
    Inliner.dispatch["|"] = bar
    directives.register_directive("math", Equations)
    roles.register_local_role("math", formula)


def setup(app):
    """Take the place of Sphinx's own directive and role."""
    Inliner.dispatch["|"] = bar
    app.add_directive("math", Equations, override=True)
    app.add_role("math", formula, override=True)
    app.add_transform(Symbols)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
