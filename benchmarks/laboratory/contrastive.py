"""Contrastive losses as sums beside sampled ones: their values, their maps, and those of contrastive-ne.

10,000 images of MNIST's test part in 50 principal components, perplexity 30, PCA starts, 300 updates each, one thread:
of the maps of t-SNE and of InfoNCE with 5 and 50 random pairs the share of ten neighbors that is kept and the
hold-one-out 1-NN error. `InfoNCTSNE` has the mean of InfoNCE over all draws. At three moments of t-SNE's run it stands
beside 200,000 draws (20,000 with 500 pairs) of a pair of P and m pairs of all; beside draws of m pairs that all begin
at the first object, as contrastive-ne draws them; and beside the mean field, which has the mean of the m similarities
instead. The loss of Neg-t-SNE at u = 1 is linear in its draws, so that only the sum by a mesh could be wrong. At last
1,797 digits under the equal weights of 15 neighbors by contrastive-ne, InfoNCE with five pairs, two seeds, 40
epochs, and by `InfoNCTSNE` from the same start. It is in no extra of this package: ``pip install contrastive-ne``.
"""

import itertools
import time

import numpy as np
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.neighbors import kneighbors_graph

import notebook_sne as ns
from benchmarks.record import keep
from notebook_sne.engine.mathematics import infonce, tsne
from notebook_sne.engine.sums.pair_sums import student_sums

NEGATIVES = (5, 50, 500)
MOMENTS = (25, 125, 300)
SEEDS = range(2)
SHARED = {"perplexity": 30, "max_iter": 300, "random_state": 0, "n_jobs": 1, "progress": False}


def similarity(a, b):
    """Return 1 / (1 + squared distance)."""
    return 1.0 / (1.0 + np.square(a - b).sum(axis=-1))


