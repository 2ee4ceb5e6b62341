"""Lecture 10: where an exaggerated pair rests, the gradient with an exaggeration, and the end of the knob."""

from typing import Any

import numpy as np

from notebook_sne.affinities.makers import conditional, joint
from notebook_sne.course.checks_of_tasks import array, equal
from notebook_sne.course.tasks import Part, Posed, digits, gradient, returned, values
from notebook_sne.engine.checks.arrays import Floats

__all__ = ["long", "short"]


def short(generator: np.random.Generator) -> Posed:
    """Where pairs rest, and from which exaggeration on they lie in one place."""
    p = np.sort(np.round(10 ** -generator.uniform(3.0, 5.5, size=6), 7))
    Z, rho = float(generator.integers(500, 2000)), float(generator.choice([2, 3, 4]))
    p = p / p.max() * round(float(generator.uniform(0.05, 0.2)), 3) / Z
    w = rho * p * Z
    rest, most = np.sqrt(1 / w - 1), 1 / (p.max() * Z)

    parts = {
        "rest": values(2, "distance at which the pull and the push of each pair are equal, with the exaggeration rho, "
                       "shape (6,)", rest, [
            (rest**2, "holds squared distances"), (np.sqrt(1 / (p * Z) - 1), "does not depend on rho"),
            (np.sqrt(rho / (p * Z) - 1), "makes the push stronger, and not the pull"),
            (np.sqrt(1 / w), "forgets the 1 beside the squared distance"),
        ], least=0.0),
        "most": values(2, "exaggeration from which on one of the pairs has no distance left, with this Z", most, [
            (1 / (p.min() * Z), "is that from which on none has a distance left"), (1 / most, "is upside down"),
            (most / rho, "is how many times as strong again"),
        ]),
    }  # fmt: skip
    return Posed("Where does a pair rest?", {"p": p, "Z": Z, "rho": rho}, parts)


def _similarities(Y: Floats) -> Floats:
    made: Floats = 1 / (1 + np.square(Y[:, None] - Y).sum(axis=2))
    np.fill_diagonal(made, 0.0)
    return made


def _cost(P: Floats, Y: Floats, rho: float) -> float:
    """Return what the exaggerated gradient is the slope of."""
    w = _similarities(Y)
    return float(-rho * (P * np.log(w + np.eye(len(P)))).sum() + np.log(w.sum()))


def long(generator: np.random.Generator) -> Posed:
    """Cost and gradient with an exaggeration, the size of a map, and two eigenvectors."""
    P = np.asarray(joint(conditional(digits(generator, 30), float(generator.choice([8, 9, 10])))))
    Y, rho = generator.normal(size=(30, 2)), float(generator.choice([2, 4, 8]))
    right, plain = _cost(P, Y, rho), _cost(P, Y, 1.0)
    gain = np.array([_cost(P, Y, one) - _cost(P, 0.99 * Y, one) for one in (1.0, rho)])
    laplacian = np.diag(P.sum(axis=1)) - P
    found = np.linalg.eigh(laplacian)[1]

    def look_vectors(name: str, value: Any, given: dict[str, Any]) -> None:
        V = array(name, value, (30, 2))

        def turned(right: Floats) -> Floats:  # an eigenvector is one with either sign
            return right * np.where((right * V).sum(axis=0) < 0, -1.0, 1.0)

        equal(name, V, turned(found[:, 1:3]), within=1e-5, slips=[
            (turned(found[:, :2]), "begins with the vector that is the same for all objects"),
            (turned(found[:, -2:]), "has the largest eigenvalues"), (turned(found[:, [2, 1]]), "is in another order"),
            (turned(found[:, [-1, -2]]), "has the largest eigenvalues"),
        ])  # fmt: skip

    data = {"P": P, "Y": Y, "rho": rho}
    parts = {
        "cost": returned(2, "function of P, Y and rho: minus rho times the sum of p_ij log w_ij, plus the logarithm of "
                         "the sum Z of all w_ij, of ordered pairs", [P, Y, rho], right, [
            (plain, "does not depend on rho"), (rho * plain, "exaggerates the push as well"),
            (right - np.log(2), "sums Z over unordered pairs, and P over ordered ones"),
            (right - 2 * np.log(_similarities(Y).sum()), "has the push with the wrong sign"),
        ]),
        "gradient": gradient(5, f"function of P, Y and rho that returns dC/dy, shape {Y.shape}", _cost, Y, [P], [rho]),
        "gain": values(2, "by how much the cost falls when the map Y becomes smaller by one hundredth: at an "
                       "exaggeration of 1, and of rho", gain, [
            (-gain, "is the cost after minus the cost before"), (gain[::-1], "has the two in the other order"),
        ], within=1e-4),
        "vectors": Part(3, "eigenvectors of D - P of the two smallest eigenvalues above 0, of length 1, where D has "
                        "the row sums of P on its diagonal; shape (30, 2)", look_vectors),
    }  # fmt: skip
    return Posed("One knob, by hand", data, parts)
