"""The steps that all models share: from input and knobs to a sequence of states.

`inputs` reads what was given, `starts` and `layout` make the first map, `problem` joins P, the schedules and the
`knobs` into an objective, `states` steps through it and yields each `state`. `sums` and `workers` choose how it is
computed, `ends` says when a fit is over, `progress` shows it, `peers` answers names of other packages, `out_of_sample`
finds the places of new objects. `aligned` steps through several problems at once, whose maps are tied to each other.

What a fit does is told to the logger ``notebook_sne``: its start, its neighbors, each phase and its end as information,
threads and sums for debugging. Nothing is told for each update.
"""

import logging

logging.getLogger("notebook_sne").addHandler(logging.NullHandler())
