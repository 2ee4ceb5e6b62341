"""An answer in a few letters, for rooms in which a phone reaches no other machine.

A page shows the code and the lecturer types it: the question in one letter, the answer in one letter (a choice), two (a
number, to a thousandth of its range) or one for each place of a curve, and a check in one. The alphabet is that of
Crockford's base 32, which leaves out I, L, O and U; typed O means 0, and I and L mean 1.
``frontend/teaching/codes.js`` writes them.
"""

from __future__ import annotations

import re

from notebook_sne.browser.teaching.question import Answer, Question
from notebook_sne.engine.checks.numbers import show

__all__ = ["read_code", "read_codes"]

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_MEANT = str.maketrans({"O": "0", "I": "1", "L": "1"})
_FINE, _COARSE = 1023, 31  # steps of a number in two letters, and of a value of a curve in one


def _hash(text: str) -> int:
    """Return the 32-bit FNV-1a hash of a text."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def _framed(question: Question, body: str) -> str:
    first = ALPHABET[_hash(question.question) % 32]
    return first + body + ALPHABET[_hash(f"{question.question} {body}") // 32 % 32]


def read_code(question: Question, code: str) -> Answer:
    """Return the answer that a code means; ValueError if it is mistyped, or the code of another question."""
    letters = code.upper().translate(_MEANT)
    body = letters[1:-1]
    size = 1 if question.options else len(question.places) or 2
    if not set(letters) <= set(ALPHABET) or len(body) != size or letters != _framed(question, body):
        raise ValueError(f"a code must be as the page of this question shows it, got {show(code)}; read it once more")
    values = [ALPHABET.index(letter) for letter in body]
    if question.options:
        if values[0] >= len(question.options):
            raise ValueError(f"a code must name one of {len(question.options)} answers, got {show(code)}")
        return question.options[values[0]]
    low, high = question.bounds
    if question.places:
        return [low + (high - low) * one / _COARSE for one in values]
    return low + (high - low) * (32 * values[0] + values[1]) / _FINE


def read_codes(question: Question, text: str) -> tuple[list[Answer], list[str]]:
    """Return the answers that codes in a text mean, with blanks or commas between them, and those that mean none."""
    answers, wrong = [], []
    for code in re.split(r"[\s,;]+", text.strip())[:10_000]:
        if code:
            try:
                answers.append(read_code(question, code))
            except ValueError:
                wrong.append(code[:100])
    return answers, wrong
