"""Build the site: ``python docs/make.py [FOLDER]``, by default into ``docs/_build/html``.

Sphinx lays out the pages, numpydoc reads the docstrings, MyST reads Markdown, `equations` draws what ``math`` holds.
What the site shows of the repository is gathered in a folder first: the pages of ``docs``, what else is to be read in
the repository, the tables of ``benchmarks``, a page for every public name, the lectures, the maps that play. Neither
the build nor the pages need a network. A warning is an error.

With ``--brief`` the maps stop after a few steps and the first lecture stands for all, which saves many minutes where
only the pages are of interest.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
ROOT = HERE.parent
REPOSITORY = "https://github.com/notebook-sne/notebook_sne"

BESIDE = {  # files of the repository that are pages, and where they stand
    "CHANGELOG.md": "about/changelog.md",
    "CODE_OF_CONDUCT.md": "about/conduct.md",
    "CONTRIBUTING.md": "about/contributing.md",
    "docs/decisions.md": "about/decisions.md",
    "benchmarks/DESCENT.md": "about/descent.md",
    "benchmarks/PAPERS.md": "about/papers.md",
    "benchmarks/README.md": "about/benchmarks.md",
    "benchmarks/SENSES.md": "about/senses.md",
}
MADE = ("api", "course", "gallery")  # folders of pages that are made with the site
OWN = ("_build", "__pycache__", "*.py", "decisions.md")  # what is in this folder, and no page of it


def pages():
    """Return the Markdown pages of the site: the file of each, and where it stands."""
    found = {ROOT / source: page for source, page in BESIDE.items()}
    for path in sorted(HERE.rglob("*.md")):
        if path not in found and "_build" not in path.parts:
            found[path] = path.relative_to(HERE).as_posix()
    return found


def linked(text, home, page):
    """Return the text of a page, and the pictures in it, with links that hold on the site.

    They lead to other pages, or into the repository where the site has none.
    """
    told, pictures = pages(), []

    def link(found):
        where, _, anchor = found[2].partition("#")
        if "://" in where or where.startswith("mailto:") or not where:
            return found[0]
        path = (home / where).resolve()
        if path.is_relative_to(HERE) and path.relative_to(HERE).parts[0] in MADE:
            return found[0]  # which Sphinx looks after
        if found[1].startswith("!"):
            pictures.append(path)
            return f"{found[1]}({path.name})"
        if path in told:
            return f"{found[1]}({'../' * page.count('/')}{told[path]}{anchor and '#'}{anchor})"
        if not path.exists() or not path.is_relative_to(ROOT):
            raise ValueError(f"a link must lead somewhere, but {page} has one to {found[2]}, which is not there")
        kind = "tree" if path.is_dir() else "blob"
        return f"{found[1]}({REPOSITORY}/{kind}/HEAD/{path.relative_to(ROOT).as_posix()}{anchor and '#'}{anchor})"

    # Within code nothing is a link.
    parts = re.split(r"(^(?P<fence>`{3,}).*?^(?P=fence)$|`[^`\n]+`)", text, flags=re.M | re.S)
    parts = [part for part in parts if part and not re.fullmatch("`{3,}", part)]
    parts = [part if part.startswith("`") else re.sub(r"(!?\[[^\]]*\])\(([^)\s]+)\)", link, part) for part in parts]
    return "".join(parts), pictures


def gather(folder, brief):
    """Bring together what Sphinx is to read."""
    import gallery
    import lectures
    import names
    import tables

    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns(*OWN))
    for path, page in pages().items():
        text = tables.filled(path) if path.is_relative_to(ROOT / "benchmarks") else path.read_text(encoding="utf-8")
        text, pictures = linked(text, path.parent, page)
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(text, encoding="utf-8")
        for picture in pictures:
            shutil.copy(picture, (folder / page).parent)
    (folder / "api").mkdir()
    names.write(folder / "api")
    gallery.write(folder, brief)
    lectures.write(folder, REPOSITORY, brief)


def build(folder, brief=False):
    """Write the site into a folder and return it; a warning is an error, after all of them have been said."""
    from sphinx.cmd.build import build_main

    folder = Path(folder)
    with TemporaryDirectory() as work:
        source = Path(work, "source")
        gather(source, brief)
        told = ["-b", "html", "-c", HERE, "-d", Path(work, "read"), "-W", "--keep-going", "-q", "-j", "auto"]
        told += ["-D", f"html_extra_path={source / '_extra'}", source, folder]
        if status := build_main([str(word) for word in told]):
            raise SystemExit(status)
    for path in [*folder.rglob("*.map"), *folder.rglob("webpack-macros.html"), folder / ".buildinfo"]:
        path.unlink(missing_ok=True)  # for those who make themes
    return folder


def main():
    """Build the site as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", default=HERE / "_build" / "html")
    parser.add_argument("--brief", action="store_true", help="stop the maps after a few steps, and run one lecture")
    told = parser.parse_args()
    print(build(told.folder, told.brief) / "index.html")


sys.path[:0] = str(HERE), str(ROOT)  # for the modules beside this one, here and where Sphinx reads conf.py

if __name__ == "__main__":
    main()
