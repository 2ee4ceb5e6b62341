"""A sweep: its table, its scores, the file that it continues from, and what it refuses."""

import functools
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import ParameterGrid

import notebook_sne as ns
from notebook_sne.engine.fitting import inputs
from notebook_sne.quality import fits
from tests.quality.mites import Log, Mite, Unseeded
from tests.tables import in_one_test

X = np.random.default_rng(0).standard_normal((30, 4))
CLASSES = np.arange(30) % 3
run = functools.partial(ns.sweep, progress=False, scores=())


def same(table, other):
    """Hold two tables to be the same, bit by bit, but for the seconds."""
    pd.testing.assert_frame_equal(table.drop(columns="seconds"), other.drop(columns="seconds"), check_exact=True)


# The table


def test_a_row_is_what_a_fit_by_hand_gives():
    data = ns.datasets.load_two_rings(60)
    table = ns.sweep(
        ns.TSNE(max_iter=30), data, {"perplexity": [5, 10]}, seeds=[3, 1], labels=np.arange(60) % 2, embeddings=True
    )
    assert [*table] == [
        "perplexity", "seed", "cost", "knn_error", "neighbor_recall", "trustworthiness",
        "seconds", "updates", "error", "embedding",
    ]  # fmt: skip
    assert table[["perplexity", "seed"]].values.tolist() == [[5, 3], [5, 1], [10, 3], [10, 1]]
    for row in table.itertuples():
        model = ns.TSNE(max_iter=30, perplexity=row.perplexity, random_state=row.seed, progress=False).fit(data.X)
        assert (row.cost, row.updates, row.error) == (model.cost_, model.n_iter_, "")
        np.testing.assert_array_equal(row.embedding, model.embedding_)
        assert row.knn_error == ns.quality.knn_error(model.embedding_, np.arange(60) % 2)
        assert row.neighbor_recall == ns.quality.neighbor_recall(data.X, model.embedding_)
        assert row.trustworthiness == ns.quality.trustworthiness(data.X, model.embedding_)
    assert (table.seconds > 0).all()


def test_the_last_parameter_of_a_grid_changes_first():
    table = run(Mite(), X, {"step": [1, 2], "width": (2, 3)}, seeds=range(2))
    expected = [[s, w, k] for s in (1, 2) for w in (2, 3) for k in (0, 1)]
    assert table[["step", "width", "seed"]].values.tolist() == expected


def test_a_list_of_settings_may_leave_out_what_the_model_has():
    table = run(Mite(width=5), X, [{"step": 4.0}, {"step": 2.0, "width": 3}, {}], seeds=[0])
    assert table[["step", "width"]].values.tolist() == [[4, 5], [2, 3], [1, 5]]


def test_the_grid_of_scikit_learn_is_one():
    grid = ParameterGrid({"step": [1, 2], "width": [2]})
    same(run(Mite(), X, grid, seeds=[0]), run(Mite(), X, list(grid), seeds=[0]))


def test_numbers_of_numpy_are_numbers():
    table = run(Mite(), X, {"step": np.linspace(0, 1, 3)}, seeds=np.arange(2))
    same(table, run(Mite(), X, {"step": [0.0, 0.5, 1.0]}, seeds=[0, 1]))


def test_a_model_without_seeds_or_cost_is_fitted_once():
    table = run(Unseeded(), X, {"scale": [1.0, 2.0]}, scores=["neighbor_recall"])
    assert len(table) == 2 and table.cost.isna().all() and table.updates.isna().all()
    assert table.seed.isna().all()


def test_three_seeds_are_tried_when_none_are_named():
    assert run(Mite(), X, [{}]).seed.tolist() == [0, 1, 2]


def test_maps_and_proportions_of_several_maps_are_kept():
    words = ns.datasets.load_word_relations()
    model = ns.AspectMaps(n_maps=2, max_iter=5, input="probabilities", n_restarts=1)
    table = ns.sweep(model, words, {"n_maps": [2, 3]}, seeds=[0], embeddings=True, progress=False)
    assert [*table] == ["n_maps", "seed", "cost", "seconds", "updates", "error", "embedding", "mixing"]
    assert [each.shape for each in table.embedding] == [(2, 475, 2), (3, 475, 2)]
    assert [each.shape for each in table.mixing] == [(2, 475), (3, 475)]


