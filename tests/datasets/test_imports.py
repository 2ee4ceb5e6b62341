from importlib import import_module
from pkgutil import iter_modules

from notebook_sne import datasets
from tests.standins.process import printed

HEAVY = ["sklearn", "scipy", "pandas", "pooch", "requests", "numba"]


def test_importing_the_data_sets_imports_no_large_library():
    program = f"import sys, notebook_sne.datasets; print([name for name in {HEAVY} if name in sys.modules])"
    assert printed(program).strip() == "[]"


def test_every_data_set_is_listed_once():
    names = [
        name
        for module in iter_modules(datasets.__path__)
        for name in getattr(import_module(f"notebook_sne.datasets.{module.name}"), "__all__", ())
        if name.startswith(("load_", "fetch_"))
    ]
    assert sorted(names) == sorted(name for name in datasets.__all__ if name.startswith(("load_", "fetch_")))
    assert all(datasets.__doc__.count(f"``{name}``") == 1 for name in names)
    assert {"mnist", "usps", "usf", "nips", "olivetti", "coil20"} <= set(datasets.FETCHERS)
