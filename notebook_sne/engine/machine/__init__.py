"""The layer between an equation and a processor; nothing here knows of maps.

`compiled` compiles and caches machine code (`kept_code` is how), `parallel` shares work out to threads. `simd` takes
several numbers at a time, `exponential` has exp and log for one or several, and `allocation` is for arrays that may lie
in files. `files` writes files whole or not at all. `process` says where this process runs, how many cores it may use
and how its threads end.
"""
