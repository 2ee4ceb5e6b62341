"""What holds for every test."""

import gc
import os
import sys
from collections import Counter

import pytest
from hypothesis import settings

from tests.standins.waiting import forget_threads

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


# Files that have changed of late, which the gate names, or "everything".
TOUCHED = os.environ.get("NOTEBOOK_SNE_TOUCHED", "").split()


def pytest_runtest_setup():
    """Do not count in a test what an earlier one left behind, such as the threads of a player that somebody holds."""
    forget_threads()


def pytest_collection_finish():
    """Leave the tests themselves out of garbage collections, which many tests ask for: ten thousand take a second."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)  # before pytest looks which marks are wanted
def pytest_collection_modifyitems(items):
    """Leave most cases of a `sampled` test to the gate, and to the night what is `seldom` of interest.

    What takes longest runs first, so that no worker waits.
    """
    seen = Counter()
    for item in items:
        for mark in item.iter_markers("sampled"):
            case = item.nodeid.partition("[")[0]
            if seen[case] % mark.args[0]:
                item.add_marker(pytest.mark.slow)
            seen[case] += 1
        for mark in item.iter_markers("seldom"):
            if not touched(mark.args):
                item.add_marker(pytest.mark.nightly)
    longest = ("notebooks", "slow")
    items.sort(key=lambda item: [not item.get_closest_marker(kind) for kind in longest])


def touched(places):
    """Tell whether one of these files, or a file in one of these folders, has changed of late."""
    return "everything" in TOUCHED or any(f"{name}/".startswith(f"{place}/") for name in TOUCHED for place in places)
