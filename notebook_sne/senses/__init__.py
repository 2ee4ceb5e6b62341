"""Read the senses of words from a mixture of maps, and test them.

`read` finds the copies of each word and their neighbors. `separation` and `agreement` ask whether neighbors in one
map belong together more than neighbors in two, `stability` asks whether another run shows the same copies, and
`triangles` what one map can't show.

Examples
--------
>>> import notebook_sne as ns
>>> words = ns.datasets.fetch_usf_associations()                                                # doctest: +SKIP
>>> model = ns.AspectMaps(n_maps=50, input="probabilities", random_state=0).fit(words.P)        # doctest: +SKIP
>>> reading = ns.senses.read(model, words)                                                      # doctest: +SKIP
>>> reading.of("can")                                                                           # doctest: +SKIP
"""

from notebook_sne.senses.compare import Comparison, compare
from notebook_sne.senses.consensus import Consensus, consensus, groups
from notebook_sne.senses.dominance import Dominance, dominance
from notebook_sne.senses.reading import Reading, read
from notebook_sne.senses.separation import agreement, separation
from notebook_sne.senses.stability import stability
from notebook_sne.senses.start import start
from notebook_sne.senses.triangles import triangles

__all__ = [
    "read",
    "Reading",
    "groups",
    "start",
    "consensus",
    "Consensus",
    "compare",
    "Comparison",
    "dominance",
    "Dominance",
    "separation",
    "agreement",
    "stability",
    "triangles",
]
