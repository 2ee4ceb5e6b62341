import numpy as np
import pytest

from notebook_sne.quality import knn_confusion, knn_error, neighbor_recall, procrustes_disparity, trustworthiness


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda Y: knn_error(Y, [0] * 9), "labels must hold one entry for each of the 10 objects, got 9"),
        (lambda Y: knn_error(Y, [np.inf] * 10), "labels must be finite, got inf at object 0"),
        (lambda Y: knn_error(Y, ["a", None] + [np.nan] * 8), "labels must name the classes of at least 3 .* of 1; the"),
        (lambda Y: knn_error(Y, [0] * 8 + [None] * 2, k=8), "k must be below N, so at most 7, got 8; lower it"),
        (lambda Y: knn_error(Y, [0] * 10, k=10), "k must be below N, so at most 9, got 10; lower it"),
        (lambda Y: knn_error(Y, [0] * 10, k=0), "k must be at least 1, got 0"),
        (lambda Y: knn_error(Y * np.nan, [0] * 10), r"Y must be finite, but Y\[0, 0\] is NaN"),
        (lambda Y: knn_confusion(Y, [0] * 9), "labels must hold one entry for each of the 10 objects, got 9"),
        (lambda Y: knn_confusion(Y, [0] * 10, k=10), "k must be below N, so at most 9, got 10; lower it"),
        (lambda Y: knn_confusion(Y * np.nan, [0] * 10), r"Y must be finite, but Y\[0, 0\] is NaN"),
        (lambda Y: neighbor_recall(Y, Y[:9]), "X and Y must hold the same objects, got 10 and 9"),
        (lambda Y: trustworthiness(Y, Y, k=5), "k must be below N / 2, so at most 4, got 5"),
        (lambda Y: procrustes_disparity(Y, Y[:, :1]), r"A and B must have the same shape, got \(10, 2\) and \(10, 1\)"),
    ],
)
def test_errors_name_the_argument_and_the_rule(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.random.default_rng(1).normal(size=(10, 2)))
