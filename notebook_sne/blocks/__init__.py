"""Maps of more objects than one process should hold: a sample is fitted, all others are placed block by block.

`rows` reads some rows of what was given, `places` has blocks placed here, in processes of this machine or on a cluster,
`kept` writes what is done into a file, and `embed` joins them.
"""