def sampled(P, Y, m, loss, around=False):
    """Return the mean of a loss over draws, and its standard error.

    The loss is a function of w of a pair of P, shape (n,), and of m pairs of all, shape (n, m); those begin at the
    first object of the pair if `around`.
    """
    rng, N, values = np.random.default_rng(0), len(Y), []
    P = P.tocoo()
    draws = min(200_000, 10_000_000 // m)
    for _ in range(max(1, draws * m // 1_000_000)):
        n = min(draws, 1_000_000 // m)
        k = rng.choice(P.nnz, n, p=P.data / P.data.sum())
        i = np.repeat(P.row[k, None], m, axis=1) if around else rng.integers(N, size=(n, m))
        j = rng.integers(N - 1, size=(n, m))
        j += j >= i
        values.append(loss(similarity(Y[P.row[k]], Y[P.col[k]]), similarity(Y[i], Y[j])))
    values = np.concatenate(values)
    return float(values.mean()), float(values.std() / np.sqrt(len(values)))


def pick(near, drawn):
    """Return InfoNCE of draws."""
    return -np.log(near / (near + drawn.sum(axis=1)))


def tell(near, drawn):
    """Return the loss of negative sampling at u = 1."""
    return -np.log(near / (near + 1.0)) + np.log1p(drawn).sum(axis=1)


def mean_field(P, Y, m):
    """Return InfoNCE with the mean of the drawn similarities in their place."""
    v, P = m * student_sums(Y)[0].mean() / (len(Y) - 1.0), P.tocoo()
    return float(P.data @ np.log1p(v / similarity(Y[P.row], Y[P.col])))


def maps(name, X, labels):
    """Yield a row for each map of a data set."""
    models = {"t-SNE": ns.TSNE(**SHARED)}
    models |= {f"InfoNC-t-SNE, m = {m}": ns.InfoNCTSNE(n_negatives=m, **SHARED) for m in NEGATIVES[:2]}
    for model_name, model in models.items():
        began = time.process_time()
        Y = model.fit_transform(X)
        row = {"data": name, "map": model_name, "of ten neighbors kept": ns.quality.neighbor_recall(X, Y)}
        row |= {"1-NN error": ns.quality.knn_error(Y, labels), "processor seconds": time.process_time() - began}
        yield {key: round(float(value), 4) if not isinstance(value, str) else value for key, value in row.items()}


def losses(X):
    """Yield a row for each moment of t-SNE's run and number of pairs."""
    model = ns.TSNE(**SHARED)
    for state in itertools.islice(model.iterate(X), max(MOMENTS) + 1):
        if state.iteration not in MOMENTS:
            continue
        Y = np.array(state.embedding)
        P = ns.NegTSNE(**{**SHARED, "max_iter": 1}).fit(X).affinities_
        pairs = tsne.attractive_pairs(P)
        for m in NEGATIVES:
            mean, error = sampled(P, Y, m, pick)
            row = {"loss": "InfoNCE", "update of t-SNE": state.iteration, "m": m}
            row |= {"as a sum": infonce.cost_and_gradient(pairs, Y, m).cost, "sampled": mean, "standard error": error}
            row |= {"sampled around an object": sampled(P, Y, m, pick, around=True)[0]}
            yield {**row, "mean field": mean_field(P, Y, m)}
        mean, error = sampled(P, Y, 5, tell)
        row = {"loss": "Neg-t-SNE, u = 1", "update of t-SNE": state.iteration, "m": 5}
        row |= {"as a sum": tsne.negative_sampling(pairs, Y, 0.2, 5).cost, "sampled": mean, "standard error": error}
        yield row


def theirs():
    """Yield a row for the maps of contrastive-ne, and one for that of `InfoNCTSNE` under the same P."""
    from cne import CNE

    digits = ns.datasets.load_digits()
    graph = kneighbors_graph(digits.X, 15)
    P = sparse.csr_array(((graph + graph.T) > 0).astype(float))
    start = PCA(2, random_state=0).fit_transform(digits.X)
    start = (start / start.std()).astype(np.float32)
    found, seconds = [], []
    for seed in SEEDS:
        began = time.process_time()
        model = CNE(loss_mode="infonce", negative_samples=5, n_epochs=40, seed=seed)
        found.append(np.asarray(model.fit_transform(digits.X, init=start, graph=P), float))
        seconds.append(time.process_time() - began)
    P = P / P.sum()
    pairs = tsne.attractive_pairs(sparse.csr_array(P))
    began = time.process_time()
    quiet = {key: value for key, value in SHARED.items() if key != "perplexity"}
    ours = ns.InfoNCTSNE(input="joint", init=1e-4 * start, **quiet).fit_transform(P)
    ours_seconds = time.process_time() - began
    among = [ns.quality.neighbor_recall(a, b) for a, b in itertools.permutations(found, 2)]
    both = [ns.quality.neighbor_recall(Y, ours) for Y in found]
    for name, some, shared, took in (
        ("contrastive-ne, m = 5", found, among, seconds), ("InfoNC-t-SNE, m = 5", [ours], both, [ours_seconds])
    ):  # fmt: skip
        row = {"data": "digits", "map": name, "of ten neighbors shared with contrastive-ne": np.median(shared)}
        row |= {"of ten neighbors kept": np.median([ns.quality.neighbor_recall(digits.X, Y) for Y in some])}
        row |= {"1-NN error": np.median([ns.quality.knn_error(Y, digits.labels) for Y in some])}
        row |= {"loss as a sum": np.median([infonce.cost_and_gradient(pairs, Y, 5.0).cost for Y in some])}
        yield {**row, "processor seconds": np.median(took)}


def main():
    """Measure, print and keep."""
    rows = []
    mnist = ns.datasets.fetch_mnist("test")
    X = PCA(50, random_state=0).fit_transform(mnist.X.astype(float))
    for row in itertools.chain(losses(X), maps("MNIST, test", X, mnist.labels), theirs()):
        rows.append({key: round(float(v), 5) if isinstance(v, float) else v for key, v in row.items()})
        print(rows[-1], flush=True)
    keep("contrastive", {"perplexity": 30, "updates": 300, "threads": 1}, rows, ("contrastive-ne",))


if __name__ == "__main__":
    main()
