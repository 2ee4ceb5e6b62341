"""Texts that the docstrings of the maps by networks share, written once."""

import inspect

__all__ = ["shared"]

_NETWORK = """\
hidden : tuple of int, default=(200, 100)
    Numbers of units of the hidden layers, from the objects to the codes; () makes the map linear.
neighbors : {"data", "labels"} or sparse array, shape (N, N), default="data"
    Who is a neighbor of whom: the P that the model makes of the objects; all others of an object's class, evenly; or a
    conditional P of one's own, rows summing to 1, dense or sparse.
labels : array, shape (N,), or None, default=None
    The classes for ``neighbors="labels"``, where none are given to `fit` or `iterate`, as by a `Run` or the player.
n_components : int, default=2
    Number of dimensions of a code.
max_iter : int, default=200
    Most updates that `fit` makes, and after which a `Run` has finished. What the model's schedules say follows from it,
    such as the end of the exaggeration. A fit stops earlier once 50 updates have lowered the objective by less than
    1e-5 of itself.
optimizer : {"auto", "momentum", "lbfgs", "conjugate"}, default="auto"
    L-BFGS, which is "auto", conjugate gradients, or gradient descent with momentum, rate and jitter; all of them on all
    objects at once.
learning_rate : float, schedule or "auto", default="auto"
    With ``optimizer="momentum"``, the length of a step along the gradient of the weights; "auto" is 0.001. It is halved
    whenever the objective rises by more than 1%.
momentum : float, schedule or "auto", default="auto"
    Share of the last step that is kept, 0 <= momentum < 1; "auto" is 0.9.
adaptive_step : bool, default=False
    Whether the learning rate grows with each update that lowers the objective and shrinks with each that raises it;
    with ``optimizer="momentum"`` only.
jitter : float or schedule, default=0
    Standard deviation of the noise added to each weight of the code layer after each update; with
    ``optimizer="momentum"`` only.
init : {"auto", "random", "pca"} or array, default="auto"
    Where the run starts: at random weights, which is "auto"; or with random hidden layers and the code layer that comes
    nearest to principal components, or to given map points, of shape (N, n_components).
random_state : int, RandomState or None, default=None
    Seed of the weights and of the jitter.
n_jobs : int or None, default=None
    Threads, as of all models; their number never changes a bit of the result.
progress : {"auto", True, False}, default="auto"
    Whether `fit` shows a progress bar; "auto" shows it after a second, in a notebook or a terminal.\
"""

_RESULTS = """\
embedding_ : ndarray, shape (N, n_components)
    The codes: of the states at the end of the schedules, the best.
network_ : Network
    The shape of the network; see `notebook_sne.networks.network`.
weights_ : ndarray of float64, shape (n_weights,)
    Its weights.
affinities_ : scipy.sparse.csr_array, shape (N, N)
    The P that the codes are held to, where there is one; so are `dropped_mass_` and `n_tied_`, as of all models.
cost_ : float
    What was lowered, never exaggerated, in nats.
objective_ : float
    The same with exaggeration and penalties, where there are any.
n_iter_ : int
    Updates made.
state_ : State
    The state that the results were taken from; `iterate(X, start=model.state_)` goes on from it.
trace_ : pandas.DataFrame
    One row a state: iteration, phase, cost, objective, gradient_norm, seconds, and one column a knob.\
"""

_NOTES = """\
The extra ``networks`` brings autograd, with which gradients are carried back to the weights; a fitted map places new
objects without it. Objects in single precision make an update about twice as quick.

Positions handed over by another model, or moved by hand, can't be kept: the map is a function of the objects. The run
goes on with the code layer that comes nearest to them, by least squares; hidden layers are those of the state, or
random ones after another model.\
"""


def shared(doc: str) -> str:
    """Return a docstring with what stands for ``{network}``, ``{results}`` and ``{notes}`` in it."""
    doc = inspect.cleandoc(doc)
    for name, text in (("{network}", _NETWORK), ("{results}", _RESULTS), ("{notes}", _NOTES)):
        doc = doc.replace(name, text)
    return doc
