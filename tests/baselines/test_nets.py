"""Maps on a grid: their updates against the formulas, what EM promises, known answers, and runs of them."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.baselines.gtm_em import Sheet
from notebook_sne.baselines.nets import grid_points, squared_distances
from notebook_sne.baselines.som_updates import Units, around
from notebook_sne.models.family import relatives
from tests import reference
from tests.models.test_models import clusters, same, states
from tests.tables import in_one_test

SOM, GTM = ns.baselines.SOM, ns.baselines.GTM
each_net = pytest.mark.parametrize("method", [SOM, GTM])
LABELS = np.repeat(["a", "b", "c"], 20)
KNOB = {SOM: "radius", GTM: "alpha"}
OTHER = {SOM: {"grid": (9, 9)}, GTM: {"basis": (3, 3)}}


def quick(method, **options):
    return method(**{"grid": (6, 5), "random_state": 0, "max_iter": 40, "progress": False, **options})


def sheet(n_objects=400, seed=0):
    """A bent sheet in five dimensions, and where its objects lie on it."""
    rng = np.random.default_rng(seed)
    u = rng.uniform(-1, 1, (n_objects, 2))
    X = np.column_stack([np.sin(1.5 * u[:, 0]), np.cos(1.5 * u[:, 0]), u[:, 1], 0.4 * u[:, 1] ** 2, u[:, 0] * u[:, 1]])
    return X + 0.02 * rng.standard_normal(X.shape), u


def arc(n_objects=120, seed=0):
    """Three quarters of a circle with a little noise, and the angles."""
    rng = np.random.default_rng(seed)
    angle = np.sort(rng.uniform(0, 1.5 * np.pi, n_objects))
    return np.column_stack([np.cos(angle), np.sin(angle)]) + 0.02 * rng.standard_normal((n_objects, 2)), angle


def order(values):
    return np.argsort(np.argsort(values, kind="stable"), kind="stable")


def in_order(along, truth):
    """Return the rank correlation, whichever end comes first."""
    return abs(np.corrcoef(order(along), order(truth))[0, 1])


# ---- the mathematics ----


@pytest.mark.parametrize("alpha", [0.0, 0.1, 5.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_an_update_of_gtm_is_the_formula(seed, alpha):
    rng = np.random.default_rng(seed)
    net = Sheet(rng.normal(size=(25, 4)) * [3, 1, 1, 0.5] + 7, (5, 4), (3, 2), 1.3)
    theta = net.flat() + 0.1 * rng.standard_normal(net.n_numbers)
    W, beta = net.read(theta)
    knobs = {"alpha": alpha}
    wanted_W, wanted_beta, log_p = reference.gtm_update(net.Z, net.Phi, W, beta, alpha)
    here = net.evaluate(theta, knobs)
    assert here.cost == pytest.approx(-log_p.mean(), rel=1e-12)
    assert here.objective == pytest.approx(-log_p.mean() + 0.5 * alpha * np.sum(W**2) / 25, rel=1e-12)
    found_W, found_beta = net.read(net.improve(theta, knobs))
    np.testing.assert_allclose(found_W, wanted_W, atol=1e-9 * np.abs(wanted_W).max())
    assert found_beta == pytest.approx(wanted_beta, rel=1e-9)


def test_the_gradient_of_gtm_is_that_of_central_differences():
    rng = np.random.default_rng(3)
    net = Sheet(rng.normal(size=(12, 3)), (4, 4), (2, 2), 1.0)
    theta = net.flat() + 0.2 * rng.standard_normal(net.n_numbers)
    knobs = {"alpha": 0.3}
    numeric = reference.central_difference(lambda t: net.evaluate(t, knobs).objective, theta)
    assert np.linalg.norm(net.evaluate(theta, knobs).gradient - numeric) < 1e-6 * np.linalg.norm(numeric)


def test_the_magnification_is_that_of_a_small_square():
    rng = np.random.default_rng(4)
    net = Sheet(rng.normal(size=(30, 4)), (5, 5), (3, 3), 1.0)
    theta = net.flat() + 0.3 * rng.standard_normal(net.n_numbers)
    W, _ = net.read(theta)
    for k in (0, 7, 12):
        edges = [
            (net.functions(net.nodes[k : k + 1] + e) - net.functions(net.nodes[k : k + 1] - e))[0] @ W / 2e-4
            for e in (np.array([1e-4, 0]), np.array([0, 1e-4]))
        ]
        across = np.dot(edges[0], edges[1])
        area = np.sqrt(np.dot(edges[0], edges[0]) * np.dot(edges[1], edges[1]) - across**2)
        assert net.magnification(theta)[k] == pytest.approx(area, rel=1e-6)


@pytest.mark.parametrize("radius", [0.4, 1.0, 3.0])
def test_an_update_of_the_som_is_the_formula(radius):
    rng = np.random.default_rng(0)
    net = Units(rng.normal(size=(30, 3)), (4, 3))
    theta = net.scattered(rng)
    wanted = reference.som_update(net.Z, net.nodes, net.prototypes(theta), radius)
    np.testing.assert_allclose(net.prototypes(net.improve(theta, {"radius": radius})), wanted, atol=1e-10)
    here = net.evaluate(theta, {"radius": radius})
    D = np.square(net.Z[:, None] - net.prototypes(theta)).sum(axis=2)
    h = np.exp(-0.5 * squared_distances(net.nodes, net.nodes) / radius**2)
    assert here.objective == pytest.approx(np.sum(h[D.argmin(axis=1)] * D) / 30, rel=1e-12)
    assert here.cost == pytest.approx(net.spread * np.sqrt(D.min(axis=1)).mean(), rel=1e-12)
    # With the best units held, the gradient is that of the distortion.
    best = D.argmin(axis=1)
    numeric = reference.central_difference(
        lambda t: np.sum(h[best] * squared_distances(net.Z, net.prototypes(t))) / 30, theta
    )
    np.testing.assert_allclose(here.gradient, numeric.ravel(), atol=1e-6 * np.abs(numeric).max())


def test_without_a_neighborhood_the_som_is_k_means():
    from sklearn.cluster import KMeans

    X = clusters()
    som = quick(SOM, radius=0.0, init="random", max_iter=100).fit(X)
    net = Units(X, (6, 5))
    begun = net.scattered(np.random.default_rng((0, 0, 1)))
    theirs = KMeans(30, init=net.in_data(begun).reshape(30, -1), n_init=1, max_iter=100, tol=0).fit(X)
    np.testing.assert_allclose(som.prototypes_, theirs.cluster_centers_, atol=1e-9)
    assert np.array_equal(som.units_, theirs.labels_)


@pytest.mark.sampled(11)
@pytest.mark.parametrize("alpha", [0.0, 0.1, 3.0])
@pytest.mark.parametrize("init", ["pca", "random"])
@pytest.mark.parametrize("data", ["digits", "sheet", "clusters", "noise"])
def test_the_likelihood_never_falls(data, init, alpha):
    for seed in range(3):
        X = {
            "digits": lambda seed: ns.datasets.load_digits().sample(15, random_state=seed).X,
            "sheet": lambda seed: sheet(150, seed)[0],
            "clusters": lambda seed: clusters(seed=seed),
            "noise": lambda seed: np.random.default_rng(seed).normal(size=(60, 20)),
        }[data](seed)
        model = GTM(grid=(8, 8), basis=(4, 4), alpha=alpha, init=init, random_state=seed, progress=False)
        objectives = np.array([state.objective for state in states(model, X, 60)])
        # By rounding alone: a sum of N terms, each of them with about the precision of the largest exponent.
        assert np.diff(objectives).max() <= 1e-12 * max(1.0, np.abs(objectives).max())
        assert objectives[-1] < objectives[0]


# ---- known answers ----


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_gtm_unbends_a_sheet(seed):
    X, u = sheet(seed=seed)
    fitted = GTM(grid=(15, 15), random_state=0, progress=False).fit(X)
    # Both coordinates, up to a turn: what is left of them after the best linear map of the embedding.
    Y = np.column_stack([fitted.embedding_, np.ones(len(X))])
    left = u - Y @ np.linalg.lstsq(Y, u, rcond=None)[0]
    assert left.var(axis=0).max() < 0.05 * u.var(axis=0).min()
    noise = 1 / np.sqrt(fitted.beta_)
    assert 0.01 < noise < 0.1  # 0.02, and what a grid and a smooth sheet leave


@pytest.mark.sampled(5)
@each_net
@pytest.mark.parametrize("seed", [0, 1])
def test_a_line_of_nodes_finds_the_order_along_an_arc(method, seed):
    X, angle = arc(seed=seed)
    fitted = method(grid=(25, 1), max_iter=200, random_state=0, progress=False).fit(X)
    assert in_order(fitted.embedding_[:, 0], angle) > 0.99
    assert fitted.net(fitted.state_, X).shape == (25, 1, 2)


def test_a_som_of_a_square_is_the_square():
    X = np.random.default_rng(0).uniform(size=(500, 2))
    fitted = SOM(grid=(8, 8), progress=False).fit(X)
    assert fitted.topographic_error_ < 0.1
    nodes = np.column_stack([fitted.nodes_, np.ones(64)])
    left = fitted.prototypes_ - nodes @ np.linalg.lstsq(nodes, fitted.prototypes_, rcond=None)[0]
    assert left.var() < 0.05 * fitted.prototypes_.var()


def test_a_torn_net_has_a_topographic_error():
    X = np.random.default_rng(0).uniform(size=(500, 2))
    fitted = SOM(grid=(8, 8), radius=0.0, init="random", random_state=0, progress=False).fit(X)
    assert fitted.topographic_error_ > 0.5


@pytest.mark.slow
def test_the_magnification_is_largest_between_clusters():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(80, 4)) * 0.3 + side * np.array([3, 0, 0, 0]) for side in (-1, 1)])
    fitted = GTM(grid=(15, 15), progress=False).fit(X)
    gap = np.abs(fitted.prototypes_[:, 0]) < 1.0
    assert np.median(fitted.magnification_[gap]) > 2 * np.median(fitted.magnification_[~gap])


@each_net
def test_clusters_stay_apart(method):
    fitted = quick(method, max_iter=100).fit(clusters())
    assert ns.quality.knn_error(fitted.embedding_, LABELS) < 0.1


# ---- where objects are ----


def test_objects_of_one_unit_are_all_seen():
    X, _ = sheet()
    fitted = quick(SOM).fit(X)
    offsets = fitted.embedding_ - fitted.nodes_[fitted.units_]
    assert np.linalg.norm(offsets, axis=1).max() < 0.5  # within the unit's own cell
    assert len(np.unique(fitted.embedding_, axis=0)) == len(X)
    for unit in np.unique(fitted.units_):
        mine = fitted.units_ == unit
        assert np.array_equal(np.argsort(fitted.distances_[mine]), np.argsort(np.linalg.norm(offsets[mine], axis=1)))
    gaps = np.sqrt(reference.squared(around(np.zeros(50, int), np.arange(50), 50)))
    assert gaps[np.triu_indices(50, 1)].min() > 0.05


def test_gtm_has_objects_at_their_posterior_means_and_modes():
    X, _ = sheet(100)
    fitted = quick(GTM).fit(X)
    R = fitted.responsibilities(X)
    np.testing.assert_allclose(R.sum(axis=1), 1)
    np.testing.assert_allclose(R @ fitted.nodes_, fitted.embedding_, atol=1e-9)
    assert np.array_equal(fitted.nodes_[R.argmax(axis=1)], fitted.modes_)
    p = np.exp(-0.5 * fitted.beta_ * squared_distances(X, fitted.prototypes_)).mean(axis=1)
    log_p = np.log(p) + 0.5 * X.shape[1] * np.log(fitted.beta_ / (2 * np.pi))
    assert fitted.log_likelihood_ == pytest.approx(log_p.sum(), rel=1e-9)
    assert fitted.cost_ == pytest.approx(-log_p.mean() - X.shape[1] * np.log(fitted.spread_), rel=1e-9)


@each_net
def test_new_objects_go_where_the_same_old_ones_are(method):
    X, _ = sheet(300)
    fitted = quick(method).fit(X[:200])
    np.testing.assert_allclose(fitted.transform(X[:200]), fitted.embedding_, atol=1e-9)
    new = fitted.transform(X[200:])
    assert new.shape == (100, 2) and np.abs(new).max() <= np.abs(fitted.nodes_).max() + 0.5
    np.testing.assert_allclose(fitted.transform(X[200:201]), new[:1], atol=1e-9)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("far", [None, 1e4, 1e8, 1e10, 1e12])
def test_units_do_not_depend_on_what_else_there_is(far):
    X = np.random.default_rng(1).normal(size=(60, 5))
    if far is not None:
        X = np.vstack([X, np.full(5, far)])
    told = (
        pytest.warns(UserWarning, match="X has object 60 more than 1e[+]08 times")
        if far and far > 1e8
        else nullcontext()
    )
    with told:
        fitted = quick(SOM, grid=(15, 15)).fit(X)
    placed = fitted.transform(X)
    assert np.array_equal(placed, fitted.embedding_)
    assert np.array_equal(np.vstack([fitted.transform(x[None]) for x in X]), placed)
    assert len(set(fitted.units_[:60])) > 45  # 50 or 51 of 60 at 1e12, by how the processor rounds


def test_a_som_is_that_of_its_last_update():
    X = clusters()
    fitted = quick(SOM, max_iter=25).fit(X)
    assert fitted.trace_.objective.idxmin() < 25 == fitted.n_iter_ == fitted.state_.iteration
    assert np.array_equal(fitted.embedding_, states(quick(SOM, max_iter=25), X, 25)[-1].embedding)


@each_net
@pytest.mark.parametrize("unit", [1e-6, 1e5])
def test_the_unit_and_the_origin_of_the_data_change_no_map(method, unit):
    X, _ = sheet(150)
    one, two = (quick(method, max_iter=20).fit(data) for data in (X, unit * (X + 3)))
    np.testing.assert_allclose(one.embedding_, two.embedding_, atol=1e-4)
    power = 1 if method is SOM else 0
    assert two.cost_ == pytest.approx(one.cost_ * unit**power, rel=1e-4)


# ---- runs ----


@each_net
def test_a_recording_from_a_file_goes_on_as_the_run_did(method, tmp_path):
    model = quick(method)
    with ns.Run(model, clusters()) as run:
        run.steps(12)
        run.recording.save(tmp_path / "net.npz")
        after = run.steps(5)
    last = ns.Recording.load(tmp_path / "net.npz").states[-1]
    assert same(states(model, clusters(), 17 - last.iteration, start=last)[-1], after)


@each_net
def test_the_knob_is_live_and_its_hold_is_in_the_states(method):
    X, name = clusters(), KNOB[method]
    knobs = ns.Knobs()
    running = quick(method, max_iter=10).iterate(X, knobs=knobs)
    before = next(running)
    knobs.set(**{name: 4.0})
    after = next(running)
    plain = states(quick(method, max_iter=10), X, 1)[1]
    assert after.knobs[name] == 4.0 and before.knobs[name] != 4.0
    assert not np.array_equal(after.memory["weights"], plain.memory["weights"])
    with pytest.raises(ValueError, match=f"has no knob 'learning_rate' here, but {name}"):
        quick(method).iterate(X, knobs=ns.Knobs(learning_rate=1.0))


def test_the_radius_shrinks_to_its_last_value():
    radii = [state.knobs["radius"] for state in states(quick(SOM, max_iter=20), clusters(), 15)]
    assert radii[0] == 3.0 and radii[-1] == 0.7
    assert radii == sorted(radii, reverse=True)


@each_net
def test_objects_moved_by_hand_pull_the_net_with_them(method):
    X, _ = sheet(150)
    state = states(quick(method, max_iter=100), X, 30)[-1]
    Y = state.Y.copy()
    Y[0, :10] = Y[0, :10].mean(axis=0)
    moved = next(iter(quick(method).iterate(X, start=replace(state, Y=Y))))
    assert not np.array_equal(moved.Y, state.Y)
    room = np.linalg.norm(state.Y[0], axis=1).mean()
    assert np.linalg.norm(moved.Y[0, 10:] - state.Y[0, 10:], axis=1).mean() < room


@pytest.mark.sampled(3)
@each_net
@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e4])
def test_a_map_of_another_model_goes_on_as_a_net_and_back(method, unit):
    X = unit * clusters()
    for other in (ns.TSNE(perplexity=8, exaggeration=1, random_state=0), ns.baselines.MetricMDS(random_state=0)):
        before = states(other, X, 30)[-1]
        first, *_, last = states(quick(method), X, 20, start=before)
        assert (first.iteration, last.iteration) == (30, 50)
        assert ns.quality.knn_error(first.embedding, LABELS) < 0.2  # the net is laid through the clusters at once
        back, *_, later = states(other, X, 60, start=last)
        assert later.cost < back.cost
        assert ns.quality.knn_error(later.embedding, LABELS) < 0.1


def test_a_map_that_is_no_plane_is_not_handed_to_a_net():
    assert {"SOM", "GTM"} <= set(relatives(ns.SNE()))
    assert not {"SOM", "GTM"} & set(relatives(ns.SNE(n_components=3)))
    state = states(ns.SNE(perplexity=8, n_components=3, random_state=0), clusters(), 1)[-1]
    with pytest.raises(ValueError, match=r"positions of shape \(M, N, d\) = \(1, 60, 2\), got \(1, 60, 3\)"):
        quick(SOM).iterate(clusters(), start=state)


@each_net
def test_no_object_of_a_net_can_be_held(method):
    with ns.Run(quick(method), clusters()) as run:
        run.steps(2)
        with pytest.raises(NotImplementedError, match="cannot hold objects where they are"):
            run.pin([3])
        assert run.steps(2).iteration == 4


@each_net
def test_a_net_of_other_numbers_goes_on_from_the_positions(method):
    X = clusters()
    state = states(quick(method), X, 10)[-1]
    first = next(iter(quick(method, **OTHER[method]).iterate(X, start=state)))
    assert first.memory["weights"].size != state.memory["weights"].size
    assert ns.quality.knn_error(first.embedding, LABELS) < 0.2


@each_net
def test_positions_given_as_init_lay_the_net(method):
    X, u = sheet()
    first = next(iter(quick(method, init=1000 * u).iterate(X)))
    assert in_order(first.embedding[:, 0], u[:, 0]) > 0.9 and in_order(first.embedding[:, 1], u[:, 1]) > 0.9


@each_net
def test_the_net_of_a_state_is_in_the_unit_of_the_data(method):
    X = 50 + 10 * sheet(150)[0]
    fitted = quick(method).fit(X)
    net = fitted.net(fitted.state_, X)
    assert net.shape == (6, 5, 5)
    assert np.array_equal(net.reshape(30, 5), fitted.prototypes_)
    assert X.min() - 5 < net.min() and net.max() < X.max() + 5


# ---- what is refused, and what is not ----


@each_net
@in_one_test(
    ("options", "error", "message"),
    [
        ({"grid": 15}, TypeError, r"grid must be two integers.*got 15; write \(15, 15\)"),
        ({"grid": (5, 0)}, ValueError, r"grid\[1\] must be"),
        ({"grid": (1, 1)}, ValueError, "at least 2 nodes"),
        ({"grid": (200, 200)}, ValueError, "at most 10000 nodes, got 40000"),
        ({"grid": (5, 2.5)}, TypeError, r"grid\[1\] must be a whole number, got 2.5"),
        ({"init": "lda"}, ValueError, "init must be one of 'auto', 'pca', 'random'"),
        ({"init": np.zeros((60, 3))}, ValueError, r"init must have shape .*\(60, 2\)"),
        ({"max_iter": 0}, ValueError, "max_iter"),
    ],
)
def test_settings_that_cannot_be_are_refused(method, options, error, message):
    with pytest.raises(error, match=message):
        quick(method, **options).fit(clusters())


@in_one_test(
    ("options", "message"),
    [
        ({"basis": (8, 8)}, "fewer functions, the constant included, than there are objects, got 65 for 60 objects"),
        ({"basis": (3,)}, "basis must be two integers"),
        ({"width": 0.0}, "width must satisfy 0 < width"),
        ({"alpha": -1.0}, "alpha must satisfy 0 <= alpha"),
        ({"radius": -1.0}, "radius must satisfy 0 <= radius"),
    ],
)
def test_settings_of_one_net_that_cannot_be_are_refused(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        quick(SOM if "radius" in options else GTM, **options).fit(clusters())


@each_net
def test_data_that_cannot_be_are_refused(method):
    with pytest.raises(ValueError, match="constant"):
        quick(method).fit(np.ones((20, 3)))
    with pytest.raises(ValueError, match="must not exceed 1e"):
        quick(method).fit(1e200 * clusters())


@each_net
@in_one_test("name", ["perplexity", "optimizer", "learning_rate", "n_components", "n_jobs"])
def test_what_belongs_to_a_gradient_is_no_parameter(method, name):
    with pytest.raises(TypeError, match=f"has no parameter '{name}'"):
        method(**{name: 5})


def test_no_other_model_can_choose_the_step_of_a_net():
    with pytest.raises(ValueError, match="optimizer must be one of"):
        ns.SNE(optimizer="alternating").fit(clusters())


@pytest.mark.sampled(5)
@each_net
def test_constant_columns_one_feature_and_few_objects_are_taken(method):
    X = np.column_stack([clusters(), np.full(60, 3.0)])
    assert np.isfinite(quick(method).fit(X).embedding_).all()
    line = np.linspace(0, 1, 30)[:, None]
    fitted = quick(method, grid=(10, 1), max_iter=100).fit(line)
    assert in_order(fitted.embedding_[:, 0], line[:, 0]) > 0.95
    few = quick(method).fit(clusters()[::15])
    assert np.isfinite(few.embedding_).all() and np.isfinite(few.prototypes_).all()
    doubled = quick(method).fit(np.repeat(clusters(), 2, axis=0))
    assert np.isfinite(doubled.embedding_).all()


@each_net
def test_a_net_is_asked_of_its_own_states_alone(method):
    X = clusters()
    model = quick(method)
    state = states(model, X, 2)[-1]
    with pytest.raises(TypeError, match="state must be a State"):
        model.net(X, X)
    with pytest.raises(ValueError, match="only its own states hold a net"):
        model.net(states(ns.SNE(perplexity=8, random_state=0), X, 1)[-1], X)
    with pytest.raises(ValueError, match="give the X of its run, and a model of its settings"):
        model.net(state, X[:, :4])
    with pytest.raises(ValueError, match="give the X of its run, and a model of its settings"):
        quick(method, **OTHER[method]).net(state, X)


def test_a_grid_lies_about_the_origin():
    assert grid_points((2, 3)).tolist() == [[-0.5, -1], [-0.5, 0], [-0.5, 1], [0.5, -1], [0.5, 0], [0.5, 1]]
