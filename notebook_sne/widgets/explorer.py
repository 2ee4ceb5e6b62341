"""The explorer: the senses of words, read from a mixture of maps.

The browser computes everything from what it receives once: the maps, the mixing proportions, the names and the counts.
A fit that is still running sends new maps a few times a second (``explorer_feed``); nothing depends on a message
arriving while a cell runs. Therefore the same front end works in a page without a kernel (`Explorer.to_html`).

Longer than 300 lines because each trait has its description below it, and each parameter in the docstring.
"""

from __future__ import annotations

import difflib
import math
import uuid
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from notebook_sne.arrays import Matrix
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.frontend.bundle import EXPLORER_MODULES, EXPLORER_STYLES
from notebook_sne.frontend.page import write_page
from notebook_sne.given import is_finite, show
from notebook_sne.objects.names import read_words
from notebook_sne.runs.run import Run
from notebook_sne.widgets.explorer_feed import follow
from notebook_sne.widgets.explorer_maps import (
    cost_of,
    fitted_maps,
    kernel_of,
    names_and_counts,
    pack_counts,
    pack_maps,
)
from notebook_sne.widgets.explorer_still import still_html, still_text
from notebook_sne.widgets.live import LiveWidget
from notebook_sne.widgets.map_view import RefusedValue, check_height
from notebook_sne.widgets.player import Player
from notebook_sne.widgets.texts import as_sent

__all__ = ["Explorer", "explore"]

PAGE_TRAITS = (  # what a page holds: nothing about a run that is followed
    "key", "word", "threshold", "names", "snapshot", "kernel", "count_pointers", "count_columns", "count_values",
    "iteration", "cost", "model_name", "height",
)  # fmt: skip


def _word_of(sent, explorer):
    """Return the name that the browser knows as `sent`."""
    return next((name for name in explorer.names if as_sent(name) == sent), sent)


