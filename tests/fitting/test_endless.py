"""A run has no end, and says so to what would wait for one."""

from itertools import islice

import pytest

import notebook_sne as ns
from tests import calls
from tests.tables import in_one_test


@in_one_test("collect", [list, tuple, sorted, lambda states: [*states]])
@in_one_test("model", [ns.TSNE, ns.AspectMaps, ns.baselines.MetricMDS])
def test_a_list_of_all_states_is_refused(model, collect):
    few = {"perplexity": 5, "n_maps": 2}
    few = {name: few[name] for name in few if name in model().get_params()}
    with pytest.raises(ValueError, match=r"never end.*islice"):
        collect(model(**few).iterate(calls.X))
    assert len(list(islice(model(**few).iterate(calls.X), 3))) == 3
