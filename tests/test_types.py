"""What is public says what it takes and returns; mypy (test_style) holds what it does to that."""

import inspect
import re
import typing
from pathlib import Path

import pandas as pd

import notebook_sne as ns
from notebook_sne.fitting import hooks
from notebook_sne.models import MODELS

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
