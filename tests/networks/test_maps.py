"""What maps by networks promise: gradients, one run however it is made, places of new objects, and what is refused."""

import numpy as np
import pytest
from scipy import sparse

import notebook_sne as ns
from notebook_sne.engine.fitting.problem import Problem
from notebook_sne.networks import Autoencoder, ParametricMap
from notebook_sne.networks.coding import label_pairs
from tests import reference
from tests.models.test_models import states
from tests.tables import in_one_test

RNG = np.random.default_rng(0)
LABELS = np.repeat(["a", "b", "c"], 20)


def clusters(n_features=8):
    """Three clusters of twenty objects, from 0 to 1."""
    rng = np.random.default_rng(0)
    middles = rng.random((3, n_features))
    X = np.repeat(middles, 20, axis=0) + 0.05 * rng.standard_normal((60, n_features))
    return (X - X.min()) / (X.max() - X.min())


def quick(kind, **options):
    settings = {"hidden": (10, 6), "random_state": 0, "max_iter": 40, "progress": False, **options}
    if kind is ParametricMap:
        return ParametricMap(**{"model": ns.SNE(perplexity=8), **settings})
    return Autoencoder(**{"regularizer": ns.SNE(perplexity=8), "strength": 2.0, **settings})


each_kind = pytest.mark.parametrize("kind", [ParametricMap, Autoencoder])
MODELS = [
    ns.SNE(perplexity=8),
    ns.SymmetricSNE(perplexity=8),
    ns.UNISNE(perplexity=8),
    ns.TSNE(perplexity=8, exaggeration=1),
    ns.ElasticEmbedding(perplexity=8),
    ns.SNE(perplexity=8, penalty=0.1, exaggeration=2),
]
each_model = pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__ + ("+" if m.penalty else ""))


# ---- gradients ----


def slopes(model, X):
    """The gradient of the objective by the weights, and that of central differences along some directions."""
    problem = Problem(model, X)
    first = problem.begin()
    evaluate = problem.evaluation(first.run.settings)
    theta = first.now.theta
    directions = np.random.default_rng(1).standard_normal((5, theta.size))
    step = 1e-4  # sums over pairs are in single precision
    numeric = [
        (evaluate(theta + step * v).objective - evaluate(theta - step * v).objective) / (2 * step) for v in directions
    ]
    return directions @ evaluate(theta).gradient, np.array(numeric)


@each_model
@each_kind
def test_the_gradient_by_the_weights_is_that_of_central_differences(kind, model):
    given = {"model": model} if kind is ParametricMap else {"regularizer": model}
    found, numeric = slopes(quick(kind, **given), clusters())
    assert np.abs(found - numeric).max() < 1e-3 * np.abs(numeric).max()


def test_the_cost_is_the_formula():
    X = clusters()
    fitted = quick(Autoencoder, max_iter=5).fit(X)
    Z = fitted.inverse_transform(fitted.embedding_)
    R = -(X * np.log(Z) + (1 - X) * np.log1p(-Z)).sum() / 60
    Y = fitted.embedding_
    P = fitted.affinities_.toarray()
    near = np.exp(-reference.squared(Y))
    np.fill_diagonal(near, 0)
    Q = near / near.sum(axis=1, keepdims=True)
    there = P > 0
    C = (P[there] * np.log(P[there] / Q[there])).sum() / 60
    assert fitted.reconstruction_ == pytest.approx(R, rel=1e-9)
    assert fitted.divergence_ == pytest.approx(C, rel=1e-5)
    assert fitted.cost_ == pytest.approx(R + 2.0 * C, rel=1e-5)


def test_the_map_has_the_cost_of_its_model():
    X = clusters()
    model = quick(ParametricMap).fit(X)
    plain = next(iter(ns.SNE(perplexity=8, init=model.embedding_).iterate(X)))
    assert model.cost_ == pytest.approx(plain.cost, rel=1e-5)
    assert np.array_equal(model.affinities_.toarray(), ns.SNE(perplexity=8, max_iter=1).fit(X).affinities_.toarray())


def test_attraction_alone_takes_no_sum_over_all_pairs(monkeypatch):
    from notebook_sne.engine.mathematics import elastic

    def refuse(*_, **__):
        raise AssertionError("a sum over all pairs")

    with pytest.raises(AssertionError, match="over all pairs"):
        elastic.cost_and_gradient(elastic.attractive_pairs(label_pairs(LABELS, 60)), np.eye(60), 1.0, sums=refuse)
    monkeypatch.setattr(ns.ElasticEmbedding, "_sums", refuse)
    springs = quick(Autoencoder, regularizer=ns.ElasticEmbedding(perplexity=8, repulsion=0)).fit(clusters())
    P, Y = springs.affinities_.toarray(), springs.embedding_
    assert springs.divergence_ == pytest.approx((P * np.square(Y[:, None] - Y).sum(axis=2)).sum(), rel=1e-5)
    assert np.ptp(springs.embedding_) > 1e-3  # the reconstruction keeps the codes apart


# ---- one run, however it is made ----


