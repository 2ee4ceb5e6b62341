"""Each task is solved by its answers, and each typical mistake is met with the right words."""

import json
import subprocess
import sys

import numpy as np
import pytest

import notebook_sne as ns
from notebook_sne.course.checks_of_tasks import STEP, Wrong, equal, slope
from notebook_sne.course.posing import LECTURES
from notebook_sne.quality import neighbor_recall
from tests.course import answers
from tests.course.answers import ANSWERS, bits, divergence, joint_log, kl, sne_log_q, springs, squares
from tests.standins.waiting import LONG

NUMBER = 4711
KEYS = list(ANSWERS)
_posed = {}


def posed(lecture, kind):
    """Return a task and its answers; made once, as lecture 8 fits a map."""
    if (lecture, kind) not in _posed:
        task = ns.course.task(lecture, kind, number=NUMBER)
        _posed[lecture, kind] = task, ANSWERS[lecture, kind](task.data)
    return _posed[lecture, kind]


def each_task(function):
    return pytest.mark.parametrize(("lecture", "kind"), KEYS)(function)


def nats_as_bits(d):
    """A row whose entropy in nats was taken for bits: its perplexity is 2**nats only by name."""
    return answers.bisected(d.d, d.perplexity ** (1 / np.log(2)))[0]


def scaled(by):
    return lambda f: lambda *a: by * f(*a)


def rows_of(K):
    K = K * (1 - np.eye(len(K)))
    return K / K.sum(axis=1, keepdims=True)


def all_of(K):
    K = K * (1 - np.eye(len(K)))
    return K / K.sum()


def map_of(name):
    return posed(13, "long")[1][name]


