"""What every public function says of an argument that it cannot take: a ValueError or a TypeError, and in few words."""

import re

import numpy as np
import pytest
from scipy import sparse

from tests import calls

LONGEST = 700
LARGE = {
    "an array that NumPy prints whole": np.linspace(0.1, 0.9, 999),
    "integers": np.arange(999),
    "a table": np.linspace(0.1, 0.9, 27 * 37).reshape(27, 37),
    "complex numbers": np.linspace(0.1, 0.9, 900) * 1j,
    "texts": np.array(["abcdefghij"] * 90),
    "a list": list(range(5000)),
    "a long text": "abcdefghij" * 2400,
    "a long number": 10**400,
    "a mapping": {i: i for i in range(5000)},
    "a sparse matrix": sparse.random_array((50, 50), density=0.5, rng=0).tobsr(),
    "objects": np.array([None, 3, "a"] * 300, dtype=object),
}


# Five thousand levels are drawn, and a text is the path of a file, which the system's own error prints.
TAKEN = [("level", "a mapping"), ("table", "a long text")]


def test_every_call_works_as_it_stands():
    for name, (function, arguments) in calls.CALLS.items():
        try:
            function(**arguments)
        except Exception as error:
            raise AssertionError(name) from error


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", calls.CALLS)
def test_no_message_prints_what_is_large(name):
    for parameter in calls.CALLS[name][1]:
        for kind, value in LARGE.items():
            if (parameter, kind) in TAKEN:
                continue
            error = calls.spoilt(name, parameter, value)
            text = "" if error is None else str(error)
            assert len(text) <= LONGEST and not re.search(r"[\d\s.,:e+j'\[\](){}-]{200}|j{2}|(abcdefghij){12}", text), (
                parameter, kind, text[:300],
            )  # fmt: skip
            assert error is None or (isinstance(error, ValueError | TypeError) and text), (parameter, kind, repr(error))
