"""The traits of an explorer: what passes between Python and browser, each with its rule."""

import traitlets

from notebook_sne.browser.widgets.live import LiveWidget
from notebook_sne.browser.widgets.map_view import RefusedValue
from notebook_sne.browser.widgets.texts import as_sent
from notebook_sne.engine.checks.numbers import show
from notebook_sne.senses.words import find_word

__all__ = ["ExplorerTraits", "word_of"]

PAGE_TRAITS = (  # what a page holds: nothing about a run that is followed
    "key", "word", "beside", "threshold", "names", "snapshot", "kernel", "fits", "best", "fit", "other_maps",
    "senses", "others", "made", "alike", "columns", "column_values", "notes", "counted", "count_pointers",
    "count_columns", "count_values", "iteration", "cost", "model_name", "height",
)  # fmt: skip


def word_of(sent, widget):
    """Return the one of the names of a widget that the browser knows as `sent`."""
    return next((name for name in widget.names if as_sent(name) == sent), sent)


def _made_as_sent(made, _widget=None):
    """Return the same with texts as they are sent, through dictionaries and lists."""
    if isinstance(made, dict):
        return {as_sent(name): _made_as_sent(value) for name, value in made.items()}
    if isinstance(made, list):
        return [_made_as_sent(value) for value in made]
    return as_sent(made) if isinstance(made, str) else made


def _notes_of(sent, explorer):
    return {word_of(word, explorer): text for word, text in sent.items()}


class ExplorerTraits(LiveWidget):
    """The traits of `Explorer`; not used by itself."""

    key = traitlets.Unicode().tag(sync=True)
    """Names this widget to its views in the browser. Python to browser, fixed."""

    word = traitlets.Any(None, allow_none=True).tag(sync=True, to_json=as_sent, from_json=word_of)
    """The word shown, a str; None for none. A word in another case or the index of a word may be set. Both ways."""

    beside = traitlets.Any(None, allow_none=True).tag(sync=True, to_json=as_sent, from_json=word_of)
    """A second word, shown beside the first, by the rules of `word`; None for none. Both ways."""

    threshold = traitlets.Float(0.1).tag(sync=True)
    """A map is shown for a word whose proportion exceeds this, from 0 to below 1. Both ways."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True, to_json=as_sent)
    """The words, N of them. Python to browser, fixed."""

    snapshot = traitlets.Bytes(b"").tag(sync=True)
    """The maps last shown, little-endian float32: M, N, d, then the points (M, N, d), then the proportions (M, N); of
    more than a million points those that count: -M, N, d, n, then maps, words, proportions and points.
    Python to browser; those of a running fit travel as messages."""

    kernel = traitlets.Unicode("gaussian").tag(sync=True)
    """How strength falls with the squared distance: gaussian, exp(-d), or student, 1/(1 + d). Python to browser."""

    fits = traitlets.List(traitlets.Dict()).tag(sync=True)
    """Of each fit its cost (in nats, or None), kernel and model_name; empty while a run is followed. Python to browser,
    fixed."""

    best = traitlets.Int(0).tag(sync=True)
    """The fit whose maps the snapshot holds: the one with the lowest cost. Python to browser, fixed."""

    fit = traitlets.Int(0).tag(sync=True)
    """The fit whose maps are drawn, from 0. Both ways."""

    other_maps = traitlets.Bytes(b"").tag(sync=True)
    """The maps of the other fits, little-endian float32, one after the other: fit, M, d, n, then n maps, n words and n
    proportions, and n points of d coordinates; proportions that nobody would see are left out. Python to browser,
    fixed."""

    senses = traitlets.Bytes(b"").tag(sync=True)
    """The senses of each word with their own associates, packed by ``explorer_senses``; empty where they are not known,
    as while a run is followed. Python to browser, fixed."""

    others = traitlets.List(traitlets.Unicode()).tag(sync=True, to_json=as_sent)
    """Words of the norms that are not mapped, but are associates of those that are. Python to browser, fixed."""

    made = traitlets.Dict().tag(sync=True, to_json=_made_as_sent)
    """What the senses were made of: the norms, the fits and this package. Python to browser, fixed."""

    alike = traitlets.Bool(False).tag(sync=True)
    """Whether fits began with groups of the norms, so that their agreement is no evidence. Python to browser, fixed."""

    columns = traitlets.List(traitlets.Dict()).tag(sync=True)
    """What is known of each word besides, for the table: name, and text (what it means). Python to browser, fixed."""

    column_values = traitlets.Bytes(b"").tag(sync=True)
    """The values of the columns, little-endian float32, shape (n_columns, N); NaN where one is missing. Fixed."""

    notes = traitlets.Dict().tag(sync=True, to_json=_made_as_sent, from_json=_notes_of)
    """The reader's notes: a text for each word that has one. It is never read as anything but text. Both ways."""

    counted = traitlets.Bool(True).tag(sync=True)
    """Whether what follows are counts; without any, the ties of a sparse P, each as 1, which are not written beside
    words. Python to browser, fixed."""

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

    @traitlets.validate("word", "beside")
    def _check_word(self, proposal):
        word = proposal["value"]
        try:
            return None if word is None else self.names[find_word(self.names, word, proposal["trait"].name)]
        except ValueError as error:
            raise RefusedValue(str(error)) from None

    @traitlets.validate("fit")
    def _check_fit(self, proposal):
        n_fits = max(len(self.fits), 1)
        if not 0 <= proposal["value"] < n_fits:
            raise RefusedValue(f"fit must be from 0 to {n_fits - 1}, got {show(proposal['value'])}")
        return proposal["value"]

    @traitlets.validate("notes")
    def _check_notes(self, proposal):
        notes = proposal["value"]
        for word, text in notes.items():
            if word not in self.names or not isinstance(text, str):
                raise RefusedValue(
                    f"notes must be a text for each word that has one, got {show(text)} for {show(word)}"
                )
        return {word: text for word, text in notes.items() if text.strip()}

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
