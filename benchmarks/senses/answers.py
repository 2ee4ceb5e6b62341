"""``python -m benchmarks.senses.answers FILE...``: which model predicts an answer that it has not seen?

[Cook2007, section 5] leaves open whether maps model people's judgments. Of the answers to the 1500 words given most
often, a fifth is held out, five times. Models of the others, with 150 numbers a word each: 50 aspect maps, by the
default call and 150 updates; a single map, SNE in 149 dimensions; a softmax of u_i v_j + b_j in 75 dimensions. Beside
them the words' own rows of answers. *Alone*: a tenth of each is how often a word is given at all, as q may be 0. *New*:
the same for answers that no one in the rest gave. *With rows*: mixed with the rows. *Backed off*: the rows are a
component with a weight of its own for each word, by the number N of its answers and t of different ones,

    p_ij = (max(n_ij - D, 0) + (K + D t_i) q_ij) / (N_i + K)

*Fitted to the rest*: models are fitted once more, to the part of each answer that its row does not explain, as when the
row has that answer once less. Weights, D and K are chosen on half of the words, all numbers are of the other half; the
penalties 0.1 of softmax and single map were chosen on that half of USF's words, with its first seed.
"""

import sys
from pathlib import Path

import numpy as np
from scipy import sparse

import notebook_sne as ns
from benchmarks.record import RESULTS, keep
from benchmarks.senses.norms import from_file
from notebook_sne.senses.mixture import mixture_of

SEEDS, EVEN, HELD_OUT, STEPS, PENALTY, RATE = range(5), 0.1, 0.2, 60, 0.1, {"softmax": 0.1, "single map": 0.05}
DISCOUNTS, STRENGTHS = (0.0, 0.25, 0.5, 0.7, 0.85), (0.3, 1, 3, 8, 15, 30, 60)


def parts(data, seed):
    """Return the counts of answers to learn from, and of those held out, CSR, of words that keep an answer."""
    counts = sparse.csr_array(data.counts, dtype=float)
    train = counts.copy()
    train.data = np.random.default_rng(seed).binomial(counts.data.astype(int), 1 - HELD_OUT).astype(float)
    test, inside = counts - train, np.ones(len(data), dtype=bool)
    while not (left := train[inside][:, inside].sum(axis=1) > 0).all():
        inside[np.flatnonzero(inside)[~left]] = False
    found = [sparse.csr_array(part[inside][:, inside]) for part in (train, test)]
    for part in found:
        part.eliminate_zeros()
    return found


def of_maps(P, pairs, seed):
    """Return q of pairs by aspect maps."""
    more = {"n_jobs": 1, "progress": False, "random_state": seed}
    mixture = mixture_of(ns.AspectMaps(input="probabilities", max_iter=150, **more).fit(P))
    log_z = mixture.log_z()
    return [np.exp(mixture.log_q(rows, columns, log_z[rows])[0]) for rows, columns in pairs]


def of_vectors(name, P, pairs, seed):
    """Return q of pairs by a softmax or a single map, by Adam on P log (P / q) and a penalty."""
    rng, n, P = np.random.default_rng(seed), P.shape[0], P.toarray()
    single = name == "single map"
    theta = [0.1 * rng.standard_normal((n, 149))] if single else [0.1 * rng.standard_normal((n, 75)) for _ in range(2)]
    if not single:
        theta.append(np.log(P.sum(axis=0) + 0.1))
    steps, sizes = ([np.zeros_like(part) for part in theta] for _ in range(2))

    def q():
        if single:
            far = np.square(theta[0]).sum(axis=1)
            log_q = 2 * theta[0] @ theta[0].T - far[:, None] - far
        else:
            log_q = theta[0] @ theta[1].T + theta[2]
        np.fill_diagonal(log_q, -np.inf)
        made = np.exp(log_q - log_q.max(axis=1, keepdims=True))
        return made / made.sum(axis=1, keepdims=True)

    for t in range(1, STEPS + 1):
        E = q() - P
        if single:
            both = E + E.T
            gradient = [-2 * (both.sum(axis=1)[:, None] * theta[0] - both @ theta[0]) + PENALTY * theta[0]]
        else:
            gradient = [E @ theta[1] + PENALTY * theta[0], E.T @ theta[0] + PENALTY * theta[1], E.sum(axis=0)]
        for k, g in enumerate(gradient):
            steps[k], sizes[k] = 0.9 * steps[k] + 0.1 * g, 0.99 * sizes[k] + 0.01 * g**2
            step = (steps[k] / (1 - 0.9**t)) / (np.sqrt(sizes[k] / (1 - 0.99**t)) + 1e-8)
            theta[k] = theta[k] - RATE[name] * step
    made = q()
    return [made[rows, columns] for rows, columns in pairs]


