"""Values in a file: written whole, and read with distrust.

``archive`` are arrays in one .npz, ``values`` nested values that have arrays as parts, and ``schema`` says what a value
that was read must be like.
"""
