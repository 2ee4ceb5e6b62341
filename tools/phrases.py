"""List what other languages lack: the phrases that readers see without words in a table, and words without a phrase.

    python -m tools.phrases

A phrase that a table lacks stays English, so that adding one needs no German. The gaps that this prints are
filled in `notebook_sne/frontend/languages`; a release is made with none.
"""

import ast
import json
import re
import sys
from functools import cache
from pathlib import Path

import notebook_sne as ns
from notebook_sne.course.order import parts_of
from notebook_sne.fitting.knobs import KNOBS
from notebook_sne.frontend import language
from notebook_sne.frontend.bundle import FOLDER
from notebook_sne.frontend.film_page import PAGE_NOTE
from notebook_sne.models import BASELINES, MODELS, NETWORKS
from notebook_sne.widgets.explorer_columns import EVIDENCE
from notebook_sne.widgets.explorer_senses import AGREED

ROOT = Path(__file__).parents[1]
MODULES = sorted(FOLDER.rglob("*.js"))
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/)", re.MULTILINE)


def template(text, at):
    """Return a template of JavaScript as a key, {k} in the place of what is put in, and where it ends."""
    key, count = [], 0
    while text[at] != "`":
        if text[at] == "\\":
            coded = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)").match(text, at)
            key.append(chr(int(coded[1], 16)) if coded[1] else coded[2])
            at = coded.end()
        elif text.startswith("${", at):
            key.append(f"{{{count}}}")
            count, depth, at = count + 1, 1, at + 2
            while depth:
                if text[at] == "`":
                    at = template(text, at + 1)[1]
                    continue
                if text[at] in "\"'":
                    at = text.index(text[at], at + 1)
                depth += {"{": 1, "}": -1}.get(text[at], 0)
                at += 1
        else:
            key.append(text[at])
            at += 1
    return "".join(key), at + 1


def phrases(path):
    """Every phrase`…` of a module, also those within others."""
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    return [template(text, found.end())[0] for found in re.finditer(r"\bphrase`", text)]


@cache
def said_by_python():
    """What Python has to say to readers of players, explorers and pages: of these, texts that are known beforehand."""
    said = {PAGE_NOTE, *AGREED.values(), *EVIDENCE.values(), *parts_of(ROOT / "tutorials")}
    for name, knob in KNOBS.items():
        said |= {name.replace("_", " "), knob.what, knob.unit}
    for listed in (*MODELS.values(), *BASELINES.values(), *NETWORKS.values()):
        said |= {listed.what, listed.label if re.search("[a-z]{4}", listed.label) else ""}
    for path in Path(ns.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "phrase":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    said.add(first.value)
                elif first.id in named:
                    said.add(named[first.id])
    return said - {""}


IN_MODULES = {key for path in MODULES for key in phrases(path)}
# What Python, or the front end, makes of parts, and what columns and models are called there: a list, as these are made
# in many places. A test sees that each of them is said somewhere.
MADE = set(json.loads((ROOT / "tests" / "phrases_of_python.json").read_text(encoding="utf-8")))


def gaps(name):
    """Return the phrases without words in the table of a language, and its words without a phrase, as sorted lists."""
    said, table = IN_MODULES | said_by_python() | MADE, set(language.table(name))
    return sorted(said - table), sorted(table - said)


def main():
    """Print the gaps of every language."""
    for name in language.languages()[1:]:
        lacking, unused = gaps(name)
        print(f"{name}: {len(lacking)} phrases without words, {len(unused)} words without a phrase")
        for key in lacking:
            print(f"  lacks {key!r}")
        for key in unused:
            print(f"  unused {key!r}")


if __name__ == "__main__":
    sys.exit(main())
