"""The methods that take part, each as a function that answers for all words at once."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.senses import communities, ours

__all__ = ["METHODS", "Method"]


@dataclass(frozen=True)
class Method:
    """A method of the contest."""

    name: str  # as in the tables
    # answers(norms, source, words) returns a dict from word to Answer; the source is a seed, or a list of fits.
    answers: Callable
    n_fits: int = 0  # that one set of answers is made of; 0 for a method that reads the norms themselves


def _each(answer, **options):
    """Return a method's `answers` from what answers for a single word."""

    def answers(norms, seed, words):
        return {i: answer(norms, i, seed, **options) for i in words}

    return answers


METHODS = (
    Method("Louvain, resolution 1", _each(communities.louvain)),
    Method("Louvain, resolution 0.5", _each(communities.louvain, resolution=0.5)),
    Method("Louvain, resolution 0.25", _each(communities.louvain, resolution=0.25)),
    Method("Louvain, common ties", _each(communities.louvain, resolution=0.5, graph="common ties")),
    Method("spectral clusters, by the gap", _each(communities.spectral)),
    Method("spectral clusters, two", _each(communities.spectral, n_groups=2)),
    Method("random deal, two", _each(communities.deal)),
    Method("random deal, six", _each(communities.deal, n_groups=6)),
    Method("company of associates, no maps", ours.company),
    Method("aspect maps, copies", ours.copies, n_fits=1),
    Method("aspect maps, components", ours.components, n_fits=1),
    Method("aspect maps, consensus of one fit", ours.consensus, n_fits=1),
    Method("aspect maps, consensus of three fits", ours.consensus, n_fits=3),
)
