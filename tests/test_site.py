"""The site is built without a warning, no link of it is broken, and its pages fetch nothing."""

import importlib
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))  # what builds the site is no package
elsewhere, gallery, make, names = map(importlib.import_module, ("elsewhere", "gallery", "make", "names"))

SIGNS = ("$$", "\\frac", "\\sum", ".. math", ":class:", ":func:", ":obj:", "{py:obj}", ":::", "`", "{common}", ">>>")
UNLINKED = re.compile(r'(?<!">)<code class="[^"]*xref[^"]*"><span class="pre">(notebook_sne\.[\w.]+)</span></code>')


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


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site of a brief build, in an interpreter of its own, as a reader builds it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(DOCS / "make.py"), "--brief", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500, check=False, cwd=DOCS.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    """The pages that Sphinx wrote, by their path; the maps are pages of the package, which has tests of them."""
    found = {path.relative_to(site).as_posix(): path for path in site.rglob("*.html")}
    return {name: Page(path.read_text("utf-8")) for name, path in found.items() if not name.startswith("maps/")}


@pytest.mark.slow
def test_links_lead_somewhere(site, pages):
    broken, inside, outside = [], 0, set()
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                assert parts.scheme == "mailto" or (parts.scheme in ("https", "http") and parts.netloc), link
                outside.add(link)
                continue
            inside += 1
            file = (site / path).parent / unquote(parts.path) if parts.path else site / path
            target = file.resolve().relative_to(site.resolve()).as_posix()
            entered = target not in pages or not parts.fragment or unquote(parts.fragment) in pages[target].ids
            if not file.is_file() or not entered:
                broken.append((path, link))
    assert not broken, broken[:20]
    assert inside > 10 * len(pages)
    for beginning in ("https://numpy.org/", "https://scikit-learn.org/", "https://pandas.pydata.org/"):
        assert any(link.startswith(beginning) for link in outside), beginning


@pytest.mark.slow
def test_nothing_is_fetched_from_elsewhere(site, pages):
    for path, page in pages.items():
        for source in page.fetched:
            parts = urlsplit(source)
            assert not parts.netloc and parts.scheme in ("", "data"), (path, source)
            if not parts.scheme:
                assert ((site / path).parent / unquote(parts.path)).is_file(), (path, source)
    for path in site.rglob("*.css"):
        assert not re.search(r"@import|url\(\s*[\"']?(https?:)?//", path.read_text("utf-8")), path
    assert not list(site.rglob("*athjax*"))


@pytest.mark.slow
def test_every_name_has_its_page_and_its_place_in_the_search(site, pages):
    index = re.fullmatch(r"Search.setIndex\((.*)\)", (site / "searchindex.js").read_text("utf-8"))[1]
    found = set(json.loads(index)["docnames"])
    for module in names.modules():
        assert f"api/{module}.html" in pages
        for name in names.offered(module):
            page = f"api/{names.page_of(module, name)}"
            assert page in found
            again = module != "notebook_sne" and name in names.offered("notebook_sne")
            assert again or any(anchor.endswith(f".{name}") for anchor in pages[f"{page}.html"].ids), page
    assert "guide/norms" in found


@pytest.mark.slow
def test_no_markup_is_left(pages):
    for path, page in pages.items():
        text = "".join(page.words)
        for sign in SIGNS:
            assert sign not in text, (path, sign, text[max(0, text.find(sign) - 80) : text.find(sign) + 80])
        assert " at 0x" not in text, path


@pytest.mark.slow
def test_a_name_that_is_given_in_full_is_known(site):
    for path in (site / "api").glob("*.html"):
        text = path.read_text("utf-8")
        assert not UNLINKED.findall(text), path.name
        for block in re.findall(r'<div class="admonition seealso">.*?</dl>', text, re.S):
            assert not [term for term in re.findall(r"<dt>.*?</dt>", block, re.S) if "<a " not in term], path.name


@pytest.mark.slow
def test_equations_are_drawn(site):
    for name, count in (("mathematics.sne", 4), ("TSNE", 3)):
        text = (site / "api" / f"notebook_sne.{name}.html").read_text("utf-8")
        assert text.count('<div class="equation"><math') == count, name


@pytest.mark.slow
def test_every_map_is_there_and_in_its_page(site):
    assert len(gallery.PIECES) >= 12
    assert 'src="maps/digits.html"' in (site / "index.html").read_text("utf-8")
    for piece in gallery.PIECES:
        assert f'src="../maps/{piece.name}.html"' in (site / "gallery" / f"{piece.name}.html").read_text("utf-8")
        assert (site / "maps" / f"{piece.name}.html").is_file()


def test_links_of_the_repository_hold_on_the_site():
    text = "[a](docs/hosts.md) [b](notebook_sne/checks.py) [c](https://a.org) [d](#here) `[e](no.md)`"
    linked, pictures = make.linked(text, DOCS.parent, "about/page.md")
    place = f"{make.REPOSITORY}/blob/HEAD/notebook_sne/checks.py"
    assert linked == f"[a](../hosts.md) [b]({place}) [c](https://a.org) [d](#here) `[e](no.md)`"
    assert not pictures
    with pytest.raises(ValueError, match="must lead somewhere"):
        make.linked("[a](no.md)", DOCS.parent, "page.md")


def test_names_of_other_packages_are_looked_up_in_them():
    assert elsewhere.address("sklearn.manifold.TSNE").endswith("/sklearn.manifold.TSNE.html#sklearn.manifold.TSNE")
    assert elsewhere.address("numpy.random.Generator").startswith("https://numpy.org/doc/stable/reference/random/")
    assert elsewhere.address("perplexity") is None
    assert elsewhere.exists("numpy.ndarray") and not elsewhere.exists("numpy.no_such_name")
    for name in elsewhere.PLACES:
        assert elsewhere.exists(name), name
