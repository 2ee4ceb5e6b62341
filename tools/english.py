"""List breaches of our rules of English that can be counted: ``python -m tools.english [--all]``.

It reads the lectures, their answers, the tasks, the glossary, the guide, the README and the docstrings of public names.
A breach is a hint, not a fault: the words may be right where they stand. ``--all`` prints each of them with its place.
"""

import argparse
import ast
import json
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST = 35  # words of a sentence
RULES = {
    "a free who, whoever or what": r"(?:^|[.!:] )(?:Who|Whoever|Whatever|What)\b[^.?!]*\.",
    "people for points": r"\b(?:[Nn]obody|[Ee]verybody|[Ss]omebody|strangers?|friends?|he|his|him)\b",
    "comes along, shall, unless you say": r"\bcom(?:e|es|ing) along\b|\bshall\b|unless you say",
    "the one ... the other": r"\bthe one\b[^.]{1,80}\bthe other\b",
    "of which, of whom": r"\bof (?:which|whom)\b",
    "next to nothing": r"\bnext to (?:nothing|nobody)\b|\bhardly any(?:body|thing)?\b",
    "a sentence in brackets": r"(?<=[.!?] )\([A-Z][^)]{12,}[.!?]\)",
    "not American": r"\b(?:learnt|spelt|licence|noughts?|encyclopaedia|neighbour\w*|colour\w*|behaviour|centre|grey)\b",
    "private words": r"\b(?:lonely|downhill|tones)\b",
    "no contraction": r"\b(?:[Dd]o|[Dd]oes|[Dd]id|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Hh]as|[Hh]ave) not\b|\b[Cc]annot\b",
    "in which, at which, to which": r"\b(?:in|at|to|from|by|on) which\b",
    "as for because": r", as (?:it|they|the|an?|this|these|each|no|we|you|all)\b",
    "that of, those of": r"\b(?:that|those) of\b",
    "beside": r"\b[Bb]eside\b",
    "and not": r", and not\b",
    "by for judging by": r"\b[Bb]y (?:its|their|the) (?:eye|gaps|pairs|numbers|widths|order)\b",
    "made data, kept back, redraw, towards": r"\bmade data\b|\bkept back\b|\bredraw|\bper cent\b|\b(?:to|after)wards\b",
    "a number as in Europe": r"\d %|(?<![\d.,/#-])[3-9]\d{3}(?![\d.,-])",
}


def markdown(path):
    """Return the prose of a notebook or a Markdown file, without code, equations, links' targets and references."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    text = re.sub(r"^(`{3,}).*?^\1$|\$\$.*?\$\$", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r'<span\s+data-page="[^"]*">(.*?)</span>', r"\1", text, flags=re.DOTALL)
    text = re.sub(r"\$[^$]*\$|`[^`]*`", "x", text)
    text = re.sub(r"\[([^\]]*)\]\([^)\s]*\)", r"\1", text)
    return re.sub(r"(?m)^(#|\||\*Reading:|\[\w+\d{4}\] [A-Z]).*$", "", text)


def docstrings(path):
    """Return the docstrings of the public names of a module, without examples and headings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef))]
    told = (ast.get_docstring(node) or "" for node in found if not getattr(node, "name", "").startswith("_"))
    return "\n\n".join(re.sub(r"(?m)^(>>>|\.\.\.|-+$|=+).*$|``[^`]*``|`[^`]*`", "x", text) for text in told)


def read():
    """Return {kind of text: {place: prose}}."""
    tutorials = ROOT / "tutorials"
    kinds = {
        "lectures": sorted(tutorials.glob("[0-9]*.ipynb")),
        "answers": sorted((tutorials / "solutions").glob("*.ipynb")),
        "tasks": sorted((tutorials / "tasks").glob("*.ipynb")),
        "glossary": [tutorials / "glossary.ipynb"],
        "guide": sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", tutorials / "README.md"]),
        "docstrings": sorted((ROOT / "notebook_sne").rglob("*.py")),
    }
    return {
        kind: {
            path.relative_to(ROOT).as_posix(): (docstrings if kind == "docstrings" else markdown)(path)
            for path in paths
            if "decisions" not in path.name and "_build" not in path.parts
        }
        for kind, paths in kinds.items()
    }


def breaches(text):
    """Yield (rule, words) of a text."""
    parts = [" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=\s*(?:\* |- |\d\. ))", text)]
    for part in parts:
        for rule, pattern in RULES.items():
            for found in re.finditer(pattern, part):
                yield rule, part[max(0, found.start() - 30) : found.end() + 30]
        for sentence in re.split(r"(?<=[.?!:;]) ", part):
            if len(sentence.split()) > LONGEST:
                yield f"more than {LONGEST} words", sentence


def main():
    """Print the counts, and with --all the places."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="print each of them with its place")
    every = parser.parse_args().all
    rules = [*RULES, f"more than {LONGEST} words"]
    table = {}
    for kind, texts in read().items():
        counts = table[kind] = Counter()
        for place, text in texts.items():
            for rule, words in breaches(text):
                counts[rule] += 1
                if every:
                    print(f"{place}: {rule}: {words}")
    print(f"{'':36}" + "".join(f"{kind:>12}" for kind in table))
    for rule in rules:
        print(f"{rule:36}" + "".join(f"{counts[rule]:12}" for counts in table.values()))
    print(f"{'in all':36}" + "".join(f"{counts.total():12}" for counts in table.values()))


if __name__ == "__main__":
    sys.exit(main())