# A part, a wrong answer as a function of the data and of the right one, and words of the sentence that meets it.
MISTAKES = [
    ("2 short p", lambda d, r: np.full(59, 1 / 59), "must have the perplexity"),
    ("2 short p", lambda d, r: np.exp(-d.d / (2 * 10.0**2)), "must sum to 1, but it sums to"),
    ("2 short p", lambda d, r: nats_as_bits(d), "are your bits nats"),
    ("2 short p", lambda d, r: answers.bisected(np.sqrt(d.d), d.perplexity)[0], "is something squared once too little"),
    ("2 short p", lambda d, r: r[np.argsort(r)][np.argsort(np.argsort(d.d))], "a farther object has a larger"),
    ("2 short p", lambda d, r: -r, "must not be below 0"),
    ("2 short sigma", lambda d, r: r**2, "is a variance and no width"),
    ("2 short sigma", lambda d, r: 1 / (2 * r**2), "is a precision and no width"),
    ("2 short sigma", lambda d, r: r * np.sqrt(2), "misses the 2 in the exponent"),
    ("2 short sigma", lambda d, r: -1.0, "must be above 0"),
    ("2 long conditional", lambda d, r: lambda D, k: np.array([np.exp(-row / 2e5) for row in D]), "the diagonal of"),
    ("2 long conditional", lambda d, r: lambda D, k: rows_of(np.exp(-D / 1000.0)), "be finite, but 40 of 1600"),
    ("2 long conditional", lambda d, r: lambda D, k: r(D, k) / 40, "each row of what conditional returns must sum"),
    ("2 long conditional", lambda d, r: lambda D, k: r(D, k + 1), "must have the perplexity"),
    ("2 long conditional", lambda d, r: lambda D, k: r(np.sqrt(D), k), "D holds squares already"),
    ("2 long highest", lambda d, r: r + 1, "counts the object itself"),
    ("2 long highest", lambda d, r: np.log2(r), "is an entropy and no perplexity"),
    ("2 long highest", lambda d, r: np.inf, "must be finite"),
    ("2 long contrast", lambda d, r: 1 / r, "is the smallest over the largest"),
    ("2 long contrast", lambda d, r: np.log(r), "is a logarithm"),
    ("2 long contrast", lambda d, r: 100 * r, "is far too large"),
    ("3 short q", lambda d, r: lambda Y: all_of(np.exp(-squares(Y))), "all entries together do"),
    ("3 short q", lambda d, r: lambda Y: rows_of(np.exp(-squares(Y) / 2)), "has a Gaussian of another width"),
    ("3 short q", lambda d, r: lambda Y: rows_of(np.exp(-np.sqrt(squares(Y)))), "a Gaussian falls with its square"),
    ("3 short q", lambda d, r: lambda Y: rows_of(1 / (1 + squares(Y))), "has heavy tails"),
    ("3 short q", lambda d, r: lambda Y: np.exp(-squares(Y)), "the diagonal of what q returns must be 0"),
    ("3 short cost", lambda d, r: scaled(1 / np.log(2))(r), "is in bits"),
    ("3 short cost", lambda d, r: scaled(1 / 24)(r), "is a mean over the objects"),
    ("3 short cost", lambda d, r: scaled(-1)(r), "has the wrong sign"),
    ("3 short cost", lambda d, r: lambda P, Y: (P * np.log(P / np.exp(sne_log_q(Y)))).sum(), "which term is 0 * log 0"),
    ("3 short cost", lambda d, r: lambda P, Y: -np.where(P > 0, P * sne_log_q(Y), 0).sum(), "lacks the entropy of P"),
    ("3 long cost", lambda d, r: scaled(1 / np.log(2))(r), "is in bits"),
    ("3 long cost", lambda d, r: scaled(1 / 36)(r), "is a mean over the objects"),
    ("3 long cost", lambda d, r: lambda P, Y: r(P, Y).repeat(2), "must be one number"),
    ("3 long gradient", lambda d, r: scaled(0.5)(r), "is half the slope"),
    ("3 long gradient", lambda d, r: scaled(2)(r), "is twice as large as the slope"),
    ("3 long gradient", lambda d, r: scaled(-1)(r), "points the other way"),
    ("3 long gradient", lambda d, r: lambda P, Y: 2 * springs(P - np.exp(sne_log_q(Y)), Y), "is not what"),
    ("3 long gradient", lambda d, r: lambda P, Y: r(P, Y).ravel(), "must have the shape (36, 2), got (72,)"),
    ("3 long far", lambda d, r: np.inf, "must be finite"),
    ("3 long far", lambda d, r: answers.sne_cost(d.P, d.Y), "is the cost of Y, not of far"),
    ("3 long far", lambda d, r: r + 1, "is not what your data give"),
    ("3 long settled", lambda d, r: d.Y, "must rest, but there still is a slope"),
    ("3 long settled", lambda d, r: np.zeros_like(d.Y), "all its points in one place"),
    ("3 long settled", lambda d, r: r.T, "must have the shape"),
    ("3 long settled", lambda d, r: r * 1.1, "must rest"),
    ("4 short forward", lambda d, r: r / np.log(2), "is in bits"),
    ("4 short forward", lambda d, r: -r, "has the wrong sign"),
    ("4 short forward", lambda d, r: -(d.p * np.log(d.q)).sum(), "is a cross entropy"),
    ("4 short forward", lambda d, r: (d.p * np.log(d.p / d.q)).sum(), "which term is 0 * log 0"),
    ("4 short backward", lambda d, r: kl(d.p, d.q), "is the same direction as forward"),
    ("4 short backward", lambda d, r: kl(d.q, d.p + 1e-12), "must count what it costs where p is 0"),
    ("4 short backward", lambda d, r: kl(d.q[d.p > 0], d.p[d.p > 0]), "must count what it costs where p is 0"),
    ("4 short backward", lambda d, r: np.nan, "must be a number, got nan"),
    ("4 long cost", lambda d, r: scaled(1 / np.log(2))(r), "is in bits"),
    ("4 long cost", lambda d, r: lambda p, q: r(q, p), "is the other direction"),
    ("4 long cost", lambda d, r: lambda p, q: (p * np.log(p / q)).sum(), "which term is 0 * log 0"),
    ("4 long forward", lambda d, r: ANSWERS[4, "long"](d)["backward"], "is the Gaussian of the other direction"),
    ("4 long forward", lambda d, r: (r[0], r[1] ** 2), "has a variance"),
    ("4 long forward", lambda d, r: (r[0], -r[1]), "must be above 0"),
    ("4 long forward", lambda d, r: (0.0, 3.0), "is not what your data give"),
    ("4 long backward", lambda d, r: ANSWERS[4, "long"](d)["forward"], "is the Gaussian of the other direction"),
    ("4 long backward", lambda d, r: other_hump(d), "is a valley, but not the deepest one"),
    ("4 long backward", lambda d, r: r[0], "must have the shape (2,), got ()"),
    ("5 short joint", lambda d, r: d.P / 30, "must be symmetric"),
    ("5 short joint", lambda d, r: 30 * r, "all entries of joint together must sum to 1, but they sum to 30"),
    ("5 short joint", lambda d, r: np.minimum(d.P, d.P.T) / np.minimum(d.P, d.P.T).sum(), "only what both choose"),
    ("5 short joint", lambda d, r: all_of(np.sqrt(d.P * d.P.T)), "is a geometric mean"),
    ("5 short mass", lambda d, r: np.ones(30), "in which all objects count the same"),
    ("5 short mass", lambda d, r: d.P.sum(axis=0), "is how often each object is chosen"),
    ("5 short mass", lambda d, r: d.P.sum(axis=0) / 30, "is how often each object is chosen"),
    ("5 short mass", lambda d, r: 2 * r, "is right but for a factor"),
    ("5 short least", lambda d, r: 1 / 60**2, "is far too small"),
    ("5 short least", lambda d, r: 1 / 30, "to be chosen as often as it chooses"),
    ("5 short least", lambda d, r: 0.0, "forgets that the object itself always chooses"),
    ("5 long cost", lambda d, r: scaled(1 / np.log(2))(r), "is in bits"),
    ("5 long cost", lambda d, r: lambda P, Y: r(P, Y) - np.log(2), "sums Z over unordered pairs"),
    ("5 long cost", lambda d, r: lambda P, Y: divergence(P, sne_log_q(Y)), "divides each row of q by its own sum"),
    ("5 long cost", lambda d, r: scaled(0.5)(r), "counts every pair once"),
    ("5 long gradient", lambda d, r: scaled(0.5)(r), "is half the slope"),
    ("5 long gradient", lambda d, r: scaled(-1)(r), "points the other way"),
    ("5 long gradient", lambda d, r: lambda P, Y: 4 * springs(P - np.exp(sne_log_q(Y)), Y), "is not what your data"),
    ("5 long change", lambda d, r: r[::-1], "has the two P in the other order"),
    ("5 long change", lambda d, r: -np.array(r), "is the cost before minus the cost after"),
    ("5 long change", lambda d, r: [0, 0], "is not what your data give in 2 of 2 entries"),
    ("6 short between", lambda d, r: lambda n, a, b: (b - a) ** n, "whose radius is the difference"),
    ("6 short between", lambda d, r: lambda n, a, b: b - a, "takes the radius for the volume"),
    ("6 short between", lambda d, r: lambda n, a, b: b**2 - a**2, "is that of a disc"),
    ("6 short between", lambda d, r: lambda n, a, b: a**n - b**n, "is below 0"),
    ("6 short dimension", lambda d, r: r - 1, "leaves more than one object in a hundred inside"),
    ("6 short dimension", lambda d, r: r + 1, "a smaller one is as well"),
    ("6 short dimension", lambda d, r: np.log(0.01) / np.log(d.radius), "must be a whole number"),
    ("6 short dimension", lambda d, r: 1, "has 99 of 100 objects inside"),
    ("6 long q", lambda d, r: lambda Y, b: r(Y, b) + b / 870, "the diagonal of what q returns must be 0"),
    ("6 long q", lambda d, r: lambda Y, b: (r(Y, 0) + b / 870 * (1 - np.eye(30))) / (1 + b), "then divides by the sum"),
    ("6 long q", lambda d, r: lambda Y, b: r(Y, 0), "does not depend on the background"),
    ("6 long q", lambda d, r: lambda Y, b: r(Y, 1 - b), "has the background and the rest exchanged"),
    ("6 long q", lambda d, r: lambda Y, b: r(Y, 0) + b / 870 * (1 - np.eye(30)), "must sum to 1, but they sum to 1.34"),
    ("6 long cost", lambda d, r: lambda P, Y, b: r(P, Y, 0), "does not depend on the background"),
    ("6 long cost", lambda d, r: lambda P, Y, b: (1 - b) * r(P, Y, 0), "mixes costs"),
    ("6 long cost", lambda d, r: scaled(1 / np.log(2))(r), "is in bits"),
    ("6 long cost", lambda d, r: lambda P, Y, b: r(P, Y, b) - np.log(P[P > 0]) @ P[P > 0], "lacks the entropy of P"),
    ("6 long gradient", lambda d, r: lambda P, Y, b: r(P, Y, 0), "is not what your data give"),
    ("6 long gradient", lambda d, r: lambda P, Y, b: r(P, Y + 0 * Y, b) / 2, "is half the slope"),
    ("6 long gradient", lambda d, r: lambda P, Y, b: 1 / 0, "raised ZeroDivisionError"),
    ("6 long gain", lambda d, r: -np.array(r), "is the cost after minus the cost before"),
    ("6 long gain", lambda d, r: r[::-1], "has the two in the other order"),
    ("6 long gain", lambda d, r: r[0], "must have the shape (2,)"),
    ("7 short gaussian", lambda d, r: r**2, "holds squared distances"),
    ("7 short gaussian", lambda d, r: np.sqrt(-np.log2(d.s)), "to the base 2"),
    ("7 short gaussian", lambda d, r: np.sqrt(2) * r, "has the 2 of a Gaussian in the data"),
    ("7 short gaussian", lambda d, r: np.sqrt(1 / d.s - 1), "of the other similarity"),
    ("7 short student", lambda d, r: r**2, "holds squared distances"),
    ("7 short student", lambda d, r: np.sqrt(1 / d.s), "forgets the 1"),
    ("7 short student", lambda d, r: np.sqrt(-np.log(d.s)), "of the other similarity"),
    ("7 short ratio", lambda d, r: 1 / r, "is upside down"),
    ("7 short ratio", lambda d, r: r**2, "is that of squared distances"),
    ("7 short ratio", lambda d, r: np.sqrt(1 / d.s - 1) - np.sqrt(-np.log(d.s)), "is a difference and no ratio"),
    ("7 long q", lambda d, r: lambda Y, nu: r(Y, 1.0), "does not depend on nu"),
    ("7 long q", lambda d, r: lambda Y, nu: all_of((1 + squares(Y) / nu) ** (-nu / 2)), "has another exponent"),
    ("7 long q", lambda d, r: lambda Y, nu: all_of((1 + squares(Y)) ** (-(nu + 1) / 2)), "does not divide"),
    ("7 long q", lambda d, r: lambda Y, nu: rows_of(1 / (1 + squares(Y))), "each of its rows does"),
    ("7 long cost", lambda d, r: lambda P, Y, nu: r(P, Y, 1.0), "is that of nu = 1"),
    ("7 long cost", lambda d, r: scaled(1 / np.log(2))(r), "is in bits"),
    ("7 long cost", lambda d, r: lambda P, Y, nu: r(P, Y, nu) - np.log(P[P > 0]) @ P[P > 0], "lacks the entropy of P"),
    ("7 long gradient", lambda d, r: lambda P, Y, nu: r(P, Y, 1.0), "is not what your data give"),
    ("7 long gradient", lambda d, r: lambda P, Y, nu: r(P, Y, d.nu), "is not what your data give"),
    ("7 long gradient", lambda d, r: lambda P, Y, nu: r(P, Y, nu) * 2 * nu / (nu + 1), "is right but for a factor"),
    ("7 long gradient", lambda d, r: lambda P, Y, nu: 4 * springs(P - np.exp(joint_log(-squares(Y))), Y), "is not"),
    ("7 long gradient", lambda d, r: changes(r), "changed the array that it was given"),
    ("7 long price", lambda d, r: np.exp(-r), "is the similarity"),
    ("7 long price", lambda d, r: -r, "has the wrong sign"),
    ("7 long price", lambda d, r: (d.nus + 1) / 2 * np.log1p(d.far / d.nus), "takes `far` for a squared distance"),
    ("8 short widths", lambda d, r: r[::-1], "has the map in the first row"),
    ("8 short widths", lambda d, r: r**2, "holds squares"),
    ("8 short widths", lambda d, r: deviations(d), "is a standard deviation along one axis"),
    ("8 short widths", lambda d, r: r[0], "must have the shape (2, 3)"),
    ("8 short gaps", lambda d, r: r[::-1], "has the map in the first row"),
    ("8 short gaps", lambda d, r: r**2, "holds squares"),
    ("8 short gaps", lambda d, r: r[:, [0, 2, 1]], "has the pairs in another order"),
    ("8 short spread", lambda d, r: r[::-1], "has the map first"),
    ("8 short spread", lambda d, r: r**2, "is a ratio of squares"),
    ("8 short spread", lambda d, r: 1 / r, "must not be below 1"),
    ("8 long recall", lambda d, r: with_itself, "counts each object among its own neighbors"),
    ("8 long recall", lambda d, r: lambda X, Y, k: r(X, Y, k) * k, "is a number of neighbors and no share"),
    ("8 long recall", lambda d, r: in_order, "in the same order"),
    ("8 long recall", lambda d, r: of_either, "divides by the neighbors in either"),
    ("8 long recall", lambda d, r: lambda X, Y, k: r(X, Y, 6), "is not what your data give"),
    ("8 long order", lambda d, r: linear(d.X, d.Y), "correlates the distances and not their ranks"),
    ("8 long order", lambda d, r: 10 * r + 10, "is far too large"),
    ("8 long order", lambda d, r: np.eye(2), "must be one number"),
    ("8 long by_distance", lambda d, r: r[::-1], "has the far pairs first"),
    ("8 long by_distance", lambda d, r: [0.9, 0.9], "is not what your data give"),
    ("8 long by_distance", lambda d, r: [r[0]], "must have the shape (2,)"),
    ("8 long chance", lambda d, r: d.n_neighbors / d.n_objects, "lets an object be its own neighbor"),
    ("8 long chance", lambda d, r: 1 / (d.n_objects - 1), "is that of one neighbor"),
    ("8 long chance", lambda d, r: 1 / d.n_neighbors, "does not depend on how many objects there are"),
    ("9 short costs", lambda d, r: r / np.log(2), "is in bits"),
    ("9 short costs", lambda d, r: r / d.P.sum(axis=1), "is a mean over an object's neighbors"),
    ("9 short costs", lambda d, r: r - (d.P * np.log(d.P + (d.P == 0))).sum(axis=1), "lacks the entropy"),
    ("9 short worst", lambda d, r: d.k / 40, "is their share of the objects"),
    ("9 short worst", lambda d, r: 100 * r, "is a percentage"),
    ("9 short worst", lambda d, r: least_of(d), "that pay least"),
    ("9 long area", lambda d, r: lambda s, w: 1 - r(s, w), "the right one scores higher"),
    ("9 long area", lambda d, r: lambda s, w: np.greater.outer(s[w], s[~w]).mean(), "counts a tie as nothing"),
    ("9 long area", lambda d, r: lambda s, w: np.greater_equal.outer(s[w], s[~w]).mean(), "as a whole pair"),
    ("9 long suspects", lambda d, r: np.arange(10), "of the impostors, and 5 are asked for"),
    ("9 long suspects", lambda d, r: np.repeat(r[:5], 2), "must be 10 different whole numbers"),
    ("9 long suspects", lambda d, r: d.X[r], "must have the shape (10,)"),
    ("9 long returns", lambda d, r: (d.regions == d.regions[0]).mean(axis=0), "counts the first fit itself"),
    ("9 long returns", lambda d, r: 1 - r, "is what changes"),
    ("9 long returns", lambda d, r: 9 * r, "is a number of fits"),
    ("10 short rest", lambda d, r: r**2, "holds squared distances"),
    ("10 short rest", lambda d, r: np.sqrt(1 / (d.p * d.Z) - 1), "does not depend on rho"),
    ("10 short rest", lambda d, r: np.sqrt(1 / (d.rho * d.p * d.Z)), "forgets the 1"),
    ("10 short most", lambda d, r: 1 / (d.p.min() * d.Z), "on none has a distance left"),
    ("10 short most", lambda d, r: 1 / r, "is upside down"),
    ("10 short most", lambda d, r: r / d.rho, "as strong again"),
    ("10 long cost", lambda d, r: lambda P, Y, rho: r(P, Y, 1), "does not depend on rho"),
    ("10 long cost", lambda d, r: lambda P, Y, rho: rho * r(P, Y, 1), "exaggerates the push as well"),
    ("10 long cost", lambda d, r: lambda P, Y, rho: r(P, Y, rho) - np.log(2), "over unordered pairs"),
    ("10 long gradient", lambda d, r: lambda P, Y, rho: r(P, Y, 1), "is not what your data give"),
    ("10 long gradient", lambda d, r: lambda P, Y, rho: r(P, Y, rho) / 2, "is half the slope"),
    ("10 long gradient", lambda d, r: lambda P, Y, rho: -r(P, Y, rho), "points the other way"),
    ("10 long gain", lambda d, r: -np.array(r), "is the cost after minus the cost before"),
    ("10 long gain", lambda d, r: r[::-1], "has the two in the other order"),
    ("10 long gain", lambda d, r: r[1], "must have the shape (2,)"),
    ("10 long vectors", lambda d, r: r[:, ::-1], "is in another order"),
    ("10 long vectors", lambda d, r: 2 * r, "is right but for a factor"),
    ("10 long vectors", lambda d, r: np.c_[np.full(30, 1 / 30**0.5), r[:, 0]], "the same for all objects"),
    ("11 short push", lambda d, r: -r, "points toward the crowd"),
    ("11 short push", lambda d, r: r / 100, "is a mean"),
    ("11 short push", lambda d, r: answers.short_11(d)["lumped"], "is not what your data give"),
    ("11 short lumped", lambda d, r: r / 100, "counts the crowd as one object"),
    ("11 short lumped", lambda d, r: answers.short_11(d)["push"], "is the sum one by one"),
    ("11 short lumped", lambda d, r: -r, "points toward the crowd"),
    ("11 long push", lambda d, r: lambda Y: -r(Y), "points toward the others"),
    ("11 long push", lambda d, r: lambda Y: r(Y) / len(Y), "is a mean"),
    ("11 long push", lambda d, r: lambda Y: 4 * r(Y), "is four times the sum"),
    ("11 long lumped", lambda d, r: lambda Y, h: r(Y, 2 * h), "is not what your data give"),
    ("11 long lumped", lambda d, r: lambda Y, h: r(Y, 100 * h), "is every square counted one by one"),
    ("11 long lumped", lambda d, r: lambda Y, h: r(Y, h) * h, "is right but for a factor"),
    ("11 long error", lambda d, r: 100 * r, "is a percentage"),
    ("11 long error", lambda d, r: r * np.linalg.norm(answers.long_11(d)["push"](d.Y)), "is a length"),
    ("11 long error", lambda d, r: r * 1.1, "is not what your data give"),
    ("11 long recall", lambda d, r: (d.near == d.found).mean(), "in the same order"),
    ("11 long recall", lambda d, r: 10 * r, "is a number of neighbors"),
    ("11 long recall", lambda d, r: 1 - r, "is the share that is missed"),
    ("13 short shares", lambda d, r: np.sqrt(r) / np.sqrt(r).sum(), "adds standard deviations"),
    ("13 short shares", lambda d, r: (d.X**2).sum(axis=0) / (d.X**2).sum(), "is a share of squares from 0"),
    ("13 short shares", lambda d, r: np.ptp(d.X, axis=0) / np.ptp(d.X, axis=0).sum(), "is a share of ranges"),
    ("13 short scaled", lambda d, r: d.X / d.X.std(axis=0), "isn't centered"),
    ("13 short scaled", lambda d, r: r / d.X.std(axis=0), "is divided by variances"),
    ("13 short scaled", lambda d, r: answers.scaled(d.X.T).T, "is scaled row by row"),
    ("13 short scaled", lambda d, r: (d.X - d.X.min(axis=0)) / np.ptp(d.X, axis=0), "goes from 0 to 1"),
    ("13 long Y", lambda d, r: d.X[:, :2], "of the ten nearest; 60% are possible"),
    ("13 long Y", lambda d, r: d.X, "must have the shape (150, 2)"),
    ("13 long Y", lambda d, r: np.zeros((150, 2)), "Which column decides?"),
    ("13 long again", lambda d, r: map_of("Y"), "again is Y itself"),
    ("13 long again", lambda d, r: np.cos(r), "of the ten nearest; 60% are possible"),
    ("13 long again", lambda d, r: r[:10], "must have the shape (150, 2)"),
    ("13 long kept", lambda d, r: neighbor_recall(d.X, map_of("Y"), k=10), "in the table as it is"),
    ("13 long kept", lambda d, r: 10 * r, "is a number of neighbors and no share"),
    ("13 long kept", lambda d, r: neighbor_recall(answers.scaled(d.X), map_of("Y"), k=1), "the nearest alone"),
    ("13 long shared", lambda d, r: neighbor_recall(answers.scaled(d.X), map_of("again"), k=10), "of the table"),
    ("13 long shared", lambda d, r: 10 * r, "is a number of neighbors and no share"),
    ("13 long shared", lambda d, r: r / 4, "is not what your data give"),
    ("15 short q", lambda d, r: each_map(d.Y, d.mixing).mean(axis=0), "divides by a sum for each map"),
    ("15 short q", lambda d, r: rows_of(answers.joined(d.Y, 0 * d.mixing + 1).sum(axis=0)), "does not depend on the"),
    ("15 short q", lambda d, r: one_sided(d), "has the proportion of one of the two objects only"),
    ("15 short q", lambda d, r: (d.mixing[:, :, None] * each_map(d.Y, 0 * d.mixing + 1)).sum(axis=0), "the choices"),
    ("15 short q", lambda d, r: all_of(r), "all entries together do"),
    ("15 short credit", lambda d, r: (1 - r) * (1 - np.eye(12)), "is that of map 1"),
    ("15 short credit", lambda d, r: d.mixing[0][:, None] * (1 - np.eye(12)), "is the proportion of object i alone"),
    ("15 short credit", lambda d, r: r * np.where(np.eye(12), np.nan, 1), "must be finite, but 12 of 144 entries"),
    ("15 long mixing", lambda d, r: lambda W: r(W.T).T, "sums to 1 over all objects of a map"),
    ("15 long mixing", lambda d, r: lambda W: np.exp(W) / np.exp(W).sum(axis=0), "must be finite"),
    ("15 long mixing", lambda d, r: lambda W: np.abs(W) / np.abs(W).sum(axis=0), "is no softmax"),
    ("15 long mixing", lambda d, r: np.exp, "sums to 1 over nothing"),
    ("15 long cost", lambda d, r: scaled(1 / np.log(2))(r), "is in bits"),
    ("15 long cost", lambda d, r: lambda P, Y, W: sum(answers.sne_cost(P, A) for A in Y), "adds the costs of two maps"),
    ("15 long cost", lambda d, r: lambda P, Y, W: sum(answers.sne_cost(P, A) for A in Y) / 2, "averages the costs"),
    ("15 long gradient_Y", lambda d, r: scaled(-1)(r), "points the other way"),
    ("15 long gradient_Y", lambda d, r: scaled(0.5)(r), "is half the slope"),
    ("15 long gradient_Y", lambda d, r: lambda P, Y, W: r(P, Y, 0 * W), "is not what your data give"),
    ("15 long gradient_W", lambda d, r: scaled(-1)(r), "points the other way"),
    ("15 long gradient_W", lambda d, r: lambda P, Y, W: -credit_sums(P, Y, W), "is not what your data give"),
    ("15 long gradient_W", lambda d, r: lambda P, Y, W: r(P, Y, W).sum(axis=0), "must have the shape (2, 16)"),
    ("16 short ties", lambda d, r: d.P[np.ix_(d.associates, d.associates)], "counts what one associate chooses"),
    ("16 short ties", lambda d, r: r / 2, "is a mean"),
    ("16 short ties", lambda d, r: d.P + d.P.T, "must have the shape"),
    ("16 short groups", lambda d, r: np.zeros(len(d.associates)), "the word itself joins all of them"),
    ("16 short groups", lambda d, r: np.arange(len(d.associates)), "which are tied"),
    ("16 short groups", lambda d, r: np.minimum(r, max(r) - 1) if max(r) > 1 else 0 * r, "joins"),
    ("16 long alike", lambda d, r: lambda P, i, a: cosines((P + P.T)[a]), "takes the word itself"),
    ("16 long alike", lambda d, r: lambda P, i, a: without(P + P.T, i, a) @ without(P + P.T, i, a).T, "and no cosine"),
    ("16 long alike", lambda d, r: lambda P, i, a: cosines(without(P, i, a)), "and not what chooses it"),
    ("16 long senses", lambda d, r: np.arange(len(r)), "must have two groups"),
    ("16 long senses", lambda d, r: (np.arange(len(r)) == 0) * 1, "needs two associates or more"),
    ("16 long senses", lambda d, r: np.roll(r, 1), "another division has more"),
    ("16 long margin", lambda d, r: -r, "is across less within"),
    ("16 long margin", lambda d, r: with_diagonal(d), "to itself"),
    ("16 long margin", lambda d, r: 100.0, "is far too large"),
]  # fmt: skip
BESIDE = {"again": ["Y"], "kept": ["Y"], "shared": ["Y", "again"]}
BESIDE |= {name: ["cost"] for name in ("gradient", "gradient_Y", "gradient_W")}


