"""E5: the 500 commonest words, [Cook2007, Fig. 9], with GloVe vectors in the place of the unpublished ones.

Does a map put words of one kind together? The kinds are closed lists, drawn up before anything was counted: of the
three nearest map neighbors of each word of a kind, the share that is of the same kind, as a mean over the nine kinds;
*chance* is that of a random map. *Recall* is the share of the five nearest neighbors among the vectors that the map
keeps. Do frequent words lie together, whatever they mean? *First hundred*: of the five nearest neighbors of the
hundred commonest words, the share that is among these hundred, 0.198 by chance; *its content words*: the same for
those 18 of them that are not there for grammar. *Second to fifth hundred*: the same for each of these, as a mean.

The vectors as they are, at length 1, whose distances are those of the cosine, and without their coordinate 30, which
is far from 0 for all of them and falls with their rank. Perplexity 10, random starts; UNI-SNE also with other
backgrounds.
"""

from typing import Any

import numpy as np
from sklearn.decomposition import PCA

import notebook_sne as ns
from benchmarks.record import keep

SEEDS, PERPLEXITY, N_NEAR = range(5), 10, 3
KINDS = {
    "weekdays": "monday tuesday wednesday thursday friday saturday sunday",
    "months": "january march april june july september october november december",
    "number words": "one two three four five six seven",
    "figures": "1 2 3 4 5 10 11 12 15 20 30",
    "nations": "america american british china chinese european france french india iraq israel israeli japan "
    "palestinian russia russian u.s.",
    "pronouns": "i me my we us our you your he him his she her it its they them their",
    "auxiliaries": "is are was were be been being has have had do does did will would can could should must might",
    "verbs": "make get take go say see think want come put know give become include",
    "signs": ", . : ; ? ... ' '' `` \" - -- \u2013 / ( ) _",
}
CONTENT = (
    "said new one two three first last year years time people percent government world president state million u.s."
)
MODELS: tuple[tuple[Any, dict], ...] = (
    (ns.SNE, {}),
    (ns.SymmetricSNE, {}),
    (ns.UNISNE, {}),
    (ns.TSNE, {}),
)
BACKGROUNDS = (0.001, 0.01, 0.05, 0.5, 0.9)


def nearest(Y, k):
    """Return the k nearest others of each object, shape (N, k)."""
    D = np.square(Y[:, None] - Y[None]).sum(axis=-1)
    np.fill_diagonal(D, np.inf)
    return np.argsort(D, axis=1)[:, :k]


def judged(Y, words, X):
    """Return the shares by which a map is judged."""
    near = nearest(Y, N_NEAR)
    found = {}
    for kind, members in KINDS.items():
        own = np.isin(words, members.split())
        found[kind] = own[near[own]].mean()
    found = {"kinds": np.mean(list(found.values())), **found, "recall": ns.quality.neighbor_recall(X, Y, k=5)}
    hundred, near = np.arange(len(words)) // 100, nearest(Y, 5)
    same = [(hundred[near[hundred == h]] == h).mean() for h in range(5)]
    content = np.isin(words, CONTENT.split())
    found.update({"first hundred": same[0], "its content words": (hundred[near[content]] == 0).mean()})
    return {**found, "second to fifth hundred": np.mean(same[1:])}


def row(data, name, found, costs=()):
    """Return medians over the seeds."""
    shares = {key: round(float(np.median([one[key] for one in found])), 3) for key in found[0]}
    kinds = [one["kinds"] for one in found]
    spread = {"kinds, range": f"{min(kinds):.3f}-{max(kinds):.3f}"} if len(found) > 1 else {}
    cost = {"cost": float(f"{np.median(costs):.4g}")} if len(costs) else {}
    done = {"vectors": data, "model": name, "seeds": len(found), **spread, **shares, **cost}
    print(done, flush=True)
    return done


def main():
    """Measure, print and keep."""
    common = ns.datasets.load_common_words()
    words = common.names
    missing = [word for kind in (*KINDS.values(), CONTENT) for word in kind.split() if word not in words]
    if missing:
        raise ValueError(f"kinds must hold words that are among the 500, got {', '.join(missing)}")
    lengths = np.linalg.norm(common.X, axis=1, keepdims=True)
    kinds_of_vectors = {
        "as they are": common.X,
        "length 1": common.X / lengths,
        "without coordinate 30": np.delete(common.X, 30, axis=1),
    }
    rows = []
    for data, X in kinds_of_vectors.items():
        rows.append(row(data, "none: the vectors", [judged(X, words, X)]))
        rows.append(row(data, "PCA", [judged(PCA(2).fit_transform(X), words, X)]))
        models = list(MODELS)
        if X is common.X:
            models += [(ns.UNISNE, {"background": background}) for background in BACKGROUNDS]
        for kind, options in models:
            found, costs = [], []
            for seed in SEEDS:
                model = kind(
                    perplexity=PERPLEXITY, init="random", random_state=seed, n_jobs=1, progress=False, **options
                ).fit(X)
                found.append(judged(model.embedding_, words, X))
                costs.append(model.cost_)
            name = kind.__name__ + "".join(f", background {value:g}" for value in options.values())
            rows.append(row(data, name, found, costs))
    rng = np.random.default_rng(0)
    shuffled = [judged(rng.standard_normal((len(words), 2)), words, common.X) for _ in range(100)]
    rows.append(row("chance", "random points", shuffled))
    keep("e5_common_words", {"seeds": list(SEEDS), "perplexity": PERPLEXITY, "kinds": KINDS, "content": CONTENT}, rows)


if __name__ == "__main__":
    main()
