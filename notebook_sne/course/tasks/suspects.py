"""Lecture 9: what each object adds to the cost; impostors, and how well a score finds them."""

from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from notebook_sne.affinities.makers import conditional, joint
from notebook_sne.course.checks_of_tasks import Wrong, array, called, equal
from notebook_sne.course.tasks import Part, Posed, digits, values
from notebook_sne.course.tasks.tails import student_log_q
from notebook_sne.datasets.digits import load_digits

__all__ = ["long", "short"]

N, WRONG = 160, 10  # images, and impostors among them
ENOUGH = 5  # of the ten: for 40 students the costs of a map by t-SNE found 6 to 10, and the most isolated points 0 to 2


def short(generator: np.random.Generator) -> Posed:
    """What each object adds to the cost of t-SNE."""
    P = np.asarray(joint(conditional(digits(generator, 40, 4), float(generator.choice([5, 6, 7])))))
    Y = 3 * generator.normal(size=(40, 2))
    L = student_log_q(Y, 1.0)
    both = np.log(np.where(P > 0, P, 1.0)) - np.where(P > 0, L, 0.0)
    costs = (P * both).sum(axis=1)
    rows = np.log(np.exp(L).sum(axis=1, keepdims=True))
    k = int(generator.integers(3, 7))
    worst = np.sort(costs)[-k:].sum() / costs.sum()

    data = {"P": P, "Y": Y, "k": k}
    parts = {
        "costs": values(2, "what each object adds to the cost of t-SNE, in nats, shape (40,)", costs, [
            (costs / np.log(2), "is in bits"), (-(P * np.where(P > 0, L, 0.0)).sum(axis=1), "lacks the entropy of P"),
            ((P * (both + rows)).sum(axis=1), "divides each row of q by its own sum"),
            (costs / P.sum(axis=1), "is a mean over an object's neighbors, where the cost is a sum"),
        ]),
        "worst": values(2, "share of the whole cost that the k objects with the largest costs pay, a number", worst, [
            (k / 40, "is their share of the objects"), (100 * worst, "is a percentage and no share"),
            (np.sort(costs)[:k].sum() / costs.sum(), "is the share of the k that pay least"),
        ]),
    }  # fmt: skip
    return Posed("Who pays for the map?", data, parts)


def long(generator: np.random.Generator) -> Posed:
    """Ten impostors among digits, how well a score tells them, and what returns in other fits."""
    whole = load_digits().sample(15, random_state=int(generator.integers(2**31)))
    X, labels = np.asarray(whole.X, dtype=float), np.asarray(whole.labels)
    pairs: list[Any] = []
    while len(pairs) < WRONG:
        i, j = generator.choice(len(X), 2, replace=False)
        pairs += [(i, j)] if labels[i] != labels[j] else []
    X = np.concatenate([X, X[np.array(pairs)].mean(axis=1)])
    order = generator.permutation(N)
    X, impostor = X[order], order >= N - WRONG
    scores, wrong = np.round(generator.normal(size=30), 1), np.arange(30) < 8
    scores[:2] = scores[-2:]  # ties
    regions = (generator.integers(4, size=40) + (generator.random((10, 40)) < 0.3)) % 4
    returns = (regions[1:] == regions[0]).mean(axis=0)

    def look_area(name: str, value: Any, given: dict[str, Any]) -> None:
        right, a = roc_auc_score(wrong, scores), scores[wrong][:, None]
        worst = np.argsort(-scores, kind="stable")[: wrong.sum()]
        equal(f"what {name} returns", called(name, value, [scores, wrong]), right, slips=[
            (1 - right, "is the share in which the right one scores higher"),
            ((a > scores[~wrong]).mean(), "counts a tie as nothing, where it counts half"),
            ((a >= scores[~wrong]).mean(), "counts a tie as a whole pair, where it counts half"),
            (wrong[worst].mean(), "is the share of the worst that are wrong"), (100 * right, "is no share"),
        ])  # fmt: skip

    def look_suspects(name: str, value: Any, given: dict[str, Any]) -> None:
        suspects = array(name, value, (WRONG,), least=0.0)
        if len(set(suspects)) < WRONG or (suspects % 1).any() or suspects.max() >= N:
            raise Wrong(f"{name} must be {WRONG} different whole numbers from 0 to {N - 1}")
        found = int(impostor[suspects.astype(int)].sum())
        if found < ENOUGH:
            raise Wrong(f"{name} has {found} of the impostors, and {ENOUGH} are asked for. What did the map pay for?")

    data = {"X": X, "n_impostors": WRONG, "regions": regions}
    parts = {
        "area": Part(4, "function of scores and a mask of what is wrong: share of the pairs of a wrong and a right "
                     "object in which the wrong one scores higher, where a tie counts half", look_area),
        "suspects": Part(4, f"{WRONG} rows of X that you take for impostors, {ENOUGH} of them rightly", look_suspects),
        "returns": values(2, "for each object, the share of the nine other fits in which its region is that of the "
                          "first fit, regions[0], shape (40,)", returns, [
            ((regions == regions[0]).mean(axis=0), "counts the first fit itself"), (1 - returns, "is what changes"),
            (9 * returns, "is a number of fits and no share"),
        ]),
    }  # fmt: skip
    return Posed("Ten impostors", data, parts)