def least_of(d):
    costs = np.sort(answers.short_9(d)["costs"])
    return costs[: d.k].sum() / costs.sum()


def other_hump(d):
    """The lesser valley of the backward divergence."""
    from scipy.optimize import minimize

    mean = -np.sign(ANSWERS[4, "long"](d)["backward"][0]) * 4
    done = minimize(lambda m: kl(answers.bell(d.x, *m), d.p), (mean, 1.0), method="Nelder-Mead")
    return done.x


def changes(gradient):
    def wrong(P, Y, nu):
        result = gradient(P, Y, nu)
        Y -= Y.mean(axis=0)
        return result

    return wrong


def deviations(d):
    return np.array([[A[d.labels == c].std() for c in range(3)] for A in (d.X, d.Y)])


def nearest(X, k, own=False):
    D = squares(X) + (0 if own else np.diag(np.full(len(X), np.inf)))
    return np.argsort(D, axis=1, kind="stable")[:, :k]


def with_itself(X, Y, k):
    pairs = zip(nearest(X, k, own=True), nearest(Y, k, own=True), strict=True)
    return np.mean([np.isin(a, b).mean() for a, b in pairs])


def in_order(X, Y, k):
    return (nearest(X, k) == nearest(Y, k)).mean()


def of_either(X, Y, k):
    pairs = zip(nearest(X, k), nearest(Y, k), strict=True)
    return np.mean([len(set(a) & set(b)) / len(set(a) | set(b)) for a, b in pairs])


