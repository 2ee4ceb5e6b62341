"""Objects with more nearest neighbors at one distance than the perplexity asks for are mapped, counted and told of."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse import csgraph

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.engine.fitting import inputs
from tests import reference


def quick(model, **options):
    return model(**{"perplexity": 8, "random_state": 0, "max_iter": 40, "progress": False, **options})


def with_copies(n_copies=30, n_others=60, seed=0):
    X = np.random.default_rng(seed).normal(size=(n_others, 4))
    X[0] += 3  # nobody else is so near to it that its copies are their nearest neighbors
    return np.concatenate([X, np.repeat(X[:1], n_copies, axis=0)])


def binary(n_objects=300, seed=0):
    return (np.random.default_rng(seed).random((n_objects, 3)) > 0.5) * 1.0


def steps_on_a_ladder(n_rungs=20):
    """Shortest ways on a graph in which every fifth rung has eight leaves."""
    N = 2 * n_rungs
    edges = [(i, i + 2) for i in range(N - 2)] + [(i, i + 1) for i in range(0, N, 2)]
    for i in range(0, N, 5):
        edges += [(i, N + k) for k in range(8 * (i // 5), 8 * (i // 5) + 8)]
    rows, columns = np.transpose(edges)
    A = sparse.csr_array((np.ones(len(edges)), (rows, columns)), shape=(columns.max() + 1,) * 2)
    return csgraph.shortest_path(A, directed=False)


ALL = (
    (ns.SNE, {}),
    (ns.SymmetricSNE, {}),
    (ns.UNISNE, {}),
    (ns.TSNE, {}),
    (ns.AspectMaps, {"n_maps": 2}),
    (ns.MultipleMapsTSNE, {"n_maps": 2}),
    (ns.MixtureSNE, {}),
)


@pytest.mark.parametrize(("model", "options"), ALL)
def test_every_model_counts_its_tied_objects_and_warns_once(model, options):
    with pytest.warns(UserWarning, match="31 objects have more nearest neighbors at one distance") as told:
        fitted = quick(model, **options).fit(with_copies())
    assert len(told) == 1 and told[0].filename == __file__
    assert fitted.n_tied_ == 31
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert quick(model, **options).fit(with_copies(5)).n_tied_ == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("X", "options", "least"),
    [
        (binary(), {"perplexity": 30}, 200),
        (steps_on_a_ladder(), {"perplexity": 5, "input": "distances"}, 8),
        (with_copies(40, 150), {"perplexity": 30}, 41),
        (np.repeat(with_copies(0), 40, axis=0), {"perplexity": 30}, 2400),
    ],
    ids=["binary features", "steps on a graph", "copies of one object", "copies of all objects"],
)
@pytest.mark.parametrize("model", [ns.SNE, ns.TSNE])
def test_data_full_of_ties_are_mapped(model, X, options, least):
    if "input" in options:
        D = np.where(np.eye(len(X)), np.inf, X**2)
    else:
        D = reference.squared(X)
    n_tied = reference.n_tied(D, options["perplexity"])
    assert n_tied >= least
    with pytest.warns(UserWarning, match=f"^{n_tied} objects have"):
        fitted = quick(model, **options).fit(X)
    assert fitted.n_tied_ == n_tied
    assert np.isfinite(fitted.embedding_).all()
    assert fitted.cost_ < fitted.trace_["cost"][0]


def test_an_empty_document_among_others_has_them_all_as_equals():
    words = np.random.default_rng(0).random((800, 50)) ** 8
    words /= np.linalg.norm(words, axis=1, keepdims=True)
    words[7] = 0
    for X in (words, words.astype(np.float32)):
        with pytest.warns(UserWarning, match=r"1 object has .*\(object 7\)"):
            P = affinities.conditional(X, 30)
        np.testing.assert_array_equal(P[7], np.where(np.arange(800) == 7, 0, 1 / 799))


def test_one_run_warns_once_though_its_perplexity_is_turned():
    knobs = ns.Knobs(perplexity=5)
    with pytest.warns(UserWarning) as told:
        states = quick(ns.SNE).iterate(with_copies(), knobs=knobs)
        for perplexity in (6, 7, 29, 35, 8):
            knobs.set(perplexity=perplexity)
            next(states)
    assert len(told) == 1 and "31 objects" in str(told[0].message)


def test_the_warning_is_at_the_line_of_the_user():
    for call in (quick(ns.TSNE).fit_transform, lambda X: quick(ns.TSNE).iterate(X)):
        with pytest.warns(UserWarning, match="31 objects") as told:
            call(with_copies())
        assert [warning.filename for warning in told] == [__file__]


def test_the_warning_of_a_run_is_at_no_line_of_a_thread():
    with pytest.warns(UserWarning, match="31 objects") as told, ns.Run(quick(ns.SNE), with_copies()) as run:
        run.steps(1)
    assert [(warning.filename, warning.lineno) for warning in told] == [("notebook_sne", 0)]


def test_a_second_fit_warns_too_though_its_p_is_there_already():
    X = with_copies()
    for convention in (ns.SNE, ns.TSNE):  # the second finds the P of the first
        with pytest.warns(UserWarning, match="31 objects") as told:
            states = quick(convention).iterate(X)
        assert len(told) == 1
        with pytest.warns(UserWarning, match="31 objects"):
            fitted = quick(ns.TSNE).fit(X)
        assert fitted.n_tied_ == 31
        del states


def test_given_probabilities_have_no_ties():
    with pytest.warns(UserWarning, match="31 objects"):
        P = affinities.conditional(with_copies(), 8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert quick(ns.SNE, input="probabilities").fit(P).n_tied_ == 0
        assert quick(ns.TSNE, input="joint").fit(affinities.joint(P)).n_tied_ == 0


def test_many_copies_among_many_objects_are_one_crowd(monkeypatch):
    monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", 50)
    X = with_copies(300, 200)
    with pytest.warns(UserWarning, match="301 objects"):
        fitted = quick(ns.TSNE, init="random", max_iter=300).fit(X)
    copies = np.r_[0, 200:500]
    assert fitted.affinities_.nnz < 500 * 2 * 24
    pieces, _ = csgraph.connected_components(fitted.affinities_[copies][:, copies])
    assert pieces == 1