@each_kind
def test_knobs_are_live(kind):
    knobs = ns.Knobs()
    states = quick(kind, optimizer="momentum").iterate(clusters(), knobs=knobs)
    next(states)
    knobs.set(learning_rate=0.01, perplexity=5)
    assert (next(states).knobs["learning_rate"], next(states).knobs["perplexity"]) == (0.01, 5)
    if kind is Autoencoder:
        before = next(states)
        knobs.set(strength=50.0)
        assert next(states).objective > before.objective
    else:
        knobs.set(strength=50.0)
        with pytest.raises(ValueError, match="ParametricMap has no knob 'strength'"):
            next(states)


def test_strength_zero_is_the_plain_autoencoder():
    knobs = {"max_iter": 10}
    none, zero = (quick(Autoencoder, **options, **knobs) for options in ({"regularizer": None}, {"strength": 0.0}))
    assert np.array_equal(none.fit(clusters()).embedding_, zero.fit(clusters()).embedding_)
    assert zero.divergence_ == none.divergence_ == 0
    assert not hasattr(none, "affinities_")


# ---- new objects ----


@each_kind
@pytest.mark.parametrize("n_components", [1, 3])
def test_new_objects_have_the_codes_of_the_network(kind, n_components):
    X = clusters()
    fitted = quick(kind, n_components=n_components, max_iter=5).fit(X)
    assert np.allclose(fitted.transform(X), fitted.embedding_, rtol=1e-9, atol=1e-9)
    assert np.allclose(fitted.transform(X[7:9]), fitted.embedding_[7:9], rtol=1e-9, atol=1e-9)
    assert list(fitted.get_feature_names_out()) == [f"{kind.__name__.lower()}{k}" for k in range(n_components)]


def test_new_objects_land_in_their_cluster():
    X = clusters()
    fitted = quick(ParametricMap, max_iter=100).fit(X[::2])
    nearest = reference.squared(np.vstack([fitted.transform(X[1::2]), fitted.embedding_]))[:30, 30:].argmin(axis=1)
    assert np.mean(LABELS[::2][nearest] == LABELS[1::2]) > 0.9


@pytest.mark.slow
def test_reconstructions_come_nearer_than_the_mean():
    X = clusters()
    fitted = quick(Autoencoder, max_iter=200, strength=0.1).fit(X)
    off = np.square(fitted.inverse_transform(fitted.transform(X)) - X).sum()
    assert off < 0.5 * np.square(X - X.mean(axis=0)).sum()


def test_single_precision_goes_through():
    X = clusters().astype(np.float32)
    fitted = quick(ParametricMap).fit(X)
    assert fitted.embedding_.dtype == np.float32 and np.isfinite(fitted.embedding_).all()
    assert fitted.cost_ == pytest.approx(quick(ParametricMap).fit(clusters()).cost_, rel=0.2)


# ---- whose neighbors ----


@pytest.mark.slow
def test_labels_make_objects_of_one_class_neighbors():
    P = label_pairs(LABELS, 60).toarray()
    assert np.allclose(P, ((LABELS[:, None] == LABELS) & ~np.eye(60, dtype=bool)) / 19)
    X = RNG.random((60, 8))  # which has no classes to be seen
    fitted = quick(Autoencoder, neighbors="labels", strength=20, hidden=(30,), max_iter=150).fit(X, LABELS)
    assert ns.quality.knn_error(fitted.embedding_, LABELS) < 0.3
    assert np.allclose(fitted.affinities_.toarray(), P)
    assert "perplexity" not in fitted.trace_
    run = Autoencoder(**{**fitted.get_params(deep=False), "labels": LABELS}).iterate(X)
    assert next(run).cost == fitted.trace_.cost[0]


def test_classes_that_have_no_effect_are_not_dropped_without_a_word():
    with pytest.warns(UserWarning, match="no effect on this ParametricMap, whose neighbors are 'data'; say .*'labels'"):
        fitted = quick(ParametricMap).fit(clusters(), LABELS)
    assert np.array_equal(fitted.embedding_, quick(ParametricMap).fit(clusters()).embedding_)


@pytest.mark.slow
def test_a_p_of_ones_own_may_say_who_is_a_neighbor():
    X = clusters()
    P = label_pairs(LABELS, 60)
    one = quick(ParametricMap, neighbors=P).fit(X)
    two = quick(ParametricMap, neighbors="labels").fit(X, LABELS)
    three = quick(ParametricMap, neighbors=P.toarray()).fit(X)
    assert np.array_equal(one.embedding_, two.embedding_) and np.array_equal(one.embedding_, three.embedding_)


# ---- handing over ----


@each_kind
def test_a_map_of_another_model_becomes_the_nearest_one_and_goes_on(kind):
    X = clusters()
    before = states(ns.SNE(perplexity=8, random_state=0), X, 60)[-1]
    first, *_, last = states(quick(kind, hidden=(40,)), X, 20, start=before)
    off = np.square(first.Y - before.Y).sum()
    assert off < 0.05 * np.square(before.Y - before.Y.mean(axis=1, keepdims=True)).sum()
    assert (first.iteration, last.iteration) == (60, 80)
    assert last.cost < first.cost
    back = states(ns.TSNE(perplexity=8, exaggeration=1, random_state=0), X, 1, start=last)[0]
    assert np.array_equal(back.Y, last.Y)


