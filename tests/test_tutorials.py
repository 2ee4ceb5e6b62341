"""Each tutorial runs from top to bottom, is saved without outputs, and keeps the order of a lecture."""

import ast
import inspect
import operator
import re
from collections import Counter
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from scipy.sparse import csr_array

import notebook_sne as ns
from notebook_sne.course.order import reading_order
from notebook_sne.engine.mathematics.sne import attractive_pairs, cost_and_gradient
from notebook_sne.engine.sums.pair_sums import gaussian_sums
from tests.standins.rules import rules
from tests.standins.waiting import LONG
from tests.tables import in_one_test
from tests.test_paper import kept, rows_of

FOLDER = Path(__file__).parents[1] / "tutorials"
TUTORIALS = sorted(FOLDER.glob("[0-9]*.ipynb"))
ORDER = [FOLDER / name for name in reading_order(FOLDER)]
SOLUTIONS = sorted(FOLDER.glob("solutions/*.ipynb"))
TASKS, EXAM = sorted(FOLDER.glob("tasks/[0-9]*.ipynb")), FOLDER / "tasks" / "exam-reading-maps.ipynb"
# The order of a lecture: these headings, one after the other.
SECTIONS = ["Prediction", "Picture", "Experiment", "Reason", "What the picture does not say", "Exercise"]
LIVE = ("ns.watch(", "ns.compare(", "ns.explore(")
STATIC = ("ns.views.", ".svg(")
# What shows a figure that stays; a player, which moves, has a title and no number.
FIGURES = ("show", "side_by_side", "ns.views.svg", "ns.views.live")
CAPTION = r"^\*\*Figure (A?\d+\.\d+)\.\*\* \w"

GLOSSARY = FOLDER / "glossary.ipynb"
# A source begins with its key and the initials of its first author.
SOURCE = r"\[(\w+)\]\s+(?:[A-Z]\.[\s-])+(?:(?:van|de|der|den) )*[A-Z]"
# What is taught beside SNE and its family: the lecture that explains it, by which word, and the paper it is from.
TAUGHT = {
    "PCA": ("01", "PCA", "Pearson1901"),
    "NCA": ("19", "NCA", "Goldberger2005"),
    "LDA": ("19", "LDA", "Fisher1936"),
    "autoencoder": ("19", "autoencoder", "Hinton2006"),
    "elastic embedding": ("19", "ElasticEmbedding", "CarreiraPerpinan2010"),
    "parametric t-SNE": ("19", "parametric t-SNE", "Maaten2009"),
    "SOM": ("20", "SOM", "Kohonen2013"),
    "GTM": ("20", "GTM", "Bishop1998"),
    "ClassicalMDS": ("12", "MDS", "Torgerson1952"),
    "MetricMDS": ("12", "metric form", "Kruskal1964"),
    "Sammon": ("12", "Sammon's mapping", "Sammon1969"),
    "Isomap": ("12", "Isomap", "Tenenbaum2000"),
    "LLE": ("12", "LLE", "Roweis2000"),
    "MVU": ("12", "MVU", "Weinberger2006"),
    "LaplacianEigenmaps": ("10", "Laplacian eigenmaps", "Belkin2003"),
    "UMAP": ("10", "UMAP", "McInnes2018"),
    "InfoNCE": ("10", "InfoNCE", "Oord2018"),
    "t-SNE": ("07", "t-SNE", "Maaten2008"),
    "multiscale perplexity": ("08", "multiscale", "deBodt2018"),
    "densities": ("08", "density=0.5", "Narayan2021"),
    "bootstrap": ("09", "bootstrap", "Efron1979"),
    "relational embedding": ("21", "Linear relational embedding", "Paccanaro2001"),
    "Barnes-Hut": ("11", "Barnes-Hut", "Maaten2014"),
    "aligned maps": ("14", "dynamic t-SNE", "Rauber2016"),
}

