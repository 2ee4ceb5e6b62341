"""Losses whose repulsion a mesh may sum: near the exact ones on any map, with the same bits on any threads."""

from functools import partial

import pytest

from notebook_sne.engine.mathematics import infonce, tsne, umap
from tests.sums.layouts import mesh_is_near, neighbors_on_a_map, no_bit_changes

pytestmark = pytest.mark.compiled
LOSSES = {
    "infonce": (tsne, partial(infonce.cost_and_gradient, n_negatives=5.0), 1e-3),
    "infonce of many": (tsne, partial(infonce.cost_and_gradient, n_negatives=500.0), 1e-3),
    "umap": (umap, partial(umap.cost_and_gradient, a=1.6, b=0.9, rate=5.0), 5e-3),
}
each_loss = pytest.mark.parametrize(("module", "loss", "bound"), LOSSES.values(), ids=LOSSES)


@each_loss
@pytest.mark.parametrize("scale", [1.0, 0.3])  # the maps of UMAP are as near as at the second
def test_a_mesh_gives_the_exact_loss_and_gradient_also_with_points_far_from_it(module, loss, bound, scale):
    Y, P = neighbors_on_a_map(800)
    pairs, far = module.attractive_pairs(P), Y.copy()
    far[:2] = [[3000.0, 0.0], [0.0, -5000.0]]
    for points in (scale * Y, far):
        mesh_is_near(partial(loss, pairs, points), bound)


@each_loss
@pytest.mark.parametrize("always", [False, True])
def test_the_number_of_threads_changes_no_bit(module, loss, bound, always):
    Y, P = neighbors_on_a_map(800)
    no_bit_changes(partial(loss, module.attractive_pairs(P), Y, always=always))
