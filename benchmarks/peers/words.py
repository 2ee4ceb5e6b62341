"""Aspect maps of words: one gradient by each way to sum, how the ways grow with the words, and whole fits.

At the start every word has a share of every map; in fitted maps most shares are negligible and are left out of the sums
over all pairs, of the exact ones as well. Both places are measured.
"""

import time
from functools import partial

import numpy as np

from benchmarks.peers import ours
from benchmarks.peers.rounds import in_turns, rounded, spread, times_as_long
from notebook_sne import affinities, datasets
from notebook_sne.models.aspects import AspectMaps

__all__ = ["exponent", "parts", "words"]

_SUMS = ("auto", "mesh", "exact")


def words(data, n_words):
    """Return the name of a data set and its conditional P, CSR, shape (n_words, n_words).

    `data` is "usf", for the USF word associations, or "clusters", for the neighbors of objects in clusters, which need
    no network. The name is "USF" or "10 clusters".
    """
    if data == "usf":
        return "USF", datasets.fetch_usf_associations(n_words).P
    share, rest = divmod(n_words, 10)
    clusters = datasets.load_clusters(tuple(share + (k < rest) for k in range(10)), widths=1.0, n_features=30)
    # About as many neighbors as a word has associations.
    return "10 clusters", affinities.conditional(clusters.X, 10, neighbors=14)


def parts(data, sizes, fitted_sizes, n_maps, updates, n_rounds, threads, say):
    """Measure gradients at all sizes, and whole fits by each way to sum at some.

    Yield "peers_words" and "peers_word_fits", where there are any, each with its rows: of gradients, one a size, place
    and way to sum, and then the exponents of growth; of fits, one a size and way. `data` is as for `words`, sizes are
    numbers of words, each gradient has `n_rounds` turns, and `say` is called with a line of text on what is done.
    """
    gradients, fits = [], []
    for n_words in sorted(set(sizes) | set(fitted_sizes)):
        name, P = words(data, n_words)
        make = partial(
            AspectMaps, n_maps=n_maps, input="probabilities", init="random", max_iter=updates, random_state=0
        )
        make = partial(make, n_jobs=threads, progress=False)
        say(f"{n_words} words, {n_maps} maps: a fit, sums='auto'")
        fitted = {"auto": _fit(make(), P)}
        cells = {"words": n_words, "maps": n_maps}
        if n_words in sizes:
            say(f"{n_words} words: gradients")
            for place, state in (("start", next(make().iterate(P))), ("fitted", fitted["auto"][0].state_)):
                gradients += _gradients(make, P, state, {**cells, "place": place}, n_rounds, threads, name)
        if n_words in fitted_sizes:
            for sums in _SUMS[1:]:
                say(f"{n_words} words, {n_maps} maps: a fit, sums={sums!r}")
                fitted[sums] = _fit(make(sums=sums), P)
            for sums, (model, seconds) in fitted.items():
                fits.append(
                    {
                        **cells,
                        "sums": sums,
                        "updates": model.n_iter_,
                        "s": rounded(seconds),
                        "times auto": rounded(seconds / fitted["auto"][1]),
                        "cost": rounded(model.cost_, 6),
                        "objective": rounded(model.objective_, 6),
                        "cost / exact": rounded(model.cost_ / fitted["exact"][0].cost_, 5),
                        "data": name,
                    }
                )
    if gradients:
        yield "peers_words", gradients + _exponents(gradients)
    if fits:
        yield "peers_word_fits", fits


def _fit(model, P):
    began = time.perf_counter()
    model.fit(P)
    return model, time.perf_counter() - began


def _gradients(make, P, state, cells, n_rounds, threads, name):
    calls = {sums: ours.gradient(make(sums=sums), P, threads, state) for sums in _SUMS}
    times = in_turns(calls, n_rounds)
    right = calls["exact"]().gradient
    return [
        {
            **cells,
            "sums": sums,
            **spread(times[sums]),
            "times auto": times_as_long(times[sums], times["auto"]),
            "error / gradient": rounded(np.linalg.norm(call().gradient - right) / np.linalg.norm(right), 2),
            "data": name,
        }
        for sums, call in calls.items()
    ]


def exponent(sizes, times):
    """Return a of the power law time = c size**a that fits best on logarithmic axes; 1 is linear, 2 quadratic."""
    return rounded(np.polyfit(np.log(sizes), np.log(times), 1)[0], 3)


def _exponents(gradients):
    made = []
    for place, sums in dict.fromkeys((row["place"], row["sums"]) for row in gradients):
        here = [row for row in gradients if (row["place"], row["sums"]) == (place, sums)]
        sizes = [row["words"] for row in here]
        if len(sizes) > 1:
            made.append(
                {
                    "words": f"{sizes[0]} to {sizes[-1]}",
                    "maps": here[0]["maps"],
                    "place": place,
                    "sums": sums,
                    "growth exponent": exponent(sizes, [row["ms, median"] for row in here]),
                    "data": here[0]["data"],
                }
            )
    return made
