"""Several players side by side: one set of objects under several models, or from several starts."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ipywidgets
import traitlets

from notebook_sne.browser.frontend.bundle import COMPARE_MODULES, COMPARE_STYLES
from notebook_sne.browser.frontend.page import write_page
from notebook_sne.browser.widgets.fallback_image import Still
from notebook_sne.browser.widgets.live import hold_strongly, hold_weakly
from notebook_sne.browser.widgets.map_view import STILL_BYTES, check_flag
from notebook_sne.browser.widgets.player import Player, objects_of, watch
from notebook_sne.browser.widgets.shared import View
from notebook_sne.datasets.dataset import Dataset
from notebook_sne.engine.checks.arrays import Matrix
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.entries import count_objects
from notebook_sne.engine.objects.named import facts_by_name
from notebook_sne.engine.runs.control import BUSY
from notebook_sne.engine.runs.run import Run

__all__ = ["Comparison", "compare"]

ABREAST = 3  # views that are side by side: a fourth begins a second row
STILL = 300  # pixels: side of each map in a still picture
# What is chosen in one view is chosen in all: an object is the same object everywhere.
_LINKED = ("selection", "hide_labels", "show_images", "show_names", "name_size", "pace", "height")


class Transport(View):
    """Plays all views of a comparison; not used by itself. It acts in the browser, on the views themselves."""

    _modules, _styles = COMPARE_MODULES, COMPARE_STYLES

    key = traitlets.Unicode().tag(sync=True)
    """Names this widget in the browser. Python to browser, fixed."""

    views = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The keys of the players, the first being the one that the others are turned to. Python to browser, fixed."""

    align = traitlets.Bool(True).tag(sync=True)
    """Whether maps are shown turned and mirrored to lie like the first one. Both ways."""

    def _still_facts(self):
        return None

    def _still_html(self):
        return ""

    def _still_text(self):
        return f"Transport of {len(self.views)} views"


def _linked(one, other):
    """Return what two views share: what is written on the map only where both have it."""
    alike = bool(one.names) == bool(other.names) and bool(one.classes) == bool(other.classes)
    return [name for name in _LINKED if alike or name != "show_names"]


class Comparison(Still, ipywidgets.VBox):
    """A grid of players of the same objects, which share selection, labels, thumbnails, height and pace.

    One transport plays them all and moves through their films in step, and their maps are turned to match.

    Made by `compare`.

    Attributes
    ----------
    players : dict of str to Player
        By their names.
    transport : widget
        ``transport.align`` says whether the maps are turned to lie like the first one; it can be set.
    """

    def __init__(self, players: Mapping[str, Player], columns: int, align: bool = True) -> None:
        self.players = players
        self.transport = Transport(key=uuid.uuid4().hex, views=[player.key for player in players.values()], align=align)
        first, *others = players.values()
        self._links = [
            traitlets.link((first, name), (other, name)) for other in others for name in _linked(first, other)
        ]
        # Fewer columns where a player would be too narrow, as on a phone.
        self._least = f"min(100%, max(240px, 100% / {columns} - 4px))"
        layout = ipywidgets.Layout(grid_template_columns=f"repeat(auto-fill, minmax({self._least}, 1fr))", width="100%")
        grid = ipywidgets.GridBox(list(players.values()), layout=layout)
        self._key, self._columns = uuid.uuid4().hex, columns
        super().__init__([self.transport, grid])
        self.add_class("nsne-comparison")
        for part in (self, grid, self.transport):
            hold_weakly(part)
        for player in players.values():
            player._join_still(self)

    def play(self) -> None:
        """Play all runs."""
        for player in self.players.values():
            player.run.play()

    def pause(self) -> None:
        """Pause all runs, each after its current iteration."""
        for player in self.players.values():
            player.run.pause()

    def restart(self) -> None:
        """Begin all runs again."""
        for player in self.players.values():
            player.run.restart()

    def close(self) -> None:
        """End all runs. The views keep their last pictures."""
        for player in self.players.values():
            player.close()

    def to_html(self, path: str | Path, *, frames: int = 100) -> Path:
        """Write the recordings so far as one page, in which one transport plays them all, with no kernel or network.

        Parameters
        ----------
        path : str or Path
            File to write.
        frames : int, default=100
            Largest number of frames of each film.

        Returns
        -------
        path : Path
            The file. Its views begin as these are set.
        """
        players = list(self.players.values())
        films = [player._film(frames) | {"key": player.key, "height": player.height} for player in players]
        linked = sorted(set.intersection(*(set(_linked(players[0], player)) for player in players)))
        own = {name: getattr(self.transport, name) for name in ("key", "views", "align")}
        own |= {"linked": linked, "least": self._least}
        return write_page(path, kind="comparison", traits=own, title=", ".join(self.players), parts=films)

    def __del__(self):
        # Not the players, which a variable may still name: those without references end by themselves.
        for link in self.__dict__.get("_links", ()):
            link.unlink()
        ipywidgets.Widget.close(self)

    def __getitem__(self, name: str) -> Player:
        return self.players[name]

    def _view(self):
        hold_strongly(self)
        return super()._view()

    def _still_key(self):
        return next(iter(self.players.values())).key, self._key

    def _still_facts(self):
        return [player._still_facts() for player in self.players.values()]

    def _wait_for_still(self):
        for player in self.players.values():
            player._wait_for_still()

    def _still_text(self):
        captions = "; ".join(f"{name}: {player._still_caption()}" for name, player in self.players.items())
        return f"Comparison of {captions}"

    def _still_html(self):
        players = list(self.players.values())
        most_bytes = STILL_BYTES // len(players)
        rows = [players[first : first + self._columns] for first in range(0, len(players), self._columns)]
        # A table also works where styles are removed; where they are kept, they hide the stripes of the host's tables.
        line, cell = '<tr style="background: none">', '<td style="text-align: left; vertical-align: top">'
        cells = ("".join(f"{cell}{player._still_html(STILL, most_bytes)}</td>" for player in row) for row in rows)
        return f"<table>{''.join(f'{line}{row}</tr>' for row in cells)}</table>"

    def _renew(self, rests, silence, last):
        # One player that rests calls this ten times a second, whatever the others do.
        rests = all(player.run.status not in BUSY for player in self.players.values())
        super()._renew(rests, silence, last)