def test_the_model_and_the_data_stay_as_they_are():
    model, before = Mite(random_state=np.random.RandomState(0)), X.copy()
    run(model, X, {"step": [2.0]}, seeds=[0])
    assert model.step == 1.0 and not hasattr(model, "cost_")
    np.testing.assert_array_equal(X, before)


def test_fits_that_share_a_p_make_it_once(monkeypatch):
    made = []
    monkeypatch.setattr(fits, "_held", [])
    make = inputs._make
    monkeypatch.setattr(inputs, "_make", lambda *arguments: made.append(arguments[2]) or make(*arguments))
    table = run(ns.TSNE(max_iter=3), X, {"max_iter": [3, 4], "perplexity": [5, 9]}, seeds=range(3))
    assert made == [5, 9]
    assert table.perplexity.tolist() == [5] * 3 + [9] * 3 + [5] * 3 + [9] * 3


# Scores


def test_what_is_an_estimate_is_a_number():
    table = run(Mite(), X, [{}], seeds=[4], scores=["triplet_accuracy", "continuity"])
    Y = Mite(random_state=4).fit(X).embedding_
    assert table.triplet_accuracy[0] == float(ns.quality.triplet_accuracy(X, Y))
    assert table.continuity[0] == float(ns.quality.continuity(X, Y))


def test_baselines_are_swept_as_well():
    table = run(ns.baselines.Sammon(max_iter=20), X, {"optimizer": ["auto", "momentum"]}, seeds=[0])
    assert (table.cost > 0).all() and (table.updates > 0).all()
    assert run(ns.baselines.Isomap(), X, {"n_neighbors": [9, 0]}).error[1].startswith("ValueError: n_neighbors must")


def area(fitted, X):
    return float(np.ptp(fitted.embedding_, axis=0).prod())


def test_scores_are_names_functions_and_what_a_dict_calls_them():
    mean = functools.partial(lambda k, fitted, X: k * fitted.embedding_.mean(), 2)
    table = run(Mite(), X, [{}], seeds=[4], scores=["neighbor_recall", area])
    other = run(Mite(), X, [{}], seeds=[4], scores={"kept": "neighbor_recall", "double": mean})
    fitted = Mite(random_state=4).fit(X)
    assert table.neighbor_recall[0] == other.kept[0] == ns.quality.neighbor_recall(X, fitted.embedding_)
    assert table.area[0] == area(fitted, X) and other.double[0] == 2 * fitted.embedding_.mean()
    assert run(Mite(), X, [{}], seeds=[4], scores=area).area[0] == table.area[0]


def test_values_are_no_classes():
    values = np.linspace(0, 1, 30)
    assert "knn_error" not in run(Mite(), X, [{}], seeds=[0], scores=None, labels=values)
    assert "knn_error" in run(Mite(), X, [{}], seeds=[0], scores=None, labels=CLASSES)


def test_a_score_that_fails_is_the_error_of_its_row():
    def fails(fitted, X):
        if fitted.step > 1:
            raise RuntimeError("no score today")
        return 1.0

    table = run(Mite(), X, {"step": [1, 2]}, seeds=[0], scores=[fails])
    assert table.error.tolist() == ["", "RuntimeError: no score today"]
    assert table.fails.isna().tolist() == table.cost.isna().tolist() == [False, True]


# Errors of a fit


def test_a_fit_that_fails_is_a_row_with_its_error_or_it_is_raised():
    table = run(Mite(), X, {"fails": [0, 1], "step": [1.0]}, seeds=range(2))
    assert table.error.tolist() == ["", ""] + ["ArithmeticError: the mite fell"] * 2
    assert table.cost.isna().tolist() == table.updates.isna().tolist() == [False, False, True, True]
    with pytest.raises(ArithmeticError, match="the mite fell") as caught:
        run(Mite(), X, {"fails": [0, 1]}, seeds=[5], errors="raise")
    assert caught.value.__notes__ == ["in the fit at {'fails': 1}, seed 5"]
    with pytest.raises(ValueError, match="all 2 fits of the sweep failed, the first with ArithmeticError: the mite"):
        run(Mite(fails=1), X, [{}], seeds=range(2))