def costs(data, seed):
    """Return {model: {what: nats an answer}}."""
    train, test = parts(data, seed)
    held, known = test.tocoo(), train.tocoo()
    n, N, types = np.asarray(train[held.row, held.col]).ravel(), train.sum(axis=1), np.diff(train.indptr)
    often = train.sum(axis=0) + 0.5
    often = often / often.sum()
    choose = (np.random.default_rng(seed + 1000).random(len(N)) < 0.5)[held.row]
    pairs, found = [(held.row, held.col), (known.row, known.col)], {}

    def nats(q, where):
        return float(-(held.data[where] * np.log(q[where])).sum() / held.data[where].sum())

    def tell(name, q):
        q = (1 - EVEN) * q + EVEN * often[held.col]
        rows = n / N[held.row]

        def mixed(w):
            return w * rows + (1 - w) * q

        def backed(D, K):
            return (np.maximum(n - D, 0) + (K + D * types[held.row]) * q) / (N[held.row] + K)

        w = min(np.arange(0, 1, 0.05), key=lambda w: nats(mixed(w), choose))
        D, K = min(((D, K) for D in DISCOUNTS for K in STRENGTHS), key=lambda pair: nats(backed(*pair), choose))
        told = {"alone": q, "with rows": mixed(w), "backed off": backed(D, K)}
        found[name] = {what: nats(each, ~choose) for what, each in told.items()} | {"new": nats(q, ~choose & (n == 0))}
        return D, K

    tell("how often words are given", often[held.col])
    tell("the rows", n / N[held.row])
    for name in ("50 maps", "single map", "softmax"):

        def model(P, name=name):
            return of_maps(P, pairs, seed) if name == "50 maps" else of_vectors(name, P, pairs, seed)

        q, own = model(ns.affinities.from_counts(train))
        D, K = tell(name, q)
        if name != "single map":
            rest = (K + D * types[known.row]) * ((1 - EVEN) * own + EVEN * often[known.col])
            part = known.data * rest / (np.maximum(known.data - 1 - D, 0) + rest)
            left = sparse.csr_array((part, (known.row, known.col)), shape=train.shape)
            tell(f"{name}, fitted to the rest", model(ns.affinities.from_counts(left))[0])
    return found


def main(files):
    """Fit, predict and keep the table."""
    rows, settings = [], {"words": 1500, "held out": HELD_OUT, "numbers a word": 150, "dimensions": [149, 75]}
    for file in map(Path, files):
        norms = from_file(file, "cue", "response", "count", 1500)
        each = [costs(norms.data, seed) for seed in SEEDS]
        for name in each[0]:
            row = {"norms": norms.name, "model": name}
            for what in each[0][name]:
                values = [one[name][what] for one in each]
                row |= {
                    what: round(float(np.median(values)), 3),
                    f"{what}, range": f"{min(values):.3f}-{max(values):.3f}",
                }
            rows.append(row)
            print(row, flush=True)
    keep("senses_answers", settings, rows, (), RESULTS)


if __name__ == "__main__":
    main(sys.argv[1:])