def compare(
    views: Mapping[str, Any],
    X: Dataset | Matrix | None = None,
    *,
    columns: int | None = None,
    height: int = 300,
    compact: bool = True,
    align: bool = True,
    autoplay: bool = True,
    **options: Any,
) -> Comparison:
    """Show several runs of the same objects side by side.

    Parameters
    ----------
    views : dict of str to estimator, Run or Player
        The views by their headings. A model needs `X`.
    X : array or Dataset, optional
        The objects of views that are given as models.
    columns : int, optional
        Number of views side by side; by default up to three, and of more views a grid as square as possible.
    align : bool, default=True
        Whether maps are turned and mirrored to match the first one. Distances, costs, runs and recordings don't
        change; the reader can switch this.
    height, compact, autoplay, **options
        As for `watch`; Players keep their own, and aren't played.

    Returns
    -------
    comparison : Comparison
        ``comparison["t-SNE"]`` is a Player.

    Raises
    ------
    ValueError, TypeError
        If there is nothing to compare, a model has no `X`, or the numbers of objects differ.

    Examples
    --------
    >>> import notebook_sne as ns
    >>> digits = ns.datasets.load_digits()
    >>> ns.compare({"SNE": ns.SNE(), "t-SNE": ns.TSNE()}, digits, pace=30)          # doctest: +SKIP
    """
    if not isinstance(views, dict) or len(views) < 2:
        raise ValueError(f"views must be a dict of at least two, got {show(views)}; for one, write watch(model, X)")
    if columns is None:
        columns = len(views) if len(views) <= ABREAST else math.ceil(math.sqrt(len(views)))
    elif isinstance(columns, bool) or not isinstance(columns, int) or columns < 1:
        raise ValueError(f"columns must be an integer above 0, got {show(columns)}")
    if X is not None:
        X, options = _by_name(X, options)
    sizes = {name: _n_objects(name, view, X) for name, view in views.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(f"views must be of the same objects, got {sizes}; compare runs of one data set")
    options = {"height": height, "compact": compact, **options}
    players = {str(name): _player(str(name), view, X, autoplay, options) for name, view in views.items()}
    return Comparison(players, columns, check_flag("align", align))


def _by_name(X, options):
    """Return the objects and the options of their views, with entries in place of the names of columns."""
    named = {name: options[name] for name in ("labels", "values", "names", "label_colors") if name in options}
    X, facts = facts_by_name(X, **named)
    return X, {**options, **{name: facts[name] for name in (*named, "label_colors")}}


def _n_objects(name, view, X):
    if isinstance(view, Player):
        return view.n_objects
    if isinstance(view, Run):
        return count_objects(view.X)
    if X is None:
        raise TypeError(f"X must be given with {show(name)}, a {type(view).__name__}; give the objects to map")
    return count_objects(objects_of(X))


def _player(name, view, X, autoplay, options):
    if isinstance(view, Player):
        return view
    if isinstance(view, Run):
        player = Player(view, title=name, **options)
        if autoplay:
            view.play()
        return player
    return watch(view, X, title=name, autoplay=autoplay, **options)
