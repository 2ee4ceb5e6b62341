"""A run as data that a page goes on with. Runs stand above, and say where they stand.

`standing` is what a run, a recording or a fit says of itself, `recipes` what an update of a model asks for, or why a
page can't compute it; `packing` turns the objects, or P, into bytes; `plan` puts all of it together.
"""
