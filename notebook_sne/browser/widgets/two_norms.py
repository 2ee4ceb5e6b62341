"""The page of two norms: a word, its senses in both, and what flows from one to the other.

The browser has the senses of all words from the beginning, so a page without a kernel shows what a notebook does.
"""

from __future__ import annotations

import json
import re
import uuid
from pathlib import Path
from typing import Any

import numpy as np
import traitlets

from notebook_sne.browser.frontend.bundle import TWO_NORMS_MODULES, TWO_NORMS_STYLES
from notebook_sne.browser.frontend.page import write_page
from notebook_sne.browser.widgets.explorer_columns import pack_columns
from notebook_sne.browser.widgets.explorer_traits import word_of
from notebook_sne.browser.widgets.fallback_image import picture
from notebook_sne.browser.widgets.map_view import RefusedValue
from notebook_sne.browser.widgets.shared import View
from notebook_sne.browser.widgets.texts import as_sent
from notebook_sne.senses.compare import Comparison
from notebook_sne.views.bands import two_norms

__all__ = ["TwoNorms"]

_PAGE_TRAITS = ("key", "title", "norms", "names", "word", "pairs", "made", "columns", "column_values")
_SIZE = re.compile(r'(?:width|height)="(\d+)"')
_TEXTS = {
    "beyond": "by how much the largest difference is larger than between two halves of the same people",
    "difference": "largest difference of a sense's shares",
    "noise": "largest difference between two halves of the same people",
    "apart": "how far the shares of the senses are apart, 0 to 1",
    "n_both": "senses that both have",
    "shared": "share of the word's ties in senses that both have, the smaller one of both",
}
_NAMED = 8  # associates of a sense in each norm: of more the picture has no room


class TwoNorms(View):
    """A view of words in two norms: search a word, see its senses in both. `notebook_sne.explore` makes it.

    A sense that both norms have is a band between its two bars, as high as the shares of the word's ties. A difference
    that two halves of the same people show is gray, and the sentence says so. All words stand in a table, first those
    that differ most beyond that. The view can be saved as PNG, SVG or CSV.

    Parameters
    ----------
    comparison : Comparison
        What `notebook_sne.senses.compare` returned.
    word : str, optional
        The word to begin with; set the attribute ``word`` to show another one.
    title : str, optional
        Heading of the view.

    Raises
    ------
    ValueError
        If the word isn't in both norms.
    """

    _modules, _styles = TWO_NORMS_MODULES, TWO_NORMS_STYLES

    key = traitlets.Unicode().tag(sync=True)
    """Names this widget in the browser. Python to browser, fixed."""

    title = traitlets.Unicode().tag(sync=True, to_json=as_sent)
    """Heading of the view. Python to browser, fixed."""

    norms = traitlets.List(traitlets.Unicode()).tag(sync=True, to_json=as_sent)
    """What the two norms are called. Python to browser, fixed."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True, to_json=as_sent)
    """The words that both have. Python to browser, fixed."""

    word = traitlets.Any(None, allow_none=True).tag(sync=True, to_json=as_sent, from_json=word_of)
    """The word shown, in any case; None for none. Both ways."""

    pairs = traitlets.Bytes().tag(sync=True)
    """The senses of each word as JSON: a list for each, of lists of a pair's fields. Python to browser, fixed."""

    made = traitlets.Dict().tag(sync=True)
    """What the senses were made of: both norms and this package. Python to browser, fixed."""

    columns = traitlets.List(traitlets.Dict()).tag(sync=True)
    """The columns of the table of words: name, and text (what it means). Python to browser, fixed."""

    column_values = traitlets.Bytes().tag(sync=True)
    """Their values, little-endian float32, shape (n_columns, n_words). Python to browser, fixed."""

    def __init__(self, comparison: Comparison, word: str | None = None, title: str | None = None) -> None:
        self._comparison = comparison
        table = comparison.table()
        texts = {name: (_text(name, comparison.names), table[name].to_numpy(dtype=float)) for name in table.columns[1:]}
        sources = [senses.made for senses in comparison.senses]
        super().__init__(
            key=uuid.uuid4().hex,
            title="" if title is None else str(title),
            norms=list(comparison.names),
            names=list(comparison.words),
            pairs=json.dumps([_packed(comparison, one) for one in comparison.words]).encode(),
            made={"norms": [made["norms"] for made in sources if "norms" in made], "package": sources[0]["package"]},
            **pack_columns(texts),
        )
        self.word = word  # its rule needs the comparison
        self.observe(lambda _: self.renew_still(last=True), "word")

    @traitlets.validate("word")
    def _check_word(self, proposal):
        try:
            return None if proposal["value"] is None else self._comparison.find(proposal["value"])
        except ValueError as error:
            raise RefusedValue(str(error)) from None

    def to_html(self, path: str | Path, title: str | None = None) -> Path:
        """Write the view as one HTML file that any browser opens, with no kernel and no network.

        Parameters
        ----------
        path : str or Path
            The file; one that is there already is replaced.
        title : str, optional
            Heading of the page, instead of the view's own.

        Returns
        -------
        path : Path
            The file.

        Raises
        ------
        OSError
            If the file can't be written.
        """
        traits: dict[str, Any] = {name: getattr(self, name) for name in _PAGE_TRAITS}
        traits["title"] = self.title if title is None else str(title)
        heading = traits["title"] or f"Word senses: {' and '.join(self.norms)}"
        return write_page(path, kind="two norms", traits=traits, title=heading)

    def _still_facts(self):
        return self.word

    def _still_text(self):
        return f"{self._comparison!r}{'' if self.word is None else f', the word {self.word}'}"

    def _still_html(self):
        if self.word is None:
            return ""
        drawn = two_norms(self._comparison, self.word)
        width, height = (int(size) for size in _SIZE.findall(drawn)[:2])
        return picture(drawn.encode(), "svg+xml", width, height, self._still_text())


def _packed(comparison, word):
    """Return the Pairs of a word as the browser has them: with the number of common associates, and the noise."""
    rows, noise = [], comparison.noise(word)
    for pair in comparison.pairs(word):
        shares = [float(f"{share:.4g}") for share in pair.shares]
        left, right, both = (as_sent(names[:_NAMED]) for names in (*pair.associates, pair.both))
        known = None if np.isnan(noise) else float(f"{noise:.4g}")
        rows.append([list(pair.numbers), shares, left, right, both, len(pair.both), known])
    return rows


def _text(name, norms):
    """Return what a column of `Comparison.table` means."""
    if name in _TEXTS:
        return _TEXTS[name]
    what = "number of senses in" if name.startswith("senses") else "certainty of a second sense in"
    return f"{what} {norms[0] if name.endswith(f', {norms[0]}') else norms[1]}"
