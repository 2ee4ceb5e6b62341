"""A feedforward network as a map: from an object to its code and, where it has a decoder, back.

.. math::

    h_0 = (x - m) / s,   h_k = tanh(W_k h_{k-1} + b_k),   y = W_K h_{K-1} + b_K                    the encoder

    g_0 = y,   g_k = tanh(V_k g_{k-1} + c_k),   z = V_K g_{K-1} + c_K,   x^ = 1 / (1 + exp(-z))    the decoder

A tanh is a logistic unit whose range is from -1 to 1. Code units are linear and output units logistic, as in
[Hinton2013], so that values lie from 0 to 1, each taken as how probable it is that the pixel is ink:

.. math::

    R = -sum_ia [x_ia log x^_ia + (1 - x_ia) log(1 - x^_ia)] / N = sum_ia [log(1 + exp(z_ia)) - x_ia z_ia] / N

Of real values, output units are linear instead, x^ = m + s z, and R = sum_ia (x_ia - x^_ia)^2 / (2 s^2 N).

All weights are one flat vector, those of the code layer first, as they alone scale the map. This module knows no cost
of the codes: the caller passes its gradient, dC/dy_i of each object, and

.. math::

    dC/dw = sum_i (dy_i/dw)' dC/dy_i

comes back, the vector-Jacobian product. autograd makes it, which is small and made of NumPy. Numbers of 3,000 objects
of 256 features, through 256-500-250-30 and back, in double precision on two threads, others at work:

============================ ======== ======= ============ ===================================
library                      on disk  import  one gradient bits on 1 and 2 threads
============================ ======== ======= ============ ===================================
autograd 1.9.1, by `blocks`   0.8 MB  0.02 s  0.12 s       the same
autograd 1.9.1               0.8 MB   0.02 s  0.29 s       others
JAX 0.10.2                   383 MB   0.5 s   0.15-0.24 s  the same; its threads can't be chosen
NumPy by hand, by `blocks`   0        0       0.18 s       the same
============================ ======== ======= ============ ===================================

JAX takes 0.6 to 0.9 s more before its first gradient. The number type is that of the objects: single precision takes
half of the time.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from notebook_sne.engine.checks.arrays import Floats
from notebook_sne.networks.blocks import by_blocks

__all__ = ["Network", "Returned", "check_library"]

_RIDGE = 1e-6  # of the mean square of the units above the code, where codes are fitted


class Returned(NamedTuple):
    """The gradient with respect to the weights.

    R, in nats an object, is 0 of a network without a decoder. The gradient, float64, shape (n_weights,), is that of
    what was asked for, by the weights.
    """

    reconstruction: float
    gradient: Floats


def check_library() -> Any:
    """Return autograd, or raise an ImportError that says what to install."""
    try:
        import autograd
    except ImportError:
        raise ImportError(
            "maps by networks carry gradients back with autograd, which is not installed; "
            'pip install "notebook_sne[networks]" installs it'
        ) from None
    return autograd


class Network:
    """The shape of a network, and what is done with its weights; it keeps none.

    `sizes` are the numbers of features, of units in each hidden layer, and of components of a code. Objects are
    measured from `mean`, m, shape (n_features,), in the unit `scale`, s. A `decoder` is the way back, through the same
    layers in reverse; `linear` output units give (x^ - m) / s, and R is a squared error.
    """

    def __init__(
        self, sizes: tuple[int, ...], mean: Floats, scale: float, decoder: bool = False, linear: bool = False
    ) -> None:
        self.sizes, self.mean, self.scale, self.decoder = tuple(sizes), mean, scale, decoder
        self.linear = linear
        *hidden, code = list(zip(self.sizes[:-1], self.sizes[1:], strict=True))
        back = [(after, before) for before, after in reversed([*hidden, code])] if decoder else []
        self._shapes = [code, *hidden, *back]
        self.n_weights = sum((before + 1) * after for before, after in self._shapes)

    @property
    def n_code_weights(self) -> int:
        """How many weights scale the codes: the first ones, of the code layer."""
        before, after = self._shapes[0]
        return (before + 1) * after

    def random(self, rng: np.random.Generator) -> Floats:
        """Return weights to begin with, shape (n_weights,): normal, of variance 1 / (units before), biases 0."""
        layers = [(rng.standard_normal((b, a)) / np.sqrt(b), np.zeros(a)) for b, a in self._shapes]
        return np.concatenate([part.ravel() for layer in layers for part in layer])

    def codes(self, weights: Floats, X: Floats) -> Floats:
        """Return the codes of objects, float64, shape (N, d)."""
        layers = self._layers(weights.astype(X.dtype, copy=False))
        parts = by_blocks(lambda block: self._encoded(np, layers, X[block]), len(X))
        return np.concatenate(parts).astype(np.float64, copy=False)

    def decoded(self, weights: Floats, Y: Floats) -> Floats:
        """Return what the decoder makes of codes, shape (N, n_features); logistic units give values from 0 to 1."""
        layers = self._layers(weights.astype(Y.dtype, copy=False))
        parts = by_blocks(lambda block: self._decoded(np, layers, Y[block]), len(Y))
        z = np.concatenate(parts)
        return self.mean + self.scale * z if self.linear else 0.5 + 0.5 * np.tanh(0.5 * z)

    def back(self, weights: Floats, X: Floats, dY: Floats | None, share: float = 0.0) -> Returned:
        """Carry the gradient of a cost C of the codes back to the weights, those of the code layer first.

        Return R, and the gradient of C + share R. X, shape (N, n_features), goes from 0 to 1 where output units
        are logistic; without a decoder, `share` is 0. dY, shape (N, d), is the gradient by the codes; None is 0.
        """
        check_library()
        import autograd.numpy as anp

        tanh = _tanh()
        targets = (X - self.mean.astype(X.dtype)) / X.dtype.type(self.scale)
        dY = None if dY is None else dY.astype(X.dtype, copy=False)

        def of_block(block: slice) -> tuple[float, list[Floats]]:
            x = X[block]
            reconstruction = 0.0

            def cost(parts: Any) -> Any:
                nonlocal reconstruction
                layers = [(parts[2 * k], parts[2 * k + 1]) for k in range(len(self._shapes))]
                y = self._encoded(anp, layers, x, tanh)
                total = 0.0 if dY is None else anp.sum(dY[block] * y)
                if self.decoder and share:
                    z = self._decoded(anp, layers, y, tanh)
                    if self.linear:
                        missed = 0.5 * anp.sum((z - targets[block]) ** 2) / len(X)
                    else:
                        missed = anp.sum(anp.logaddexp(0.0, z) - x * z) / len(X)
                    reconstruction = float(getattr(missed, "_value", missed))
                    total = total + share * missed
                return total

            gradient = _gradient(cost, parts)
            return reconstruction, gradient

        parts = [part for layer in self._layers(weights.astype(X.dtype, copy=False)) for part in layer]
        found = by_blocks(of_block, len(X))
        blocks = [[block[1][k].astype(np.float64) for block in found] for k in range(len(parts))]
        gradient = [functools.reduce(np.add, of_part).ravel() for of_part in blocks]
        return Returned(sum(block[0] for block in found), np.concatenate(gradient))

    def toward(self, weights: Floats, X: Floats, Y: Floats) -> Floats:
        """Return the weights whose codes come nearest to Y, shape (N, d), with all hidden layers as they are.

        The code layer is linear: it is found by least squares, with a trace of a pull toward 0 (ridge).
        """
        layers = self._layers(weights.astype(X.dtype, copy=False))

        def of_block(block: slice) -> tuple[Floats, Floats]:
            h = self._hidden(np, layers, X[block])
            h = np.column_stack([h, np.ones(len(h), h.dtype)]).astype(np.float64)
            return h.T @ h, h.T @ Y[block]

        parts = by_blocks(of_block, len(X))
        products, targets = (functools.reduce(np.add, [part[k] for part in parts]) for k in (0, 1))
        ridge = _RIDGE * np.trace(products) / len(products)
        found = by_blocks(lambda _: np.linalg.solve(products + ridge * np.eye(len(products)), targets), 1)[0]
        return np.concatenate([found.ravel(), weights[found.size :]])

    def _layers(self, weights: Any) -> list[tuple[Any, Any]]:
        """Return the weights and biases of the code layer, the hidden ones before it, and the decoder's."""
        layers, at = [], 0
        for before, after in self._shapes:
            n = before * after
            layers.append((weights[at : at + n].reshape((before, after)), weights[at + n : at + n + after]))
            at += n + after
        return layers

    def _hidden(self, np: Any, layers: Any, x: Floats, tanh: Any = np.tanh) -> Any:
        h = (x - self.mean.astype(x.dtype)) / x.dtype.type(self.scale)
        for W, b in layers[1 : len(self.sizes) - 1]:
            h = tanh(np.dot(h, W) + b)
        return h

    def _encoded(self, np: Any, layers: Any, x: Floats, tanh: Any = np.tanh) -> Any:
        W, b = layers[0]
        return np.dot(self._hidden(np, layers, x, tanh), W) + b

    def _decoded(self, np: Any, layers: Any, y: Any, tanh: Any = np.tanh) -> Any:
        *hidden, (V, c) = layers[len(self.sizes) - 1 :]
        for W, b in hidden:
            y = tanh(np.dot(y, W) + b)
        return np.dot(y, V) + c


@functools.cache
def _tanh() -> Any:
    """Return a tanh whose derivative is 1 - tanh^2: autograd's own is 1 / cosh^2, which overflows far out."""
    from autograd.extend import defvjp, primitive

    tanh = primitive(np.tanh)
    defvjp(tanh, lambda found, a: lambda g: g * (1.0 - found * found))
    return tanh


def _gradient(cost: Callable[[Any], Any], parts: list[Floats]) -> list[Floats]:
    """Return the gradient of a scalar cost by a list of arrays, as autograd's own does, but on several threads at once.

    autograd counts derivatives of derivatives in a variable of the whole process, which two threads would spoil. Ours
    are first derivatives all, so that they need no count.
    """
    from autograd.core import VJPNode, backward_pass
    from autograd.tracer import new_box

    end = cost(new_box(parts, 0, VJPNode.new_root()))
    return backward_pass(np.ones((), parts[0].dtype), end._node)