def linear(X, Y):
    upper = np.triu_indices(len(X), 1)
    return np.corrcoef(np.sqrt(squares(X))[upper], np.sqrt(squares(Y))[upper])[0, 1]


def each_map(Y, mixing):
    S = answers.joined(Y, mixing)
    return S / S.sum(axis=2, keepdims=True)


def one_sided(d):
    S = (d.mixing[:, :, None] * answers.joined(d.Y, 0 * d.mixing + 1)).sum(axis=0)
    return S / S.sum(axis=1, keepdims=True)


def credit_sums(P, Y, W):
    mixing = np.exp(W) / np.exp(W).sum(axis=0)
    S = answers.joined(Y, mixing)
    q = S.sum(axis=0) / S.sum(axis=(0, 2))[:, None]
    R = S / (S.sum(axis=0) + np.eye(len(P))) * (P - q)
    return (R + R.transpose(0, 2, 1)).sum(axis=2)


def without(P, i, a):
    rows = P[a].copy()
    rows[:, i] = 0
    return rows


def cosines(rows):
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    return rows @ rows.T


def with_diagonal(d):
    right = ANSWERS[16, "long"](d)
    A = right["alike"](d.P, d.word, d.associates)
    together = np.equal.outer(right["senses"], right["senses"])
    return A[together].mean() - A[~together].mean()


