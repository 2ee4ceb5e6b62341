"""The reference has a page for every public name, and the words and equations that it needs."""

import ast
import doctest
import importlib
import inspect
import re
import sys
import textwrap
import warnings
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import directives, roles
from docutils.parsers.rst.directives import admonitions
from docutils.parsers.rst.states import Inliner
from docutils.utils import SystemMessage
from numpydoc.docscrape_sphinx import SphinxDocString

import notebook_sne as ns

ROOT = Path(__file__).parents[1]
# What readers reach by its public name, and so is documented in full; `States` is what `iterate` returns.
OFFERED = [
    "notebook_sne",
    *(
        f"notebook_sne.{name}"
        for name in "affinities baselines course datasets failures networks quality relations".split()
    ),
    *(f"notebook_sne.{name}" for name in ("senses", "views", "engine.fitting.states")),
]


sys.path.insert(0, str(ROOT / "docs"))  # what builds the site is no package
equations, names = importlib.import_module("equations"), importlib.import_module("names")
MODULES = names.modules()


def documented():
    """Yield (name, object, docstring) of all modules, classes, functions and methods in the reference."""
    for module in MODULES:
        home = importlib.import_module(module)
        yield module, home, docstring(home)
        for name in names.offered(module):
            thing = getattr(home, name)
            if not inspect.isclass(thing) and not inspect.isroutine(thing):
                continue
            yield f"{module}.{name}", thing, docstring(thing)
            if inspect.isclass(thing):
                for member, method in names.members(thing).items():
                    if inspect.isroutine(method):
                        yield f"{module}.{name}.{member}", getattr(thing, member), docstring(getattr(thing, member))


def docstring(thing):
    return inspect.getdoc(thing) or ""


DOCUMENTED = {name: (thing, text) for name, thing, text in documented()}
CALLED = {name: both for name, both in DOCUMENTED.items() if inspect.isclass(both[0]) or inspect.isroutine(both[0])}
OWN = {name for module in OFFERED for name in CALLED if name.rpartition(".")[0] == module}
PUBLIC = OWN | {name for name in CALLED if name.rpartition(".")[0] in OWN}  # with the methods of public classes


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """What Sphinx is given of the reference, by the name of the page."""
    folder = tmp_path_factory.mktemp("reference")
    names.write(folder)
    return {page.stem: page.read_text("utf-8") for page in folder.glob("*.rst")}


def test_every_public_name_has_a_page_of_its_own(sources):
    told = set()
    for module in MODULES:
        home = importlib.import_module(module)
        for name in getattr(home, "__all__", ()):
            if inspect.ismodule(getattr(home, name, None)):
                assert f"{module}.{name}" in sources
                continue
            page = sources[names.page_of(module, name)]
            assert f".. currentmodule:: {module}\n" in page and re.search(rf"^\.\. auto\w+:: {name}$", page, re.M)
            assert f"   {names.page_of(module, name)}\n" in sources[module], f"{name} is not listed"
            told.add(names.page_of(module, name))
    assert {"SNE", "AspectMaps", "explore", "views"} <= set(ns.__all__)
    assert len({page.lower() for page in sources}) == len(sources)  # one file each, also where case does not count
    assert told | set(MODULES) <= set(sources)


def test_every_module_is_listed_on_one_page(sources):
    listed = [line.strip() for page in sources.values() for line in page.split("Modules\n-------")[1:][:1]
              for line in line.splitlines() if line.startswith("   notebook_sne.")]  # fmt: skip
    assert sorted(listed) == sorted(MODULES[1:])


def test_a_class_lists_what_it_inherits():
    for name in ("SNE.iterate", "UNISNE.fit_transform", "AspectMaps.fit", "Recording.describe", "Player.select"):
        assert f"notebook_sne.{name}" in DOCUMENTED, name
    assert "Run the model as an endless iterator of states" in DOCUMENTED["notebook_sne.SNE.iterate"][1]


# ---- markup ----


SETTINGS = {"report_level": 2, "halt_level": 2, "warning_stream": False, "doctitle_xform": False}


