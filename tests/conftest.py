"""What holds for every test."""

import asyncio
import gc
import os
import sys
from collections import Counter
from inspect import iscoroutinefunction

import pytest
from hypothesis import settings

from tests.second_time import SecondTime
from tests.standins.waiting import forget_threads, our_threads, threads_end

# As `notebook-sne lab` sets it: threads of OpenMP that have nothing to do sleep soon, and leave the cores to the other
# workers of `pytest -n 2`. It is read when OpenMP is loaded, here and in the processes that tests start.
if not {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"} & os.environ.keys():
    os.environ["GOMP_SPINCOUNT"] = "1000"

# Notebooks are checked by a schema without international addresses (IRI). What would check these builds 38 parsers when
# it is imported, for 2 s of a core in each worker; where it is missing, jsonschema goes without.
sys.modules.setdefault("rfc3987_syntax", None)

# An example may take however long: how fast the machine is, and what else it does, is no property of the code.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


def pytest_configure(config):
    config.pluginmanager.register(SecondTime())


def pytest_runtest_setup():
    """Do not count in a test what an earlier one left behind, such as the threads of a player that somebody holds."""
    forget_threads()


def pytest_ignore_collect(collection_path, config):
    """Do not import the tests in a browser, a tenth of all, where neither mark nor argument asks for one."""
    kinds = ("browser", "hosts")
    if collection_path.name in kinds and "not browser" in config.option.markexpr:
        return not any(kind in argument for argument in config.args for kind in kinds) or None


def pytest_collection_finish():
    """Leave the tests themselves out of garbage collections, which many tests ask for: ten thousand take a second."""
    gc.collect()
    gc.freeze()


def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine in a loop of its own."""
    test = pyfuncitem.obj
    if iscoroutinefunction(test):
        asyncio.run(test(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
        return True
    return None


@pytest.fixture
def no_thread_is_left():
    yield
    assert threads_end(), our_threads()


@pytest.hookimpl(tryfirst=True)  # before pytest looks which marks are wanted
def pytest_collection_modifyitems(items):
    """Leave most cases of a `sampled` test to the full gate; what takes longest runs first, so that no worker waits."""
    seen, compiles = Counter(), os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
    for item in items:
        if compiles and item.get_closest_marker("plain"):
            item.add_marker(pytest.mark.slow)
        for mark in item.iter_markers("sampled"):
            case = item.nodeid.partition("[")[0]
            if seen[case] % mark.args[0]:
                item.add_marker(pytest.mark.slow)
            seen[case] += 1
    longest = ("notebooks", "slow")
    items.sort(key=lambda item: [not item.get_closest_marker(kind) for kind in longest])