# ---- every task ----


@each_task
def test_a_task_is_solved_by_its_answers(lecture, kind):
    task, right = posed(lecture, kind)
    verdict = task.check(**right)
    assert verdict and verdict.said.endswith("right"), verdict
    assert verdict.points == verdict.possible == sum(task.points.values())
    assert list(right) == list(task.asked)


@each_task
def test_every_part_has_three_typical_mistakes_or_more(lecture, kind):
    task, _ = posed(lecture, kind)
    parts = [part for part, *_ in MISTAKES]
    assert all(parts.count(f"{lecture} {kind} {name}") >= 3 for name in task.asked)


@each_task
def test_a_typical_mistake_is_met_with_words_for_it(lecture, kind):
    task, right = posed(lecture, kind)
    for part, make, words in MISTAKES:
        name = part.split()[-1]
        if part != f"{lecture} {kind} {name}":
            continue
        value = right[name]
        with np.errstate(all="ignore"):
            wrong = make(task.data, np.array(value) if isinstance(value, np.ndarray) else value)
        verdict = task.check(**{one: right[one] for one in BESIDE.get(name, ())}, **{name: wrong})
        assert not verdict and words in verdict.said and name in verdict.said, (name, words, verdict)
        assert verdict.possible - verdict.points == task.points[name]
        # What is right is not told.
        if np.ndim(value) == 0 and not callable(value) and np.isfinite(value):
            assert f"{float(value):.6g}" not in verdict.said


