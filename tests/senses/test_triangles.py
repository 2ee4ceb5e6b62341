import numpy as np
import pytest

import notebook_sne as ns
from tests.senses.planted import planted_model

# a1 - b - c1, a2 - b - c2, with a1 - a2 and c1 - c2 tied as well: b has two meanings.
P = np.array([[0, 1, 2, 0, 0], [1, 0, 2, 0, 0], [1, 1, 0, 1, 1], [0, 0, 2, 0, 1], [0, 0, 2, 1, 0]], dtype=float)
P /= P.sum(axis=1, keepdims=True)
MIXING = np.array([[0.98, 0.98, 0.5, 0.02, 0.02], [0.02, 0.02, 0.5, 0.98, 0.98]])


def test_two_maps_keep_what_one_point_cannot():
    one, two = np.zeros((5, 2)), np.zeros((2, 5, 2))
    line = np.array([[0.0, 0], [0, 0.1], [1, 0], [2, 0], [2, 0.1]])
    found = ns.senses.triangles(P, {"point": one, "line": line}, n_neighbors=4).set_index("title")
    assert (found["kept"] == 0).all()  # everybody is a neighbor of everybody
    found = ns.senses.triangles(P, two, MIXING, n_neighbors=2)
    assert found["n_maps"][0] == 2
    assert found["n_triples"][0] == 4
    assert found["kept"][0] == 1.0
    assert found["closed"][0] == 0.0


def test_triples_are_those_of_a_triple_loop():
    model = planted_model()
    P = model.affinities_
    found = ns.senses.triangles(P, {"several": model, "one": model.maps_[0]}, n_neighbors=6).set_index("title")
    dense = np.maximum(P.toarray(), P.toarray().T)
    D = ((model.maps_[:, :, None] - model.maps_[:, None]) ** 2).sum(axis=3)
    Q = (model.mixing_[:, :, None] * model.mixing_[:, None] * np.exp(-D)).sum(axis=0)
    np.fill_diagonal(Q, -1)
    near = np.zeros_like(Q, dtype=bool)
    near[np.arange(len(Q))[:, None], np.argsort(-Q, axis=1)[:, :6]] = True
    near |= near.T
    n_triples = n_kept = 0
    for b in range(len(Q)):
        for a in range(len(Q)):
            for c in range(a):
                if b not in (a, c) and dense[a, b] >= 0.05 and dense[b, c] >= 0.05 and dense[a, c] == 0:
                    n_triples += 1
                    n_kept += near[a, b] and near[b, c] and not near[a, c]
    assert found["n_triples"]["several"] == found["n_triples"]["one"] == n_triples
    assert found["kept"]["several"] == pytest.approx(n_kept / n_triples)
    assert found["kept"]["several"] > 2 * found["kept"]["one"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: ns.senses.triangles(P, m), "must map the N = 5 objects of P, got 38"),
        (lambda m: ns.senses.triangles(P[:4], m), r"P must be square, shape \(N, N\), got shape \(4, 5\)"),
        (lambda m: ns.senses.triangles(P, {"a": np.zeros((5, 2))}, MIXING), "mixing belongs to one array of maps"),
        (lambda m: ns.senses.triangles(P, np.zeros((5, 2)), strong=0.9), "intransitive triples at strong = 0.9"),
    ],
)
def test_errors_name_the_argument_and_the_rule(call, message):
    with pytest.raises(ValueError, match=message):
        call(planted_model())
