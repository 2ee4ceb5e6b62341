"""What public reports told of, as checks that any package can be asked: each raises where the fault is there.

The arguments after the maker are those of a report (reports.toml). A refusal that names the argument is no fault where
a check says so. What may end a process or needs another environment runs in a process of its own.
"""

import pickle
import signal
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.datasets import load_digits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from notebook_sne.affinities import conditional
from tests.reported.packages import NotThereError
from tests.standins.process import python

DIGITS = load_digits(return_X_y=True)[0]
X, NEW = DIGITS[:100], DIGITS[100:112]
BRIEF = {"updates": 60, "neighbors": 10}
_MAPS = {}


def fitted(make):
    """Return a model fitted to X, made once."""
    if make not in _MAPS:
        _MAPS[make] = make(**BRIEF).fit(X)
    return _MAPS[make]


def transform_of(model):
    """Return the method that places new objects."""
    if not hasattr(model, "transform"):
        raise NotThereError("no transform")
    return model.transform


def finite(Y, n):
    """Check that a map has a place for each object."""
    Y = np.asarray(Y)
    assert Y.shape == (n, 2) and np.isfinite(Y).all()
    return Y


def close(a, b, share):
    """Check that places differ by less than a share of the width of their map."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    width = np.asarray(b).std()
    assert np.abs(a - b).max() <= share * max(width, 1e-12), f"{np.abs(a - b).max() / width:.1e} of the width"


def transforms_alike(make, groups):
    """New objects lie at the same places alone, in company and in another order."""
    transform = transform_of(fitted(make))
    together = np.asarray(transform(NEW), float)
    for rows in groups:
        found = np.asarray(transform(NEW[rows]), float)
        assert np.abs(found - together[rows]).max() <= 1e-6 * np.asarray(fitted(make).embedding_).std()


def leaves_the_map(make, view=False):
    """`transform` of as many objects changes neither the map nor the data of the fit."""
    data = X.copy()
    if view:
        record = np.recarray((len(X),), dtype=[("X", "<f8", (X.shape[1],))])
        record["X"] = X
        data = record["X"]
    model = make(**BRIEF)
    returned = model.fit_transform(data)
    kept, map_before = np.array(returned), np.array(model.embedding_)
    transform_of(model)(DIGITS[200:300])
    assert np.array_equal(model.embedding_, map_before) and np.array_equal(returned, kept) and np.array_equal(data, X)


def comes_back(make, noise):
    """Objects of the fit that are given as new ones lie near their own places, all in all."""
    given = X + noise * np.random.default_rng(0).uniform(-1, 1, X.shape)
    Y, Z = np.asarray(fitted(make).embedding_), np.asarray(transform_of(fitted(make))(given))
    assert np.median(np.linalg.norm(Y - Z, axis=1)) < 0.2 * Y.std() and Z.std() > 0.5 * Y.std()


def takes_few(make, shape, neighbors=None):
    """A fit at the defaults takes a few objects."""
    options = {} if neighbors is None else {"neighbors": neighbors}
    finite(make(updates=60, **options).fit_transform(np.random.default_rng(0).normal(size=shape)), shape[0])


def takes(make, data):
    """A fit takes data of a kind, and gives a finite map, in which what differs is apart."""
    rng = np.random.default_rng(0)
    distinct = rng.normal(size=(24, 5))
    kinds = {
        "a few equal rows": np.concatenate([X, X[:5]]),
        "24 distinct rows": distinct[rng.integers(24, size=300)],
        "four blocks": np.repeat(rng.normal(size=(4, 10)), 50, axis=0),
        "a far larger feature": X * np.where(np.arange(X.shape[1]) == 20, 1e6, 1.0),
        "columns in memory": np.asfortranarray(X),
        "fewer rows than columns": rng.normal(size=(68, 249)),
        "part of the digits": DIGITS[:40],
    }
    given = kinds[data]
    Y = finite(make(**BRIEF).fit_transform(given), len(given))
    assert np.linalg.svd(Y - Y.mean(axis=0), compute_uv=False)[1] > 1e-6 * np.abs(Y).max() > 0


def refuses_or_takes(make, data, named, metric=None, **options):
    """Such data are refused by a message that names what is wrong, or give a finite map."""
    given = {"equal": np.ones((60, 5)), "a constant row": np.concatenate([X[:40], np.zeros((1, 64))]), "digits": X}[
        data
    ]
    try:
        finite(make(**BRIEF | options | ({"metric": metric} if metric else {})).fit_transform(given), len(given))
    except (TypeError, ValueError) as error:
        assert any(word in str(error) for word in named), error


def costs_what_it_says(make, dof=None, neighbors=30, equal=False):
    """The cost is that of the final map, positive and finite."""
    given = np.random.default_rng(0).integers(0, 2, size=(160, 4)) if equal else X[:91]  # 90 neighbors: all the others
    plain = dof is None and not equal
    model = make(updates=500 if plain else 50, neighbors=neighbors, **({} if dof is None else {"dof": dof})).fit(given)
    cost = make.cost(model)
    assert np.isfinite(cost) and cost > 0
    if plain:
        P, Y = np.asarray(conditional(given, neighbors)), np.asarray(model.embedding_, float)
        P = (P + P.T) / P.sum() / 2
        Q = 1 / (1 + ((Y[:, None] - Y) ** 2).sum(axis=2))
        np.fill_diagonal(Q, 0)
        there = P > 0
        kl = (P[there] * np.log(P[there] / (Q / Q.sum())[there])).sum()
        assert abs(cost - kl) < 0.03 * kl, (cost, kl)


def takes_rounded_distances(make, dtype):
    """1 - cosine similarity has negative entries by rounding, which are taken for 0."""
    U = X.astype(dtype)
    U /= np.linalg.norm(U.astype(float), axis=1)[:, None].astype(dtype)
    D = (1 - U @ U.T).astype(dtype)
    assert D.min() < 0
    finite(make(**BRIEF, metric="precomputed", init="random").fit_transform(D), len(D))


def takes_nearly_parallel(make):
    """Cosine distances of nearly parallel vectors are taken."""
    given = 0.09 + 1e-3 * np.random.default_rng(0).uniform(size=(60, 2))
    finite(make(**BRIEF, metric="cosine", init="random").fit_transform(given), len(given))


def distances_are_as_good_as_vectors(make):
    """From one start, the distances of vectors give a map that costs what the map of the vectors costs."""
    start = 0.01 * np.random.default_rng(0).normal(size=(len(X), 2)).astype(np.float32)
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    models = make(**BRIEF, init=start, metric="precomputed").fit(D), make(**BRIEF, init=start).fit(X)
    costs = [make.cost(model) for model in models]
    assert abs(costs[0] - costs[1]) < 0.05 * costs[1], costs


def pickles(make, n, in_zeros=False, times=None):
    """A fitted model is the same from a pickle; it takes at most so many times the room of its data."""
    given = np.random.default_rng(0).normal(size=(n, 300 if times else 5))
    given = sparse.random(n, 30, 0.3, "csr", rng=np.random.default_rng(0)) if in_zeros else given
    model = make(updates=5, neighbors=10).fit(given)
    kept = pickle.dumps(model)
    back = pickle.loads(kept)
    assert np.array_equal(model.embedding_, back.embedding_)
    if hasattr(model, "transform"):
        assert np.array_equal(np.asarray(model.transform(given[:3])), np.asarray(back.transform(given[:3])))
    assert times is None or len(kept) < times * given.nbytes


def names_its_columns(make):
    """In a pipeline with tables, columns are named, as many as there are."""
    model = make(**BRIEF)
    if not hasattr(model, "get_feature_names_out"):
        raise NotThereError("no names of columns")
    if not hasattr(model, "set_output"):
        assert len(model.fit(X).get_feature_names_out([str(k) for k in range(64)])) == 2
        return
    made = make_pipeline(StandardScaler(), model).set_output(transform="pandas")
    table = made.fit_transform(pd.DataFrame(X).rename(columns=str))
    assert len(made.get_feature_names_out()) == 2 and [*table.columns] == [*made.get_feature_names_out()]


def is_the_same_on(make, cores):
    """The same seed gives the same map on any number of cores, to a millionth of its width."""
    maps = []
    for n in cores:
        with threadpool_limits(n):
            maps.append(np.asarray(make(updates=30, neighbors=10, jobs=n).fit_transform(DIGITS[:300])))
    for Y in maps:
        close(Y, maps[0], 1e-6)


def is_the_same_twice(make):
    """Two models of one seed give one map."""
    rng = np.random.default_rng(1)
    given = np.concatenate([rng.normal(c, 0.5, size=(3, 2)) for c in (40, 9, -6)]).tolist()
    one, two = (make(updates=60, neighbors=3).fit_transform(np.array(given)) for _ in range(2))
    assert np.array_equal(one, two)


_THREADS = """
    import threading, numba, numpy as np
    from tests.reported.packages import Maker

    @numba.njit(parallel=True)
    def other(A):
        total = 0.0
        for i in numba.prange(A.shape[0]):
            total += np.sqrt(A[i]).sum()
        return total

    def fit():
        make(updates=300, neighbors=10).fit(A[:300])

    make, beside = Maker({package!r}, {model!r}), {beside!r}
    A = np.random.default_rng(0).uniform(size=(2000, 400))
    expected = other(A)
    fit()
    threads = [threading.Thread(target=fit) for _ in range(3 if beside == "itself" else 1)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        if beside == "a function":
            assert abs(other(A) - expected) < 1e-6 * expected
    print("END")
"""


def lives_with_threads(make, beside):
    """Fits in several threads, or beside a parallel function of somebody else, do not end the process."""
    make()
    code = _THREADS.format(package=make.package, model=make.model, beside=beside)
    done = python(code, NUMBA_THREADING_LAYER="workqueue", NUMBA_NUM_THREADS="2")
    assert "END" in done.stdout and done.returncode == 0, done.stderr[-300:]


_ZIPPED = """
    import sys
    sys.path.insert(0, {archive!r})
    import numpy as np
    from tests.reported.packages import Maker

    X, make = np.random.default_rng(0).normal(size=(30, 3)), Maker({package!r}, {model!r})
    model = make(neighbors=5).fit(X)
    assert ".zip" in sys.modules[{name!r}].__file__
    if make.package == "notebook_sne":
        make.ours().watch(model, X, autoplay=False).close()
    print("END")
"""


def runs_from_a_zip(make):
    """A package works as an archive, in and beside which nothing can be written."""
    name = type(make()).__module__.partition(".")[0]
    home = Path(sys.modules[name].__file__).parent
    if [*home.rglob("*.so"), *home.rglob("*.pyd")]:
        raise NotThereError("compiled ahead, which no archive can hold")
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "package.zip"
        with zipfile.ZipFile(archive, "w") as packed:
            for path in home.rglob("*"):
                if path.is_file() and "__pycache__" not in path.parts:
                    packed.write(path, Path(name) / path.relative_to(home))
        code = _ZIPPED.format(archive=str(archive), name=name, package=make.package, model=make.model)
        done = python(code, HOME="/nowhere", XDG_CACHE_HOME="/nowhere", NUMBA_CACHE_DIR="")
    assert "END" in done.stdout, done.stderr[-300:]


def keeps_what_it_reached(make):
    """An interrupt leaves the map that was reached, and after it a new fit works."""
    make(**BRIEF).fit(X)  # compiled before the clock starts
    model = make(updates=1_000_000, neighbors=10)
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 1.0)  # of the processor: whatever else the machine does
    try:
        model.fit(X)
    except KeyboardInterrupt:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
    finite(getattr(model, "embedding_", np.zeros(0)), len(X))


def labels_mean_what_they_say(make, labels):
    """Each object has the color of its own class, and one without a label has none; index and categories count."""
    ns, rng = make.ours(), np.random.default_rng(0)
    table = pd.DataFrame(X[:60], index=[f"i{k}" for k in range(60)]).rename(columns=str)
    texts = pd.Series(rng.choice(["b", "c", "a"], size=60), index=table.index)
    given = {
        "some without": texts.where(rng.uniform(size=60) > 0.3, None),
        "some without, categories": texts.where(rng.uniform(size=60) > 0.3).astype("category"),
        "unused categories": texts.astype(pd.CategoricalDtype(["zz", "c", *(f"u{k}" for k in range(300)), "a", "b"])),
        "more classes than colors": pd.Series([None, *(f"t{k}" for k in range(59))], index=table.index),
        "another order": texts,
    }[labels]
    shuffled = given.sample(frac=1, random_state=1) if labels == "another order" else given
    player = ns.watch(ns.TSNE(perplexity=10, max_iter=5, progress=False), table, labels=shuffled, autoplay=False)
    codes, names = np.frombuffer(player.classes, "u2").tolist(), player.class_names
    player.close()
    found = [names[code] if code < len(names) else None for code in codes]
    assert found == [None if pd.isna(label) else label for label in given]
    if labels == "unused categories":
        assert list(names) == ["c", "a", "b"]


_PAGE = """
    import json
    import sys
    from pathlib import Path
    from tests.reported.packages import Maker
    from tests.reported.checks import X

    ns = Maker("notebook_sne", "TSNE").ours()
    names = [f"\\U0001f50d {k}" for k in range(20)]
    player = ns.watch(ns.TSNE(perplexity=5, max_iter=5, progress=False), X[:20], names=names, autoplay=False)
    player.to_html(sys.argv[1])
    player.discard()
    page = Path(sys.argv[1]).read_text("utf-8")
    assert names[3] in page or json.dumps(names[3]) in page
    print("END")
"""


def writes_its_pages_in_utf_8(make):
    """Pages and pictures with signs outside of ASCII are written where the system has no Unicode."""
    make.ours()
    with tempfile.TemporaryDirectory() as folder:
        done = python(_PAGE, Path(folder) / "page.html", flags=("-X", "utf8=0"), LC_ALL="C", PYTHONCOERCECLOCALE="0")
    assert "END" in done.stdout, done.stderr[-300:]