@each_kind
def test_objects_moved_by_hand_come_as_near_as_the_code_layer_can(kind):
    with ns.Run(quick(kind), clusters()) as run:
        before = run.steps(3)
        run.move([5], [before.Y[0][5] + 3 * np.abs(before.Y).max()])
        run.wait()
        assert not np.array_equal(run.state.Y[0][5], before.Y[0][5])
        assert run.state.memory["weights"].shape == before.memory["weights"].shape
        assert run.steps(3).iteration == 6


@pytest.mark.sampled(5)
@each_kind
def test_a_start_may_be_given(kind):
    X = clusters()
    given = X[:, :2]  # a linear map: within reach of a network without hidden layers
    first = next(iter(quick(kind, hidden=(), init=given).iterate(X)))
    assert np.allclose(first.embedding, given, atol=1e-2)
    for init in ("pca", "random"):
        assert np.isfinite(quick(kind, init=init).fit(X).cost_)


def test_the_player_offers_the_models_after_a_network_but_no_network():
    from notebook_sne.models.family import relatives, successor

    assert not {"ParametricMap", "Autoencoder"} & set(relatives(ns.SNE()))
    with pytest.raises(ValueError, match="make another Run"):
        successor(ns.SNE(), "ParametricMap")
    after = successor(quick(ParametricMap, n_components=3), "TSNE", 60)
    assert (after.n_components, after.random_state) == (3, 0)


# ---- what is refused ----


@in_one_test(
    ("options", "y", "message"),
    [
        ({"neighbors": "labels"}, None, "requires y to be passed with neighbors='labels'"),
        ({"neighbors": "labels", "labels": LABELS}, LABELS, "given once, got both y and labels"),
        ({"neighbors": "labels"}, [None, *LABELS[1:]], "missing for object 0"),
        ({"neighbors": "labels"}, ["alone", *LABELS[1:]], "object 0 are alone in theirs|object 0 is alone"),
        ({"neighbors": "labels"}, LABELS[:50], "60"),
        ({"labels": LABELS}, None, "labels must be None with neighbors='data'"),
        ({"neighbors": "classes"}, None, "neighbors must be 'data', 'labels' or a conditional P, got 'classes'"),
        ({"neighbors": sparse.csr_array(np.full((5, 5), 0.25) - 0.25 * np.eye(5))}, None, "a P of the 60 objects"),
        ({"neighbors": np.full((60, 60), 0.5)}, None, "neighbors"),
        ({"hidden": (10, 0)}, None, "hidden must be at least 1"),
        ({"n_components": 0}, None, "n_components must be at least 1"),
        ({"model": ns.SNE(perplexity=8, max_iter=7)}, None, "SNE must leave max_iter to ParametricMap"),
        ({"model": ns.SNE(perplexity=80)}, None, "perplexity must be below"),
        ({"optimizer": "spectral"}, None, "spectral"),
    ],
)
def test_what_cannot_be_is_refused_with_the_way_out(options, y, message):
    with pytest.raises(ValueError, match=message):
        quick(ParametricMap, **options).fit(clusters(), y)


def test_what_is_of_another_kind_or_shape_is_refused():
    for options, message in (
        ({"hidden": 10}, r"hidden must be a tuple of numbers of units, one a layer, got 10"),
        ({"model": ns.AspectMaps()}, r"a model with one map, such as TSNE\(\), got AspectMaps"),
        ({"model": "tsne"}, r"a model with one map, such as TSNE\(\), got 'tsne'"),
    ):
        with pytest.raises(TypeError, match=message):
            quick(ParametricMap, **options).fit(clusters())
    with pytest.raises(ValueError, match=r"X must lie from 0 to 1, as the output units are logistic, got .* to 2"):
        quick(Autoencoder, outputs="logistic").fit(2 * clusters())
    fitted = quick(Autoencoder).fit(clusters())
    with pytest.raises(ValueError, match="dim 3"):
        fitted.transform(clusters().reshape(60, 2, 4))
    with pytest.raises(ValueError, match=r"n_components\) with n_components = 2, got \(4, 3\)"):
        fitted.inverse_transform(np.zeros((4, 3)))


@pytest.mark.slow
def test_real_values_have_linear_output_units():
    X = 7 * clusters() + 3
    fitted = quick(Autoencoder, max_iter=60).fit(X)
    back = fitted.inverse_transform(fitted.embedding_)
    spread = X.var(axis=0).mean()
    assert fitted.reconstruction_ == pytest.approx(np.square(X - back).sum() / (2 * spread * len(X)), rel=1e-5)
    assert fitted.reconstruction_ < 0.25 * X.shape[1]  # half of what the means alone leave
    assert quick(Autoencoder, outputs="linear").fit(clusters()).reconstruction_ > 0