class Explorer(LiveWidget):
    """A view of the senses of words, read from a mixture of maps.

    Search a word, see the maps that hold it and its neighbors there, and go to one of them. A map shows which words go
    together. A word that several maps share goes with different words in each: these are contexts, not dictionary
    senses.

    Several views of one Explorer show the same word. Running the same cell again takes the explorers that its last
    execution made off the page. Map k of the view is ``maps_[k]``. ``explore`` is another name of this class.

    Parameters
    ----------
    model : estimator, Run or Player
        A fitted mixture of maps, with ``maps_`` (M, N, d) and ``mixing_`` (M, N); or one map, with ``embedding_``; or
        a running fit, which is followed and can be played and paused. The Explorer does not close it.
    names : sequence of str, or Dataset
        The words, no two alike. A Dataset gives its names, and its counts unless others are given.
    counts : ndarray or sparse array, shape (N, N), optional
        ``counts[i, j]`` is how often word j was given as the response to cue i; shown in both directions.
    title : str, optional
        Heading of the view.
    threshold : float, default=0.1
        A map is shown for a word whose mixing proportion exceeds this; a slider changes it.
    height : int, default=460
        Height of an opened map in CSS pixels.
    word : str or int, optional
        The word to begin with, or its index. Set the attribute ``word`` to show another one.

    Raises
    ------
    ValueError, TypeError
        If the model is not fitted, or names, counts and maps do not fit together.

    See Also
    --------
    notebook_sne.senses.read
        The same as tables.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> words = ns.datasets.load_word_relations()
    >>> model = ns.AspectMaps(n_maps=20, input="probabilities", random_state=0)
    >>> ns.explore(model.fit(words.P), words, word="bank")                          # doctest: +SKIP
    """

    _modules, _styles = EXPLORER_MODULES, EXPLORER_STYLES

    key = traitlets.Unicode().tag(sync=True)
    """Names this widget to its views in the browser. Python to browser, fixed."""

    word = traitlets.Any(None, allow_none=True).tag(sync=True, to_json=as_sent, from_json=_word_of)
    """The word shown, a str; None for none. A word in another case or the index of a word may be set. Both ways."""

    threshold = traitlets.Float(0.1).tag(sync=True)
    """A map is shown for a word whose proportion exceeds this, from 0 to below 1. Both ways."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True, to_json=as_sent)
    """The words, N of them. Python to browser, fixed."""

    snapshot = traitlets.Bytes(b"").tag(sync=True)
    """The maps last shown, little-endian float32: M, N, d, then the points (M, N, d), then the proportions (M, N).
    Python to browser; those of a running fit travel as messages."""

    kernel = traitlets.Unicode("gaussian").tag(sync=True)
    """How strength falls with the squared distance: gaussian, exp(-d), or student, 1/(1 + d). Python to browser."""

    count_pointers = traitlets.Bytes(b"").tag(sync=True)
    """Where each cue's row of counts begins and ends, little-endian int32, shape (N + 1,); empty without counts."""

    count_columns = traitlets.Bytes(b"").tag(sync=True)
    """The responses of the stored counts, little-endian int32, sorted within each row. Python to browser, fixed."""

    count_values = traitlets.Bytes(b"").tag(sync=True)
    """How often the response was given to the cue, little-endian float32. Python to browser, fixed."""

    live = traitlets.Bool(False).tag(sync=True)
    """Whether a running fit is followed. Python to browser, fixed."""

    status = traitlets.Unicode("fitted").tag(sync=True)
    """The followed run's status (idle, compiling, running, paused, finished, error, closed); fitted without one."""

    iteration = traitlets.Int(None, allow_none=True).tag(sync=True)
    """The run's iteration; None before its start, and without a run. Python to browser."""

    cost = traitlets.Float(None, allow_none=True).tag(sync=True)
    """KL divergence in nats, where it is known. Python to browser."""

    phase = traitlets.Unicode("").tag(sync=True)
    """The run's phase. Python to browser."""

    message = traitlets.Unicode("").tag(sync=True, to_json=as_sent)
    """Why something failed, for the reader. Python to browser."""

    model_name = traitlets.Unicode("").tag(sync=True)
    """Class name of the model. Python to browser."""

    moment = traitlets.Int(0).tag(sync=True)
    """Rises with every update: shows the browser whether a message or the traits are newer. Python to browser."""

    title = traitlets.Unicode("").tag(sync=True, to_json=as_sent)
    """Heading of the view. Python to browser, fixed."""

    height = traitlets.Int(460).tag(sync=True)
    """Height of an opened map in CSS pixels, from 240 to 2000; a word's own maps are about half as tall. Fixed."""

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
    ) -> None:
        height, threshold = check_height(height), _check_share(threshold)
        names, counts = names_and_counts(names, counts)
        run = model.run if isinstance(model, Player) else model if isinstance(model, Run) else None
        if run is None:
            maps, mixing = fitted_maps(model)
            n_objects, facts = maps.shape[1], {"snapshot": pack_maps(maps, mixing), "cost": cost_of(model)}
        else:
            n_objects, facts = np.shape(run.X)[0], {"live": True, "status": run.status}
        facts.update(names=list(read_words(names, n_objects)), **pack_counts(counts, n_objects))
        self.run = run
        self.error: Exception | None = None
        super().__init__(
            key=uuid.uuid4().hex, title="" if title is None else str(title), height=height, threshold=threshold,
            kernel=kernel_of(model if run is None else run.model),
            model_name=type(model if run is None else run.model).__name__, **facts,
        )  # fmt: skip
        self.word = word  # its rule needs the names
        self.on_msg(self._handle_message)
        self.observe(lambda _: self.renew_still(last=True), ["word", "threshold"])
        if run is not None:
            self.begin(follow)

    @traitlets.validate("word")
    def _check_word(self, proposal):
        word = proposal["value"]
        if word is None:
            return None
        if isinstance(word, int | np.integer) and not isinstance(word, bool):
            if not 0 <= word < len(self.names):
                raise RefusedValue(f"word must be from 0 to {len(self.names) - 1} as an index, got {show(word)}")
            return self.names[word]
        if not isinstance(word, str):
            raise RefusedValue(f"word must be one of the names, or an index, got {show(word)}; None shows no word")
        if word in self.names:
            return str(word)
        alike = {name.casefold().strip(): name for name in reversed(self.names)}
        wanted = word.casefold().strip()
        if wanted in alike:
            return alike[wanted]
        close = [alike[text] for text in difflib.get_close_matches(wanted, alike, n=5)]
        offer = f"did you mean {', '.join(close)}?" if close else "no name is similar; see explorer.names"
        raise RefusedValue(f"word must be one of the {len(self.names)} names, got {show(word)}; {offer}")

    @traitlets.validate("threshold")
    def _check_threshold(self, proposal):
        if not 0 <= proposal["value"] < 1:
            raise RefusedValue(f"threshold must be from 0 to below 1, got {proposal['value']}; 0.1 is usual")
        return proposal["value"]

    @traitlets.validate("height")
    def _check_height(self, proposal):
        if not 240 <= proposal["value"] <= 2000:
            raise RefusedValue(f"height must be from 240 to 2000 pixels, got {show(proposal['value'])}; 460 is usual")
        return proposal["value"]

    def _handle_message(self, _widget, content, _buffers):
        """Take a message from the browser. The kernel chooses the thread: this only notes what is asked."""
        try:
            if content.get("kind") == "command":
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

    def to_html(self, path: str | Path, title: str | None = None) -> Path:
        """Write the explorer as one HTML file that any browser opens, with no kernel and no network.

        The page shows the present word and threshold, and everything but the buttons of a running fit works in it. The
        maps of a fit that is still running are the present ones.

        Parameters
        ----------
        path : str or Path
            The file; one that is there already is replaced.
        title : str, optional
            Heading of the page, instead of the explorer's own.

        Returns
        -------
        path : Path
            The file.

        Raises
        ------
        ValueError
            If there are no maps yet.
        OSError
            If the file cannot be written.
        """
        facts = {name: getattr(self, name) for name in PAGE_TRAITS} | {"live": False, "status": "fitted"}
        run = self.run
        if run is not None and (state := run.state) is not None:
            facts.update(
                snapshot=pack_maps(state.Y, state.mixing), iteration=int(state.iteration), cost=float(state.cost),
                kernel=kernel_of(run.model), model_name=type(run.model).__name__,
            )  # fmt: skip
        if not facts["snapshot"]:
            raise ValueError("there are no maps to write yet; play the run first, such as run.steps(100)")
        facts["title"] = self.title if title is None else str(title)
        heading = facts["title"] or f"Word senses: {len(self.names)} words"
        return write_page(path, kind="explorer", traits=facts, title=heading)

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


explore = Explorer
"""The same as `Explorer`, named as what a reader does, beside `watch`, `replay` and `compare`."""