def drawn(text):
    """The HTML of a docstring by numpydoc and docutils, which is quicker than Sphinx; warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read = str(SphinxDocString(text))
    return publish_parts(f".. default-role:: literal\n\n{read}", writer="html5", settings_overrides=SETTINGS)[
        "fragment"
    ]


@pytest.fixture(scope="module", autouse=True)
def directives_of_the_site():
    bar = Inliner.dispatch.get("|")
    equations.register()
    roles.register_generic_role("obj", nodes.literal)
    for name in ("seealso", "only"):  # Sphinx has these; numpydoc writes them
        directives.register_directive(name, admonitions.Note)
    yield
    Inliner.dispatch["|"] = bar


def badly_drawn(text):
    """Yield what is wrong with the page that a docstring becomes."""
    lines = 0
    for argument, block in re.findall(r"^ *\.\. math::(.*)\n((?:(?: {4}.*)?\n)*)", f"{text}\n", re.M):
        lines += len([line for line in [argument, *block.split("\n")] if line.strip()])
    try:
        html = drawn(text)
    except Exception as error:
        yield f"{type(error).__name__}: {error}"
        return
    equations = len(re.findall('<div class="equation"[^>]*><math', html))
    if equations != lines or html.count("<math") != html.count("</math>"):
        yield f"{lines} lines of equations, of which {equations} are drawn"
    if re.search(r'<ol class="(upper|lower)', html):
        yield '"N. Someone" is read as the fourteenth item of a list'


@pytest.mark.slow
def test_docstrings_are_valid_and_their_equations_are_drawn():
    faults = [f"{name}: {fault}" for name, (_, text) in DOCUMENTED.items() for fault in badly_drawn(text)]
    assert not faults, "\n".join(faults)


def test_the_reference_has_many_equations():
    assert sum(text.count(".. math::") for _, text in DOCUMENTED.values()) > 50


def test_a_broken_docstring_is_an_error():
    broken = "Return a map.\n\na : int\n    First.\nb : int\n"
    with pytest.raises(SystemMessage, match="Definition list ends without a blank line"):
        drawn(broken)
    (fault,) = badly_drawn(broken)
    assert fault.startswith("SystemMessage: ") and "Definition list ends" in fault
    (fault,) = badly_drawn("Return a map.\n\nN. Someone drew the first.\n")
    assert "fourteenth" in fault


def test_the_mathematics_carries_its_equations():
    modules = [f"engine.mathematics.{name}" for name in "sne unisne tsne aspects images perplexity distances".split()]
    modules += ["engine.sums.pair_sums", "engine.sums.stored_pairs"]
    assert [name for name in modules if ".. math::" not in DOCUMENTED[f"notebook_sne.{name}"][1]] == []


def test_a_model_is_told_in_full():
    asked = [r"^ +q_(\{j\|i\}|ij) = ", r"^ +C = .*KL\(P", r"^ +dC/dy_i\S* = "]
    asked += [rf"^ *{heading}\n *-+$" for heading in ("Parameters", "Attributes", "Notes", "See Also", "Examples")]
    # The rows of the table of what "auto" means.
    asked += [rf"^ *{row} +\S" for row in ("learning_rate", "momentum", "init", "max_iter")]
    faults = []
    for model in ("SNE", "SymmetricSNE", "UNISNE", "TSNE", "AspectMaps", "MultipleMapsTSNE", "MixtureSNE"):
        text = getattr(ns, model).__doc__
        faults += [f"{model}: {pattern}" for pattern in asked if not re.search(pattern, text, re.M)]
        faults += [] if "<table" in drawn(inspect.cleandoc(text)) else [f"{model}: no table"]
    assert not faults, "\n".join(faults)


def test_equations_are_read_as_they_are_written():
    assert equations.tex("q_{j|i} = exp(-d_ij) / z_i") == r"q_{j|i} = \exp (-d_{ij}) / z_i"
    assert equations.tex("d_ij = |y_i - y_j|^2,   K") == r"d_{ij} = \lvert y_i - y_j\rvert ^2,\quad K"
    assert equations.tex("sum_{h != i} pi_i^m log p") == r"\sum _{h \neq  i} \pi _i^m \,\log\, p"
    assert equations.tex("dC/dy_i = KL(P || Q) rate") == (
        r"\partial C/\partial y_i = \mathrm{KL}(P \parallel  Q) \mathrm{rate}"
    )
    assert equations.tex("10^-4 |f'(0)|") == r"10^{-4} \lvert f'(0)\rvert "
    assert equations.tex(r"\frac{a}{b} + r_ij^bc") == r"\frac{a}{b} + r_{ij}^{bc}"


# ---- docstrings ----


def section(text, heading):
    """What stands under a heading, or None."""
    found = re.search(rf"^{heading}\n-+\n(.*?)(?=^\S[^\n]*\n-{{3,}}$|\Z)", inspect.cleandoc(text), re.M | re.S)
    return found and found[1]


def named(items):
    """The names that a section describes, without stars."""
    lines = re.findall(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : |$)", items, re.M)
    return [name.lstrip("*") for line in lines for name in line.split(", ")]


def parameters_of(thing):
    signature = inspect.signature(thing)
    return [name for name in signature.parameters if name not in ("self", "cls")]


def returns_something(thing):
    """Tell whether a function has a return statement of its own with a value."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(thing))))
    inner = [node for part in tree.body[0].body for node in ast.walk(part)]
    nested = {id(n) for node in inner if isinstance(node, ast.FunctionDef | ast.Lambda) for n in ast.walk(node)}
    return any(isinstance(node, ast.Return) and node.value and id(node) not in nested for node in inner)


