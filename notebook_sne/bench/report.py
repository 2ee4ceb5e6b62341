"""What a run leaves behind besides JSON: its parts as tables in Markdown, and the growth of the cost as a figure."""

import json

import numpy as np

from notebook_sne.bench import record

__all__ = ["PARTS", "figure", "page", "read", "text"]

PARTS = {
    "peers_iterations": "t-SNE: one gradient at a late layout, beside peers",
    "peers_gaussian": "The models with a Gaussian: one gradient at a late layout",
    "peers_repulsion": "Sums over all pairs by mesh: a Gaussian beside Student's t",
    "peers_words": "Aspect maps of words: one gradient by each way to sum",
    "peers_word_fits": "Aspect maps of words: whole fits by each way to sum",
    "peers_fits": "Whole fits",
}
"""The parts of a run and their titles; a part is kept in the file of its name."""

_WIDTH, _HEIGHT = 640, 400


def read(folder):
    """Return the results that a folder holds, by the names in `PARTS`, in their order."""
    files = {name: folder / f"{name}.json" for name in PARTS}
    return {name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items() if file.exists()}


def text(results):
    """Return results as Markdown.

    Parameters
    ----------
    results : dict of str to dict
        By the names in `PARTS`, as `record.result` makes them.

    Returns
    -------
    text : str
        A table for each part, and under it the machine and the versions.
    """
    return "\n".join(
        f"## {PARTS[name]}\n\n{record.table(result['rows'])}\n\n{record.source(result)}\n"
        for name, result in results.items()
    )


def figure(results):
    """Draw how the time of one gradient grows with the objects, and of one of aspect maps with the words.

    Parameters
    ----------
    results : dict of str to dict
        As for `text`.

    Returns
    -------
    figure : bokeh layout or None
        A curve for each code, on logarithmic axes; None where nothing was measured at two sizes.
    """
    from bokeh.layouts import column

    figures = [
        _growth(results, "peers_iterations", "objects", lambda row: row["code"], "t-SNE, one gradient"),
        _growth(
            results,
            "peers_gaussian",
            "objects",
            lambda row: f"{row['model']}, {row['sums']}",
            "Models with a Gaussian, one gradient",
        ),
        _growth(
            results, "peers_words", "words", lambda row: f"{row['sums']}, {row['place']}", "Aspect maps, one gradient"
        ),
    ]
    figures = [drawn for drawn in figures if drawn is not None]
    return column(figures) if figures else None


def _growth(results, part, size, name_of, title):
    from notebook_sne.views import curves

    measured = [row for row in results.get(part, {}).get("rows", ()) if "ms, median" in row]
    sizes = sorted({row[size] for row in measured})
    if len(sizes) < 2:
        return None
    lines = {name: np.full(len(sizes), np.nan) for name in dict.fromkeys(map(name_of, measured))}
    for row in measured:
        lines[name_of(row)][sizes.index(row[size])] = row["ms, median"]
    return curves(
        sizes,
        lines,
        x_label=size,
        y_label="milliseconds, median",
        x_log=True,
        y_log=True,
        title=title,
        width=_WIDTH,
        height=_HEIGHT,
    )


def page(results):
    """Return the figure as a page of its own, which fetches nothing; None where there is no figure."""
    from bokeh.embed import file_html
    from bokeh.resources import INLINE

    drawn = figure(results)
    return None if drawn is None else file_html(drawn, INLINE, "How the cost of one gradient grows")
