"""The function that shows the senses of words: of fits, or of two norms."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from notebook_sne.browser.widgets.explorer import Explorer
from notebook_sne.browser.widgets.two_norms import TwoNorms
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.senses.compare import Comparison

__all__ = ["explore"]


def explore(model: Any, names: Dataset | ArrayLike | None = None, **options: Any) -> Explorer | TwoNorms:
    """Show the senses of words: those that fits show, or those of two norms.

    Parameters
    ----------
    model : estimator, State, list of either, Run, Player or Comparison
        As for `Explorer`; or the result of `notebook_sne.senses.compare`, whose words are then shown in both norms.
    names : sequence of str, or Dataset
        The words, as for `Explorer`; a Comparison has its own.
    **options
        As for `Explorer`; for a Comparison only ``word`` and ``title``.

    Returns
    -------
    view : Explorer or TwoNorms
        A widget; shown if it is the last line of a cell.

    Raises
    ------
    ValueError, TypeError
        As `Explorer` does; or if a Comparison is given with names or other options.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> model = ns.AspectMaps(n_maps=20, input="probabilities", random_state=0)
    >>> ns.explore(model.fit(words.P), words, word="bank")                          # doctest: +SKIP
    >>> ns.explore(ns.senses.compare(usf, eat, names=("USF", "EAT")), word="bank")  # doctest: +SKIP
    """
    if not isinstance(model, Comparison):
        if names is None:
            raise TypeError("names must be given with fits, got none; give the Dataset, or a list of the words")
        return Explorer(model, names, **options)
    if names is not None or set(options) - {"word", "title"}:
        raise TypeError("a Comparison has its own words and takes word and title alone; leave the others out")
    return TwoNorms(model, **options)
