"""Lectures as pages: prose, equations, outputs, views; what is hostile in them; what the command refuses."""

import base64
import html
import json
import re

import nbformat
import numpy as np
import pytest
from bokeh.embed import json_item
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import notebook_sne as ns
from notebook_sne.cli.command import main
from notebook_sne.cli.tutorials import tutorials_folder
from notebook_sne.course import pages, paper, running
from notebook_sne.course.outputs import output_html
from notebook_sne.course.pages import Body, body_of, page_of_lecture
from notebook_sne.course.prose import prose_html
from notebook_sne.course.running import LectureError, run_lecture
from notebook_sne.course.view_store import FIGURE, PLACE, at_rest, view_of
from notebook_sne.views import aspect_grid, curves
from notebook_sne.views.layouts import gather
from tests.tables import in_one_test

HOSTILE = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'>"
AXES = {"x_label": "x", "y_label": "y"}
LECTURES = sorted(tutorials_folder().glob("[0-9]*.ipynb"))


def everywhere(_):
    return True


def write(path, *cells):
    nbformat.write(new_notebook(cells=list(cells)), path)
    return path


# ---- prose ----


def test_prose_has_equations_as_mathml_and_links_from_page_to_page(tmp_path):
    text = prose_html(
        "# A *title*\n\nLet $x_i < 2$ and\n\n$$\\sum_j p_{j|i} = 1$$\n\n[next](02-next.ipynb#a) [gone](03-gone.ipynb)",
        tmp_path,
        lambda name: name == "02-next",
    )
    assert text.count("<math") == 2 and 'display="block"' in text and "&#x0003C;" in text
    assert '<h1 id="a-title">A <em>title</em></h1>' in text
    assert '<a href="02-next.html#a">next</a>' in text and "gone" in text and "03-gone" not in text
    assert "$" not in text


def test_markup_in_prose_is_shown_as_it_is_written(tmp_path):
    text = prose_html(f"{HOSTILE}\n\n[a](javascript:alert(1)) $\\text{{<script>}}$", tmp_path, everywhere)
    assert "<script" not in text and "<img" not in text and "javascript:" not in text
    assert "&lt;script&gt;" in text and text.count("<math") == 1


@in_one_test("path", LECTURES, ids=lambda path: path.name[:2])
def test_every_equation_and_link_of_the_lectures_has_its_html(path):
    source = tutorials_folder()
    cells = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown"]
    text = "\n".join(prose_html(cell, source, everywhere) for cell in cells)
    equations = re.findall(r"<math.*?</math>", text, re.DOTALL)
    assert len(equations) >= sum(len(re.findall(r"\$\$.+?\$\$", cell, re.DOTALL)) for cell in cells)
    assert not any("\\" in re.sub(r"<[^>]*>", "", equation) for equation in equations), "no command is left over"
    assert not re.findall(r"\$[^$\n<]+\$", re.sub(r"<code>.*?</code>", "", text, flags=re.DOTALL))


def test_pictures_of_a_lecture_are_in_its_page(tmp_path):
    drawn = b'<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked = 1"/>'
    (tmp_path / "a.svg").write_bytes(drawn)
    (tmp_path / "a.png").write_bytes(b"png")
    for name, kind in (("a.svg", "svg+xml"), ("a.png", "png")):
        text = prose_html(f'![One "A" & *B*]({name})', tmp_path, everywhere)
        held = base64.b64encode((tmp_path / name).read_bytes()).decode()
        assert f'src="data:image/{kind};base64,{held}"' in text
        assert re.search('alt="One (&quot;|")A(&quot;|") &amp; B"', text)
    (tmp_path.parent / "outside.svg").write_bytes(drawn)
    assert "base64" not in prose_html("![a](../outside.svg)", tmp_path, everywhere)


def test_every_picture_that_a_lecture_names_is_in_its_page():
    for path in LECTURES:
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type == "markdown" and "![" in cell.source:
                text = prose_html(cell.source, path.parent, everywhere)
                assert text.count('<img src="data:image/') == cell.source.count("!["), path.name


def test_the_caption_of_a_figure_is_one_in_a_page(tmp_path):
    for number in ("Figure 7.2.", "Figure A7.2."):
        text = prose_html(f"**{number}** A *map*.\n\nText.", tmp_path, everywhere)
        assert text == f'<p class="caption"><strong>{number}</strong> A <em>map</em>.</p>\n<p>Text.</p>\n'
    assert "caption" not in prose_html("**Figure it out.** Or not.", tmp_path, everywhere)


# ---- outputs ----


