"""The explorer: the senses of words, read from a mixture of maps.

The browser computes everything from what it receives once: the maps, the mixing proportions, the names and the counts.
A fit that is still running sends new maps a few times a second (``explorer_feed``); nothing depends on a message
arriving while a cell runs. Therefore the same front end works in a page without a kernel (`Explorer.to_html`).

The traits are in ``explorer_traits``, and the data packed into them in ``explorer_maps`` and ``explorer_senses``.
"""

from __future__ import annotations

import math
import uuid
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.browser.frontend.bundle import EXPLORER_MODULES, EXPLORER_STYLES
from notebook_sne.browser.frontend.film_page import explorer_traits
from notebook_sne.browser.frontend.page import write_page
from notebook_sne.browser.pages.plan import plan_of
from notebook_sne.browser.pages.run_state import standing_after
from notebook_sne.browser.widgets.explorer_feed import follow
from notebook_sne.browser.widgets.explorer_maps import (
    facts_of_fits,
    given_is_data,
    names_and_counts,
    pack_counts,
    pack_maps,
)
from notebook_sne.browser.widgets.explorer_senses import known_of_words, ties_of_models
from notebook_sne.browser.widgets.explorer_still import still_html, still_text
from notebook_sne.browser.widgets.explorer_traits import PAGE_TRAITS, ExplorerTraits
from notebook_sne.browser.widgets.map_view import check_flag, check_height
from notebook_sne.browser.widgets.player import Player
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.checks.numbers import is_finite, show
from notebook_sne.engine.objects.names import read_words
from notebook_sne.engine.runs.run import Run
from notebook_sne.models.family import kernel_of

__all__ = ["Explorer"]


