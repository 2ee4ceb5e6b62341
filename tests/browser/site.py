"""The pages of a site as files: what they link to, what they fetch, and which of their links lead nowhere."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What a page links to, what it fetches when it is opened, where it can be entered, and its words."""

    def __init__(self, text):
        super().__init__()
        self.links, self.fetched, self.ids, self.words, self.within = [], [], set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        told = dict(attributes)
        self.ids |= {told[name] for name in ("id", "name") if told.get(name)}
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        self.fetched += [told[name] for name in ("src", "data-src", "srcset", "poster") if told.get(name)]
        if tag == "link" and told.get("rel") not in ("search", "index", "prev", "next", "canonical"):
            self.fetched.append(told["href"])
        if tag in ("script", "style", "pre", "code", "math"):
            self.within.append(tag)

    def handle_endtag(self, tag):
        if self.within and self.within[-1] == tag:
            self.within.pop()

    def handle_data(self, data):
        if not self.within:
            self.words.append(data)


def read_pages(site):
    """Return {path within the site: Page} of all pages."""
    return {path.relative_to(site).as_posix(): Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}


def links_of(site, pages):
    """Return the links within the site as (page, link), those of them that lead nowhere, and the others.

    A link within the site leads to a file of it and, with a fragment, to a place in it that has this name.
    """
    inside, broken, outside = [], [], []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                outside.append((path, link))
                continue
            inside.append((path, link))
            file = ((site / path).parent / unquote(parts.path) if parts.path else site / path).resolve()
            target = file.relative_to(site.resolve()).as_posix() if file.is_relative_to(site.resolve()) else None
            entered = target not in pages or not parts.fragment or unquote(parts.fragment) in pages[target].ids
            if target is None or not file.is_file() or not entered:
                broken.append((path, link))
    return inside, broken, outside
