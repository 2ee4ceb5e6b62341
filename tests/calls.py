"""A call of every public function that works, for tests that spoil one of its arguments."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy import sparse

import notebook_sne as ns
from notebook_sne.models import MODELS as LISTED
from notebook_sne.models.family import class_of
from tests.standins import Drifting

N = 24
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N, 4))
Y = RANDOM.normal(size=(N, 2))
D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
LABELS = ["a", "b", "c"] * (N // 3)
NAMES = [f"word {i}" for i in range(N)]
IMAGES = RANDOM.uniform(size=(N, 3, 3))
MAPS = RANDOM.normal(size=(2, N, 2))
MIXING = np.full((2, N), 0.5)
COUNTS = np.roll(np.diag(np.full(N, 3.0)), 1, axis=1) + np.roll(np.diag(np.full(N, 2.0)), 5, axis=1)
P = COUNTS / COUNTS.sum(axis=1, keepdims=True)
FITTED = SimpleNamespace(maps_=MAPS, mixing_=MIXING, affinities_=sparse.csr_array(P))
MODELS = tuple(class_of(name) for name in LISTED)


def fit(model, X, **parameters):
    parameters = {"perplexity": 5, "max_iter": 2, "progress": False, "random_state": 0, **parameters}
    if "n_maps" in model().get_params():
        parameters.setdefault("n_maps", 2)
    return model(**parameters).fit(X)


def run(X, **options):
    ns.Run(Drifting(), X, **options).close()


def show(view, *arguments, **options):
    made = view(*arguments, **options)
    (made.close if hasattr(made, "close") else made.run.close)()


def described(**facts):
    ns.Recording().describe(**facts)


def moved(**arguments):
    with ns.Run(Drifting(), X) as here:
        here.steps(1)
        here.move(**arguments)


def asked(method, **arguments):
    with ns.Run(ns.SNE(perplexity=5, random_state=0, n_jobs=1), X) as here:
        here.steps(1)
        getattr(here, method)(**{"state": here.state, **arguments})


def compared(X, **options):
    ns.compare({"a": Drifting(), "b": Drifting()}, X, autoplay=False, **options).close()


def forces():
    model = ns.SNE(perplexity=5, random_state=0)
    states = model.iterate(X)
    return states.forces(next(states), 0)


def recording():
    film = ns.Recording()
    states = Drifting().iterate(X)
    for _ in range(3):
        film.add(next(states))
    return film


NORMS = pd.DataFrame({"c": ["a", "b", "c", "a"], "r": ["b", "c", "a", "c"], "n": [1, 2, 3, 4]})
FORCES, FILM = forces(), recording()
A, Q, S, V, DATA = ns.affinities, ns.quality, ns.senses, ns.views, ns.datasets

# What is called, and arguments with which it works.
CALLS = {
    "affinities.conditional": (A.conditional, {"X": X, "perplexity": 5, "neighbors": 12}),
    "affinities.from_distances": (A.from_distances, {"D": D, "perplexity": 5}),
    "affinities.from_neighbors": (
        A.from_neighbors,
        {"indices": (np.arange(N)[:, None] + [1, 2, 3]) % N, "distances": np.ones((N, 1)) * [1, 2, 3], "perplexity": 2},
    ),
    "affinities.from_graph": (A.from_graph, {"G": COUNTS, "weight": "weight", "joint": False}),
    "affinities.from_counts": (A.from_counts, {"C": COUNTS}),
    "affinities.joint": (A.joint, {"P": P}),
    "affinities.joint_with_one_sigma": (A.joint_with_one_sigma, {"X": X, "perplexity": 5}),
    "affinities.keep_large": (A.keep_large, {"P": P, "threshold": 1e-6, "whole": False}),
    "quality.closed_loops": (Q.closed_loops, {"Y": Y, "objects": np.zeros(len(Y))}),
    "quality.knn_error": (Q.knn_error, {"Y": Y, "labels": LABELS, "k": 1}),
    "quality.knn_confusion": (Q.knn_confusion, {"Y": Y, "labels": LABELS, "k": 1}),
    "quality.neighbor_recall": (Q.neighbor_recall, {"X": X, "Y": Y, "k": 3}),
    "quality.trustworthiness": (Q.trustworthiness, {"X": X, "Y": Y, "k": 3}),
    "quality.procrustes_disparity": (Q.procrustes_disparity, {"A": Y, "B": Y + 1}),
    "quality.continuity": (Q.continuity, {"X": X, "Y": Y, "k": 3, "sample": 9, "random_state": 0}),
    "quality.recall_area": (Q.recall_area, {"X": X, "Y": Y, "sample": 9, "random_state": 0}),
    "quality.perturbation_scores": (
        Q.perturbation_scores,
        {"X": X, "Y": Y, "perplexity": 3.0, "length": 1.0, "objects": [0, 1], "kernel": "student"},
    ),
    "quality.singularity_scores": (Q.singularity_scores, {"Y": Y, "X": X, "perplexity": 3.0, "kernel": "student"}),
    "quality.class_recall": (Q.class_recall, {"X": X, "Y": Y, "labels": LABELS, "k": 1}),
    "quality.distance_rank_correlation": (
        Q.distance_rank_correlation, {"X": X, "Y": Y, "sample": 30, "random_state": 0},
    ),
    "quality.triplet_accuracy": (Q.triplet_accuracy, {"X": X, "Y": Y, "n_triplets": 9, "random_state": 0}),
    "quality.procrustes_align": (Q.procrustes_align, {"A": Y, "B": Y + 1}),
    "quality.stability": (Q.stability, {"embeddings": [Y, Y + 1], "k": 3}),
    "quality.object_scores": (Q.object_scores, {"X": X, "Y": Y, "k": 3, "labels": LABELS}),
    "quality.kl_divergence": (
        Q.kl_divergence,
        {"Y": Y, "P": P, "convention": "auto", "kernel": "gaussian", "degrees_of_freedom": 1.0, "background": 0.0},
    ),
    "quality.object_costs": (Q.object_costs, {"Y": Y, "X": X, "perplexity": 5.0}),
    "senses.read": (
        S.read,
        {"model": FITTED, "names": NAMES, "counts": COUNTS, "threshold": 0.1, "n_neighbors": 3},
    ),
    "senses.separation": (
        S.separation,
        {"reading": FITTED, "names": NAMES, "counts": COUNTS, "held_out": COUNTS, "n_random": 2, "random_state": 0},
    ),
    "senses.triangles": (
        S.triangles,
        {"P": P, "maps": MAPS, "mixing": MIXING, "strong": 0.05, "n_neighbors": 3, "kernel": "gaussian"},
    ),
    "senses.stability": (
        S.stability,
        {"models": [FITTED, FITTED], "names": NAMES, "P": P, "threshold": 0.1, "n_neighbors": 3, "n_random": 1},
    ),
    "views.map_points": (
        V.map_points,
        {"Y": Y, "labels": LABELS, "names": NAMES, "most_names": 2, "title": "t", "size": 200},
    ),
    "views.thumbnails": (
        V.thumbnails,
        {"Y": Y, "images": IMAGES, "labels": LABELS, "title": "t", "size": 200, "image_size": 20, "random_state": 0},
    ),
    "views.aspect_grid": (
        V.aspect_grid,
        {"maps": MAPS, "mixing": MIXING, "names": NAMES, "labels": LABELS, "threshold": 0.1, "columns": 2, "size": 150},
    ),
    "views.springs": (
        V.springs,
        {"Y": Y, "i": 0, "forces": FORCES, "most": 3, "labels": LABELS, "names": NAMES, "size": 200},
    ),
    "views.p_against_q": (V.p_against_q, {"p": P[0], "q": P[0], "names": NAMES, "labels": LABELS, "size": 200}),
    "views.gradient_surfaces": (
        V.gradient_surfaces,
        {"surfaces": {"a": np.ones((3, 4))}, "data_distances": np.arange(3.0), "map_distances": np.arange(4.0)},
    ),
    "views.live": (
        lambda **options: show(V.live, [], **options),
        {"X": X, "pairs_of": 0, "m": 0, "title": "t", "measure_name": "n", "size": 200},
    ),
    "views.curves": (
        V.curves,
        {"x": np.arange(5.0), "lines": {"a": np.arange(5.0)}, "x_label": "x", "y_label": "y", "level": 1.0},
    ),
    "views.svg": (V.svg, {"Y": Y, "labels": LABELS, "title": "t", "legend": True, "size": 200}),
    "Dataset": (
        DATA.Dataset,
        {
            "title": "t", "X": X, "P": P, "counts": COUNTS, "labels": LABELS, "names": NAMES, "images": IMAGES,
            "kept": np.ones(N), "outside": COUNTS, "maps": MAPS,
        },
    ),
    "Dataset.select": (DATA.Dataset(title="t", X=X, labels=LABELS).select, {"indices": [0, 1, 2]}),
    "Dataset.sample": (
        DATA.Dataset(title="t", X=X, labels=LABELS).sample,
        {"per_label": 2, "labels": ["a"], "random_state": 0},
    ),
    "datasets.load_turned_digits": (DATA.load_turned_digits, {"n_views": 3, "random_state": 0}),
    "datasets.load_circle": (DATA.load_circle, {"n_objects": 9}),
    "datasets.load_clusters": (
        DATA.load_clusters,
        {"n_objects": [4, 4], "widths": [1, 2], "distance": 3.0, "n_features": 2, "random_state": 0},
    ),
    "datasets.load_rope": (DATA.load_rope, {"n_objects": 9, "n_strands": 2, "n_turns": 1.0, "noise": 0.1}),
    "datasets.load_swiss_roll": (DATA.load_swiss_roll, {"n_objects": 9, "noise": 0.0}),
    "datasets.load_two_maps": (DATA.load_two_maps, {"n_objects": 9, "sd": 0.5}),
    "datasets.load_hybrid_digits": (DATA.load_hybrid_digits, {"n_per_class": 3, "n_hybrids": 3}),
    "datasets.associations": (
        DATA.associations,
        {"table": NORMS, "cue": "c", "response": "r", "count": "n", "n_words": 3, "min_count": 0.0},
    ),
    "datasets.word_vectors": (
        DATA.word_vectors,
        {"vectors": X, "names": NAMES, "n_neighbors": 6, "center": True},
    ),
    "Run": (run, {"X": X, "pace": 30.0, "start": None, "knobs": None}),
    "Run.move": (moved, {"objects": [0], "places": [[0.0, 0.0]], "m": 0}),
    "Run.forces": (lambda **arguments: asked("forces", **arguments), {"i": 0}),
    "Run.costs": (lambda state: asked("costs", state=state) if state is not None else None, {"state": None}),
    "watch": (
        lambda **options: show(ns.watch, Drifting(), autoplay=False, **options),
        {
            "X": X, "labels": LABELS, "values": np.arange(N), "names": NAMES, "images": IMAGES, "title": "t",
            "height": 400, "hide_labels": False, "compact": False, "pace": 30.0,
        },
    ),
    "compare": (compared, {"X": X, "columns": 2}),
    "replay": (
        lambda **options: show(ns.replay, FILM, **options),
        {"labels": LABELS, "values": np.arange(N), "names": NAMES, "images": IMAGES, "height": 400, "frames": 3},
    ),
    "explore": (
        lambda **options: show(ns.explore, FITTED, **options),
        {"names": NAMES, "counts": COUNTS, "title": "t", "threshold": 0.1, "height": 400, "word": NAMES[0]},
    ),
    "Recording": (ns.Recording, {"limit": 1e6, "most_frames": 9, "states_limit": 1e6, "most_states": 9}),
    "Recording.describe": (
        described,
        {
            "labels": LABELS, "values": np.arange(N), "names": NAMES, "images": IMAGES,
            "neighbors": (np.arange(N)[:, None] + [1, 2]) % N, "title": "t",
        },
    ),
    "Knobs": (ns.Knobs, {"jitter": 0.1, "perplexity": 5.0}),
    "Steps": (ns.Steps, {"before": 1.0, "after": 2.0, "at": 3}),
    "Decay": (ns.Decay, {"start": 1.0, "time": 2.0}),
}  # fmt: skip
for model in MODELS:
    parameters = {name: value for name, value in model().get_params().items() if name != "n_maps"}
    parameters |= {"X": X, "perplexity": 5, "max_iter": 2, "progress": False, "random_state": 0}
    CALLS[model.__name__] = (lambda model=model, **given: fit(model, **given), parameters)


def spoilt(name, parameter, value):
    """Call with one argument spoilt; return the exception, or None."""
    function, arguments = CALLS[name]
    try:
        function(**{**arguments, parameter: value})
    except Exception as error:
        return error
    return None
