"""Sparse vectors make the same maps as dense ones, and nothing becomes dense on the way."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

import notebook_sne as ns
from notebook_sne import affinities
from notebook_sne.affinities import sparse_distances
from notebook_sne.browser.widgets.neighbors import all_nearest, nearest
from notebook_sne.engine.fitting import inputs
from notebook_sne.engine.mathematics.distances import squared_distances
from notebook_sne.engine.mathematics.neighbors import squares_between


def counts(n_objects=120, n_words=300, seed=0):
    """Words counted in documents of four subjects."""
    rng = np.random.default_rng(seed)
    subjects = rng.dirichlet(np.full(n_words, 0.05), size=4)
    return np.stack([rng.multinomial(80, subjects[i % 4]) for i in range(n_objects)]).astype(float)


def tf_idf(**options):
    return sparse.csr_array(TfidfTransformer().fit_transform(sparse.csr_array(counts(**options))))


def quick(model=ns.SNE, **options):
    return model(**{"perplexity": 8, "max_iter": 3, "random_state": 0, "progress": False, **options})


@pytest.fixture
def not_dense(monkeypatch):
    """Turning a sparse matrix into a dense one is an error."""
    for kind in (sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        for name in ("toarray", "todense"):
            monkeypatch.setattr(kind, name, lambda self, *_, **__: pytest.fail("a sparse matrix became dense"))


def test_distances_are_those_of_the_dense_rows():
    X, Z = tf_idf(), tf_idf(n_objects=30, seed=1)
    np.testing.assert_allclose(sparse_distances.squares_between(Z, X), squares_between(Z.toarray(), X.toarray()))
    assert not sparse_distances.squares_between(X[:3], X[:3]).diagonal().any()
    empty = sparse.csr_array((2, 300))
    np.testing.assert_allclose(sparse_distances.squares_between(empty, X), np.ones((2, 120)))


@pytest.mark.slow
@pytest.mark.parametrize("neighbors", [None, 25])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_p_is_that_of_the_dense_rows(neighbors, metric, monkeypatch):
    X = tf_idf()
    monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", 10_000 if neighbors is None else 50)
    P, expected = (quick(metric=metric).fit(each).affinities_ for each in (X, X.toarray()))
    assert abs(P - expected).max() < 1e-8
    if metric == "euclidean":
        given = affinities.conditional(X, 8, neighbors=neighbors)
        assert abs(given - affinities.conditional(X.toarray(), 8, neighbors=neighbors)).max() < 1e-8


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array, sparse.lil_array])
def test_all_forms_are_read(form):
    assert abs(quick().fit(form(tf_idf())).affinities_ - quick().fit(tf_idf()).affinities_).max() == 0
    whole = form(counts().astype(np.int64))
    assert abs(quick().fit(whole).affinities_ - quick().fit(counts()).affinities_).max() < 1e-8


@pytest.mark.parametrize("model", [ns.SNE, ns.TSNE, ns.UNISNE])
def test_nothing_becomes_dense(model, not_dense, monkeypatch):
    monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", 50)
    fitted = quick(model, metric="cosine").fit(tf_idf())
    assert np.isfinite(fitted.embedding_).all() and fitted.transform(tf_idf(n_objects=5, seed=1)).shape == (5, 2)
    assert sparse.issparse(fitted.objects_)


def test_a_run_starts_on_the_same_principal_components():
    sparse_start = next(quick(init="pca").iterate(tf_idf())).embedding
    dense_start = next(quick(init="pca").iterate(tf_idf().toarray())).embedding
    for k in range(2):
        assert abs(np.corrcoef(sparse_start[:, k], dense_start[:, k])[0, 1]) > 0.999


@pytest.mark.parametrize("most", [10_000, 50])
def test_new_objects_are_placed_as_dense_ones_are(most, monkeypatch):
    monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", most)
    monkeypatch.setattr("notebook_sne.engine.fitting.out_of_sample.MOST_SEARCHED_OBJECTS", most)
    X, new = tf_idf(), tf_idf(n_objects=9, seed=1)
    fitted = quick(max_iter=60).fit(X)
    dense = quick(init=fitted.embedding_).fit(X.toarray())
    dense.embedding_ = fitted.embedding_
    Y = fitted.transform(new)
    np.testing.assert_allclose(Y, dense.transform(new.toarray()), atol=1e-4)
    assert np.array_equal(Y[4:5], fitted.transform(new[4:5]))
    np.testing.assert_allclose(fitted.transform(new.toarray()), Y, atol=1e-10)
    with pytest.raises(TypeError, match="X must be dense"):
        dense.transform(new)


def test_documents_that_are_the_same_choose_one_another_evenly(monkeypatch):
    monkeypatch.setattr(inputs, "MOST_SEARCHED_OBJECTS", 50)
    X = sparse.vstack([tf_idf(), sparse.csr_array((60, 300))]).tocsr()  # empty ones
    with pytest.warns(UserWarning, match="60 objects have more nearest neighbors at one distance"):
        P = quick().fit(X).affinities_
    chosen = np.asarray((P > 0).sum(axis=0)).ravel()
    assert np.all(chosen[120:] >= 24) and np.isin(P[120:].indices, np.arange(120, 180)).all()


def test_the_nearest_of_sparse_vectors_are_told():
    X = tf_idf()
    order = np.argsort(squared_distances(X.toarray()), axis=1)[:, :8]
    assert list(nearest(X, "vectors", 5)) == list(order[5])
    assert np.array_equal(all_nearest(X, "vectors"), order)


@pytest.mark.parametrize(
    ("X", "options", "error", "told"),
    [
        (tf_idf(n_objects=300), {}, TypeError, "must be dense.*if it is a P.*X.toarray()"),
        (tf_idf() * np.nan, {}, ValueError, "X must be finite"),
        (sparse.csr_array((50, 9)), {}, ValueError, "must not be constant: all 50 objects are the same"),
        (tf_idf()[:2], {}, ValueError, "at least 3 objects"),
        (tf_idf(), {"metric": "correlation"}, ValueError, "'correlation' needs a dense X"),
        (tf_idf(), {"metric": "chebyshev"}, ValueError, "'chebyshev' needs a dense X"),
        (sparse.csr_array(counts() * (np.arange(120) != 7)[:, None]), {"metric": "cosine"}, ValueError, "object 7"),
    ],
)
def test_what_sparse_vectors_cannot_be_is_refused(X, options, error, told):
    with pytest.raises(error, match=told):
        quick(**options).fit(X)


def test_methods_that_need_dense_vectors_say_so():
    for call in (ns.baselines.SOM().fit, ns.baselines.PCA().fit, ns.baselines.MetricMDS().fit):
        with pytest.raises(TypeError, match="dense"):
            call(tf_idf())
