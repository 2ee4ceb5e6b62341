"""exp, log and powers without a library, against NumPy's."""

import math

import numpy as np
import pytest

from notebook_sne.engine.portable.elementary import exp, log, power


def test_exp_is_that_of_numpy():
    for x in np.concatenate([np.linspace(-690, 708, 2001), [0.0, 1e-300, -1e-300, 1.0]]):
        assert exp(x) == pytest.approx(np.exp(x), rel=1e-13)
    assert exp(-800.0) == 0.0 and exp(800.0) == exp(math.inf) == math.inf and exp(-math.inf) == 0.0
    assert math.isnan(exp(math.nan))


def test_log_is_that_of_numpy():
    for x in np.concatenate([np.exp(np.linspace(-700, 700, 2001)), [5e-324, 1e-310, 1.0, math.nextafter(1.0, 2.0)]]):
        assert log(x) == pytest.approx(np.log(x), rel=1e-13, abs=1e-16)
    assert log(0.0) == -math.inf and log(math.inf) == math.inf
    assert math.isnan(log(-1.0)) and math.isnan(log(math.nan))


@pytest.mark.parametrize("y", [-15.5, -1.0, -0.65, 0.0, 0.5, 3.0])
def test_a_power_is_that_of_numpy(y):
    for x in np.exp(np.linspace(-20, 20, 201)):
        assert power(x, y) == pytest.approx(x**y, rel=1e-12)