@each_task
def test_what_is_not_filled_in_is_met_with_words_for_it(lecture, kind):
    task, right = posed(lecture, kind)
    for name, value in right.items():
        beside = {one: right[one] for one in BESIDE.get(name, ())}
        for empty in (None, ...):
            assert f"{name} is still to be filled in" in task.check(**beside, **{name: empty}).said
        if callable(value):
            assert "must be a function" in task.check(**beside, **{name: 3.0}).said
            assert "returned None" in task.check(**beside, **{name: lambda *a: None}).said
        else:
            assert "got a function" in task.check(**{**beside, name: np.sum}).said
            assert "got 'twelve'" in task.check(**{**beside, name: "twelve"}).said


@each_task
def test_two_students_have_different_data(lecture, kind):
    if lecture == 8:
        pytest.skip("its maps take a while; its seeds are made like all others")
    one, other = posed(lecture, kind)[0], ns.course.task(lecture, kind, number=NUMBER + 1)
    assert one.seed != other.seed
    given, others = vars(one.data), vars(other.data)
    assert any(not np.array_equal(given[name], others[name]) for name in given)


@pytest.mark.slow
def test_a_student_has_the_same_data_in_every_process():
    code = "import notebook_sne as ns, json; t = ns.course.task(7, 'short', number='4711'); "
    code += "print(json.dumps([t.seed, t.data.s.tolist()]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LONG)
    task, _ = posed(7, "short")
    assert json.loads(done.stdout) == [task.seed, task.data.s.tolist()]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("number", [1, "0815", "s1234567", 99_999_999])
