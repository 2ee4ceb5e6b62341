"""Figures of maps and runs, from arrays alone: Bokeh figures, and a static picture for where nothing can run.

A figure is returned and never shown. In a notebook, ``bokeh.io.output_notebook(INLINE)`` once, then
``bokeh.io.show(figure)``; what ``svg`` returns shows itself. Colours and shapes are the player's, on white, in light
notebooks and in dark ones.
"""

from notebook_sne.views.curves import traces
from notebook_sne.views.maps import map_points, thumbnails
from notebook_sne.views.static import SVG, svg

__all__ = ["map_points", "thumbnails", "traces", "svg", "SVG"]
