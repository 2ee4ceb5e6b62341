"""Facts about each object besides its map point, under one rule for views, widgets, recordings, quality and senses.

- ``entries``: one entry for each object, and which of them are missing: None, NaN, pandas' NA and NaT, masked.
- ``labels``: classes in natural order, or values. An object without a label is unlabeled: drawn so, and of no class.
- ``names``: texts, which may be missing in a picture but not where words are looked up.
- ``images``: gray or in color, turned into 8 bits in one way.
- ``triples``: facts of the form (object, relation, object), where these are all that is known.
- ``columns``: any number of columns beside them: numbers, dates, texts.
- ``exact``: whole numbers and dates that a double doesn't hold.
- ``queries``: which objects meet a condition on their columns.
- ``rows``: which objects rows of a table, indices or truth values mean.
- ``telling``: words, kinds and numbers that are more frequent in a part of the objects than elsewhere.
- ``regions``: a whole map in areas, as in the browser.
- ``traits``: all of these packed for a browser.
"""
