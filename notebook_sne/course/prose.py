"""Markdown and equations of a lecture as HTML: equations as MathML, which browsers draw by themselves."""

import base64
import html
import re
from collections.abc import Callable
from pathlib import Path

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

__all__ = ["as_page", "code_html", "code_styles", "prose_html"]

_NOTEBOOK = re.compile(r"^([\w./-]+)\.ipynb(#.*)?$")
# What the converter does not know, or passes on as markup.
_SPELLED = {r"\\[bB]igg?[lr]?\s*(?=\\\|)": "", r"\\arg\b": r"\\operatorname{arg}", "<": r"\\lt ", ">": r"\\gt "}
# What a lecture says otherwise where nobody can run a cell, as in a page.
_IN_PAGES = re.compile(r'<span\s+data-page="([^"]*)">.*?</span>', re.DOTALL)
# Of a figure, below it; those of answers begin with an A.
_CAPTION = re.compile(r"<strong>Figure A?\d+\.\d+\.</strong>")
_ABOUT = re.compile(r"<em>(Reading|Keywords): [^<]*</em>")  # what is said of a lecture
_STYLES = "default", "github-dark"  # of code, in the light and in the dark


class _Renderer(IPythonRenderer):
    """HTML of a Markdown cell; its links lead from page to page."""

    def __init__(self, folder: Path, there: Callable[[str], bool]) -> None:
        super().__init__(escape=True, allow_harmful_protocols=False, embed_images=True, exclude_anchor_links=True,
                         path=str(folder))  # fmt: skip
        self.folder, self.there = folder.resolve(), there

    def image(self, text: str, url: str, title: str | None = None) -> str:
        # A drawing in an <img> runs no script; mistune refuses its address all the same.
        drawn = (self.folder / url).resolve()
        if drawn.suffix == ".svg" and drawn.is_relative_to(self.folder) and drawn.is_file():
            data = base64.b64encode(drawn.read_bytes()).decode()
            said = html.escape(html.unescape(re.sub(r"<[^>]*>", "", text)))
            return f'<img src="data:image/svg+xml;base64,{data}" alt="{said}">'
        return super().image(text, url, title)

    def block_math(self, body: str) -> str:
        return f'<div class="equation" tabindex="0">{_mathml(body, "block")}</div>\n'

    def table(self, text: str) -> str:
        return f'<div class="sideways" tabindex="0"><table>\n{text}</table></div>\n'

    def inline_math(self, body: str) -> str:
        return _mathml(body, "inline")

    def link(self, text: str, url: str, title: str | None = None) -> str:
        notebook = _NOTEBOOK.match(url)
        if notebook and not self.there(notebook[1]):
            return text
        if notebook:
            url = f"{notebook[1]}.html{(notebook[2] or '').lower()}"  # as `heading` writes its names
        return super().link(text, url, title)

    def paragraph(self, text: str) -> str:
        called = "caption" if _CAPTION.match(text) else "about" if _ABOUT.fullmatch(text) else ""
        return f'<p class="{called}">{text}</p>\n' if called else super().paragraph(text)

    def heading(self, text: str, level: int, **attributes: object) -> str:
        name = re.sub(r"[^\w]+", "-", html.unescape(re.sub(r"<[^>]*>", "", text)).lower()).strip("-")
        return f'<h{level} id="{name}">{text}</h{level}>\n'


def _mathml(body: str, display: str) -> str:
    for pattern, spelled in _SPELLED.items():
        body = re.sub(pattern, spelled, body)
    return convert(body.strip(), display=display)


def prose_html(source: str, folder: Path, there: Callable[[str], bool]) -> str:
    """Return a Markdown cell as HTML; HTML in it is shown as it is written, but for what is to be said otherwise here.

    In the place of ``<span data-page="Press **Play**.">Run the cell.</span>`` stands *Press **Play**.*

    The pictures that it names are in the folder, and are put into the HTML. `there` says of the name of a notebook,
    without its ending, whether it has a page: what leads elsewhere is no link.
    """
    return MarkdownWithMath(renderer=_Renderer(folder, there)).render(as_page(source))


def as_page(source: str) -> str:
    """Return a Markdown cell with what it says where nobody can run a cell."""
    return _IN_PAGES.sub(lambda found: found[1], source)


def code_html(source: str) -> str:
    """Return Python as HTML with a class for each kind of word."""
    code: str = highlight(source, PythonLexer(), HtmlFormatter(cssclass="code"))
    return code.replace('<div class="code">', '<div class="code" tabindex="0">', 1)  # scrolled by keys, too


def code_styles() -> str:
    """Return the styles of these classes, in the light and in the dark."""
    light, dark = (HtmlFormatter(style=style, cssclass="code").get_style_defs(".code") for style in _STYLES)
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"
