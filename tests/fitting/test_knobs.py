import threading

import numpy as np
import pytest

import notebook_sne as ns


def test_only_turned_knobs_are_held():
    knobs = ns.Knobs(jitter=0.1)
    knobs.set(momentum=0)
    assert knobs.turned() == {"jitter": 0.1, "momentum": 0.0}
    knobs.release("jitter")
    assert knobs.turned() == {"momentum": 0.0}
    knobs.release()
    assert knobs.turned() == {}


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"speed": 1.0}, ValueError, "no knob 'speed'; the knobs are perplexity"),
        ({"momentum": 1.0}, ValueError, "0 <= momentum < 1, got 1"),
        ({"perplexity": 1.0}, ValueError, "1 < perplexity"),
        ({"jitter": np.nan}, ValueError, "jitter"),
        ({"jitter": "0.1"}, TypeError, "jitter must be a number, got '0.1'"),
        ({"jitter": True}, TypeError, "jitter"),
    ],
)
def test_a_wrong_value_is_refused_whole(values, error, words):
    knobs = ns.Knobs(background=0.1)
    with pytest.raises(error, match=words):
        knobs.set(**{"background": 0.2, **values})
    assert knobs.turned() == {"background": 0.1}
    with pytest.raises(ValueError, match="no knob"):
        knobs.release("speed")


def test_two_threads_may_turn_at_once():
    knobs = ns.Knobs()
    workers = [
        threading.Thread(target=lambda k=k: [knobs.set(jitter=k, momentum=k / 10) for _ in range(500)])
        for k in range(4)
    ]
    for worker in workers:
        worker.start()
    seen = [knobs.turned() for _ in range(2000)]
    for worker in workers:
        worker.join()
    assert all(not values or values["jitter"] / 10 == values["momentum"] for values in seen)