def test_outputs_are_texts_tables_and_pictures(tmp_path):
    stream = new_output("stream", name="stdout", text="\x1b[31mone < two\x1b[0m\n")
    assert output_html(stream, tmp_path) == '<pre class="output" tabindex="0">one &lt; two</pre>\n'
    assert output_html(new_output("stream", name="stderr", text="5 %"), tmp_path) == ""
    bar = new_output("display_data", data={"application/vnd.jupyter.widget-view+json": {}, "text/plain": "Output()"})
    assert output_html(bar, tmp_path) == ""
    table = new_output("execute_result", data={"text/html": f"<table><td>1</td></table>{HOSTILE}", "text/plain": "1"})
    assert "<td>1</td>" in output_html(table, tmp_path) and "<script" not in output_html(table, tmp_path)
    drawn = new_output("display_data", data={"image/svg+xml": "<svg onload='x()'/>", "text/plain": ""})
    assert '<img src="data:image/svg+xml;base64,' in output_html(drawn, tmp_path)
    titled = new_output("display_data", data={"image/svg+xml": "<svg><title>a &lt; &quot;b</title></svg>"})
    assert 'alt="a &lt; &quot;b"' in output_html(titled, tmp_path)
    figure = new_output("display_data", data={FIGURE: json_item(curves([1, 2], {"a": [1, 2]}, title=HOSTILE, **AXES))})
    text = output_html(figure, tmp_path)
    assert text.count("</script>") == 1 and f'aria-label="Figure: {html.escape(HOSTILE)}"' in text
    both = gather([curves([1, 2], {"a": [1, 2]}, title=side, **AXES) for side in ("left", "right")], "Together", 900)
    text = output_html(new_output("display_data", data={FIGURE: json_item(both)}), tmp_path)
    assert 'aria-label="Figure: Together; left; right"' in text


def test_figures_need_the_core_of_bokeh_alone():
    """Notebooks and pages have no widgets of Bokeh: a figure with one would not be drawn."""
    grid = aspect_grid(np.zeros((1, 2, 2)), np.ones((1, 2)), labels=["a", "b"], title="A title and a legend")
    assert "HTML" in {type(one).__name__ for one in grid.references()}
    assert not [one for one in grid.references() if ".widgets" in type(one).__module__]


def test_a_view_is_its_traits_and_cannot_leave_its_element(tmp_path):
    run = ns.Run(ns.TSNE(perplexity=3, max_iter=5, random_state=0), np.random.default_rng(0).normal(size=(12, 3)))
    player = ns.Player(run, names=[HOSTILE] * 12, compact=True, title="</script>")
    run.play()
    kept = view_of(player)
    assert run.status == "finished" and kept["kind"] == "live" and kept["why"] == ""
    traits = json.loads(kept["text"])["traits"]
    assert traits["key"] == player.key and traits["iteration"] == 5
    assert (traits["compact"], traits["controls"]) == (False, "bare")  # slim bars are for slides
    assert "kernels" not in json.loads(kept["text"])["bytes"]
    (tmp_path / "a.json").write_text(json.dumps(kept))
    place = new_output("display_data", data={PLACE: {"views": [{"name": "a", "heading": "<b>"}]}})
    text = output_html(place, tmp_path)
    assert text.count("<script") == 1 and "onerror" in text and "<img" not in text and "<h3>&lt;b&gt;</h3>" in text
    player.close()


@pytest.mark.slow
def test_figures_that_follow_a_run_are_in_a_page_as_they_are_at_its_end(tmp_path):
    run = ns.Run(ns.SNE(perplexity=3, max_iter=5, random_state=0), np.random.default_rng(0).normal(size=(12, 3)))
    run.play()
    item = at_rest(ns.views.live(run, title="It follows"))
    text = output_html(new_output("display_data", data={FIGURE: item}), tmp_path)
    assert run.state.iteration == 5 and "iteration 5" in text and 'aria-label="Figure: It follows' in text
    assert item["root_id"] in [root["id"] for root in item["doc"]["roots"]]
    run.close()


def test_a_run_that_no_page_goes_on_with_is_a_film_and_says_why():
    run = ns.Run(ns.TSNE(n_components=3, perplexity=3, max_iter=5, random_state=0), np.eye(12))
    player = ns.Player(run)
    run.steps(5)
    player.color = "cost"
    kept = view_of(player)
    assert kept["kind"] == "film"
    assert kept["why"] == "a page computes maps in the plane, and this one has n_components=3"
    assert json.loads(kept["text"])["traits"]["color"] == "none"
    player.close()


def test_an_explorer_of_a_run_that_waits_for_its_reader_has_maps_in_a_page():
    model = ns.AspectMaps(n_maps=2, perplexity=3, max_iter=5, random_state=0)
    explorer = ns.explore(ns.Run(model, np.eye(12)), [f"word {i}" for i in range(12)])
    kept = view_of(explorer)
    assert kept["kind"] == "live explorer" and not kept["why"]
    assert explorer.run.status == "finished" and explorer.run.state.iteration == 5
    explorer.close()
    explorer.run.close()


