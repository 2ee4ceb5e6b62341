"""The layer between an equation and a processor; nothing here knows of maps.

`compiled` compiles and caches machine code (`kept_code` is how), `parallel` shares work out to threads, `cores` counts
them and `lifetimes` says how they end. `simd` takes several numbers at a time, `exponential` has exp and log for one or
several, and `room` is for arrays that may lie in files. `files` writes files whole or not at all, and `host` says
whether a notebook, a terminal or neither runs this process.
"""
