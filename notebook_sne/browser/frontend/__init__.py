"""The code that a browser runs, and how it gets there. Nothing here knows of runs or widgets.

The folders hold ES modules and styles: ``player``, ``explorer`` and ``page``, and what they share. `bundle` joins them
into the one text that a notebook or a page loads; `page` writes a view as one HTML file, `film_page` that of a
recording, whose frames `film` packs.
"""