# ---- pages ----


def test_a_page_lets_its_own_script_run_and_nothing_else():
    plain = page_of_lecture(Body("a </title>", f"<p>{HOSTILE}</p>", False, False, False)).decode()
    assert len(re.findall(r"sha256-", plain)) == 1 and "wasm" not in plain and "<title>a &lt;/title&gt;" in plain
    live = page_of_lecture(Body("b", "", True, True, False)).decode()
    heads = "".join(f'<h2 id="p{k}">P {k}</h2>' for k in range(3))
    about = '<p class="about"><em>Reading: 5 minutes; working: 10. Core path: P 0.</em></p>\n'
    parts = page_of_lecture(Body("c", about + heads, False, False, False)).decode()
    assert parts.count("Contents. Reading: 5 minutes; working: 10.</summary><p>Core path: P 0.</p>") == 1
    assert 'class="about"' not in parts and about in page_of_lecture(Body("c", about, False, False, False)).decode()
    assert [f'<a href="#p{k}">P {k}</a>' in parts for k in range(3)] == [True] * 3 and "Contents" not in plain
    assert "'wasm-unsafe-eval'" in live and "nsne-kernels" in live and "'unsafe-eval'" not in live
    assert re.search(r"script-src 'sha256-[^ ]+' 'wasm-unsafe-eval'", live)
    assert not re.findall(r"""(?:src|href)=["']?(?:https?:)?//""", live)


def test_the_first_run_and_question_are_below_the_title_and_beside_what_comes_before_them():
    run = '<div class="views" data-count="1"><div class="view" data-view="live"><p>map</p></div></div>\n'
    question, another = (run.replace("live", "prediction").replace("map", words) for words in ("question", "another"))
    asked = f"<p>asked</p>{question}{another}"
    opening, last = "<section>\n<h1>t</h1>\n<p>o</p>\n</section>", "<p>last</p>"
    text = "".join(pages._in_sight([opening, asked, f"<p>code</p>{run}", last]))
    order = ["<h1>", "map", "question", "<p>o</p>", "asked", "another", "code", "last"]
    assert sorted(order, key=text.index) == order and all(text.count(one) == 1 for one in (run, question))
    assert text.count("<section>") == text.count("</section>") and text.count("<div") == text.count("</div>")
    assert text.endswith(f"</div></div>{last}")
    said = "<section>\n<p>of the map</p>\n</section>"
    assert "".join(pages._in_sight([opening, asked, run, said, last])).endswith(f"{said}</div></div>{last}")
    later = "".join(pages._in_sight([opening, run, asked, said, last]))
    assert later.index("map") < later.index("question") < later.index("<p>o</p>")
    assert later.endswith(f"{said}</div></div>{last}")
    why = '<p class="why">It does not compute here: x</p>'
    film = run.replace("live", "film").replace("</div>", f"{why}</div>", 1)
    text = "".join(pages._in_sight([opening, asked, film, last]))
    order = ["<h1>", "map", "question", why, "<p>o</p>"]
    assert sorted(order, key=text.index) == order and text.count(why) == 1
    two = run.replace('count="1"', 'count="2"')
    for left in ([opening, run], [opening, asked, two], [opening, asked, last], [last, asked, run]):
        assert pages._in_sight(left) == left


@pytest.mark.slow
def test_code_that_is_long_or_no_part_of_the_lesson_is_folded(tmp_path):
    no_lesson = new_code_cell("1 + 1", metadata={"jupyter": {"source_hidden": True}})
    body = body_of(
        write(tmp_path / "a.ipynb", new_code_cell("1 + 2"), no_lesson, new_code_cell("\n" * 11 + "1")), everywhere
    )
    assert re.findall(r"<summary>(.*?)</summary>", body.text) == ["Code", "Code, 12 lines"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "said", "timeout"),
    [("raise KeyError('gone')", r"cell 1 of 01-a\.ipynb failed: KeyError: 'gone'", 900),
     ("import os; os._exit(3)", r"01-a\.ipynb failed: Kernel died", 900),
     ("import time; time.sleep(900)", r"01-a\.ipynb failed: .*after 5 seconds", 5)],
)  # fmt: skip
def test_a_lecture_that_fails_names_its_cell_and_its_kernel_says_nothing(tmp_path, capfd, code, said, timeout):
    path = write(tmp_path / "01-a.ipynb", new_code_cell("a = 1"), new_code_cell(code))
    with pytest.raises(LectureError, match=said):
        run_lecture(path, tmp_path, timeout=timeout)
    assert capfd.readouterr().err == ""