NOTEBOOKS = [*TUTORIALS, *SOLUTIONS]


def name_of(path):
    return path.relative_to(FOLDER).with_suffix("").as_posix()


rule, hold_all = rules()

# These lectures reach most rooms of the package that any lecture reaches, and run at each landing; the full gate runs
# all, and the answers.
AT_LANDING = ("07", "16", "12")


# Bytes of a lecture that has run and is saved with its widgets: no lecture has more than the first number, for the
# hotspot of a phone; those weighed have at most a tenth more than then.
HEAVIEST = 2_000_000
WEIGHED = {"01": 1_546_572, "03": 1_259_187, "09": 1_123_131, "11": 1_954_166}


def when(path):
    return pytest.param(path, marks=pytest.mark.landing if path in TUTORIALS and path.name[:2] in AT_LANDING else [])


def rooms_of(path):
    """Return the rooms from which the code of a notebook takes something, as ``ns.TSNE`` or ``ns.quality.recall``."""
    found = set()
    for name, inner in re.findall(r"\bns\.(\w+)(?:\.(\w+))?", "\n".join(cells(path, "code"))):
        thing = getattr(ns, name)
        thing = getattr(thing, inner) if inspect.ismodule(thing) else thing
        _, *home = getattr(thing, "__module__", "notebook_sne.").split(".")
        found.add(home[1] if home[0] in ("engine", "browser") else home[0])
    return found


def cells(path, kind):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


def prose(path):
    """Return the text of all Markdown cells as one line, without the links to the glossary, as a notebook says it."""
    text = re.sub(r"\[([^\]]+)\]\(glossary\.ipynb#[^)]+\)", r"\1", "\n".join(cells(path, "markdown")))
    text = re.sub(r'<span\s+data-page="[^"]*">(.*?)</span>', r"\1", text, flags=re.DOTALL)
    return " ".join(text.split())


def question(path):
    return cells(path, "markdown")[0].splitlines()[0].removeprefix("# ")


def sections(path):
    """Return {heading: minutes}, of any level: 150 words a minute, and half a minute a cell."""
    found = {"": 0.0}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            found[list(found)[-1]] += 0.5
            continue
        for line in cell.source.splitlines():
            if line.startswith("## ") or line.startswith("### "):
                found[line.lstrip("# ")] = 0.0
            found[list(found)[-1]] += len(line.split()) / 150
    return found


HEAD = r"\*Reading: (\d+) minutes; working: (\d+)\. Core path, (\d+) minutes: ([^*]+)\.\*"


def working_minutes(path):
    """Return how long a lecture takes with its runs watched and its visible code read, to five minutes.

    150 words a minute, half a minute for each cell of code, another minute for ten lines of it that are seen, and five
    for the exercise: about what a reader took who worked through all of them.
    """
    notebook = nbformat.read(path, as_version=4)
    words = sum(len(cell.source.split()) for cell in notebook.cells if cell.cell_type == "markdown")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    seen = [cell.source for cell in code if not cell.metadata.get("jupyter", {}).get("source_hidden")]
    lines = sum(bool(line.strip()) for source in seen for line in source.splitlines())
    return 5 * round((words / 150 + lines / 10 + len(code) / 2 + 5) / 5)