class Explorer(ExplorerTraits):
    """A view of the senses of words, read from a mixture of maps.

    Search a word, see its senses, each with its own associates and the place where a map shows them, and go to one of
    them. Senses are groups of associates that keep different company: contexts, not dictionary senses. Each is shown
    with its certainty and the fits in which it is seen. For a fit that is still running, or has no associations, the
    view shows the maps that hold the word, with its neighbors there.

    A table has all words. A second word can be put beside the first, a word can have a note, and the view can be saved
    as PNG, SVG or CSV.

    Several views of one Explorer show the same word. Running the same cell again removes the explorers that its last
    execution made from the page. Map k of the view is ``maps_[k]``. `explore` makes one, too.

    Parameters
    ----------
    model : estimator, State, list of either, Run or Player
        A fitted mixture of maps, with ``maps_`` (M, N, d) and ``mixing_`` (M, N), or a state of one; or one map, with
        ``embedding_``; several such fits of the same words; or a running fit, which is followed and can be played and
        paused. The Explorer doesn't close it.
    names : sequence of str, or Dataset
        The words, no two alike. A Dataset gives its names, and its counts unless others are given.
    counts : ndarray or sparse array, shape (N, N), optional
        ``counts[i, j]`` is how often word j was given as the response to cue i; shown in both directions. They also
        tell which words near a sense are *strangers*, not tied to it; without counts a sparse P of the model does.
    title : str, optional
        Heading of the view.
    threshold : float, default=0.1
        A map is shown for a word whose mixing proportion exceeds this; a slider changes it.
    height : int, default=460
        Height of an opened map in CSS pixels.
    word : str or int, optional
        The word to begin with, or its index. Set the attribute ``word`` to show another one, ``beside`` to show a
        second one, and ``fit`` to draw the maps of another fit.
    senses : Consensus, optional
        The result of `senses.consensus` for these fits; by default it is computed.
    columns : DataFrame, optional
        Other facts about the words, such as their frequency or the age of acquisition: with a row for each word, or a
        column ``word`` with each word once at most. Its columns of numbers appear in the table and on the card, beside
        those of a Dataset.

    Raises
    ------
    ValueError, TypeError
        If the model isn't fitted, or names, counts and maps don't fit together.

    See Also
    --------
    notebook_sne.senses.read, notebook_sne.senses.consensus
        The same as tables.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> model = ns.AspectMaps(n_maps=20, input="probabilities", random_state=0)
    >>> ns.explore(model.fit(words.P), words, word="bank")                          # doctest: +SKIP
    >>> fits = [clone(model).set_params(random_state=k).fit(words.P) for k in range(8)]  # doctest: +SKIP
    >>> ns.explore(fits, words, word="bank").to_html("senses.html")                 # doctest: +SKIP
    """

    _modules, _styles = EXPLORER_MODULES, EXPLORER_STYLES

    def __init__(
        self,
        model: Any,
        names: Dataset | ArrayLike,
        *,
        counts: Matrix | None = None,
        title: str | None = None,
        threshold: float = 0.1,
        height: int = 460,
        word: str | None = None,
        senses: Any = None,
        columns: Any = None,
    ) -> None:
        height, threshold = check_height(height), _check_share(threshold)
        given, (names, counted) = names, names_and_counts(names, counts)
        run = model.run if isinstance(model, Player) else model if isinstance(model, Run) else None
        if run is None:
            models = list(model) if isinstance(model, list | tuple) else [model]
            n_objects, facts = facts_of_fits(models)
        else:
            models, n_objects = [], np.shape(run.X)[0]
            kind = {"kernel": kernel_of(run.model), "model_name": type(run.model).__name__}
            facts = {"live": True, "status": run.status, **kind}
        words = read_words(names, n_objects)
        facts.update(names=list(words), counted=counted is not None)
        facts.update(pack_counts(ties_of_models(models) if counted is None else counted, n_objects))
        given = given if given_is_data(given) else words
        facts.update(known_of_words(models, given, words, counts, senses, columns))
        self.run = run
        self._models = models
        self.error: Exception | None = None
        super().__init__(
            key=uuid.uuid4().hex, title="" if title is None else str(title), height=height, threshold=threshold,
            **facts,
        )  # fmt: skip
        self.word = word  # its rule needs the names
        self.on_msg(self._handle_message)
        self.observe(lambda _: self.renew_still(last=True), ["word", "threshold"])
        if run is not None:
            self.begin(follow)

    def _handle_message(self, _widget, content, _buffers):
        """Take a message from the browser. The kernel chooses the thread: this only notes what is asked."""
        try:
            if content.get("kind") == "command" and not self._connection.repeats(content):
                self._run_command(content.get("name"))
            self.receive(content)
        except Exception as error:  # ipywidgets would only log it
            self.error = error
            if content.get("kind") == "command":
                self.receive(content)
            with self._connection.changed:
                self._connection.urgent = True
                self._connection.changed.notify_all()

    def _run_command(self, name):
        if self.run is None or name not in ("play", "pause"):
            raise ValueError(f"there is no command {name!r} here; a running fit can only play and pause")
        self.error = None
        getattr(self.run, name)()

    def to_html(
        self, path: str | Path, title: str | None = None, *, live: bool = False, data: str | None = None
    ) -> Path:
        """Write the explorer as one HTML file that any browser opens, with no kernel and no network.

        The page begins with the current word and threshold, and everything except the buttons of a running fit works in
        it. For a fit that is still running, it has the current maps.

        Parameters
        ----------
        path : str or Path
            The file; an existing one is replaced.
        title : str, optional
            Heading of the page, instead of the explorer's own.
        live : bool, default=False
            Whether the fit goes on in the page: it then computes by itself, as a kernel does, from the fit's current
            state, and has play, pause, step, restart and knobs. Such a page holds the data.
        data : {"X", "P"}, optional
            With `live`, the data in the page, as for `Player.to_html`: the objects, for a run whose model takes
            vectors, so that the perplexity can be turned; or only P, as for word associations or a fitted model.

        Returns
        -------
        path : Path
            The file.

        Raises
        ------
        ValueError
            If there are no maps yet; or, with `live`, if a page can't continue: it takes one run, or one fit of
            several maps, by gradient descent, with free proportions and at most 250 million pairs in all maps, n_maps
            N^2. The message tells the reason.
        OSError
            If the file can't be written.

        Notes
        -----
        A page that computes is larger by about 0.2 MB for its kernels and program, and by the data of an update: 8
        bytes for each entry of P, 120 for each word in each map, and a third more as text. With 475 words in 20 maps it
        takes 1.7 MB, with 1,000 words in 50 maps 7.3 MB. On a free core, it makes 5 updates per second for the latter,
        25 for 1,000 words in 10 maps, and one for 5,000 words in 10 maps.

        The page shows the maps that hold a word, with the words near it there. For the agreement of several fits, and
        the part of a word that a map explains, use `to_html` without `live`, on fits that have ended.
        """
        check_flag("live", live)
        if data is not None and not live:
            raise ValueError("data must be left out without live=True: a page that does not compute holds no data")
        return write_page(path, **self.page_parts(title, live, data))

    def page_parts(self, title: str | None = None, live: bool = False, data: str | None = None) -> dict[str, Any]:
        """Return what `write_page` takes: `title`, `live`, `data` and errors are those of `to_html`."""
        return self._page(title, self._live_facts(data) if live else {})

    def _page(self, title, more):
        """Return what `write_page` takes; `more` are traits besides, with a plan those of a page that computes."""
        facts = {name: getattr(self, name) for name in PAGE_TRAITS} | {"live": False, "status": "fitted"}
        run = self.run
        if run is not None and (state := run.wait_for_start().state) is not None:
            facts.update(
                snapshot=pack_maps(state.Y, state.mixing), iteration=int(state.iteration), cost=float(state.cost),
                kernel=kernel_of(run.model), model_name=type(run.model).__name__,
            )  # fmt: skip
        if not facts["snapshot"]:
            raise ValueError("there are no maps to write yet; play the run first, such as run.steps(100)")
        facts["title"] = self.title if title is None else str(title)
        heading = facts["title"] or f"Word senses: {len(self.names)} words"
        return {"kind": "live explorer" if "plan" in more else "explorer", "traits": facts | more, "title": heading}

    def _live_facts(self, data):
        """Return what a page has that goes on with the fit, beside what any page has."""
        if len(self._models) > 1:
            raise ValueError(
                f"live=True needs one fit to go on with, got {len(self._models)}; give one of them, or leave live out"
            )
        if self.run is not None and self.run.wait_for_start().state is None:
            raise ValueError("there are no maps to write yet; play the run first, such as run.steps(100)")
        if self.run is not None:
            X, standing, trace = self.run.X, self.run._worker.standing(), self.run.trace
            costs = np.column_stack([trace.iterations, trace.costs])
        elif self._models:
            X, standing = standing_after(self._models[0])
            costs = self._models[0].trace_[["iteration", "cost"]].to_numpy()
        else:
            raise ValueError("live=True needs the run, and this explorer is closed; write the page before it is")
        return explorer_traits(plan_of(X, standing, data, shows="maps"), costs)

    def _still_facts(self):
        return self.snapshot, self.iteration, self.word, self.threshold

    def _still_text(self):
        return f"Explorer of {still_text(self)}"

    def _still_html(self):
        return still_html(self)

    def close(self) -> None:
        """Stop following the run. The views keep what they show and stay readable; the run itself goes on."""
        self.end()

    def discard(self) -> None:
        """Close, and take the views off the page."""
        self.close()
        self.run = None  # a run without other references ends
        super().close()


def _check_share(threshold):
    """Return the threshold as a float; its range is for the trait to check."""
    if isinstance(threshold, bool) or not isinstance(threshold, Real):
        raise TypeError(f"threshold must be a number, got {show(threshold)}; 0.1 is usual")
    return float(threshold) if threshold != threshold or is_finite(threshold) else math.inf
