"""Checks of arguments: whether they are allowed, and as what they are taken.

`arguments` and `maps` check what users pass and say what is wrong with it; `ranges` says between which ends
numbers lie, `numbers` what may be read as one; `holders` takes vectors out of the objects of other packages, `arrays`
has the types.
"""
