"""The steps that all models share: from input and knobs to a sequence of states.

`inputs` reads what was given, `initialization` makes the first map, which `layout` lays out, `problem` joins P, the
schedules and the `knobs` into an objective, `states` steps through it, yields each `state` and says when a map is of no
use. `sums` chooses how it is computed, `progress` shows it, `foreign_names` answers names of other packages,
`out_of_sample` finds the places of new objects. `aligned` steps through several problems at once, whose maps are tied
to each other.

What a fit does is told to the logger ``notebook_sne``: its start, its neighbors, each phase and its end as information,
threads and sums for debugging. Nothing is told for each update.
"""

import logging

logging.getLogger("notebook_sne").addHandler(logging.NullHandler())
