"""The reference is built without a warning, has every public name and every equation, and fetches nothing."""

import ast
import doctest
import importlib.util
import inspect
import re
import textwrap
from pathlib import Path

import pytest

import notebook_sne as ns

ROOT = Path(__file__).parents[1]
# What is called by its public name, and so is documented in full.
OFFERED = [
    "notebook_sne",
    *(f"notebook_sne.{name}" for name in "affinities baselines datasets failures networks quality".split()),
    *(f"notebook_sne.{name}" for name in ("senses", "views")),
]


def load_make():
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "docs" / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make = load_make()
MODULES = make.modules()


def documented():
    """Yield (name, object, docstring) of all modules, classes, functions and methods in the reference."""
    for name, module in MODULES.items():
        yield name, module.obj, module.docstring
        for member in module.own_members:
            if member.kind == "module" or member.name.startswith("_"):
                continue
            thing = member.default_value if member.kind == "variable" else member.obj
            yield member.fullname, thing if inspect.isclass(thing) else member.obj, member.docstring
            if member.kind == "class":
                for method in member.own_members:
                    if method.kind == "function" and not method.name.startswith("_"):
                        yield method.fullname, method.obj, method.docstring


DOCUMENTED = {name: (thing, text) for name, thing, text in documented()}
CALLED = {name: both for name, both in DOCUMENTED.items() if inspect.isclass(both[0]) or inspect.isroutine(both[0])}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The pages of a fresh build, by their path."""
    folder = make.build(tmp_path_factory.mktemp("reference"))
    return {page.relative_to(folder).as_posix(): page.read_text("utf-8") for page in folder.rglob("*.html")}


def page_of(module):
    return module.replace(".", "/") + ".html"


def prose(page):
    """A page without its code, which is what may hold the signs of a markup."""
    page = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.S)
    return re.sub(r"<pre\b.*?</pre>|<code>.*?</code>", "", page, flags=re.S)


def test_every_public_name_has_its_place(pages):
    for module in MODULES:
        page = pages[page_of(module)]
        for name in getattr(MODULES[module].obj, "__all__", ()):
            if inspect.ismodule(getattr(MODULES[module].obj, name, None)):
                assert page_of(f"{module}.{name}") in pages
            else:
                assert f'<section id="{name}">' in page, f"{module}.{name}"
    assert {"SNE", "AspectMaps", "explore", "views"} <= set(ns.__all__)


def test_a_class_lists_what_it_inherits(pages):
    page = pages["notebook_sne.html"]
    for name in ("SNE.iterate", "UNISNE.fit_transform", "AspectMaps.fit", "Recording.describe", "Player.selection"):
        assert f'id="{name}"' in page, name
    assert "Run the model as an endless iterator of states" in page


def test_no_markup_is_left_in_the_pages(pages):
    for path, page in pages.items():
        text = prose(page)
        for sign in ("$$", "\\frac", "\\sum", ".. math", "::", ":class:", ":func:", "`", "{common}", "&gt;&gt;&gt;"):
            assert sign not in text, (path, sign)
        # "N. Someone" would be read as the fourteenth item of a list, "x_ " as a reference.
        assert not re.search(r'<ol class="(upper|lower)|class="problematic"', text), path
        assert " at 0x" not in text, path


def test_every_equation_is_drawn(pages):
    counted = 0
    for name, (_, text) in DOCUMENTED.items():
        lines = 0
        for argument, block in re.findall(r"^ *\.\. math::(.*)\n((?:(?: {4}.*)?\n)*)", f"{text}\n", re.M):
            lines += len([line for line in [argument, *block.split("\n")] if line.strip()])
        drawn = make.to_html(text)
        assert drawn.count('<div class="equation"><math') == lines, name
        assert drawn.count("<math") == drawn.count("</math>")
        counted += lines
    assert counted > 80
    assert pages["notebook_sne/mathematics/sne.html"].count('<div class="equation"><math') == 4


@pytest.mark.parametrize(
    "module",
    [*(f"mathematics.{name}" for name in ("sne", "unisne", "tsne", "aspects", "images", "perplexity", "distances")),
     "sums.pair_sums", "sums.stored_pairs"],
)  # fmt: skip
def test_the_mathematics_carries_its_equations(module):
    assert ".. math::" in MODULES[f"notebook_sne.{module}"].docstring


@pytest.mark.parametrize(
    "model", ["SNE", "SymmetricSNE", "UNISNE", "TSNE", "AspectMaps", "MultipleMapsTSNE", "MixtureSNE"]
)
def test_a_model_is_told_in_full(model):
    text = getattr(ns, model).__doc__
    q, cost, gradient = r"^ +q_(\{j\|i\}|ij) = ", r"^ +C = .*KL\(P", r"^ +dC/dy_i\S* = "
    for equation in (q, cost, gradient):
        assert re.search(equation, text, re.M), equation
    for heading in ("Parameters", "Attributes", "Notes", "See Also", "Examples"):
        assert re.search(rf"^ *{heading}\n *-+$", text, re.M), heading
    for row in ("learning_rate", "momentum", "init", "max_iter"):  # of the table of what "auto" means
        assert re.search(rf"^ *{row} +\S", text, re.M), row
    assert "<table" in make.to_html(inspect.cleandoc(text))


def test_equations_are_read_as_they_are_written():
    assert make.tex("q_{j|i} = exp(-d_ij) / z_i") == r"q_{j|i} = \exp (-d_{ij}) / z_i"
    assert make.tex("d_ij = |y_i - y_j|^2,   K") == r"d_{ij} = \lvert y_i - y_j\rvert ^2,\quad K"
    assert make.tex("sum_{h != i} pi_i^m log p") == r"\sum _{h \neq  i} \pi _i^m \,\log\, p"
    assert make.tex("dC/dy_i = KL(P || Q) rate") == (
        r"\partial C/\partial y_i = \mathrm{KL}(P \parallel  Q) \mathrm{rate}"
    )
    assert make.tex("10^-4 |f'(0)|") == r"10^{-4} \lvert f'(0)\rvert "
    assert make.tex(r"\frac{a}{b} + r_ij^bc") == r"\frac{a}{b} + r_{ij}^{bc}"


def test_nothing_is_fetched(pages):
    for path, page in pages.items():
        markup = re.sub(r"<script\b[^>]*>.*?</script>", "", page, flags=re.S)
        assert not re.search(r'<(script|img|link|iframe|source)\b[^>]*(src|href)="(https?:)?//', page), path
        assert not re.search(r"@import|url\(\s*[\"']?(https?:)?//", page), path
        assert not re.search(r'\ssrc="(?!data:)', markup), path


def test_every_link_leads_somewhere(pages):
    ids = {path: set(re.findall(r'\bid="([^"]+)"', page)) for path, page in pages.items()}
    for path, page in pages.items():
        for target in re.findall(r'href="([^"]+)"', re.sub(r"<script\b.*?</script>", "", page, flags=re.S)):
            if target.startswith(("http", "data:")) or re.search(r"#[\w.-]+-\d+$", target):
                continue  # a line of source has a number
            file, _, anchor = target.partition("#")
            file = (Path("/", path).parent / file).resolve().relative_to("/").as_posix() if file else path
            assert file in pages and (not anchor or anchor in ids[file]), (path, target)


def test_a_name_that_is_given_in_full_is_known(pages):
    for path, page in pages.items():
        assert not re.findall(r"<code>notebook_sne\.[\w.]+</code>", page), path
        for block in re.findall(r"<h6>See Also</h6>\s*<dl.*?</dl>", page, re.S):
            assert not [term for term in re.findall(r"<dt>.*?</dt>", block) if "<a href" not in term], path


def test_a_broken_docstring_is_an_error():
    with pytest.raises(ValueError, match="Return a map"):
        make.to_html("Return a map.\n\nParameters\n----------\na : int\nb : int\n    Second.\n")


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


@pytest.mark.parametrize("name", CALLED)
def test_a_docstring_tells_the_parameters(name):
    thing, text = CALLED[name]
    assert text.strip()
    described = section(text, "Parameters")
    if described is not None:
        assert sorted(named(described)) == sorted(parameters_of(thing))
    elif inspect.isclass(thing):
        excused = "Made by" in text or "not used by itself" in text or issubclass(thing, str | Exception)
        excused = excused or getattr(thing, "_is_protocol", False)  # what has to be there; nobody calls it
        assert excused or named(section(text, "Attributes") or "") or not parameters_of(thing)
    elif name.startswith("notebook_sne.mathematics") or re.match(r"notebook_sne\.[A-Z]", name):
        assert not set(parameters_of(thing)) - set(re.findall(r"\w+", text))


@pytest.mark.parametrize("name", [name for name in CALLED if name.rpartition(".")[0] in OFFERED])
def test_what_is_offered_is_told_in_numpydoc(name):
    thing, text = CALLED[name]
    if inspect.isroutine(thing):
        assert section(text, "Parameters") is not None or not parameters_of(thing)
        assert section(text, "Returns") is not None or not returns_something(thing)


EXAMPLES = [name for name, (_, text) in DOCUMENTED.items() if ">>> " in text]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_python(name):
    for example in doctest.DocTestParser().get_examples(DOCUMENTED[name][1], name):
        compile(example.source, name, "single")


# Figures are drawn of a model that the reader is thought to have.
@pytest.mark.parametrize("name", [name for name in EXAMPLES if not name.startswith("notebook_sne.views")])
def test_an_example_shows_what_comes_out(name):
    thing, text = DOCUMENTED[name]
    found = doctest.DocTestParser().get_doctest(text, {**vars(inspect.getmodule(thing))}, name, None, None)
    told = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert not runner.run(found, out=told.append).failed, "".join(told)