def links(path):
    """Return (text, target) of every link to a file."""
    found = re.findall(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", "\n".join(cells(path, "markdown")))
    return [(text, target) for text, target in found if "://" not in target and not target.startswith("#")]


def test_the_course_has_all_its_lectures():
    assert [int(path.name[:2]) for path in TUTORIALS] == [*range(1, 23)]
    assert sorted(ORDER) == TUTORIALS


def test_every_exercise_has_its_answers():
    assert [path.name for path in SOLUTIONS] == [path.name for path in TUTORIALS]


def test_what_runs_at_landing_reaches_most_rooms_that_the_course_reaches():
    reached = {path.name[:2]: rooms_of(path) for path in TUTORIALS}
    every = set().union(*reached.values())
    assert len(every) > 12 and len(every - set().union(*(reached[number] for number in AT_LANDING))) < 3


@pytest.mark.notebooks
@pytest.mark.parametrize("path", [when(path) for path in NOTEBOOKS], ids=[name_of(path) for path in NOTEBOOKS])
def test_it_runs_to_the_end_without_a_network(path, tmp_path, monkeypatch):
    monkeypatch.delenv("NOTEBOOK_SNE_DATA", raising=False)
    # Nothing answers there: whatever asks the network fails at once.
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    notebook = nbformat.read(path, as_version=4)
    # A cell is waited for half as long: a kernel of ipykernel 7 may lose its last message (ipython/ipykernel#1554).
    NotebookClient(
        notebook, timeout=LONG / 2, startup_timeout=LONG, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.output_type != "stream" or output.name != "stderr", output.text
    if path in TUTORIALS:
        assert len(nbformat.writes(notebook).encode()) < min(HEAVIEST, 1.1 * WEIGHED.get(path.name[:2], HEAVIEST))


@rule([*NOTEBOOKS, GLOSSARY, *TASKS, EXAM])
def it_is_saved_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert "widgets" not in notebook.metadata
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@rule([*NOTEBOOKS, *TASKS, EXAM])
def its_cells_are_short(path):
    for source in cells(path, "code"):
        assert sum(bool(line.strip()) for line in source.splitlines()) <= 12, source


@rule(NOTEBOOKS)
def it_takes_everything_from_this_machine(path):
    for source in cells(path, "code"):
        # Bokeh's own function loads from a network, or writes all of BokehJS twice into a saved lecture.
        assert not re.search(r"(?<!ns\.views\.)output_notebook|CDN|INLINE", source), source
    for source in cells(path, "markdown"):
        assert not re.search(r"!\[[^\]]*\]\(\s*https?://|<(img|script|iframe)\b", source), source


@rule(TUTORIALS)
def it_asks_a_question_and_keeps_the_order_of_a_lecture(path):
    text = "\n".join(cells(path, "markdown"))
    headings = re.findall(r"^(#+) (.+)$", text, re.MULTILINE)
    assert headings[0][0] == "#"
    assert headings[0][1].endswith("?")
    assert [level for level, title in headings].count("#") == 1
    titles = [title for level, title in headings if level == "##"]
    assert [title for title in titles if title in SECTIONS] == SECTIONS


def shown_figures(source):
    """Return how many figures that stay a cell shows, those inside its functions not counted."""
    found, nodes = 0, [ast.parse(source)]
    while nodes:
        for node in ast.iter_child_nodes(nodes.pop()):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in FIGURES:
                found += 1
            elif not isinstance(node, (ast.FunctionDef, ast.Lambda)):
                nodes.append(node)
    return found


@rule([*NOTEBOOKS, *TASKS])
def its_figures_are_numbered_and_each_has_its_caption_below(path):
    numbers, inside = [], "A" if path in SOLUTIONS else ""
    listed = nbformat.read(path, as_version=4).cells
    for cell, below in zip(listed, [*listed[1:], None], strict=True):
        if cell.cell_type == "code":
            expected, text = shown_figures(cell.source), below.source if below and below.cell_type != "code" else ""
            found = re.findall(CAPTION, text, re.MULTILINE) if expected else []
        else:
            expected = len(re.findall(r"^!\[", cell.source, re.MULTILINE))
            found = re.findall(rf"\]\([^)\s]+\)\n\n{CAPTION[1:]}", cell.source) if expected else []
        assert len(found) == expected, cell.source
        numbers += found
        # Nothing else is numbered, so that no number comes twice.
    assert numbers == [f"{inside}{int(path.name[:2])}.{k}" for k in range(1, len(numbers) + 1)]
    written = re.findall(CAPTION, "\n".join(cells(path, "markdown")), re.MULTILINE)
    assert written == numbers


def test_every_lecture_has_a_figure_with_a_number_and_a_text_for_those_who_do_not_see_it():
    for path in TUTORIALS:
        text = "\n".join(cells(path, "markdown"))
        assert re.search(CAPTION, text, re.MULTILINE), path
        assert all(alt.strip() for alt in re.findall(r"!\[([^\]]*)\]", text)), path


@rule(TUTORIALS)
def its_reason_has_an_equation(path):
    text = "\n".join(cells(path, "markdown"))
    reason = text.partition("## Reason")[2].partition("\n## ")[0]
    assert "$$" in reason
    assert text.count("$$") % 2 == 0


def test_the_first_thing_of_all_is_live():
    assert "ns.watch(" in cells(TUTORIALS[0], "code")[0]


@rule(TUTORIALS)
def it_shows_something_live_and_something_that_stays(path):
    text = "\n".join(cells(path, "code"))
    assert any(call in text for call in LIVE)
    assert any(call in text for call in STATIC)


@rule(TUTORIALS)
def its_first_code_cell_shows_or_chooses(path):
    first = cells(path, "code")[0]
    assert "import notebook_sne as ns" in first


@rule(TUTORIALS)
def the_papers_data_are_off_unless_asked_for(path):
    lines = [line for source in cells(path, "code") for line in source.splitlines() if "PAPERS_DATA =" in line]
    if not lines:
        assert "PAPERS_DATA" not in "\n".join(cells(path, "code"))
        assert "fetch_" not in "\n".join(cells(path, "code"))
        return
    assert len(lines) == 1
    # What it costs stands beside it.
    assert re.fullmatch(r"PAPERS_DATA = False  # True: .*\bminutes?\b.*", lines[0]), lines[0]


@rule([*NOTEBOOKS, *TASKS, EXAM])
def its_links_lead_somewhere(path):
    for text, target in links(path):
        place = (path.parent / unquote(target.partition("#")[0])).resolve()
        # The folder of the course is all that a reader may have.
        assert place.is_file() and place.is_relative_to(FOLDER), f"[{text}]({target})"
        if place in TUTORIALS:
            # Whoever names a lecture names its question.
            assert text == question(place) or not text.endswith("?"), text


def cited(path):
    """Return the sources that a lecture lists, and how often its text has each key in brackets, listed ones counted."""
    text = "\n\n".join(cells(path, "markdown"))
    inside = " ".join(re.findall(r"\[([^\]\[]+)\](?!\()", text))
    return re.findall(SOURCE, text), Counter(re.findall(r"\b[A-Za-z]+(?:19|20)\d\d\b|\bNabney\b", inside))


@rule(TUTORIALS)
def it_cites_each_source_that_it_lists_and_lists_each_that_it_cites(path):
    listed, keys = cited(path)
    assert len(set(listed)) == len(listed) and set(keys) == set(listed)
    assert all(keys[key] > 1 for key in listed), "listed and not cited"
    said = prose(path)
    assert not re.search(
        r"(?i)\b(as|if) we remember|from memory|had no copy|have (only )?(read|used) (only )?(the|its) abs", said
    )


def test_every_method_that_is_taught_has_its_paper_in_the_lecture_that_teaches_it():
    for method, (number, word, key) in TAUGHT.items():
        (path,) = (path for path in TUTORIALS if path.name[:2] == number)
        assert word in prose(path) and key in cited(path)[0], method
    assert {name for name in ns.baselines.__all__ if inspect.isclass(getattr(ns.baselines, name))} <= set(TAUGHT)


# What is said of a word in the cell of the course that first uses it.
EXPLAINED = {
    "cost": "how badly", "entropy": "yes-or-no questions", "isomap": "along paths", "lle": "mixture of its neighbors",
    "penalty": "far from the middle", "background": "gives each pair the same", "exaggeration": "multiplies every pull",
    "recall": "of the true neighbors", "trustworthiness": "punishes neighbors", "momentum": "part of the last one",
    "jitter": "a little noise", "learning rate": "length is set by a number", "kernel": "falls with distance",
    "stranger": "hundredth", "mixing proportion": "how much of an object", "copy moves": "offer each word a copy",
    "communities": "more ties among them", "divergence": "how badly",
}  # fmt: skip


def test_a_term_is_explained_where_it_is_first_used():
    texts = [" ".join(text.split()) for path in TUTORIALS for text in cells(path, "markdown")]
    for term, words in EXPLAINED.items():
        assert words in next(text for text in texts if re.search(rf"\b{term}", text, re.I)), term


@rule(TUTORIALS)
def one_lecture_leads_to_the_next(path):
    last = cells(path, "markdown")[-1]
    for following in ORDER[ORDER.index(path) + 1 :][:1]:
        assert f"**Next**: [{question(following)}]({following.name})" in last
    assert last.count("**Next**") == (path != ORDER[-1])
    targets = [target for _, target in links(path)]
    assert f"solutions/{path.name}" in targets


@rule(TUTORIALS)
def its_head_says_how_long_it_takes_and_what_its_core_is(path):
    heading, reading = cells(path, "markdown")[0].split("\n\n")[:2]
    assert heading.startswith("# ")
    # What people search for, who do not know the question yet.
    searched = cells(path, "markdown")[-1].split("\n\n")[-1]
    assert re.fullmatch(r"\*Keywords: ([^*,]+, )+[^*,]+\*", searched), searched
    ((whole, working, part, named),) = re.findall(HEAD, " ".join(reading.split()))
    parts, core = sections(path), named.split(", ")
    assert len(core) >= 3
    assert [title for title in parts if title in core] == core
    # Told to five minutes; a word more or less must not matter.
    assert abs(int(whole) - sum(parts.values())) < 4
    assert abs(int(part) - sum(parts[title] for title in core)) < 4
    assert int(part) < int(whole) < int(working) == working_minutes(path)


@rule(TUTORIALS)
def every_prediction_is_asked_once_and_comes_back(path):
    text = "\n".join(cells(path, "markdown"))
    code = "\n".join(cells(path, "code"))
    asked = re.findall(r"^(\w+) = ns\.predict\(", code, re.MULTILINE)
    assert len(asked) >= 3
    for name in asked:
        assert f"{name}.reveal(" in code, name
    # The boxes ask, and no list beside them.
    questions = text.partition("## Prediction")[2].partition("\n## ")[0]
    assert not re.findall(r"^\d\. ", questions, re.MULTILINE)
    assert "ns.predictions()" in code.splitlines()


@in_one_test("path", [*NOTEBOOKS, *TASKS, EXAM, GLOSSARY], ids=name_of)
def test_a_notebook_keeps_the_rules(path):
    hold_all(path)


def test_25_lines_of_numpy_are_sne_to_ten_digits():
    lecture = ast.parse("\n".join(cells(TUTORIALS[2], "code")))
    written = [one for one in lecture.body if isinstance(one, ast.FunctionDef)]
    assert [one.name for one in written] == ["squares", "choices", "wishes", "slope", "descend"]
    assert sum(one.end_lineno - one.lineno + 1 for one in written) == 25
    found = {"np": np}
    exec(compile(ast.Module(written, []), "lecture 3", "exec"), found)
    X = np.random.default_rng(0).normal(size=(40, 5))
    P = found["wishes"](X, 7)
    assert np.allclose(P, ns.affinities.conditional(X, perplexity=7), rtol=0, atol=1e-7)
    for updates in (0, 30):
        Y = found["descend"](P, X[:, :2], updates)
        ours = cost_and_gradient(attractive_pairs(csr_array(P)), Y, sums=partial(gaussian_sums, dtype=np.float64))
        Q = found["choices"](found["squares"](Y), 1)
        assert (P[P > 0] * np.log(P[P > 0] / Q[P > 0])).sum() == pytest.approx(ours.cost, rel=1e-10)
        assert np.abs(found["slope"](Y, P) - ours.gradient).max() < 1e-10 * np.abs(ours.gradient).max()


def test_the_notes_for_teachers_tell_the_minutes_of_each_lecture():
    notes = (FOLDER.parent / "docs" / "guide" / "teaching.md").read_text(encoding="utf-8")
    told = re.findall(
        r"^## (\d+)\. (.+)\n\nReading (\d+) minutes, working (\d+), core path (\d+)\.$", notes, re.MULTILINE
    )
    heads = [re.search(HEAD, prose(path)).groups()[:3] for path in ORDER]
    assert told == [(str(int(path.name[:2])), question(path), *head) for path, head in zip(ORDER, heads, strict=True)]


def terms():
    """Return {term: what the glossary says of it}."""
    (cell,) = cells(GLOSSARY, "markdown")  # one, as JupyterLab finds no term in a cell that it has not drawn yet
    return dict(part.split("\n\n", 1) for part in cell.split("\n\n### ")[1:])


@rule(TUTORIALS)
def what_it_links_to_the_glossary_is_there(path):
    asked = [target.partition("#")[2] for _, target in links(path) if target.startswith("glossary.ipynb")]
    assert asked and len(set(asked)) == len(asked)
    assert set(asked) <= {term.replace(" ", "-") for term in terms()}


def test_the_glossary_names_lectures_and_public_names_that_there_are():
    found = terms()
    assert list(found) == sorted(found, key=str.lower)
    for term, text in found.items():
        ((number, name),) = re.findall(r"^Lecture \[(\d+)\]\((\S+)\)", text, re.MULTILINE)
        assert (FOLDER / name) in TUTORIALS and int(number) == int(name[:2]), term
        for called in re.findall(r"`ns\.([\w.]+)", text):
            assert operator.attrgetter(called)(ns), (term, called)


def test_what_the_lecture_with_a_field_to_draw_in_quotes_is_what_was_kept():
    rows = [row for row in rows_of("drawn_digits") if row["images"] == "14 x 14"]
    numbers = [f"| {row['nearest of its class']} | {row['of ten nearest']} |" for row in rows]
    (cell,) = (cell.source for cell in nbformat.read(TUTORIALS[0], as_version=4).cells if cell.id == "hand-measured")
    assert (
        len(numbers) == 3 == sum(number in line for number, line in zip(numbers, cell.splitlines()[4:], strict=False))
    )


def test_what_a_lecture_quotes_from_longer_runs_is_what_was_kept():
    usps = {row["settings"]: row for row in rows_of("e1_usps")}
    text = prose(TUTORIALS[2])
    assert f"the default settings end at {usps['defaults']['cost, median']:,.0f} nats (median)" in text
    recipe = usps["paper, rate 0.2"]
    assert (
        f"the recipe at {recipe['cost, median']:,.0f}, and one of its five runs at {recipe['cost, greatest']:,.0f}"
        in text
    )
    assert f"ends at {usps['paper, rate 0.1']['cost, median']:,.0f} and never went wrong" in text

    shaken = next(row for row in rows_of("e7_jitter") if row["model"] == "SNE" and row["jitter"].startswith("0.3 for"))
    assert (shaken["better"], shaken["worse"], shaken["seeds"]) == (9, 2, 12)
    answers = prose(SOLUTIONS[2])
    assert "twelve draws of 600 larger digits: there shaking was better than none in nine and worse in two" in answers


def test_what_the_lecture_on_words_quotes_from_the_contest_is_what_was_kept():
    usf = {row["method"]: row for row in rows_of("senses_look_once") if row["norms"] == "usf"}
    copies, consensus = usf["aspect maps, copies"], usf["aspect maps, consensus of three fits"]
    louvain, company = usf["Louvain, resolution 0.5"], usf["company of associates, no maps"]
    text = prose(TUTORIALS[15])
    assert f"On the {copies['homonyms']} homonyms held out until the end" in text
    assert f"one fit separates the meanings of {copies['right, median']:.0f} (" in text
    before = kept("senses_look_once_moves_0", method="aspect maps, copies")
    assert f"({before['right, median']:.0f} without copy moves)" in text
    assert f"The consensus separates those of {consensus['right, median']:.0f}, and communities" in text
    assert consensus["right, median"] == company["right, median"]
    assert f"associates those of {louvain['right, median']:.0f}" in text
    assert f"split {louvain['split, median']:.0%} of the words of one meaning" in text
    assert f"and the consensus {consensus['split, median']:.0%}" in text


def test_what_the_lecture_on_two_places_quotes_is_what_was_kept():
    text = prose(TUTORIALS[16])

    def medians(settings):
        row = kept("e6_hybrids", settings=settings)
        columns = ("hybrids separated", "others separated")
        return [f"{100 * sorted(map(float, row[column].split(', ')))[2]:.0f}%" for column in columns]

    plain, tied = medians("simplified, defaults"), medians("simplified, tied start, pull 0.2")
    assert f"{plain[0]} of the hybrids and {plain[1]} of the others are in two places (medians)" in text
    assert f"with a pull of 0.2 it is {tied[0]} and {tied[1]}" in text
    third = kept("hybrid_regions", settings="simplified, tied start, pull 0.2")
    assert f"In one of these draws {100 * third['of separated, median']:.0f}% of the hybrids that split" in text


def test_what_the_lecture_on_the_optimizer_quotes_is_what_was_kept():
    text = prose(TUTORIALS[17])
    few, many = (kept("annealing", objects=n, jitter="both passes") for n in (200, 600))
    pca = kept("annealing", objects=600, jitter="none, PCA start")
    assert f"two passes end lower than one plain run in {few['better']} and higher in {few['worse']}." in text
    assert f"passes in {few['worse than as long']} and higher in {few['better than as long']}." in text
    assert f"it is {many['better than as long']} to {many['worse than as long']} for the two passes" in text
    assert f"lower than a plain run in {pca['better']} of these" in text


def test_what_the_lecture_on_other_maps_quotes_is_what_was_kept():
    lines = "\n".join(cells(TUTORIALS[11], "markdown")).splitlines()
    data = {"6,000 digits": "MNIST", "400 faces": "Olivetti faces", "1,440 objects": "COIL-20"}
    for title, name in data.items():
        (line,) = [line for line in lines if line.startswith(f"| {title} |")]
        parts = []
        for method in ("t-SNE, defaults", "Sammon", "Isomap", "LLE"):
            row = kept("e9_objects", data=name, map=method)
            wrong, near = 100 * row["1-NN error, median"], 100 * row["neighbors kept, median"]
            parts.append(f"{wrong:.{0 if wrong >= 10 else 1}f}%, {near:.0f}%")
        assert line == f"| {title} | {' | '.join(parts)} |"


def test_what_the_lecture_on_many_objects_quotes_is_what_was_kept():
    early, fit = (kept("against_seconds", fit="notebook_sne", updates=updates) for updates in (350, 750))
    million = kept("million_descent", updates=750)
    sums = [row for row in rows_of("peers_iterations") if row["objects"] == 70_000]
    by = {row["code"]: row["ms, median"] for row in sums}
    (error,) = (row["error / repulsion"] for row in sums if row["code"].endswith("mesh"))
    (text,) = (prose(path) for path in TUTORIALS if path.name.startswith("11"))
    assert f"such a fit takes about {fit['seconds']:.0f} seconds" in text
    assert 8 < by["notebook_sne, exact"] / by["notebook_sne"] < 12 and "would take about ten times as long" in text
    assert f"its push was off by {100 * error:.2f}%" in text
    assert f"{fit['seconds']:.0f} seconds for {fit['updates']} updates, a cost of {fit['KL']:.3f} nats" in text
    assert f"and {100 * fit['neighbors kept']:.0f} of 100 of an object's ten nearest" in text
    assert f"took {early['seconds']:.0f} seconds and ended at a cost of {early['KL']:.3f}" in text
    assert f"the default {fit['updates']} ended at {fit['KL']:.3f}" in text
    assert f"took {million['seconds'] / 60:.1f} minutes and kept {100 * million['neighbors kept']:.0f} of 100" in text


def test_what_the_lecture_on_authors_quotes_is_what_was_kept():
    rows = rows_of("e8_authors")
    words = {row["model"]: row for row in rows if row["data"] == "log counts"}
    alike = {row["model"]: row for row in rows if row["data"] == "log counts, length 1"}
    maps = {row["model"]: row for row in rows if row["data"] == "joint papers"}
    field = kept("author_fields", map="SNE")
    (text,) = (prose(path) for path in TUTORIALS if path.name.startswith("15"))
    own, tsne, sne = (words[name]["agreement, median"] for name in ("none: the vectors", "TSNE", "SNE"))
    assert f"{own:.0%} by their words" in text
    assert f"{tsne:.0%} on maps of t-SNE, {sne:.0%} on maps of SNE" in text
    assert f"the words have {alike['none: the vectors']['agreement, median']:.0%}" in text
    assert f"is of the same field for {field['same field, median']:.0%}" in text
    assert f"vector machines it is {field['support vector machines, median']:.0%}" in text
    one, five, twenty = (maps[f"t-SNE kernel, {m}"]["triples kept, median"] for m in ("1 map", "5 maps", "20 maps"))
    told = f"one map keeps {one:.0%} of the triples, five maps {five:.0%} and twenty maps {twenty:.0%}"
    assert told in text
    free, held = (maps[f"aspect maps{how}, 5 maps"]["triples kept, median"] for how in ("", ", penalty 0.48"))
    assert f"keep {free:.0%} of the real triples" in text
    assert f"it is {held:.0%}: a pull" in text


def test_what_the_lecture_on_the_spectrum_quotes_of_umap_is_what_was_kept():
    rows = {row["map"]: row for row in rows_of("spectrum")}
    theirs, ours = rows.pop("umap-learn"), {e: rows[f"t-SNE, exaggeration {e}"] for e in (1, 2, 4, 8, 16)}
    (text,) = (prose(path) for path in TUTORIALS if path.name.startswith("10"))
    gaps = {e: row["gaps"] for e, row in ours.items()}
    assert f"are {theirs['gaps']:.1f} times as wide as the groups, and t-SNE has {gaps[4]:.1f} at 4" in text
    assert f"(and {gaps[1]:.1f} at 1)" in text and min(gaps, key=lambda e: abs(gaps[e] - theirs["gaps"])) == 4
    kept = [100 * row["of ten neighbors kept"] for row in (theirs, ours[2], ours[4])]
    assert f"It keeps {kept[0]:.0f} of 100 neighbors, t-SNE {kept[1]:.0f} at 2 and {kept[2]:.0f} at 4" in text
    shared = sorted(rows, key=lambda name: -rows[name]["neighbors shared with umap-learn"])
    assert shared[:2] == ["t-SNE, exaggeration 2", "Neg-t-SNE, z_bar 0.2"]


def test_the_table_of_three_methods_is_what_was_kept():
    text = "\n".join(cells(TUTORIALS[12], "markdown"))
    rows = rows_of("three_methods")
    columns = ("of 10 neighbors kept", "of 100", "another package nearest", "shared by two seeds")
    for row in rows:
        ten, hundred, other, shared = (f"{100 * row[column]:.0f}%" for column in columns)
        assert f"| {ten} | {hundred} | {row['distances']:.2f} | {other} | {shared} |" in text, row["map"]
    assert len(rows) == 6
