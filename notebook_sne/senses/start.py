"""A start of several maps in which a word's copies stand for its senses.

A word with the senses of money and of the river is two *nodes*, its two groups of associates. Two nodes are tied by the
answers with which each word is in the other's group,

.. math:: s_{(i, g), (j, h)} = s_ij [j in g and i in h]

Communities of this graph (`notebook_sne.engine.mathematics.communities`) are one for each map, and a word begins there
with the share of its ties that its groups there have. Communities of words themselves, ``init="communities"``, lead to
lower objectives; this start keeps both senses of a word in sight.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.engine.checks.numbers import generator_of
from notebook_sne.engine.mathematics.aspects import attractive_pairs
from notebook_sne.engine.mathematics.communities import communities, proportions
from notebook_sne.senses.consensus import Consensus, groups

__all__ = ["start"]


def start(
    words: Dataset | Consensus, n_maps: int = 50, *, random_state: int | np.random.Generator | None = 0
) -> Floats:
    """Return mixing proportions to begin aspect maps with, so that each word's copies stand for its senses.

    Parameters
    ----------
    words : Dataset or Consensus
        Words with their associations; or what `groups` returned for them.
    n_maps : int, default=50
        As many maps as the model has.
    random_state : int, numpy.random.Generator or None, default 0
        Seed of the order in which communities are looked for.

    Returns
    -------
    mixing : ndarray, shape (n_maps, N)
        Of each word, 0.7 is divided among the maps of its senses by their shares, and 0.3 is spread over all maps.

    Raises
    ------
    ValueError, TypeError
        If the words have no associations or no names, or there are more maps than senses of all words.

    Notes
    -----
    The groups are those of the norms. That fits which began with them show them again says that updates keep them, and
    is no independent evidence for a sense; that they predict held-out answers is.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> mixing = ns.senses.start(words, n_maps=5)
    >>> mixing.shape
    (5, 475)
    >>> model = ns.AspectMaps(n_maps=5, init=mixing, input="probabilities", random_state=0, max_iter=50).fit(words.P)
    """
    n_maps, rng = check_count("n_maps", n_maps, 1), generator_of(random_state)
    found = words if isinstance(words, Consensus) else groups(words)
    owner, share, members = _nodes(found)
    if n_maps > len(owner):
        raise ValueError(f"n_maps must be at most the number of senses of all words, {len(owner)}, got {n_maps}")
    labels = communities(attractive_pairs(_tied(found, owner, members)), n_maps, rng)
    return proportions(labels, n_maps, owner, share)


def _nodes(found):
    """Return of each node its word, the share of the word's ties in senses that it has, and its mapped associates."""
    owner, share, members = [], [], []
    for i in range(len(found.names)):
        senses = found.senses(i)
        parts = [senses.associates[group] for group in senses.groups]
        sums = np.array([senses.shares[group].sum() for group in senses.groups])
        parts = [part[part < len(found.names)] for part in parts]
        sums = np.where([len(part) > 0 for part in parts], sums, 0.0)
        if not sums.any():  # none of its associates is mapped
            parts, sums = [np.empty(0, dtype=int)], np.ones(1)
        for part, own in zip(parts, sums / sums.sum(), strict=True):
            if own > 0:
                owner.append(i)
                share.append(own)
                members.append(part)
    return np.array(owner), np.array(share), members


def _tied(found, owner, members):
    """Return half of the ties of nodes as a matrix whose sum with its transpose they are, CSR."""
    N, n = len(found.names), len(owner)
    rows = np.repeat(np.arange(n), [len(part) for part in members])
    words = np.concatenate(members) if n else rows
    # Of each node and each of its associates, whose number is unique: the nodes of a word differ in their associates.
    node_of = sparse.csr_array((rows + 1, (owner[rows], words)), shape=(N, N))
    back = np.asarray(node_of[words, owner[rows]]).ravel().astype(int) - 1
    both = back >= 0
    ties = found.company.ties
    strengths = np.asarray(ties[owner[rows[both]], words[both]]).ravel()
    return sparse.csr_array((0.5 * strengths, (rows[both], back[both])), shape=(n, n))
