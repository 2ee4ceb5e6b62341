"""Word relations: a thesaurus in place of human associations, so that the senses of words can be mapped anywhere.

In free association, a word is shown and people answer with the first word that comes to mind. Their answers may not be
bundled. A dictionary has something like them: *bank* is defined by *slope* and *water* in one sense, and by *deposit*
and *money* in another. Each relation has a weight, and

    counts[i, j] = sum of the weights of the relations from word i to word j
    p_{j|i}      = counts[i, j] / sum_k counts[i, k]

The synset that a relation starts from is the sense it belongs to: a model that sees only P should recover it.
"""

from __future__ import annotations

import numpy as np

from notebook_sne.datasets.dataset import BUNDLED, Dataset

__all__ = ["load_word_relations"]


def load_word_relations() -> Dataset:
    """Return 475 common nouns, many with several senses, and how WordNet relates them; needs no network.

    A stand-in for the word associations of [Cook2007, Fig. 5]. These are relations and not human associations: no
    people were asked, the counts are sums of weights that we chose, and the words were picked for their homonyms.

    Returns
    -------
    dataset : Dataset
        The words in alphabetical order:

        - ``names``; ``counts`` and ``P``, shape (N, N), scipy.sparse CSR: what word i leads to is in row i. Neither
          is symmetric. All words are connected.
        - ``relations``, a data frame with a row for each relation and the columns word, synset, gloss, related,
          relation, weight. ``synset`` is the sense of ``word``, as bank.n.02 for the second sense of the noun *bank*
          in WordNet 3.1, and ``gloss`` its definition; other programs may call a synset by another of its words. Only
          senses with a relation are there.

        ``relation`` says what ``related`` is to the word in this sense. With its weight, it is one of

        =================================== ======= =================================================================
        synonym                             4       both words name the synset
        hypernym, hyponym                   3       it is more general, or more special (up to three steps)
        part, whole                         3       it is a part, member or substance, or is made up of the word
        domain, in domain                   3       it is the topic, as *baseball* of *pitch*, or has it as topic
        gloss                               3       the definition uses it
        in gloss of                         3       its definition uses the word
        example                             2       the example sentences use it
        in example of, sibling, same domain 1       the reverse; both have a hypernym, or a topic, in common
        nearby gloss                        1       definitions of at least two synsets, one pointer away, use it
        =================================== ======= =================================================================

        A definition doesn't say in which sense it uses a word. For the relations "in gloss of" and "in example of"
        the sense was therefore guessed from the words that both have in common; all others follow from the sense
        that the word has been given. Where only one sense of a word is on our list, it is taken to be the one meant.

    Examples
    --------
    >>> data = load_word_relations()
    >>> len(data)
    475
    >>> bank = data.relations[data.relations["word"] == "bank"]
    >>> for synset, group in bank.groupby("synset"):
    ...     print(synset, sorted(set(group["related"])))
    bank.n.01 ['canoe', 'current', 'land', 'river', 'slope', 'water']
    bank.n.02 ['bill', 'check', 'credit', 'deposit', 'loan', 'money', 'note', 'organization']
    """
    import pandas as pd
    from scipy import sparse

    with (BUNDLED / "word_relations.npz").open("rb") as file, np.load(file, allow_pickle=False) as read:
        stored = {name: read[name] for name in read.files}
    words, kinds = stored["words"].astype(str), stored["kinds"].astype(str)
    sense, kind, related = stored["relation_sense"], stored["relation_kind"], stored["relation_word"]
    word = stored["sense_word"][sense]
    weight = stored["weights"][kind].astype(int)
    # A pair that is related in several ways is there several times; the conversion to CSR adds them up.
    counts = sparse.coo_array((weight.astype(float), (word, related)), shape=(len(words), len(words))).tocsr()
    synsets = [
        f"{words[i]}.n.{number:02d}" for i, number in zip(stored["sense_word"], stored["sense_number"], strict=True)
    ]
    glosses = stored["glosses"].tobytes().decode("utf-8").split("\n")
    return Dataset(
        title="Word relations (WordNet 3.1)",
        P=sparse.diags_array(1 / counts.sum(axis=1)) @ counts,
        counts=counts,
        names=words,
        relations=pd.DataFrame(
            {
                "word": words[word],
                "synset": np.array(synsets)[sense],
                "gloss": np.array(glosses, dtype=object)[sense],
                "related": words[related],
                "relation": kinds[kind],
                "weight": weight,
            }
        ),
        citation="C. Fellbaum (ed.), WordNet: An Electronic Lexical Database, MIT Press, 1998; WordNet 3.1, Princeton "
        "University, 2011",
        license="WordNet license: free use, with the notice in bundled/word_relations.NOTICE; WordNet 3.1 Copyright "
        "2011 by Princeton University. All rights reserved.",
    )
