"""Arrays in a file: written one after the other, and read with distrust.

``archive`` are named arrays in one .npz, ``nested`` values of which arrays are parts.
"""