def test_one_lecture_written_again_keeps_the_others_in_index_and_links(tmp_path, monkeypatch):
    monkeypatch.setattr(
        running, "run_lecture", lambda notebook, views: nbformat.read(notebook, 4)
    )  # no code, no kernel
    source, folder = tmp_path / "source", tmp_path / "pages"
    source.mkdir()
    names = ("01-a", "02-b", "03-c")
    lectures = [write(source / f"{name}.ipynb", new_markdown_cell(f"# {name}")) for name in names]
    dict(pages.write_course(lectures[:2], folder, source))
    dict(pages.write_course(lectures[1:2], folder, source))
    index = (folder / "index.html").read_text()
    assert re.findall(r'<li value="\d+"><a href="([^"]+)', index) == ["01-a.html", "02-b.html"]
    again = (folder / "02-b.html").read_text()
    assert 'href="01-a.html"' in again and "03-c" not in again


@pytest.mark.slow
def test_a_run_that_is_kept_is_read_again_until_something_changes(tmp_path, monkeypatch):
    runs = []

    def run(notebook, views):
        runs.append(notebook.name)
        (views / "a.json").write_text("{}")
        return nbformat.read(notebook, 4)

    monkeypatch.setattr(running, "run_lecture", run)
    kept, source = tmp_path / "kept", tmp_path / "source"
    source.mkdir()
    path, other = (write(source / f"{name}.ipynb", new_markdown_cell(f"# {name[-1]}")) for name in ("01-a", "02-b"))
    for notebook in (path, other, path):
        with running.ran(notebook, kept) as lecture:
            assert lecture.cells[0].source == f"# {notebook.stem[-1]}" and (lecture.views / "a.json").is_file()
    assert runs == ["01-a.ipynb", "02-b.ipynb"]
    before = running.checksum(path)
    changes = (
        lambda: write(path, new_markdown_cell("# a, changed")),
        lambda: (source / "table.csv").write_text("1"),
        lambda: monkeypatch.setattr(running, "distributions", list),
        lambda: monkeypatch.setattr(running, "PACKAGE", running.PACKAGE / "course"),
    )
    for change in changes:
        change()
        assert running.checksum(path) != before
        before = running.checksum(path)
    with running.ran(path, kept) as lecture:
        assert lecture.cells[0].source == "# a, changed"
    assert runs == ["01-a.ipynb", "02-b.ipynb", "01-a.ipynb"] and len(list(kept.iterdir())) == 2  # none is left over


def test_a_run_that_fails_is_not_kept(tmp_path, monkeypatch):
    def fail(notebook, views):
        raise LectureError("no")

    monkeypatch.setattr(running, "run_lecture", fail)
    path = write(tmp_path / "01-a.ipynb", new_markdown_cell("# a"))
    with pytest.raises(LectureError), running.ran(path, tmp_path / "kept"):
        pass
    assert not list((tmp_path / "kept").iterdir())


@pytest.mark.parametrize(
    ("ending", "how"), [(".html", ["--html"]), (".pdf", ["--pdf", "--html"]), ("-slides.html", ["--slides"])]
)
def test_a_file_that_is_not_ours_is_left_alone(ending, how, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(paper, "browser", lambda: "chromium")
    mine = tmp_path / f"{LECTURES[2].stem}{ending}"
    mine.write_text("my notes")
    assert main(["course", "--lecture", "3", *how, str(tmp_path)]) == 1
    assert f"{mine.name} is a file of yours" in capsys.readouterr().err and mine.read_text() == "my notes"


def test_the_command_refuses_what_it_cannot_do(tmp_path, capsys):
    assert main(["course", "--html", str(tmp_path), "--lecture", "99"]) == 1
    assert "--lecture must be from 1 to" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main(["course", "--html", str(tmp_path / "file")]) == 1
    assert "must be a folder" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["course", "--html", str(tmp_path), "--lecture", "three"])


def test_the_command_writes_answers_when_they_are_asked_for(tmp_path, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(
        pages, "write_course", lambda chosen, place, source, kinds, answers: asked.append(answers) or []
    )
    for more in ([], ["--answers"]):
        assert main(["course", "--html", str(tmp_path), "--lecture", "2", *more]) == 0
    assert asked == [False, True] and capsys.readouterr().err == ""
    source = tutorials_folder()
    lecture = source / "02-who-is-whose-neighbor.ipynb"
    beside = set(pages.pages_of([lecture], tmp_path, source, answers=True)) - set(
        pages.pages_of([lecture], tmp_path, source)
    )
    assert beside == {tmp_path / "solutions" / "02-who-is-whose-neighbor.html"}