def test_a_number_that_is_too_large_for_a_double_is_for_the_model_to_refuse():
    model = ns.TSNE(max_iter=3, progress=False)
    table = ns.sweep(model, X, {"perplexity": [4, 10**400]}, seeds=[0], progress=False)
    assert table.error[0] == "" and "perplexity must" in table.error[1]


# The file


def test_a_sweep_goes_on_where_it_was_interrupted(tmp_path):
    log, path = Log(tmp_path / "log"), tmp_path / "sweep"
    log.folder.mkdir()
    whole = run(Mite(), X, {"step": [1, 2, 3]}, seeds=range(2), scores={"log": log}, embeddings=True)
    for file in log.folder.iterdir():
        file.unlink()
    with pytest.raises(KeyboardInterrupt):
        run(Mite(), X, [{"step": 1}, {"step": 2}, {"fails": 3}], seeds=range(2), scores={"log": log}, embeddings=True,
            path=path)  # fmt: skip
    assert [*log.fits()] == [(1, 0), (1, 1), (2, 0), (2, 1)]
    table = run(Mite(), X, {"step": [1, 2, 3]}, seeds=range(2), scores={"log": log}, embeddings=True, path=path)
    assert [len(each) for each in log.fits().values()] == [1] * 6
    same(table, whole)
    for kept, fresh in zip(table.embedding, whole.embedding, strict=True):
        np.testing.assert_array_equal(kept, fresh)


def test_of_a_finished_sweep_nothing_is_fitted_again(tmp_path):
    grid, path = {"step": [1 / 3, 2], "fails": [0, 1]}, tmp_path / "sweep"
    table = run(Mite(), X, grid, path=path, scores=[area])
    before = path.read_bytes()
    again = run(Mite(), X, grid, path=path, scores=[area])
    pd.testing.assert_frame_equal(table, again, check_exact=True)  # the seconds, too
    assert path.read_bytes() == before


def test_a_wider_grid_and_more_seeds_take_what_is_there(tmp_path):
    log, path = Log(tmp_path / "log"), tmp_path / "sweep"
    log.folder.mkdir()
    wanted = {"scores": {"log": log}, "path": path}
    run(Mite(), X, {"step": [1, 2]}, seeds=[0], **wanted)
    table = run(Mite(), X, {"width": [2, 3], "step": [1, 2]}, seeds=[1, 0], **wanted)
    assert sum(map(len, log.fits().values())) == 8
    same(table, run(Mite(), X, {"width": [2, 3], "step": [1, 2]}, seeds=[1, 0], scores={"log": lambda *_: 0.0}))
    assert len(run(Mite(), X, {"step": [2]}, seeds=[0], **wanted)) == 1  # and a narrower one shows what it asks for
    assert sum(map(len, log.fits().values())) == 8


def test_a_fit_that_the_machine_failed_is_tried_again(tmp_path):
    path = tmp_path / "sweep"
    table = run(Mite(), X, {"fails": [0, 1, 2]}, seeds=[0], path=path)
    assert table.error.tolist() == ["", "ArithmeticError: the mite fell", "MemoryError: the mite fell"]
    kept = [json.loads(line.split(" ", 1)[1])[1]["error"] for line in path.read_text().splitlines()[1:]]
    assert kept == ["", "ArithmeticError: the mite fell"]


