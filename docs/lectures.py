"""The lectures on the site: run when it is built, as pages of `notebook-sne course`, and the page that lists them."""

import re
from pathlib import Path

from notebook_sne.course.pages import write_course

ROOT = Path(__file__).resolve().parents[1]
_LISTED = re.compile(r"^ ?(\d+)\. \[([^\]]+)\]\((\d\S+?)\.ipynb\)\s*(.*?)(?=\n ?\d+\. \[|\n*\Z)", re.M | re.S)


def listed():
    """Return number, question, name and a few words of each lecture, as tutorials/README.md lists them."""
    return _LISTED.findall((ROOT / "tutorials" / "README.md").read_text(encoding="utf-8"))


def _elsewhere(repository, name):
    """Return links that open a lecture where nothing has to be installed."""
    owner = repository.removeprefix("https://github.com/")
    file = f"tutorials/{name}.ipynb"
    places = {
        "Binder": f"https://mybinder.org/v2/gh/{owner}/HEAD?urlpath=lab/tree/{file}",
        "Colab": f"https://colab.research.google.com/github/{owner}/blob/HEAD/{file}",
        "notebook": f"{repository}/blob/HEAD/{file}",
    }
    links = (f'<a href="{address}" aria-label="{place}: {name}">{place}</a>' for place, address in places.items())
    return f'<span class="elsewhere">{" · ".join(links)}</span>'


def write(folder, repository, brief=False):
    """Write the lectures, of a brief build the first one, and the page that lists them and where they open."""
    course = listed()[: 1 if brief else None]
    place, source = folder / "_extra" / "course", ROOT / "tutorials"
    for page, _ in write_course([source / f"{name}.ipynb" for _, _, name, _ in course], place, source):
        if missed := re.findall(
            r'class="why">This view is not in the page\. ([^<]*)', page.read_text(encoding="utf-8")
        ):
            raise ValueError(f"every view of a lecture must be in its page, but {page.name} lacks some: {missed}")
    (place / "index.html").unlink()  # the page below takes its place
    cards = [
        f'- <a href="{name}.html">{number}. {question}</a>\n\n  {" ".join(words.split())}\n\n'
        f"  {_elsewhere(repository, name)}\n"
        for number, question, name, words in course
    ]
    (folder / "course").mkdir()
    (folder / "course" / "index.md").write_text(
        "---\nhtml_theme.sidebar_secondary.remove: true\n---\n\n# Lectures\n\nEach on one question, from who is whose "
        "neighbor to what may be believed. They were run when this site was built: read them, and play their maps in "
        "the page, without Python. To change them, [open them in a notebook](../guide/classroom.md). What their words "
        'mean is in the <a href="glossary.html">glossary</a>.\n\n'
        "Binder opens a lecture in JupyterLab, with everything installed; it may take some minutes to start. In Colab "
        'first run `%pip install "notebook_sne[networks] @ git+https://github.com/notebook-sne/notebook_sne"`; what '
        "was tried there is [said here](../hosts.md).\n\n"
        ":::{container} cards\n" + "\n".join(cards) + ":::\n",
        encoding="utf-8",
    )
