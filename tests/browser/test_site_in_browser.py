"""The site as it is built: no warning, no broken link, nothing fetched; its maps play, anybody can read it anywhere.

A build takes a minute, so that one test looks at all of it.
"""

import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from notebook_sne.course.order import reading_order
from tests.browser.pages import PlayerView, until
from tests.browser.site import links_of, read_pages
from tests.browser.test_axe_in_browser import assert_no_serious_fault
from tests.standins.waiting import LONG

pytestmark = pytest.mark.browser

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))  # what builds the site is no package
gallery, lectures, names = map(importlib.import_module, ("gallery", "lectures", "names"))

SIGNS = ("$$", "\\frac", "\\sum", ".. math", ":class:", ":func:", ":obj:", "{py:obj}", ":::", "`", "{common}", ">>>")
UNLINKED = re.compile(r'(?<!">)<code class="[^"]*xref[^"]*"><span class="pre">(notebook_sne\.[\w.]+)</span></code>')
SEARCHED = {  # what is found first
    "norms": "How do I load my word norms?",
    "how+do+I+load+my+norms": "How do I load my word norms?",
    "classroom": "How do I use it in a classroom?",
    "AnnData": "How do I map an AnnData of single cells?",
    "crowding": "Glossary",
    "precomputed+distances": "How do I map distances?",
    "hover+text": "How do I begin?",
    "animation": "Maps in slides, papers and mails",
    "t-SNE+vs+UMAP": "I come from scikit-learn, openTSNE or UMAP",
    "n_iter": "I come from scikit-learn, openTSNE or UMAP",
    "citation": "Citation",
    "cite": "Citation",
    "deprecations": "Versions and deprecations",
    "large+data": "How do I map a million objects?",
    "speed": "How do I map a million objects?",
}
LOOKED_AT = (
    "index.html", "guide/norms.html", "api/notebook_sne.TSNE.html", "api/notebook_sne.html", "gallery/index.html",
    "gallery/senses.html", "course/index.html", *(f"search.html?q={asked}" for asked in SEARCHED),
    "about/decisions.html", "about/papers.html",
)  # fmt: skip
LOCAL = ("file:", "data:", "blob:")
SCREENS = (
    {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
)


def test_the_site_as_it_is_built(browser, tmp_path):
    command = [sys.executable, str(DOCS / "make.py"), "--brief", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG, check=False, cwd=DOCS.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    every = read_pages(tmp_path)
    # Maps and lectures are pages of the package, which has tests of them.
    pages = {name: page for name, page in every.items() if not re.match(r"maps/|course/(?!index)", name)}
    check_links(tmp_path, every)
    check_that_nothing_is_fetched(tmp_path, pages)
    check_names(tmp_path, pages)
    check_markup(tmp_path, pages)
    check_maps(tmp_path)
    check_lectures(tmp_path)
    for screen in SCREENS:
        look_at_pages(browser, tmp_path, screen)


def check_links(site, pages):
    """Each link within the site leads to a page and a place in it; those to elsewhere have the form of an address."""
    inside, broken, outside = links_of(site, pages)
    assert not broken, broken[:20]
    assert len(inside) > 10 * len(pages)
    for path, link in outside:
        parts = urlsplit(link)
        assert parts.scheme == "mailto" or (parts.scheme in ("https", "http") and parts.netloc), (path, link)
    for beginning in ("https://numpy.org/", "https://scikit-learn.org/", "https://pandas.pydata.org/"):
        assert any(link.startswith(beginning) for _, link in outside), beginning


def check_that_nothing_is_fetched(site, pages):
    for path, page in pages.items():
        for source in page.fetched:
            parts = urlsplit(source)
            assert not parts.netloc and parts.scheme in ("", "data"), (path, source)
            if not parts.scheme:
                assert ((site / path).parent / unquote(parts.path)).is_file(), (path, source)
    for path in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", path.read_text("utf-8")), path
    assert not list(site.rglob("*athjax*"))


def check_names(site, pages):
    """Each public name has its page, and the search knows it; a name that is given in full is known."""
    index = re.fullmatch(r"Search.setIndex\((.*)\)", (site / "searchindex.js").read_text("utf-8"))[1]
    found = set(json.loads(index)["docnames"])
    for module in names.modules():
        assert f"api/{module}.html" in pages
        for name in names.offered(module):
            page = f"api/{names.page_of(module, name)}"
            assert page in found
            again = module != "notebook_sne" and name in names.offered("notebook_sne")
            assert again or any(anchor.endswith(f".{name}") for anchor in pages[f"{page}.html"].ids), page
    for path in (site / "api").glob("*.html"):
        text = path.read_text("utf-8")
        assert not UNLINKED.findall(text), path.name
        for block in re.findall(r'<div class="admonition seealso">.*?</dl>', text, re.S):
            assert not [term for term in re.findall(r"<dt>.*?</dt>", block, re.S) if "<a " not in term], path.name


def check_markup(site, pages):
    for path, page in pages.items():
        text = "".join(page.words)
        for sign in SIGNS:
            assert sign not in text, (path, sign, text[max(0, text.find(sign) - 80) : text.find(sign) + 80])
        assert " at 0x" not in text, path
    for name, count in (("engine.mathematics.sne", 4), ("TSNE", 3)):
        text = (site / "api" / f"notebook_sne.{name}.html").read_text("utf-8")
        assert len(re.findall('<div class="equation"[^>]*><math', text)) == count, name


def check_maps(site):
    assert len(gallery.PIECES) >= 12
    assert 'src="maps/digits.html#play"' in (site / "index.html").read_text("utf-8")
    for piece in gallery.PIECES:
        assert f'src="../maps/{piece.name}.html#play"' in (site / "gallery" / f"{piece.name}.html").read_text("utf-8")
        assert (site / "maps" / f"{piece.name}.html").is_file()


def check_lectures(site):
    first = reading_order(DOCS.parent / "tutorials")[0].stem
    assert f'href="{first}.html"' in (site / "course" / "index.html").read_text("utf-8")
    assert (site / "course" / f"{first}.html").is_file()
    for before, now in lectures.MOVED.items():
        there = [(DOCS.parent / "tutorials" / f"{name}.ipynb").is_file() for name in (before, now)]
        assert there == [False, True], (before, now)


INSIDE = "all => all.every((e) => e.scrollWidth <= innerWidth && e.getBoundingClientRect().right <= innerWidth + 1)"


def look_at_pages(browser, site, screen):
    context = browser.new_context(bypass_csp=True, **screen)
    context.set_offline(True)
    page, said = context.new_page(), []
    # The theme tells the console of its light and dark; what it warns of counts.
    page.on("console", lambda told: said.append(told.text) if told.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    context.on(
        "request", lambda request: request.url.startswith(("file:", "data:", "blob:")) or said.append(request.url)
    )
    for name in LOOKED_AT:
        page.goto(f"{site.as_uri()}/{name}")
        if name == "index.html":
            plays(page)
        if name.startswith("search"):
            first = page.locator("#search-results li a").first
            until(page, lambda name=name, first=first: first.inner_text() == SEARCHED[name.partition("=")[2]])
        assert page.locator("html, article p:not(td *, th *) > code").evaluate_all(INSIDE), name
        assert not said, (name, said)
    for name in LOOKED_AT:  # by itself, as axe asks for the style sheets, which no browser allows of a page from disk
        page.goto(f"{site.as_uri()}/{name}")
        assert_no_serious_fault(PlayerView(page, page.locator("body")), "body")
    context.close()


def plays(page):
    """The map on the front page computes by itself as soon as it is seen, on from where its film ends."""
    view = PlayerView(page, page.frame_locator("iframe.map").locator(".nsne-player"))
    view.few = True
    page.locator("iframe.map").scroll_into_view_if_needed()
    until(page, lambda: view.iteration > 20)
    assert view.control("focus").is_visible(), "what several fits do not agree on is out of focus"
    view.press("pause")
    page.locator("button.copybtn").first.click()
