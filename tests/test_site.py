"""What joins the repository and the site: links between its pages, and to what other packages document."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from tests.tables import in_one_test

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))  # what builds the site is no package
conf, elsewhere, findable, make = map(importlib.import_module, ("conf", "elsewhere", "findable", "make"))


def test_links_of_the_repository_hold_on_the_site():
    text = "[a](docs/hosts.md) [b](notebook_sne/failures.py) [c](https://a.org) [d](#here) `[e](no.md)`"
    linked, pictures = make.linked(text, DOCS.parent, "about/page.md")
    place = f"{make.REPOSITORY}/blob/HEAD/notebook_sne/failures.py"
    assert linked == f"[a](../hosts.md) [b]({place}) [c](https://a.org) [d](#here) `[e](no.md)`"
    assert not pictures
    with pytest.raises(ValueError, match="must lead somewhere"):
        make.linked("[a](no.md)", DOCS.parent, "page.md")


@in_one_test("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.stem)
def test_links_of_a_page_lead_somewhere(path):
    made = tuple(DOCS / folder for folder in ("api", "course", "gallery"))  # by the site alone
    text = re.sub(r"`[^`]*`", "", re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        place = (path.parent / target.partition("#")[0]).resolve()
        there = "://" in target or place.exists() or any(place.is_relative_to(folder) for folder in made)
        assert there, target


def test_names_of_other_packages_are_looked_up_in_them():
    assert elsewhere.address("sklearn.manifold.TSNE").endswith("/sklearn.manifold.TSNE.html#sklearn.manifold.TSNE")
    assert elsewhere.address("numpy.random.Generator").startswith("https://numpy.org/doc/stable/reference/random/")
    assert elsewhere.address("perplexity") is None
    assert elsewhere.exists("numpy.ndarray") and not elsewhere.exists("numpy.no_such_name")
    for name in elsewhere.PLACES:
        assert elsewhere.exists(name), name


def test_the_search_knows_a_page_by_its_headings_and_what_is_said_below_them():
    page = "<head><title>no</title></head><nav>no</nav><h1 id='a'>Why <em>so</em>?</h1><p>Said <b>here</b>.</p>"
    page += "<script>no</script><pre>no</pre><h3 id='b'>crowding</h3><p>There.</p><footer>no</footer>"
    parts = findable.Words(page).parts
    assert [(anchor, heading) for anchor, heading, _ in parts] == [("a", "Why so?"), ("b", "crowding")]
    sections = findable.document(parts).children
    assert [section["ids"] for section in sections] == [["a"], ["b"]]
    assert sections[0].astext().split() == ["Why", "so?", "Said", "here", "."] and "no" not in sections[1].astext()


def test_a_page_is_described_by_its_beginning_unless_it_says_more():
    page = findable.document([("a", "A title", ["Said <here> first, ", "word " * 60])])
    context = {"title": "A title", "metatags": ""}
    conf.shared(None, "guide/page", "page.html", context, page)
    assert context["metatags"].count("Said &lt;here&gt; first, word word") == 2 and ' ...">' in context["metatags"]
    assert (
        'property="og:url" content="https://notebook-sne.github.io/notebook_sne/guide/page.html"' in context["metatags"]
    )
    own = {"metatags": '<meta content="mine" name="description" />'}
    conf.shared(None, "index", "page.html", own, None)
    assert own["metatags"].count('name="description"') == 1 and conf.DESCRIPTION in own["metatags"]
