"""What is public says what it takes and returns; mypy (test_style) holds what it does to that."""

import ast
import inspect
import os
import re
import subprocess
import sys
import typing
from pathlib import Path

import pandas as pd
import pytest

import notebook_sne as ns
from notebook_sne.engine.fitting import hooks
from notebook_sne.models import MODELS, bases
from notebook_sne.models.base import Model
from notebook_sne.models.estimator import Estimator
from tests.standins.waiting import LONG

ROOMS = ("affinities", "baselines", "course", "datasets", "failures", "quality", "senses", "views")
# Imported for tools alone, as they are slow to load.
LATE = {"pd": pd}


def public():
    """Yield the name of every public function, class and method, and the thing itself."""
    for room, module in [("", ns), *((f"{room}.", getattr(ns, room)) for room in ROOMS)]:
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing):
                yield f"{room}{name}", thing
                for method, function in vars(thing).items():
                    function = getattr(function, "__func__", function)  # of a class method
                    if isinstance(function, property):
                        function = function.fget
                    if inspect.isfunction(function) and not method.startswith("_"):
                        yield f"{room}{name}.{method}", function
            elif callable(thing):
                yield f"{room}{name}", thing


PUBLIC = dict(public())


def test_the_package_says_that_it_is_typed():
    assert (Path(ns.__file__).parent / "py.typed").is_file()


def unannotated(thing):
    """Return which parameters of a thing, and whether what it returns, have no type."""
    if hasattr(thing, "get_params") and "__dataclass_fields__" in vars(thing):  # its parameters are fields
        return set(inspect.signature(thing).parameters) - set(typing.get_type_hints(thing, localns=LATE))
    function = vars(thing).get("__init__") if inspect.isclass(thing) else thing
    if function is None or not hasattr(function, "__globals__"):
        return set()  # it is made otherwise, as an exception or a text
    wanted = {*inspect.signature(function).parameters, "return"} - {"self", "cls"}
    return wanted - set(typing.get_type_hints(function, localns=LATE))


def test_what_is_public_is_annotated_in_full():
    faults = [f"{name}: {left}" for name, thing in PUBLIC.items() if (left := unannotated(thing))]
    assert not faults, "\n".join(faults)


def test_a_type_that_is_missing_is_found():
    def place(point: int, where): ...

    assert unannotated(place) == {"where", "return"}


def test_a_model_has_all_hooks():
    """Classes that are checked at run time as mypy checks them in the source."""
    asked = {member for member in vars(hooks.Hooks) if re.match(r"_[a-z]", member) and not member.startswith("_abc")}
    asked -= {"_is_protocol", "_is_runtime_protocol", "_abc_impl"}
    assert {member for member in asked if callable(getattr(hooks.Hooks, member))} >= {"_schedules_of", "_evaluation"}
    faults = [f"{name}: {member}" for name in MODELS for member in asked if not hasattr(getattr(ns, name), member)]
    assert not faults, "\n".join(faults)


SCRIPT = """
import notebook_sne as ns

ns.TSNE(perplxty=3)  # wrong
ns.AspectMaps(n_map=3)  # wrong
ns.baselines.Isomap(n_neighbours=5)  # wrong
ns.networks.NNCA(hiden=(30,))  # wrong
ns.relations.LRE(n_component=2)  # wrong
ns.TSNE().kl_divergence_  # wrong
model = ns.TSNE(perplexity=ns.Steps(50, 15, at=20), metric="cosine", n_jobs=1).set_output(transform="pandas")
ns.UMAP(perplexity=[5, 50]), ns.UMAP(perplexity="multiscale")
model.set_params(perplexity=30).fit_transform([[0.0], [1.0]])
ns.baselines.PCA(n_components=3).get_feature_names_out()
"""


@pytest.mark.slow
def test_mypy_finds_wrong_names_in_a_script(tmp_path):
    """As a user of mypy has it, whose settings are none of ours; scikit-learn has no types."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    found = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--ignore-missing-imports", "--strict", script.name],
        cwd=tmp_path, capture_output=True, text=True, timeout=LONG, check=False,
        env={**os.environ, "MYPYPATH": str(Path(ns.__file__).parents[1])},
    ).stdout  # fmt: skip
    wrong = [k for k, line in enumerate(SCRIPT.splitlines(), 1) if "# wrong" in line]
    told = {int(line.split(":")[1]) for line in found.splitlines() if line.startswith("script.py:")}
    assert sorted(told) == wrong, found
    assert 'Unexpected keyword argument "perplxty" for "TSNE"; did you mean "perplexity"?' in found


def test_what_mypy_sees_of_scikit_learn_is_there():
    """`models.bases` tells mypy of methods that scikit-learn has, with the parameters that it has."""
    tree = ast.parse((Path(ns.__file__).parent / "models" / "bases.py").read_text())
    for_mypy = next(node for node in tree.body if isinstance(node, ast.If))
    classes = [node for node in for_mypy.body if isinstance(node, ast.ClassDef)]
    assert sorted(told.name for told in classes) == sorted(bases.__all__)
    for told in classes:
        for method in (node for node in told.body if isinstance(node, ast.FunctionDef)):
            real = inspect.signature(getattr(getattr(bases, told.name), method.name)).parameters
            arguments = method.args
            names = {one.arg for one in (*arguments.args, *arguments.kwonlyargs, arguments.kwarg) if one}
            assert names - {"self", "cls"} <= {*real}, (told.name, method.name)


def estimators():
    """Return every class that is fitted, by its name."""
    rooms = (ns, ns.baselines, ns.networks, ns.relations)
    things = {name: getattr(room, name) for room in rooms for name in room.__all__}
    return {name: thing for name, thing in things.items() if inspect.isclass(thing) and issubclass(thing, Estimator)}


def test_parameters_stand_in_the_order_of_use():
    assert len(estimators()) > 20
    for name, thing in estimators().items():
        section = re.search(r"Parameters\n-+\n(.*?)(\n\n\w+\n-+\n|\Z)", thing.__doc__, re.DOTALL)[1]
        told = [one for entry in re.split(r"\n(?=\w)", section) for one in entry.split(" : ")[0].split(", ")]
        assert told == list(inspect.signature(thing).parameters), name
    assert list(inspect.signature(ns.TSNE).parameters)[:6] == [
        "perplexity", "metric", "init", "max_iter", "random_state", "exaggeration",
    ]  # fmt: skip
    assert list(inspect.signature(ns.AspectMaps).parameters)[:2] == ["n_maps", "perplexity"]
    assert list(inspect.signature(ns.SNE).parameters)[-3:] == ["penalty", "extra_dimensions", "least_p"]


def test_type_checkers_see_the_same_order():
    """Of what models share, the order of their fields, in which other tools list them."""
    shared = list(inspect.signature(Model).parameters)
    assert [name for name in Model.__dataclass_fields__ if name in shared] == shared
