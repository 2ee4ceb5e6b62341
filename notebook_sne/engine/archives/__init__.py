"""Arrays in a file: written one after the other, and read with distrust.

``archive`` are named arrays in one .npz, ``header`` the JSON beside them, ``nested`` values that have arrays as parts.
"""
