"""Figures of maps and runs, from arrays alone: Bokeh figures, and a static picture for where nothing can run.

A figure is returned and never shown. In a notebook, ``output_notebook()`` once, then ``bokeh.io.show(figure)``. The
result of ``svg`` shows itself, as does ``live``, whose figures follow a run. Colors and shapes are the player's, on
white, in light notebooks and in dark ones. Every name is loaded when it is first used: a saved picture of a player
takes its colors and marks from here, and does without Bokeh.
"""

from typing import TYPE_CHECKING

from notebook_sne.engine.machine.lazy import lazily

if TYPE_CHECKING:
    from notebook_sne.views.bands import two_norms as two_norms
    from notebook_sne.views.costs import traces as traces
    from notebook_sne.views.following import Live as Live
    from notebook_sne.views.following import live as live
    from notebook_sne.views.forces import springs as springs
    from notebook_sne.views.lines import curves as curves
    from notebook_sne.views.maps import map_points as map_points
    from notebook_sne.views.maps import thumbnails as thumbnails
    from notebook_sne.views.mixtures import aspect_grid as aspect_grid
    from notebook_sne.views.moments.gif import gif as gif
    from notebook_sne.views.moments.stages import stages as stages
    from notebook_sne.views.pairs import p_against_q as p_against_q
    from notebook_sne.views.screen import output_notebook as output_notebook
    from notebook_sne.views.static import SVG as SVG
    from notebook_sne.views.static import svg as svg
    from notebook_sne.views.surfaces import gradient_surfaces as gradient_surfaces
    from notebook_sne.views.whiskers import dominance as dominance

_HOME = {
    "map_points": "maps",
    "thumbnails": "maps",
    "aspect_grid": "mixtures",
    "springs": "forces",
    "p_against_q": "pairs",
    "gradient_surfaces": "surfaces",
    "traces": "costs",
    "curves": "lines",
    "live": "following",
    "Live": "following",
    "output_notebook": "screen",
    "svg": "static",
    "SVG": "static",
    "gif": "moments.gif",
    "stages": "moments.stages",
    "two_norms": "bands",
    "dominance": "whiskers",
}
__all__ = [*_HOME]

__getattr__ = lazily(__name__, globals(), _HOME)


def __dir__() -> list[str]:
    return sorted(__all__)
