"""A network against plain NumPy: its codes, its way back, and what comes back of a gradient."""

import itertools
import sys
import threading

import numpy as np
import pytest
from scipy.special import expit

from notebook_sne.networks.blocks import by_blocks
from notebook_sne.networks.network import Network
from tests.standins.threads import no_bit_depends_on_threads

RNG = np.random.default_rng(0)


def some(n_objects=150, sizes=(9, 7, 5, 3), decoder=True, dtype=np.float64):
    X = RNG.random((n_objects, sizes[0])).astype(dtype)
    network = Network(sizes, X.mean(axis=0), float(X.std()), decoder)
    return network, network.random(np.random.default_rng(1)), X


def layers_of(network, weights):
    """(W, b) of the code layer, of the hidden ones before it, and of the decoder, read off by hand."""
    sizes = network.sizes
    pairs = [sizes[-2:], *itertools.pairwise(sizes[:-1])]
    if network.decoder:
        pairs += list(zip(sizes[:0:-1], sizes[-2::-1], strict=True))
    layers = []
    for before, after in pairs:
        W, weights = weights[: before * after].reshape(before, after), weights[before * after :]
        b, weights = weights[:after], weights[after:]
        layers.append((W, b))
    assert not weights.size
    return layers


def reference(network, weights, X):
    """Codes and, of a network with a decoder, reconstructions, without blocks."""
    (W, b), *others = layers_of(network, weights)
    n_hidden = len(network.sizes) - 2
    h = (X - network.mean) / network.scale
    for V, c in others[:n_hidden]:
        h = np.tanh(h @ V + c)
    Y = g = h @ W + b
    if not network.decoder:
        return Y, None
    *back, (V, c) = others[n_hidden:]
    for U, a in back:
        g = np.tanh(g @ U + a)
    return Y, expit(g @ V + c)


def cross_entropy(X, Z):
    return -(X * np.log(Z) + (1 - X) * np.log1p(-Z)).sum() / len(X)


@pytest.mark.parametrize("sizes", [(9, 7, 5, 3), (9, 6, 2), (9, 2)], ids=str)
@pytest.mark.parametrize("decoder", [False, True])
def test_codes_and_reconstructions_are_those_of_plain_numpy(sizes, decoder):
    network, weights, X = some(sizes=sizes, decoder=decoder)
    weights = weights + 0.1 * np.random.default_rng(2).standard_normal(weights.shape)  # biases are 0 at the start
    Y, Z = reference(network, weights, X)
    assert np.allclose(network.codes(weights, X), Y, rtol=1e-12, atol=1e-12)
    if decoder:
        assert np.allclose(network.decoded(weights, Y), Z, rtol=1e-12, atol=1e-12)
        assert np.isclose(network.back(weights, X, None, 1.0).reconstruction, cross_entropy(X, Z), rtol=1e-12)


@pytest.mark.parametrize("decoder, share", [(False, 0.0), (True, 0.0), (True, 0.7)])
def test_what_comes_back_is_the_gradient_by_central_differences(decoder, share):
    network, weights, X = some(decoder=decoder)
    dY = np.random.default_rng(3).standard_normal((len(X), 3))

    def cost(w):
        Y, Z = reference(network, w, X)
        return (dY * Y).sum() + (share * cross_entropy(X, Z) if share else 0.0)

    step = 1e-6
    expected = np.array([cost(weights + step * e) - cost(weights - step * e) for e in np.eye(len(weights))]) / (
        2 * step
    )
    found = network.back(weights, X, dY, share).gradient
    assert np.abs(found - expected).max() < 1e-7 * np.abs(expected).max()


def test_without_a_gradient_of_the_codes_only_the_reconstruction_counts():
    network, weights, X = some()
    alone = network.back(weights, X, None, 0.5)
    beside = network.back(weights, X, np.zeros((len(X), 3)), 0.5)
    assert np.array_equal(alone.gradient, beside.gradient)
    assert alone.reconstruction == beside.reconstruction > 0


def test_bits_do_not_change_with_the_number_of_threads():
    network, weights, X = some(700, (30, 40, 2))
    dY = np.random.default_rng(3).standard_normal((700, 2))

    def found():
        back = network.back(weights, X, dY, 0.5)
        return network.codes(weights, X), back.gradient, back.reconstruction

    no_bit_depends_on_threads(found)


def test_two_threads_at_once_do_not_disturb_each_other():
    cases = [some(300, (20, 30, 2)), some(300, (20, 10, 5, 2))]
    alone = [network.back(weights, X, None, 1.0).gradient for network, weights, X in cases]
    found = [[], []]

    def work(which):
        network, weights, X = cases[which]
        found[which] = [network.back(weights, X, None, 1.0).gradient for _ in range(20)]

    workers = [threading.Thread(target=work, args=(which,)) for which in (0, 1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for which in (0, 1):
        assert len(found[which]) == 20
        assert all(np.array_equal(gradient, alone[which]) for gradient in found[which])


def test_single_precision_is_that_of_the_objects():
    network, weights, X = some(200, dtype=np.float32)
    double = network.back(weights, X.astype(np.float64), None, 1.0)
    single = network.back(weights, X, None, 1.0)
    assert single.gradient.dtype == np.float64
    off = np.abs(single.gradient - double.gradient).max()
    assert 0 < off < 1e-5 * np.abs(double.gradient).max()


def test_codes_come_near_to_given_places_by_the_code_layer_alone():
    network, weights, X = some(400, (9, 40, 2))
    other = network.random(np.random.default_rng(5))
    other[network.n_code_weights :] = weights[network.n_code_weights :]
    Y = network.codes(other, X)  # within reach of the code layer
    found = network.toward(weights, X, Y)
    assert np.array_equal(found[network.n_code_weights :], weights[network.n_code_weights :])
    assert np.abs(network.codes(found, X) - Y).max() < 1e-2 * np.abs(Y).max()


def test_blocks_are_all_objects_in_their_order():
    for n_objects in (1, 63, 128, 1000):
        found = by_blocks(lambda block: np.arange(2000)[block], n_objects)
        assert np.concatenate(found).tolist() == list(range(n_objects))


def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch):
    network, weights, X = some()
    monkeypatch.setitem(sys.modules, "autograd", None)
    with pytest.raises(ImportError, match=r'pip install "notebook_sne\[networks\]"'):
        network.back(weights, X, None, 1.0)
    assert network.codes(weights, X).shape == (150, 3)  # what is fitted maps new objects without it