def test_the_answers_solve_the_tasks_of_other_students(number):
    for lecture, kind in KEYS:
        if lecture == 8:  # as above
            continue
        task = ns.course.task(lecture, kind, number=number)
        assert task.check(**ANSWERS[lecture, kind](task.data)), (lecture, kind)


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, "0815"])
def test_the_answers_solve_the_tasks_with_maps_of_other_students(number):
    for kind in ("short", "long"):
        task = ns.course.task(8, kind, number=number)
        assert task.check(**ANSWERS[8, kind](task.data)), kind
    assert not np.array_equal(task.data.X, posed(8, "long")[0].data.X)


# ---- what a check is ----


def test_only_the_first_thing_that_is_wrong_is_said_and_each_part_counts():
    task, right = posed(7, "short")
    verdict = task.check(gaussian=None, student=right["student"] ** 2, ratio=right["ratio"])
    assert (verdict.ok, verdict.points, verdict.possible) == (False, 1, 4)
    assert verdict.said == "gaussian is still to be filled in"
    assert task.check(ratio=right["ratio"]).said == "ratio is right; gaussian, student remain"
    assert task.check(ratio=right["ratio"], student=right["student"]).said.endswith("; gaussian remains")


def test_a_verdict_is_a_test_a_line_and_a_colored_line():
    task, right = posed(7, "short")
    good, bad = task.check(**right), task.check(ratio="<b>")
    assert good.required() is good and bool(good) and not bool(bad)
    with pytest.raises(AssertionError, match="Not yet, 0 of 1 point: ratio must be an array of numbers"):
        bad.required()
    assert "&lt;b&gt;" in bad._repr_html_() and "<b>✗ 0 of 1 point.</b>" in bad._repr_html_()
    assert repr(good).startswith("Right, 4 of 4 points: ")


