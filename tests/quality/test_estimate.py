import json
import pickle

import numpy as np
import pytest

from notebook_sne.quality import Estimate
from notebook_sne.quality.estimate import asked_objects, mean_of


def test_an_estimate_is_a_float_that_survives_pickling():
    one = Estimate(0.25, 0.01, 5, 70)
    assert one == 0.25 and one + 1 == 1.25 and f"{one:.1f}" == "0.2" and json.dumps(one) == "0.25"
    again = pickle.loads(pickle.dumps(one))
    assert (again, again.error, again.asked, again.among) == (0.25, 0.01, 5, 70)
    assert np.asarray([one]).dtype == np.float64


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (0.0, "0.123456"),
        (0.0021, "0.1235 +- 0.0021 (5 of 9)"),
        (0.5, "0.12 +- 0.50 (5 of 9)"),
        (12.0, "0 +- 12 (5 of 9)"),
    ],
)
def test_it_shows_as_many_digits_as_it_knows(error, text):
    assert repr(Estimate(0.123456, error, 5, 9)) == text


def test_a_mean_of_all_has_no_error_and_a_mean_of_some_one_that_falls_with_those_left_out():
    scores = np.arange(10.0)
    assert mean_of(scores, 10).error == 0
    assert mean_of(scores, 10**9).error == pytest.approx(scores.std(ddof=1) / np.sqrt(10))
    assert mean_of(scores, 20).error == pytest.approx(scores.std(ddof=1) / np.sqrt(20))


def test_objects_are_drawn_without_repetition_and_only_where_there_are_more():
    assert list(asked_objects(5, 7, 0)) == [0, 1, 2, 3, 4]
    drawn = asked_objects(50, 7, 0)
    assert len(set(drawn)) == 7 and (np.diff(drawn) > 0).all() and 0 <= drawn[0] and drawn[-1] < 50
