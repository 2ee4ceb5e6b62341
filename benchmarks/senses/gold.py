"""The gold list: homonyms with key words for each meaning, words of one meaning, and its two halves."""

import tomllib
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

__all__ = ["HALVES", "Gold", "gold"]

HALVES = ("choose", "look once")
_FILE = Path(__file__).with_name("gold.toml")


@dataclass(frozen=True)
class Gold:
    """Words with what is known of them; all in lower case."""

    homonyms: dict  # for each the key words of each of its meanings, frozensets by the meaning's name
    controls: tuple  # words of one meaning


@cache
def gold(half=None):
    """Return the gold list, or one of its HALVES."""
    if half is not None and half not in HALVES:
        raise ValueError(f"half must be one of {HALVES} or None, got {half!r}")
    read = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    homonyms = {
        word: {meaning: frozenset(keys.split()) for meaning, keys in read["homonyms"][word].items()}
        for word in _part(read["homonyms"], half)
    }
    controls = [word for group in read["controls"].values() for word in group.split()]
    return Gold(homonyms, tuple(_part(controls, half)))


def _part(words, half):
    """Return the words in alphabetical order, or a half of them by the order of their hashes."""
    drawn = sorted(words, key=lambda word: sha256(word.encode()).hexdigest())
    middle = (len(drawn) + 1) // 2
    return sorted({None: drawn, "choose": drawn[:middle], "look once": drawn[middle:]}[half])
