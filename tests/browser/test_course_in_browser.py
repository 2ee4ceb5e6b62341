"""A small course as pages: what is in them, and how it plays in a browser without Python or a network."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from notebook_sne.course import paper
from notebook_sne.course.front_matter import title_of
from notebook_sne.course.pages import pages_of, write_course
from tests.browser.pages import View, frames, until

pytestmark = [pytest.mark.browser, pytest.mark.landing]

HOSTILE = """
from IPython.display import HTML
HTML('<img src="https://example.org/x.png" onerror="window.hacked = 1"><script>window.hacked = 2</script>')
"""
# Kernels are slow to come; how many maps are there when the first figure is.
MAPS_BEFORE_FIGURES = """const now = WebAssembly.instantiate;
WebAssembly.instantiate = (...what) => new Promise(go => setTimeout(go, 1000)).then(() => now(...what));
globalThis.maps = new Promise(told => new MutationObserver(() => {
    if (document.querySelector("[data-drawn]")) told(document.querySelectorAll(".nsne-player").length);
}).observe(document, { attributes: true, subtree: true }));"""
COURSE = {
    "01-first.ipynb": [
        new_markdown_cell("# What is *first*?\n\n$$q_{ij} = 1$$\n\n[answers](solutions/01-first.ipynb)[2](02-b.ipynb)"),
        new_code_cell(
            "import numpy as np, notebook_sne as ns\n"
            "X = np.random.default_rng(0).normal(size=(40, 3))\n"
            "ns.watch(ns.TSNE(perplexity=5, max_iter=20, random_state=0), X, labels=np.arange(40) % 3)"
        ),
        new_code_cell(
            "ns.compare({name: ns.SNE(perplexity=5, max_iter=10, random_state=0, init='random')\n"
            "            for name in ('one', 'two')}, X)"
        ),
        new_code_cell(
            "from bokeh.io import show\nns.views.output_notebook()\n"
            "show(ns.views.aspect_grid(np.stack([X[:, :2]] * 2), np.full((2, 40), 0.5), title='Two maps'))"
        ),
        new_code_cell("open('written.txt', 'w').write('x')\nhow = ns.predict('How many?', options=['1', '2'])\nhow"),
        new_code_cell("share = ns.predict('What share?', low=0, high=100, unit='%'); share"),
        new_code_cell("for k in range(3):\n    print(k, flush=True)\nshare.reveal(12.34)\nhow.reveal('2')"),
        new_markdown_cell(f'<span data-page="Read **on**.">Run the cell.</span>\n\n{"| wide " * 20}|\n{"|---" * 20}|'),
        new_code_cell("ns.predictions()"),
    ],
    "02-b.ipynb": [
        new_markdown_cell(
            "# And *then*, when the title of a lecture is longer than a phone is wide?\n\n*Reading: 5 minutes.*\n\n"
            "One sentence. Another one.\n\n[back](01-first.ipynb)"
        ),
        new_code_cell("print(1 + 1)"),
        new_code_cell(HOSTILE),
    ],
    "solutions/01-first.ipynb": [new_markdown_cell("# Answers\n\n[lecture](../01-first.ipynb)")],
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("pages")
    (source / "solutions").mkdir()
    for name, cells in COURSE.items():
        nbformat.write(new_notebook(cells=cells), source / name)
    lectures = sorted(source.glob("*.ipynb"))
    written = dict(write_course(lectures, folder, source, answers=True))
    assert not list(source.rglob("written.txt"))
    assert sorted(written) == sorted(pages_of(lectures, folder, source, answers=True))
    assert all(path.stat().st_size == size for path, size in written.items())
    assert title_of(lectures[0]) == "What is *first*?"
    return folder


def test_a_course_is_a_file_a_lecture_with_its_answers_and_an_index(pages):
    first, second = ((pages / name).read_text() for name in ("01-first.html", "02-b.html"))
    inside = first[first.index("<article>") : first.index("</article>")]
    assert [inside.count(f'data-view="{kind}"') for kind in ("live", "film", "prediction", "none")] == [3, 0, 2, 0]
    assert inside.count('data-outcomes="one"') == 2 and inside.count('data-outcomes="table"') == 1
    assert '<pre class="output" tabindex="0">0\n1\n2</pre>' in inside, "printed piece by piece, shown as one"
    assert "<p>Read <strong>on</strong>.</p>" in inside and "Run the cell" not in inside
    assert inside.count("data-figure") == 1 and inside.count("<h3>one</h3>") == 1 and inside.count("<math") == 1
    assert 'href="solutions/01-first.html"' in first and 'href="02-b.html"' in first
    assert 'href="../01-first.html"' in (pages / "solutions" / "01-first.html").read_text()
    assert '<pre class="output" tabindex="0">2</pre>' in second and "nsne-kernels" not in second
    index = (pages / "index.html").read_text()
    assert "<p>5 minutes. One sentence.</p>" in index
    assert 0 < index.index("01-first.html") < index.index("02-b.html")
    for path in pages.rglob("*.html"):  # every link leads somewhere
        shown = re.sub(
            r"<script.*?</script>", "", path.read_text(), flags=re.DOTALL
        )  # libraries write links themselves
        for target in re.findall(r'<a href="([^"#]+)', shown):
            assert (path.parent / target).is_file(), (path.name, target)


def test_answers_have_pages_when_they_are_asked_for_and_keep_them(tmp_path):
    source, folder = tmp_path / "source", tmp_path / "pages"
    (source / "solutions").mkdir(parents=True)
    lecture = source / "01-a.ipynb"
    link = "Answers: [there](solutions/01-a.ipynb)"
    for path, text in ((lecture, f"# a\n\n{link}"), (source / "solutions" / "01-a.ipynb", "# Answers")):
        nbformat.write(new_notebook(cells=[new_markdown_cell(text)]), path)
    dict(write_course([lecture], folder, source))
    assert not (folder / "solutions").exists() and "<p>Answers: there</p>" in (folder / "01-a.html").read_text()
    for answers in (True, False):
        dict(write_course([lecture], folder, source, answers=answers))
        assert 'Answers: <a href="solutions/01-a.html">there</a>' in (folder / "01-a.html").read_text()
    assert (folder / "solutions" / "01-a.html").is_file()


def test_what_a_cell_shows_runs_nothing(open_page, pages):
    opened = open_page(pages / "02-b.html", "article")
    refused = [said for said in opened.said if "Content Security Policy" in said]
    assert opened.page.locator("article img").count() == 1 and refused, "it was there, and the policy held"
    frames(opened.page)
    opened.said = [said for said in opened.said if said not in refused]
    opened.requests.remove("https://example.org/x.png")  # what the policy refuses is told as well


@pytest.mark.parametrize("width", [1280, 390])
def test_a_lecture_plays_offline_and_draws_its_figures(open_page, pages, width):
    opened = open_page(pages / "01-first.html", "article", viewport={"width": width, "height": 844})
    page = opened.page
    for k, place in enumerate(page.locator("[data-view='live']").all()):
        place.scroll_into_view_if_needed()
        view = View(page, place.locator(".nsne-player"))
        view.root.wait_for()
        view.few = True
        view.until(lambda v: v.status == "finished" and v.read("scrub") == "0")
        if k == 0:
            assert view.iteration == 20 and view.read("controls") == "bare"
            border = view.control("play").evaluate("e => getComputedStyle(e).borderTopStyle")
            assert border == "solid", "forced colors draw no ground: a border alone shows the button"
            view.control("play").click()
            view.until(lambda v: v.read("scrub") == "")  # its film has played to the end
            assert view.control("play").inner_text() == "Replay" and view.iteration == 20
            view.control("main-perplexity").press("ArrowRight")
            view.until(lambda v: v.status == "finished" and v.iteration == 40)
            view.control("more").click()
            view.control("menu-all").click()
            view.until(lambda v: v.control("method").is_visible())
            view.control("more").click()
            view.control("menu-all").click()
            view.until(lambda v: v.read("controls") == "bare")
        else:
            assert view.iteration == 10, "a view of its own beside the others"
    page.locator("[data-figure]").scroll_into_view_if_needed()
    page.locator("[data-figure][data-drawn] .bk-Figure").first.wait_for()
    page.locator("[data-figure]").get_by_text("Two maps", exact=True).wait_for()
    page.locator("[data-view='prediction'] button, [data-view='prediction'] input").first.wait_for()
    Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe
    rules = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa"]}}
    faults = Axe().run(page, options=rules).response["violations"]
    assert not [fault["id"] for fault in faults if fault["impact"] in ("serious", "critical")]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is read sideways"
    lines = page.locator("nav[aria-label='Course'] a").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().top)"
    )
    assert len(lines) == 2 and len(set(lines)) == 1, (
        "the ways to other lectures take one line, however long their titles"
    )


def test_predictions_are_answered_in_the_page_and_last_through_a_reload(open_page, pages):
    opened = open_page(pages / "01-first.html", "article", viewport={"width": 390, "height": 700}, has_touch=True)
    page = opened.page
    share, how = page.locator("[data-outcomes='one']").all()
    table = page.locator("[data-outcomes='table']")
    assert "12%" not in page.locator("article").inner_text(), "nothing is told before it is asked for"
    how.locator("[data-control='question']").tap()
    asked = page.locator(".nsne-prediction").first
    asked.wait_for()
    assert asked.evaluate("root => root.getBoundingClientRect().width <= innerWidth")
    page.evaluate("new Promise(told => requestAnimationFrame(() => requestAnimationFrame(told)))")  # what is in sight
    asked.locator("[data-control='option']").nth(0).tap()
    assert asked.get_attribute("data-revealed") == "false", "a reader may change their mind"
    how.scroll_into_view_if_needed()
    assert how.inner_text().split("\n\n") == ["How many?", "You said: 1.", "Found: 2."]
    until(page, lambda: asked.get_attribute("data-revealed") == "true")
    assert "Kept in this browser" not in asked.inner_text() and "marked beside it" in asked.inner_text()
    share.locator("[data-control='show']").tap()
    assert share.inner_text().split("\n\n") == ["What share?", "No prediction.", "Found: 12%."]
    page.reload()
    table.locator("tbody tr").first.wait_for()
    assert [row.inner_text().split("\t") for row in table.locator("tbody tr").all()] == [
        ["How many?", "1", "2"],
        ["What share?", "no prediction", "12%"],
    ]
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    until(page, lambda: page.evaluate("JSON.stringify({ ...localStorage })").count("01-first.html") > 0)
    page.goto((pages / "index.html").as_uri())
    assert "✓ read" in page.locator("ol.lectures li").first.inner_text()
    assert "✓ read" not in page.locator("ol.lectures li").nth(1).inner_text()
    page.goto((pages / "01-first.html").as_uri())
    table.locator("[data-control='forget']").tap()
    assert "You have not answered yet." in how.inner_text()
    assert all(url.startswith((pages.as_uri(), "data:", "blob:")) for url in opened.requests)
    opened.requests[:] = [opened.path.as_uri()]


def test_paper_has_stills_and_figures_and_nothing_to_press(open_page, pages):
    opened = open_page(pages / "01-first.html", "article", viewport={"width": 1280, "height": 200})
    page = opened.page
    page.add_init_script(MAPS_BEFORE_FIGURES)
    page.reload()
    opened.requests.pop()
    assert page.evaluate("maps") > 0, "the map that is in sight came first"
    page.emulate_media(media="print")
    stills = page.locator(".still:visible img")
    until(page, lambda: stills.evaluate_all("all => all.filter((one) => one.width > 100).length") == 3)
    assert page.locator(".nsne-player:visible, nav:visible, .outcomes button:visible").count() == 0
    printed = page.locator(".still img, .output, pre")
    assert printed.evaluate_all("all => all.every(e => e.scrollWidth <= innerWidth)")


def test_a_page_is_printed_with_its_figures(pages, tmp_path):
    page = Path(shutil.copy(pages / "01-first.html", tmp_path))
    printed = paper.print_page(paper.browser(), page)
    assert printed == tmp_path / "01-first.pdf" and printed.read_bytes().startswith(b"%PDF")
    assert printed.stat().st_size > 20_000
    with pytest.raises(OSError, match=r"true did not print .*01-first\.html: exit code 0"):
        paper.print_page(shutil.which("true"), page)
    assert printed.stat().st_size > 20_000  # what was there stays
