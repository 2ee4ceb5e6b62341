"""Where vectors and matrices lie in what an optimizer moves, and the plane in which a map shows the vectors.

A state shows two dimensions at most. Of vectors with more, these are the plane of most variance. The basis in it is the
one that lies nearest to the first two coordinates: the principal components themselves may change sign or place from
one update to the next, and the map would jump.
"""

import numpy as np

from notebook_sne.engine.fitting.layout import Layout
from notebook_sne.engine.fitting.state import State
from notebook_sne.engine.machine.parallel import one_thread

__all__ = ["RelationalLayout", "begin", "frame", "shown"]

_SHOWN = 2
_START = 0.5
_SAME = 1e-9  # of the width of a map: another machine's eigenvectors have other last digits


class RelationalLayout(Layout):
    """Vectors, then matrices where these are `free`, in one vector theta; d is `n_components`."""

    def __init__(self, n_objects: int, n_relations: int, n_components: int, free: bool) -> None:
        super().__init__(1, n_objects, min(n_components, _SHOWN), weighted=False)
        self.n_relations, self.n_dimensions, self.free = n_relations, n_components, free

    def parts(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the vectors, shape (N, d), and the matrices, shape (K, d, d)."""
        N, d, K = self.shape[1], self.n_dimensions, self.n_relations
        V, rest = theta[: N * d].reshape(N, d), theta[N * d :]
        return V, rest.reshape(K, d, d) if self.free else np.broadcast_to(np.eye(d), (K, d, d))

    def split(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the map points, shape (1, N, 1 or 2), and theta itself."""
        return shown(self.parts(theta)[0])[None], theta

    def join(self, Y: np.ndarray, W: np.ndarray | None) -> np.ndarray:
        """Return theta."""
        if W is None:
            raise ValueError("a map of relations needs vectors and matrices, got map points")
        return W

    def flat(self, theta: np.ndarray) -> np.ndarray:
        """Return theta: there are no extra dimensions."""
        return theta

    def n_coordinates(self, theta: np.ndarray) -> int:
        """Return how many entries of theta are those of vectors."""
        return self.shape[1] * self.n_dimensions

    def theta_of(self, state: State, own: bool, seed: int) -> np.ndarray:
        """Return the theta of a state of this model; an object that was moved has been moved within the plane.

        The positions of another model become the first coordinates of vectors, and matrices begin at random.
        """
        theta = state.memory.get("weights") if own else None
        size = self.n_coordinates(np.empty(0)) + self.free * self.n_relations * self.n_dimensions**2
        if theta is None or theta.shape != (size,):
            if own:
                raise ValueError(
                    f"start must be a state with {size} numbers in its vectors and matrices, got one with "
                    f"{'none' if theta is None else theta.size}; give a state of the same objects, relations, "
                    "n_components and matrices"
                )
            theta = begin(self, np.random.default_rng((seed, 0, 1)))
            V, n = self.parts(theta)[0], min(self.n_dimensions, state.Y.shape[2])
            V[:, :n] = state.Y[0][:, :n]
            return theta
        V = self.parts(theta)[0]
        Y = shown(V)
        moved = state.Y[0] - Y
        if np.abs(moved).max() <= _SAME * np.abs(Y).max():
            return theta
        theta = theta.copy()
        self.parts(theta)[0][:] += moved @ frame(V)[:, : moved.shape[1]].T
        return theta


def begin(layout: RelationalLayout, rng: np.random.Generator) -> np.ndarray:
    """Return a theta at random; at 0 nothing would move."""
    N, d, K = layout.shape[1], layout.n_dimensions, layout.n_relations
    V = _START * rng.standard_normal(N * d)
    return np.append(V, _START / np.sqrt(d) * rng.standard_normal(K * d * d)) if layout.free else V


@one_thread()  # type: ignore[untyped-decorator]
def frame(V: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis, shape (d, d), whose first two columns span the plane of most variance of V."""
    d = V.shape[1]
    if d <= _SHOWN:
        return np.eye(d)
    U = _directions(V)
    basis = np.empty((d, d))
    for columns in (slice(0, _SHOWN), slice(_SHOWN, d)):  # the plane, then what is left, each turned by itself
        left, _, right = np.linalg.svd(U[columns, columns])
        basis[:, columns] = U[:, columns] @ (left @ right).T
    return basis


def shown(V: np.ndarray) -> np.ndarray:
    """Return the map points of vectors, shape (N, 1 or 2)."""
    if V.shape[1] <= _SHOWN:
        return V
    return np.einsum("nd,dk->nk", V, frame(V)[:, :_SHOWN])  # no BLAS, whose bits change with the number of threads


def _directions(V: np.ndarray) -> np.ndarray:
    """Return the principal directions, as columns in falling order of variance."""
    apart = V - V.mean(axis=0)
    return np.linalg.eigh(np.einsum("ni,nj->ij", apart, apart))[1][:, ::-1]
