"""Figures of maps and runs, from arrays alone: Bokeh figures, and a static picture for where nothing can run.

A figure is returned and never shown. In a notebook, ``bokeh.io.output_notebook(INLINE)`` once, then
``bokeh.io.show(figure)``. What ``svg`` returns shows itself, and so does ``live``, whose figures follow a run. Colors
and shapes are the player's, on white, in light notebooks and in dark ones.
"""

from notebook_sne.views.costs import traces
from notebook_sne.views.distances import net, shepard
from notebook_sne.views.following import Live, live
from notebook_sne.views.forces import springs
from notebook_sne.views.lines import curves
from notebook_sne.views.maps import map_points, thumbnails
from notebook_sne.views.mixtures import aspect_grid
from notebook_sne.views.moments.gif import gif
from notebook_sne.views.moments.stages import stages
from notebook_sne.views.pairs import p_against_q
from notebook_sne.views.static import SVG, svg
from notebook_sne.views.surfaces import gradient_surfaces
from notebook_sne.views.two_norms import two_norms

__all__ = ["map_points", "thumbnails", "aspect_grid", "springs", "p_against_q", "gradient_surfaces", "traces", "curves"]
__all__ += ["shepard", "net", "live", "Live", "svg", "SVG", "gif", "stages", "two_norms"]
