import json
import re
import threading
from pathlib import Path

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.engine.fitting.knobs import KNOBS, check_knob
from tests.tables import in_one_test


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


@in_one_test(("name", "knob"), KNOBS.items())
def test_the_range_that_is_told_is_the_one_that_is_checked(name, knob):
    facts = json.loads(json.dumps(knob.facts(80), allow_nan=False))
    low, high = facts["least"], facts["most"] or 1e6
    for value in (low, high, np.nextafter(low, 1e9), np.nextafter(high, 0), low - 1, high + 1, (low + high) / 2):
        inside = low < value or (value == low and facts["closed"])
        if inside and (facts["most"] is None or value < high):
            assert check_knob(name, value, 80) == value
        else:
            with pytest.raises(ValueError, match=f"{name} must "):
                check_knob(name, value, 80)
    for value in facts["reach"] or ():
        assert check_knob(name, value, 80) == value or (value == low and not facts["closed"])


@pytest.mark.parametrize(
    ("name", "rule", "ends"),
    [
        ("perplexity", "1 < perplexity < N - 1", (1, 79, [2, 78])),
        ("least_p", "0 <= least_p < 1 / N", (0, 1 / 80, [0, 0.5 / 80])),
        ("momentum", "0 <= momentum < 1", (0, 1, [0, 0.99])),
        ("exaggeration", "above 0", (0, None, [0.25, 32])),
        ("penalty", "0 or more", (0, None, [0, 1])),
        ("learning_rate", "above 0", (0, None, None)),
    ],
)
def test_a_range_in_words_and_in_numbers(name, rule, ends):
    assert KNOBS[name].range.rule(name) == rule
    facts = KNOBS[name].facts(80)
    assert (facts["least"], facts["most"], facts["reach"]) == ends
    assert KNOBS[name].facts(10**6)["reach"] == (list(KNOBS[name].reach or ()) or None) or name == "least_p"


def test_of_few_objects_a_slider_has_room_yet():
    assert KNOBS["perplexity"].facts(3)["reach"] == [2.0, 2.0]


def test_every_range_in_a_docstring_is_that_of_the_knob():
    told = []
    for path in Path(ns.__file__).parent.rglob("*.py"):
        for text, name in re.findall(r"(\d <=? (\w+) < [1N](?: [-/] \w+)?)\b", path.read_text(encoding="utf-8")):
            if name in KNOBS:
                told.append(name)
                assert text == KNOBS[name].range.rule(name), path
    assert {"perplexity", "least_p", "momentum", "background"} <= set(told)
    assert all(KNOBS[name].range.rule(name) in ns.SNE.__doc__ for name in ("perplexity", "least_p", "momentum"))
    for name in KNOBS:
        assert re.search(rf"^{name} +(above 0|0 or more|\d <)", ns.Knobs.__doc__, re.MULTILINE)


@pytest.mark.parametrize(("value", "way"), [([3, 9], "; the knob of several is the largest"), (True, ""), (None, "")])
def test_a_knob_is_one_number(value, way):
    with pytest.raises(TypeError, match=f"perplexity must be a number, got .*{way}$"):
        ns.Knobs(perplexity=value)
