"""The lectures on the site: run when it is built, as pages of `notebook-sne course`, and the page that lists them."""

import os
import re
from pathlib import Path

from notebook_sne.course.order import parts_of
from notebook_sne.course.pages import write_course

ROOT = Path(__file__).resolve().parents[1]
MOVED = {  # pages that there were, and where what they had is now
    "13-what-if-the-places-are-fixed-or-the-neighbors-are-facts": "20-what-if-the-places-are-fixed",
    "19-whom-do-authors-write-with": "15-can-two-maps-share-one-set-of-similarities",
}


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
    """Write the lectures, of a brief build the first one, and the page that lists them and where they open.

    Where the variable NOTEBOOK_SNE_LECTURES names a folder, runs are kept there, and only what has changed runs again.
    """
    kept = os.environ.get("NOTEBOOK_SNE_LECTURES")
    place, source = folder / "_extra" / "course", ROOT / "tutorials"
    parts = parts_of(source)
    if brief:
        first = next(iter(parts))
        parts = {first: parts[first][:1]}
    chosen = [source / one.name for listed in parts.values() for one in listed]
    for page, _ in write_course(chosen, place, source, kept=kept and Path(kept)):
        if missed := re.findall(
            r'class="why">This view is not in the page\. ([^<]*)', page.read_text(encoding="utf-8")
        ):
            raise ValueError(f"every view of a lecture must be in its page, but {page.name} lacks some: {missed}")
    (place / "index.html").unlink()  # the page below takes its place
    for before, now in () if brief else MOVED.items():
        text = f'<!DOCTYPE html><title>Moved</title><meta http-equiv="refresh" content="0; url={now}.html">'
        (place / f"{before}.html").write_text(f'{text}<a href="{now}.html">Moved</a>', encoding="utf-8")
    cards = []
    for part, listed in parts.items():
        cards.append(f"## {part}\n\n:::{{container}} cards")
        for number, question, file, words in listed:
            name = Path(file).stem
            links = f'- <a href="{name}.html">{number}. {question}</a>\n\n  {words}\n\n'
            cards.append(f"{links}  {_elsewhere(repository, name)}\n")
        cards.append(":::\n")
    (folder / "course").mkdir()
    (folder / "course" / "index.md").write_text(
        "---\nhtml_theme.sidebar_secondary.remove: true\n---\n\n# Lectures\n\nEach on one question, from who is whose "
        "neighbor to what may be believed. They were run when this site was built: read them, and play their maps in "
        "the page, without Python. To change them, [open them in a notebook](../guide/classroom.md). What their words "
        'mean is in the <a href="glossary.html">glossary</a>.\n\n'
        "Binder opens a lecture in JupyterLab, with everything installed; it may take some minutes to start. In Colab "
        'first run `%pip install "notebook_sne[networks] @ git+https://github.com/notebook-sne/notebook_sne"`; what '
        "was tried there is [said here](../hosts.md).\n\n" + "\n".join(cards),
        encoding="utf-8",
    )
