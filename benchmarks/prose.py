"""How hard the lectures are to read, by two measures, now and before their rework: ``python -m benchmarks.prose``.

* Flesch reading ease, 206.835 - 1.015 words a sentence - 84.6 syllables a word: 60 to 70 is plain English, more is
  easier. R. Flesch, *A new readability yardstick*, Journal of Applied Psychology 32, 1948.
* LIX, words a sentence + 100 long words a word, a long one having more than six letters: below 30 is very easy. C. H.
  Björnsson, *Läsbarhet*, 1968.

Prose is the Markdown of a notebook without headings, tables, equations and lists of references; code and symbols in it
count as the word x. A colon ends a sentence, as it does for LIX, and syllables are counted by groups of vowels. The
package textstat has both measures; it brings nltk, and the prose of a notebook would have to be found here anyway.
"""

import json
import re
import subprocess
from pathlib import Path

from benchmarks.record import keep

TUTORIALS = Path(__file__).parents[1] / "tutorials"
BEFORE = "3fc48b3aef5bad03c52205fb3e9d61ac484d7aa4"
"""The last commit before words and titles of the first eleven lectures were changed."""
COLUMNS = ("words", "words a sentence", "Flesch", "LIX")


def prose(notebook):
    """Return the sentences of a notebook as one text, paragraphs apart."""
    cells = ("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown")
    text = re.sub(r'<span\s+data-page="[^"]*">(.*?)</span>', r"\1", "\n\n".join(cells), flags=re.DOTALL)
    text = re.sub(r"```.*?```|\$\$.*?\$\$|!\[.*?\]\(.*?\)", "", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$]*\$|`[^`]*`", "x", text)
    text = re.sub(r"\[([^\]]*)\]\([^)\s]*\)", r"\1", text)
    text = re.sub(r"(?m)^(#|\|).*$", "", text)
    # Without references, and without the lines of the head in italics: minutes, and words that people search for.
    aside = r"\[\w+\d{4}\] [A-Z].*|\*[^*]+\*"
    parts = (
        part
        for part in re.split(r"\n\s*\n|\n(?=\* |\d\. )", text)
        if not re.fullmatch(aside, part.strip(), flags=re.DOTALL)
    )
    return "\n\n".join(re.sub(r"\[[^\]]*\d{4}[^\]]*\]|^\d\. |\*", "", part.strip()) for part in parts)


def syllables(word):
    """Return how many groups of vowels a word has, a silent e at its end left out."""
    groups = len(re.findall(r"[aeiouy]+", word.lower()))
    silent = groups > 1 and re.search(r"[^l]e$", word.lower()) is not None
    return max(groups - silent, 1)


def measures(text):
    """Return the number of words, how many a sentence has, Flesch reading ease and LIX."""
    sentences = [part for part in re.split(r"(?<=[.?!:])[)\"]*\s+|\n\n+", text) if len(part.split()) > 1]
    words = re.findall(r"[A-Za-z']+", text)
    length, long = len(words) / len(sentences), sum(len(word) > 6 for word in words) / len(words)
    ease = 206.835 - 1.015 * length - 84.6 * sum(map(syllables, words)) / len(words)
    return len(words), round(length, 1), round(ease, 1), round(length + 100 * long, 1)


def now():
    """Return {number: (name, notebook)} of the lectures."""
    paths = sorted(TUTORIALS.glob("[0-9]*.ipynb"))
    return {int(path.name[:2]): (path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in paths}


def at(commit):
    """Return {number: notebook} of the lectures of a commit."""

    def git(*command):
        return subprocess.run(["git", *command], cwd=TUTORIALS.parent, capture_output=True, check=True).stdout.decode()

    names = re.findall(r"^tutorials/\d\d-.+\.ipynb$", git("ls-tree", "--name-only", commit, "tutorials/"), re.MULTILINE)
    return {int(name[10:12]): json.loads(git("show", f"{commit}:{name}")) for name in names}


def main():
    """Measure, and keep."""
    lectures, before = now(), at(BEFORE)
    rows = []
    for number, (name, notebook) in lectures.items():
        minutes = re.search(r"\*Reading: (\d+) minutes", "".join(notebook["cells"][0]["source"]))
        row = {"lecture": name, "minutes": int(minutes.group(1))}
        row |= dict(zip(COLUMNS, measures(prose(notebook)), strict=True))
        earlier = measures(prose(before[number])) if number in before else (None,) * 4
        rows.append(row | {f"{column}, before": value for column, value in zip(COLUMNS, earlier, strict=True)})
    for name, chosen in (("those of before", before), ("all", lectures)):
        text = "\n\n".join(prose(lectures[number][1]) for number in chosen)
        row = {"lecture": name, "minutes": sum(rows[number - 1]["minutes"] for number in chosen)}
        rows.append(row | dict(zip(COLUMNS, measures(text), strict=True)))
        if chosen is before:
            earlier = measures("\n\n".join(map(prose, before.values())))
            rows[-1] |= {f"{column}, before": value for column, value in zip(COLUMNS, earlier, strict=True)}
    keep("prose", {"before": BEFORE}, rows)


if __name__ == "__main__":
    main()