def test_a_file_that_cannot_be_written_is_refused_before_the_first_fit(tmp_path):
    log = Log(tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        run(Mite(), X, [{}], scores={"log": log}, path=tmp_path / "nowhere" / "sweep")
    assert not log.fits()


@pytest.mark.parametrize(
    "changes",
    [
        {"model": Mite(width=3)},
        {"model": Unseeded(), "grid": {"scale": [1]}, "seeds": None},
        {"data": X + 1e-12},
        {"data": X.astype(np.float32)},
        {"data": X[:20]},
        {"labels": CLASSES},
        {"scores": ["neighbor_recall", area]},
        {"embeddings": True},
    ],
)
def test_rows_of_another_model_or_data_are_not_taken_and_stay(tmp_path, changes):
    path = tmp_path / "sweep"
    run(Mite(), X, {"step": [1, 2]}, seeds=[0], path=path)
    before = path.read_bytes()
    wanted = {"model": Mite(), "data": X, "grid": {"step": [1, 2]}, "seeds": [0], "path": path, **changes}
    arguments = [wanted.pop(name) for name in ("model", "data", "grid")]
    table = run(*arguments, **wanted)
    same(table, run(*arguments, **{**wanted, "path": None}))
    assert path.read_bytes().startswith(before)
    assert path.read_bytes().count(b"\n") == before.count(b"\n") + len(table)


def test_rows_of_another_version_are_not_taken(tmp_path, monkeypatch):
    log = Log(tmp_path / "log")
    log.folder.mkdir()
    for version in ("0.0.1", "0.0.2", "0.0.1"):
        monkeypatch.setattr(ns, "__version__", version)
        run(Mite(), X, [{}], seeds=[0], scores={"log": log}, path=tmp_path / "sweep")
    assert [len(each) for each in log.fits().values()] == [2]


def test_maps_that_a_file_gave_back_may_be_changed(tmp_path):
    wanted = {"seeds": [0], "scores": [], "embeddings": True, "path": tmp_path / "sweep"}
    run(Mite(), X, [{}], **wanted)
    table = run(Mite(), X, [{}], **wanted)
    table.embedding[0][:] = 7.0
    assert (table.embedding[0] == 7.0).all()


def test_functions_without_a_name_cannot_be_kept(tmp_path):
    grid = [{"jitter": lambda t: 0.1 / (t + 1)}]
    model = ns.SNE(max_iter=3, perplexity=5)
    assert len(run(model, X, grid, seeds=[0])) == 1
    with pytest.raises(TypeError, match="give Steps, Decay or a function of a module"):
        run(model, X, grid, seeds=[0], path=tmp_path / "sweep")
    assert len(run(model, X, [{"jitter": ns.Decay(0.1, 3)}], seeds=[0], path=tmp_path / "sweep")) == 1


# What is asked for


@in_one_test(
    ("changes", "error", "message"),
    [
        ({"grid": {}}, ValueError, r"grid must have at least one setting, .*; .*, or \[\{\}\] to try seeds alone"),
        ({"grid": []}, ValueError, r"grid must have at least one setting, .*, got \[\]"),
        ({"grid": {"step": [], "width": [2]}}, ValueError, "grid must have at least one setting"),
        ({"grid": {"step": 3}}, TypeError, r"grid\['step'\] must be a list, got 3"),
        ({"grid": {"step": "12"}}, TypeError, r"grid\['step'\] must be a list, got '12'"),
        ({"grid": {"step": {"a": 1}}}, TypeError, r"grid\['step'\] must be a list, got a dict"),
        ({"grid": "step"}, TypeError, "grid must be a list, got 'step'"),
        ({"grid": None}, TypeError, "grid must be a list, got None"),
        ({"grid": [{"step": 1}, 3]}, ValueError, r"each a dict of parameters, got \[\{'step': 1\}, 3\]"),
        ({"grid": {"stride": [1]}}, ValueError, "Invalid parameter 'stride' for estimator Mite"),
        ({"grid": {"random_state": [1]}}, ValueError, "grid must name neither random_state nor progress; give"),
        ({"seeds": [None]}, TypeError, "seeds must be a whole number, got None"),
        ({"seeds": [np.random.RandomState(0)]}, TypeError, "seeds must be a whole number, got RandomState"),
        ({"seeds": [0.5]}, TypeError, "seeds must be a whole number"),
        ({"seeds": [True]}, TypeError, "seeds must be a whole number"),
        ({"seeds": 5}, TypeError, "seeds must be a list, got 5"),
        ({"seeds": []}, ValueError, r"seeds must be different whole numbers below 2\*\*32, got \[\]"),
        ({"seeds": [-1]}, ValueError, "seeds must be at least 0"),
        ({"seeds": [2**32]}, ValueError, r"seeds must be different whole numbers below 2\*\*32, got \[4294967296\]"),
        ({"seeds": [1, 2, 1]}, ValueError, r"different whole numbers .*, got \[1, 2, 1\]; give range\(3\)"),
        ({"scores": ["recall"]}, ValueError, "that have all they need, here neighbor_recall, .*, got 'recall'"),
        ({"scores": ["procrustes_disparity"]}, ValueError, "functions of the fitted model and X, or measures of"),
        ({"scores": ["knn_confusion"]}, ValueError, "functions of the fitted model and X, or measures of one map"),
        ({"scores": ["kl_divergence"]}, ValueError, "functions of the fitted model and X, or measures of one map"),
        ({"scores": ["knn_error"]}, ValueError, "measures of one map that have all they need, .*'knn_error'"),
        ({"scores": {"x": 3}}, ValueError, "scores must be functions .* or measures of .*, got 3"),
        ({"scores": [lambda fitted, X: 0.0]}, ValueError, "scores must have names that differ"),
        ({"scores": [area, area]}, ValueError, "scores must have names that differ"),
        ({"scores": {"cost": area}}, ValueError, r"scores must have columns of their own, got \['cost'\]"),
        ({"scores": {"step": area}, "grid": {"step": [1]}}, ValueError, r"columns of their own, got \['step'\]"),
        ({"scores": "neighbor_recall"}, TypeError, "scores must be a list, got 'neighbor_recall'"),
        ({"model": ns.TSNE}, TypeError, "provide an instance of scikit-learn estimator instead of a class"),
        ({"model": "TSNE"}, TypeError, "it does not seem to be a scikit-learn estimator"),
        ({"X": X[0]}, ValueError, "X must be a 2D array"),
        ({"labels": CLASSES[:4]}, ValueError, "labels"),
        ({"errors": "ignore"}, ValueError, "errors must be one of 'keep', 'raise'"),
        ({"n_jobs": 0}, ValueError, "n_jobs == 0 in Parallel has no meaning"),
        ({"progress": "always"}, ValueError, "progress must be 'auto', True or False"),
        ({"model": ns.AspectMaps(), "scores": ["neighbor_recall"]}, ValueError, "that have all they need, here none"),
        ({"model": Unseeded(), "seeds": [0]}, ValueError, "seeds must be left out where Unseeded has no random_state"),
        ({"model": ns.SNE(), "grid": {"n_neighbors": [5]}}, ValueError, "SNE has no .* did you mean perplexity"),
        ({"model": ns.TSNE(), "grid": {"exageration": [5]}}, ValueError, "did you mean exaggeration"),
    ],
)
def test_what_cannot_be_swept_is_refused_with_the_way_out(changes, error, message):
    arguments = {"model": Mite(), "X": X, "grid": [{}], "scores": (), "progress": False, **changes}
    with pytest.raises(error, match=message):
        ns.sweep(**arguments)


@pytest.mark.slow
def test_several_processes_give_the_same_table(tmp_path):
    arguments = (ns.TSNE(max_iter=20), X, {"perplexity": [5, 9], "exaggeration": [1, 4]})
    wanted = {"seeds": range(2), "scores": None, "labels": CLASSES, "embeddings": True}
    table = run(*arguments, **wanted, n_jobs=2, path=tmp_path / "sweep")
    alone = run(*arguments, **wanted)
    same(table, alone)
    same(run(*arguments, **wanted, path=tmp_path / "sweep"), alone)


def test_progress_counts_fits_and_begins_with_those_that_are_there(tmp_path, capsys):
    run(Mite(), X, {"step": [1, 2]}, seeds=[0], path=tmp_path / "sweep")
    ns.sweep(Mite(), X, {"step": [1, 2, 3, 4]}, seeds=[0], scores=(), path=tmp_path / "sweep", progress=True)
    assert "4/4" in capsys.readouterr().err
