"""Models of this package under the names and parameters of others, for the tests that those wrote for themselves.

`install` puts them in the place of a package's own classes. A parameter that has no counterpart is refused, unless it
concerns speed or printing alone. What a test misses then is a difference, and differences.toml gives its reason.
"""

import importlib

import numpy as np

import notebook_sne as ns

__all__ = ["PEERS", "install"]


def scikit_learn():
    """scikit-learn's t-SNE."""
    import sklearn.manifold

    class TSNE(ns.TSNE):
        def __init__(
            self, n_components=2, *, perplexity=30.0, early_exaggeration=12.0, learning_rate="auto", max_iter=1000,
            n_iter_without_progress=300, min_grad_norm=1e-7, metric="euclidean", metric_params=None, init="pca",
            verbose=0, random_state=None, method="barnes_hut", angle=0.5, n_jobs=None,
        ):  # fmt: skip
            super().__init__(
                n_components=n_components, perplexity=perplexity, exaggeration=early_exaggeration, metric=metric,
                learning_rate=learning_rate, max_iter=max_iter, random_state=random_state, n_jobs=n_jobs,
                init="auto" if metric == "precomputed" and isinstance(init, str) and init == "pca" else init,
                sums="exact" if method == "exact" else "auto", progress=False,
            )  # fmt: skip
            if metric_params:
                raise TypeError("metric_params has no counterpart")

        kl_divergence_ = property(lambda self: self.cost_)

    sklearn.manifold.TSNE = TSNE


def umap_learn():
    """umap-learn's UMAP and AlignedUMAP."""
    import umap

    left = {"force_approximation_algorithm", "low_memory", "transform_seed", "unique", "verbose"}

    class UMAP(ns.UMAP):
        def __init__(self, **given):
            self._given = given
            own = {{"n_epochs": "max_iter"}.get(n, n): v for n, v in given.items() if n not in left}
            if own.pop("densmap", False):
                strength = own.pop("dens_lambda", None)
                own["density"] = 2.0 if strength is None else strength
            super().__init__(progress=False, **own)

        def get_params(self, deep=True):
            return dict(self._given)

        _n_neighbors = property(lambda self: self.n_neighbors)

    umap.UMAP = umap.umap_.UMAP = UMAP


class Embedding(np.ndarray):
    """A map that goes on, as openTSNE's do."""

    def __new__(cls, Y, X, parameters, model=None):
        here = np.array(Y, float).view(cls)
        here.affinities, here.parameters, here.model = X, parameters, model
        return here

    def __array_finalize__(self, other):
        for name in ("affinities", "parameters", "model"):
            setattr(self, name, getattr(other, name, None))

    def optimize(self, n_iter, inplace=False, exaggeration=None, learning_rate="auto", **left):
        model = ns.TSNE(**self.parameters | {
            "n_components": self.shape[1], "max_iter": n_iter, "init": np.asarray(self), "learning_rate": learning_rate,
            "exaggeration": ns.Steps(exaggeration or 1, exaggeration or 1, at=1),
        }).fit(self.affinities)  # fmt: skip
        if inplace:
            self[:], self.model = model.embedding_, model
            return self
        return Embedding(model.embedding_, self.affinities, self.parameters, model)

    kl_divergence = property(lambda self: self.model.cost_)

    def transform(self, X, **left):
        return self.model.transform(X)


class OpenTSNE:
    """openTSNE's TSNE, whose fit returns a map."""

    def __init__(
        self, n_components=2, perplexity=30, learning_rate="auto", early_exaggeration_iter=250, early_exaggeration=12,
        n_iter=500, exaggeration=None, dof=1, initialization=None, metric="euclidean", random_state=None,
        negative_gradient_method="fft", n_jobs=1, neighbors="auto", verbose=False, theta=0.5, knn_kwargs=None,
        initial_momentum=None, final_momentum=None, callbacks=None, callbacks_every_iters=50, n_interpolation_points=3,
    ):  # fmt: skip
        late = exaggeration or 1
        steps = ns.Steps(early_exaggeration or 1, late, at=early_exaggeration_iter)
        self.parameters = {
            "n_components": n_components, "learning_rate": learning_rate,
            "perplexity": "auto" if perplexity == 30 else perplexity,  # which openTSNE lowers for few objects
            "exaggeration": steps if early_exaggeration_iter else late, "max_iter": n_iter + early_exaggeration_iter,
            "degrees_of_freedom": None if dof == 1 else dof, "metric": metric, "random_state": random_state,
            "init": "auto" if initialization is None else initialization, "progress": False,
            "sums": "exact" if negative_gradient_method == "exact" else "auto",
        }  # fmt: skip

    def _given(self, X, affinities, initialization):
        more = {} if initialization is None else {"init": initialization}
        if affinities is None:
            return X, self.parameters | more
        return affinities, self.parameters | more | {"input": "joint"}

    def fit(self, X=None, affinities=None, initialization=None):
        X, parameters = self._given(X, affinities, initialization)
        if not parameters["max_iter"]:
            return self._start(X, parameters)
        model = ns.TSNE(**parameters).fit(X)
        return Embedding(model.embedding_, X, parameters, model)

    def prepare_initial(self, X=None, affinities=None, initialization=None):
        return self._start(*self._given(X, affinities, initialization))

    def _start(self, X, parameters):
        model = ns.TSNE(**parameters | {"max_iter": 1})
        return Embedding(next(iter(model.iterate(X))).embedding, X, parameters)


def opentsne():
    """openTSNE's TSNE, its maps, and its estimator."""
    import openTSNE.sklearn

    class Estimator(ns.TSNE):
        def __init__(self, early_exaggeration_iter=250, n_iter=500, neighbors=None, negative_gradient_method=None):
            super().__init__(
                max_iter=n_iter + early_exaggeration_iter, exaggeration=ns.Steps(12, 1, at=early_exaggeration_iter),
                progress=False,
            )  # fmt: skip

    class Given(Embedding):
        def __new__(cls, init, affinities, **left):
            return super().__new__(cls, init, affinities, {"input": "joint", "progress": False})

    openTSNE.TSNE, openTSNE.sklearn.TSNE, openTSNE.TSNEEmbedding = OpenTSNE, Estimator, Given


PEERS = {"scikit-learn": scikit_learn, "umap-learn": umap_learn, "openTSNE": opentsne}


def install(peer):
    """Put our models in the place of those of a package."""
    PEERS[peer]()
    importlib.invalidate_caches()