def untold(name):
    """Yield what a docstring lacks: in full of a public name; of an internal one a line is enough."""
    thing, text = CALLED[name]
    described, results = section(text, "Parameters"), section(text, "Returns")
    if not text.strip():
        yield "has no docstring"
    if described is not None and sorted(named(described)) != sorted(parameters_of(thing)):
        yield f"takes {parameters_of(thing)}, and describes {named(described)}"
    if name not in PUBLIC:
        return
    if described is None and inspect.isclass(thing):
        excused = "Made by" in text or "not used by itself" in text or issubclass(thing, str | Exception)
        if not (excused or named(section(text, "Attributes") or "") or not parameters_of(thing)):
            yield f"says nothing of {parameters_of(thing)}"
    elif described is None and name in OWN and parameters_of(thing):
        yield "has no section Parameters"
    elif described is None and (left := set(parameters_of(thing)) - set(re.findall(r"\w+", text))):
        yield f"says nothing of {sorted(left)}"
    if results is None and name in OWN and inspect.isroutine(thing) and returns_something(thing):
        yield "has no section Returns"


def test_public_names_are_told_in_full_and_internal_ones_in_a_line():
    faults = [f"{name}: {fault}" for name in CALLED for fault in untold(name)]
    assert not faults, "\n".join(faults)


def test_what_is_untold_is_found(monkeypatch):
    def load(path, seed=0):
        return path, seed

    def faults(name, text):
        monkeypatch.setitem(CALLED, name, (load, inspect.cleandoc(text)))
        return list(untold(name))

    whole = "Return it.\n\nParameters\n----------\npath, seed\n    Where from.\n\nReturns\n-------\nit\n"
    public, method, internal = (
        "notebook_sne.watch",
        "notebook_sne.Run.step",
        "notebook_sne.engine.sums.pair_sums.student_sums",
    )
    assert {public, method} <= PUBLIC and internal in CALLED.keys() - PUBLIC
    assert [faults(name, whole) for name in (public, method, internal)] == [[], [], []]
    assert faults(public, "Return path and seed.") == ["has no section Parameters", "has no section Returns"]
    assert faults(method, "Return path and seed.") == faults(internal, "Return both.") == []
    assert faults(method, "Return the path.") == ["says nothing of ['seed']"]
    assert faults(internal, "") == ["has no docstring"]
    assert "describes ['path']" in faults(internal, whole.replace(", seed", ""))[0]


EXAMPLES = [name for name, (_, text) in DOCUMENTED.items() if ">>> " in text]


def test_an_example_is_python():
    for name in EXAMPLES:
        for example in doctest.DocTestParser().get_examples(DOCUMENTED[name][1], name):
            compile(example.source, name, "single")


@pytest.mark.slow
def test_an_example_shows_what_comes_out():
    told = []
    for name in EXAMPLES:
        if name.startswith("notebook_sne.views"):
            continue  # figures are drawn of a model that the reader is thought to have
        thing, text = DOCUMENTED[name]
        found = doctest.DocTestParser().get_doctest(text, {**vars(inspect.getmodule(thing))}, name, None, None)
        doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(found, out=told.append)
    assert not told, "".join(told)
