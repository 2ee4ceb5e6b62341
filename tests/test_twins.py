"""The rules that Python and the front end both state: `tests/twins.json` has cases of each, and what it answers.

A rule is asked what is given and answers, within a tolerance. ``tests/js/twins.test.mjs`` asks the front end the same.
A new case needs only what is given, and an answer of null:

    python -m tests.test_twins          # tell which answers would change
    python -m tests.test_twins --write  # write them down
"""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from notebook_sne.browser.pages.recipes import schedule_of
from notebook_sne.browser.teaching.codes import read_code
from notebook_sne.browser.teaching.question import Question
from notebook_sne.engine.checks.scales import scales_at
from notebook_sne.engine.mathematics.evaluation import without_rounding
from notebook_sne.engine.objects.enrichment import number_features, telling_of, text_features
from notebook_sne.engine.objects.labels import legend_of, read_labels
from notebook_sne.engine.objects.region_pairs import line_of
from notebook_sne.engine.objects.regions import divided, usual_count
from notebook_sne.engine.optimizers import schedules
from notebook_sne.engine.optimizers.schedules import is_round
from notebook_sne.engine.runs.recording.marks import Marks, pins_text
from notebook_sne.views.bands import _stacked
from notebook_sne.views.label_anchors import spots_of
from notebook_sne.views.names import place_labels
from notebook_sne.views.objects import shortened
from notebook_sne.views.palette import alike, color, hues, marker, value_color
from notebook_sne.views.region_pairs import pair_lines
from tests.tables import in_one_test

PLACE = Path(__file__).with_name("twins.json")


def labels_of(classes, names):
    return read_labels([names[k] if k < len(names) else None for k in classes], len(classes))


def places_of_labels(items, dots, size, cover, centered, near=False):
    found = place_labels(items, *size, np.reshape(dots, (-1, 3)), cover, centered=centered, near=near)
    return [label and [*label] for label in found]


def spots_of_classes(points, classes):
    classes = np.array(classes)
    return [[*spot] for spot in spots_of(points, [np.flatnonzero(classes == k) for k in range(max(classes) + 1)])]


def lines_between_regions(points, classes, names, counts):
    groups = labels_of(classes, names).groups()
    found = pair_lines(np.array(points), groups, np.array(counts, dtype=np.uint32))[0]
    return [[line.kind, line.sentence, *line.ends] for line in found]


def telling_of_parts(sources, parts, most):
    features, parts = [], np.array(parts, dtype=np.int64)
    for source, entries in sources.items():
        if any(isinstance(one, str) for one in entries):
            features.append(text_features(source, entries))
        else:
            features += number_features(source, np.array(entries, dtype=float))  # None becomes NaN
    return [[[*one] for one in own] for own in telling_of(features, parts, parts.max() + 1, most)]


def looks_of_classes(classes, names):
    labels = labels_of(classes, names)
    told = legend_of(labels.groups(), len(names))
    looks = [[group.text, color(group.k), marker(group.k)] for group in told]
    return [looks, alike(sorted({*classes} - {0xFFFF})), list(labels.texts)]


def values_of_schedule(kind, arguments, times):
    if kind == "Share":  # by a schedule of its own
        arguments = [arguments[0], schedules.Steps(*arguments[1])]
    schedule = getattr(schedules, kind)(*arguments)
    return [schedule_of(schedule, 99), [schedule(t) for t in times], schedules.last_change(schedule)]


def perplexities(given, knob):
    try:
        return np.atleast_1d(scales_at(tuple(given) if isinstance(given, list) else given, knob)).tolist()
    except ValueError as error:
        return str(error)[:33]


def rounding(cost, n_objects):
    found = without_rounding(float(cost), n_objects)
    return "zero" if str(found) == "0.0" else "kept" if str(found) == str(float(cost)) else found


def marks(added):
    own = Marks()
    for iteration, kind, text, *knobs in added:
        own.add(iteration, kind, text, frozenset(knobs) or None)
    return [[*mark] for mark in own.all()]


RULES = {
    "places of labels": places_of_labels,
    "spots of classes": spots_of_classes,
    "line of a pair of regions": line_of,
    "lines between regions": lines_between_regions,
    "regions of a map": lambda points, count: divided(points, count).tolist(),
    "usual number of regions": usual_count,
    "what tells of parts": telling_of_parts,
    "looks of classes": looks_of_classes,
    "colors by place": lambda middles: hues(np.array(middles, float), [[k] for k in range(len(middles))]),
    "colors of values": value_color,
    "short names": shortened,
    "bars of two norms": lambda heights: [[*place] for place in _stacked(heights)],
    "codes of answers": lambda question, said, code: read_code(Question(**question), code),
    "answers in words": lambda question, answer: Question(**question).words(answer),
    "values of schedules": values_of_schedule,
    "rounds of copy moves": lambda most, rounds: [t for t in range(most) if is_round(t, rounds)],
    "several perplexities": perplexities,
    "numbers in remarks and marks": lambda number, digits: f"{number:.{digits}g}",
    "costs below zero": rounding,
    "marks of a run": marks,
    "what is held": lambda objects, names: pins_text(np.array([[i, 0] for i in objects], int).reshape(-1, 2), names),
}


def load():
    return json.loads(PLACE.read_text("utf-8"))


def same(found, wanted, within):
    """Compare nested lists, numbers within a tolerance."""
    if isinstance(wanted, list):
        pairs = isinstance(found, list) and len(found) == len(wanted) and zip(found, wanted, strict=True)
        return pairs is not False and all(same(*pair, within) for pair in pairs)
    if isinstance(wanted, float | int) and not isinstance(wanted, bool):
        return found == pytest.approx(wanted, rel=within, abs=within)
    return found == wanted


@in_one_test(("name", "rule"), load().items(), ids=lambda value: value if isinstance(value, str) else "")
def test_python_answers_as_the_table_says(name, rule):
    assert len(rule["cases"]) > 0
    for given, wanted in rule["cases"]:
        assert same(RULES[name](*given), wanted, rule["within"]), f"{given} is answered {RULES[name](*given)}"


def test_each_rule_has_cases():
    assert list(load()) == list(RULES)


def written(table):
    """Return the table as JSON, one case a line."""
    rules = []
    for name, rule in table.items():
        cases = ",\n".join(f"  {json.dumps(case, ensure_ascii=False)}" for case in rule["cases"])
        rules.append(f'{json.dumps(name)}: {{"within": {rule["within"]}, "cases": [\n{cases}\n]}}')
    return "{\n" + ",\n".join(rules) + "\n}\n"


if __name__ == "__main__":
    table = load()
    for name, rule in table.items():
        for case in rule["cases"]:
            given, wanted = case
            if not same(found := RULES[name](*given), wanted, rule["within"]):
                print(f"{name}: {given}"[:120])
                case[1] = found
    if "--write" in sys.argv:
        PLACE.write_text(written(table), encoding="utf-8")
