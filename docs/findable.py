"""Lectures and glossary in the search of the site: they are pages that Sphinx does not write, and so would not find."""

from html.parser import HTMLParser
from pathlib import Path

from docutils import nodes
from docutils.utils import new_document

_SILENT = ("script", "style", "pre", "math", "svg", "nav", "footer", "head")  # what is in these is not searched
_HEADINGS = ("h1", "h2", "h3", "h4")


class Words(HTMLParser):
    """The headings of a page with their ids, and the words below each."""

    def __init__(self, text):
        super().__init__()
        self.parts, self.silent, self.heading = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag in _SILENT:
            self.silent.append(tag)
        if tag in _HEADINGS and not self.silent:
            self.heading = True
            self.parts.append([dict(attributes).get("id"), "", []])

    def handle_endtag(self, tag):
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()
        if tag in _HEADINGS:
            self.heading = False

    def handle_data(self, data):
        if self.silent or not self.parts:
            return
        if self.heading:
            self.parts[-1][1] += data
        else:
            self.parts[-1][2].append(data)


def document(parts):
    """Return the parts of a page as Sphinx reads a page: a section for each heading."""
    page = new_document("")
    for anchor, heading, words in parts:
        section = nodes.section(ids=[anchor] if anchor else [])
        section += nodes.title("", heading)
        section += nodes.paragraph("", " ".join(words))
        page += section
    return page


def feed(app):
    """Tell the search of every page of a lecture, and of the glossary."""
    if getattr(app.builder, "search", False):
        for extra in map(Path, app.config.html_extra_path):
            for page in sorted(extra.glob("course/**/*.html")):
                parts = Words(page.read_text(encoding="utf-8")).parts
                name, title = page.relative_to(extra).with_suffix("").as_posix(), parts[0][1]
                app.builder.indexer.feed(name, f"{name}.html", title, document(parts))
                # The index forgets what the environment does not know, as its inventory does.
                app.env.all_docs[name], app.env.titles[name] = 0, nodes.title("", title)
    return ()  # no page of its own


def setup(app):
    """Tell the search when all other pages have been written."""
    app.connect("html-collect-pages", feed)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