def test_a_gradient_is_checked_against_the_cost_of_the_student():
    task, right = posed(5, "long")
    both = {"cost": scaled(3)(right["cost"]), "gradient": scaled(3)(right["gradient"])}
    with pytest.raises(Wrong, match="right but for a factor"):
        task._parts["gradient"].look("gradient", both["gradient"], both)
    assert "gradient needs cost beside it" in task.check(gradient=right["gradient"]).said
    given = {"cost": lambda Y: (Y**2).sum()}
    slope("gradient", lambda Y: 2 * Y, given, np.ones((3, 2)))
    with pytest.raises(Wrong, match="central differences of your own cost"):
        slope("gradient", lambda Y: 2 * Y + 1e-3, given, np.ones((3, 2)))
    assert STEP == 1e-5


def test_equal_says_how_a_value_is_off_and_not_what_it_should_be():
    right = np.array([1.0, 2.0, 4.0])
    for wrong, words in [
        (-right, "points the other way"), (right * 3, "but for a factor"),
        (right * -3, "but for a factor"), (right + np.eye(3)[2], "in 1 of 3 entries"),
    ]:  # fmt: skip
        with pytest.raises(Wrong, match=words):
            equal("it", wrong, right)
    with pytest.raises(Wrong, match="far too small"):
        equal("it", 0.01, 3.0)
    equal("it", right + 1e-8, right)
    equal("it", np.inf, np.inf)


def test_data_cannot_be_changed_by_accident():
    task, _ = posed(7, "short")
    with pytest.raises(ValueError, match="read-only"):
        task.data.s[0] = 1.0


def test_a_task_shows_what_is_given_and_asked():
    task, _ = posed(2, "short")
    assert "data.d (59,)" in repr(task) and "sigma (1 point): width of its Gaussian" in repr(task)
    assert task._repr_html_().count("<tr>") == 3


def test_the_check_refuses_what_is_not_asked_for():
    task, _ = posed(2, "short")
    with pytest.raises(TypeError, match="check takes p, sigma by name, got q"):
        task.check(q=1)
    with pytest.raises(TypeError, match="check takes p, sigma by name, got nothing"):
        task.check()


@pytest.mark.parametrize(
    ("lecture", "kind", "number", "error", "words"),
    [
        (1, "short", 1, ValueError, "lecture must be one of 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 16, got 1"),
        ("2", "short", 1, ValueError, "lecture must be one of 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 16, got '2'"),
        (True, "short", 1, ValueError, "lecture must be one of 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 16, got True"),
        (2, "middle", 1, ValueError, "kind must be one of 'short', 'long', got 'middle'"),
        (2, "short", 1.5, TypeError, "number must be a whole number or a text, got 1.5"),
        (2, "short", None, TypeError, "number must be a whole number or a text, got None"),
        (2, "short", " ", ValueError, "number must not be empty"),
    ],
)
def test_a_task_that_is_not_there_is_refused_by_name(lecture, kind, number, error, words):
    with pytest.raises(error, match=words):
        ns.course.task(lecture, kind, number=number)


def test_each_lecture_with_tasks_has_a_short_and_a_long_one():
    assert sorted(LECTURES) == [*range(2, 12), 13, 15, 16]
    assert set(KEYS) == {(n, k) for n in LECTURES for k in ("short", "long")}
    assert {part.rpartition(" ")[0] for part, *_ in MISTAKES} == {f"{n} {kind}" for n, kind in KEYS}


def test_bits_are_bits():
    assert bits(np.full(8, 1 / 8)) == 3
