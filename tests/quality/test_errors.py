import numpy as np
import pytest

from notebook_sne import quality as Q
from notebook_sne.quality import knn_confusion, knn_error, neighbor_recall, procrustes_disparity, trustworthiness

JOINT = (np.ones((10, 10)) - np.eye(10)) / 90


@pytest.mark.slow
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
        (lambda Y: Q.continuity(Y, Y, k=5), "k must be below N / 2, so at most 4, got 5"),
        (lambda Y: Q.continuity(Y, Y, k=2, sample=1), "sample must be at least 2, got 1"),
        (lambda Y: Q.recall_area(Y[:3], Y[:3]), "X must hold at least 4 objects, got 3: all of fewer are neighbors"),
        (lambda Y: Q.class_recall(Y, Y, [0, 1] * 5), "labels must name at least 3 classes, got 2; neighbor_recall"),
        (lambda Y: Q.class_recall(Y, Y, list("abcde") * 2, k=5), "k must be below the number of classes, so at most 4"),
        (lambda Y: Q.class_recall(Y, np.eye(2).repeat(5, axis=0), list("abcde") * 2), "means of Y must not be const"),
        (lambda Y: Q.distance_rank_correlation(Y, Y, sample=9), "sample must be at least 30, got 9"),
        (lambda Y: Q.distance_rank_correlation(np.eye(10), Y), "X must have pairs at different distances, got 45 at"),
        (lambda Y: Q.triplet_accuracy(Y, Y, 1), "n_triplets must be at least 2, got 1"),
        (lambda Y: Q.procrustes_align(Y, Y[:, :1]), r"A and B must have the same shape, got \(10, 2\) and \(10, 1\)"),
        (lambda Y: Q.procrustes_align(Y, Y * 0), "B must not be constant"),
        (lambda Y: Q.stability([Y]), "embeddings must hold at least two maps, got 1; give those of several seeds"),
        (lambda Y: Q.stability([Y, Y[:9]]), r"embeddings\[0\] and embeddings\[1\] must hold the same .* 10 and 9"),
        (lambda Y: Q.stability([Y, Y * np.nan]), r"embeddings\[1\] must be finite"),
        (lambda Y: Q.object_scores(Y, Y, 5), "k must be below N / 2, so at most 4, got 5"),
        (lambda Y: Q.object_scores(Y, Y, 2, labels=[0] * 9), "labels must hold one entry for each of the 10 objects"),
        (lambda Y: Q.kl_divergence(Y[:9], JOINT), "Y and P must hold the same objects, got 9 and 10"),
        (lambda Y: Q.kl_divergence(Y, X=Y[:9], perplexity=3), "Y and X must hold the same objects, got 10 and 9"),
        (lambda Y: Q.kl_divergence(Y, X=Y), "perplexity must be below N - 1 = 9, got 30"),
        (lambda Y: Q.kl_divergence(Y, 0.5 * JOINT), "a joint P must sum to 1, but it misses that by -0.5"),
        (lambda Y: Q.kl_divergence(Y, JOINT, convention="conditional"), "P must be conditional, got one that sums to"),
        (lambda Y: Q.kl_divergence(Y, 10 * JOINT, background=0.1), "background must be 0 under a conditional P"),
        (lambda Y: Q.kl_divergence(Y, JOINT, background=1.0), "background must satisfy 0 <= background < 1"),
        (lambda Y: Q.kl_divergence(Y, JOINT, degrees_of_freedom=0), "degrees_of_freedom must satisfy 0 < degrees"),
        (lambda Y: Q.kl_divergence(Y, JOINT, kernel="cauchy"), "kernel must be .*gaussian.*student.*got 'cauchy'"),
        (lambda Y: Q.object_costs(Y[:, 0], JOINT), "Y must "),
    ],
)
def test_errors_name_the_argument_and_the_rule(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.random.default_rng(1).normal(size=(10, 2)))


def test_several_maps_are_no_map():
    maps = np.random.default_rng(1).normal(size=(3, 10, 2))
    for call in (
        lambda Y: Q.trustworthiness(Y[0], Y, 2),
        lambda Y: Q.triplet_accuracy(Y[0], Y),
        lambda Y: Q.kl_divergence(Y, JOINT),
        lambda Y: Q.object_scores(Y[0], Y, 2),
    ):
        with pytest.raises(ValueError, match=r"Y must have 2 axes|Y must have shape|2 dimensions|Y must be"):
            call(maps)


def test_p_or_x_is_given_and_not_both():
    Y = np.random.default_rng(1).normal(size=(10, 2))
    with pytest.raises(TypeError, match="P or X must be given, got neither; give"):
        Q.kl_divergence(Y)
    with pytest.raises(TypeError, match="P and X must not both be given; give"):
        Q.kl_divergence(Y, JOINT, X=Y)
