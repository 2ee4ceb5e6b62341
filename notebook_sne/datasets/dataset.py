"""A data set: objects, and facts about each of them.

A model gets either ``X``, a vector for each object, or facts about pairs of objects: their affinities ``P``, the raw
``counts`` from which affinities are made, or ``triples`` with relations of many kinds. Labels, names and images are for
the reader; no model sees them. The other fields are for judging a map: the true ``maps`` of a toy, and ``outside``,
facts about the objects that the model didn't get.

Longer than 300 lines because every field has its meaning and its own check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from notebook_sne.engine.checks.numbers import as_list, check_given, generator_of, show
from notebook_sne.engine.machine.package import PACKAGE
from notebook_sne.engine.objects.columns import frame_of, read_columns
from notebook_sne.engine.objects.images import Images
from notebook_sne.engine.objects.labels import UNLABELED, check_labels, in_order, own_order, sort_classes
from notebook_sne.engine.objects.names import read_names
from notebook_sne.engine.objects.repr_html import table_html
from notebook_sne.engine.objects.triples import Triples, read_triples

__all__ = ["BUNDLED", "Dataset"]

BUNDLED = PACKAGE / "datasets" / "bundled"

# What has one entry for each object, in reading order.
_FIELDS = ("X", "P", "counts", "labels", "names", "images", "columns", "kept", "outside")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Dataset:
    """Objects to be mapped, with their labels, names and images if they have them.

    ``len(data)`` is the number of objects. The arrays are read-only, so that running a cell twice doesn't change them
    twice; ``data.X / 255`` makes a new array.

    Attributes
    ----------
    title : str
        A description of the objects, used as the heading of a map.
    X : ndarray of float64, shape (N, n_features), or None
        The objects.
    P : ndarray or scipy.sparse CSR, shape (N, N), or None
        Affinities; ``P[i, j]`` is p_{j|i}.
    counts : ndarray or scipy.sparse CSR, shape (N, N), or None
        Raw counts of pairs, for ``notebook_sne.affinities.from_counts``.
    labels : ndarray, shape (N,), or None
        The class of each object, or a value to color it by. A missing value is NaN, a missing class None, in an array
        of objects.
    names : ndarray of str, shape (N,), or None
        The name of each object; an empty text if it is unknown.
    images : ndarray, shape (N, height, width) or (N, height, width, 3), or None
        Gray values in the unit of the source, larger for more ink; or red, green and blue.
    columns : pandas.DataFrame or None
        Other facts about the objects, with a row for each.
    kept : ndarray, shape (N,), or None
        Fraction of each object's counts that is among the objects; the rest is with things that aren't mapped.
    outside : ndarray or scipy.sparse CSR, shape (N, K), or None
        Counts between the objects and things that aren't mapped: a model of P hasn't seen them, so they can judge its
        maps.
    outside_names : ndarray of str, shape (K,), or None
        The names of the columns of ``outside``.
    maps : ndarray, shape (M, N, 2), or None
        The true map points, if the objects were made from maps.
    triples : Triples or None
        Facts of the form (object, relation, object), for ``notebook_sne.relations.LRE``.
    relations : pandas.DataFrame or None
        Why two named objects are related: a row for each reason, with at least the columns word and related.
    report : pandas.DataFrame or None
        Omissions and changes when the data were read; the function that read them documents the columns.
    whole : Dataset or None
        The larger data set that these objects are from, such as all words of norms: `senses` looks there for the
        company of their associates.
    made : mapping of str to str or number, or None
        How the data were read: the file and the arguments.
    citation : str
        The publication to cite.
    license : str
        The terms under which the data may be used.

    Raises
    ------
    ValueError
        If X, P and counts are all missing, or a field has the wrong number of axes, or two fields don't agree in
        the number of objects.

    Examples
    --------
    >>> Dataset(title="corners", X=[[0, 0], [0, 1], [1, 0], [1, 1]], labels=[0, 1, 1, 2])
    Dataset('corners': 4 objects, X (4, 2), labels 0..2)
    """

    title: str
    X: np.ndarray | None = None
    P: Any = None
    counts: Any = None
    labels: np.ndarray | None = None
    names: np.ndarray | None = None
    images: np.ndarray | None = None
    columns: Any = None
    kept: np.ndarray | None = None
    outside: Any = None
    outside_names: np.ndarray | None = None
    maps: np.ndarray | None = None
    triples: Triples | None = None
    relations: Any = None
    report: Any = None
    whole: Dataset | None = None
    made: Mapping[str, Any] | None = None
    citation: str = ""
    license: str = ""

    def __post_init__(self) -> None:
        for name, n_axes, dtype in (
            ("X", 2, float),
            ("labels", 1, None),
            ("names", 1, str),
            ("images", None, None),
            ("kept", 1, float),
            ("maps", 3, float),
        ):
            self._keep(name, n_axes, dtype)
        for name in ("P", "counts", "outside"):
            pairs = getattr(self, name)
            if hasattr(pairs, "tocsr"):
                check_given(name, pairs)
                object.__setattr__(self, name, pairs.tocsr())
            else:
                self._keep(name, 2, None)
            if pairs is not None and name != "outside" and len(set(getattr(self, name).shape)) > 1:
                raise ValueError(f"{name} must have a row and a column for each object, got shape {pairs.shape}")
        if self.columns is not None:
            object.__setattr__(self, "columns", frame_of(read_columns(self.columns, None)))
        self._keep("outside_names", 1, str)
        if self.outside_names is not None:
            n_outside = 0 if self.outside is None else self.outside.shape[1]
            if len(self.outside_names) != n_outside:
                raise ValueError(
                    f"outside_names must name each of the {n_outside} columns of outside, got {len(self.outside_names)}"
                )
        if self.triples is not None:
            object.__setattr__(self, "triples", read_triples(self.triples))
            if self.names is None:
                object.__setattr__(self, "names", self.triples.names)
        if self.X is None and self.P is None and self.counts is None and self.triples is None:
            raise ValueError("X, P and counts are all missing; give one of them, or there is nothing to map")
        lengths = {name: getattr(self, name).shape[0] for name in self._present()}
        if self.maps is not None:
            lengths["maps"] = self.maps.shape[1]
        if self.triples is not None:
            lengths["triples"] = len(self.triples.objects)
        if len(set(lengths.values())) > 1:
            given = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise ValueError(f"every field must have one entry for each object, got {given}")
        if 0 in lengths.values():
            raise ValueError("there must be at least one object, got none")

    def _keep(self, name: str, n_axes: int | None, dtype: type | None) -> None:
        """Store the field, if there is one, as a read-only array with n_axes axes."""
        if (array := getattr(self, name)) is None:
            return
        order = own_order(array) if name == "labels" else None
        if name == "labels":
            array = check_labels(array)
        elif name == "images":
            array = Images(array, None).given
        elif dtype is str:
            array = read_names(array, None)
        else:
            array = check_given(name, array)
        array = np.asarray(array, dtype).view()  # a view: the caller's own array stays writeable
        if n_axes is not None and array.ndim != n_axes:
            over = {"maps": "over maps, objects and dimensions", "outside_names": "over columns"}
            axes = over.get(name, "the first over objects")
            raise ValueError(f"{name} must have {n_axes} axes, {axes}, got shape {array.shape}")
        array.flags.writeable = False
        object.__setattr__(self, name, in_order(array, order))

    def _present(self) -> list[str]:
        return [name for name in _FIELDS if getattr(self, name) is not None]

    def __len__(self) -> int:
        return getattr(self, self._present()[0]).shape[0]

    @property
    def answers(self) -> np.ndarray | None:
        """ndarray, shape (N,): how many answers each word got as a cue, NaN where none is kept; None if not known."""
        if self.kept is None or self.counts is None:
            return None
        known = np.asarray(self.counts.sum(axis=1), dtype=float).ravel()
        return np.divide(known, self.kept, out=np.full(len(known), np.nan), where=self.kept > 0)

    def _parts(self) -> list[tuple[str, str]]:
        """Return what there is: each field, and in words what it holds."""
        parts = []
        for name in self._present():
            field = getattr(self, name)
            if name == "labels":
                parts.append((name, _labels_in_words(field)))
            elif name == "names":
                parts.append((name, ", ".join(field[:3]) + (", ..." if len(field) > 3 else "")))
            elif name == "columns":
                parts.append((name, ", ".join(field.columns)))
            else:
                parts.append((name, f"{field.shape}"))
        if self.maps is not None:
            parts.append(("maps", f"{self.maps.shape}"))
        for name in ("triples", "relations"):
            if (field := getattr(self, name)) is not None:
                parts.append((name, f"{len(field)}"))
        if (answers := self.answers) is not None:
            parts.append(("answers", f"{np.median(answers):.0f} to a cue"))
        if self.report is not None:
            parts.append(("report", f"{len(self.report)} rows"))
        if self.whole is not None:
            parts.append(("whole", f"{len(self.whole)} objects"))
        return parts

    def __repr__(self) -> str:
        said = {"triples": "{1} {0}", "relations": "{1} {0}", "report": "report of {1}", "whole": "cut from {1}"}
        parts = [said.get(name, "{0} {1}").format(name, words) for name, words in self._parts()]
        return f"Dataset({self.title!r}: {', '.join([f'{len(self)} objects', *parts])})"

    def _repr_html_(self) -> str:
        return table_html(f"{self.title}: {len(self):,} objects", ("field", "what it holds"), self._parts())

    def select(self, indices: slice | ArrayLike) -> Dataset:
        """Return the data set of the chosen objects, in the order in which they are chosen.

        Parameters
        ----------
        indices : slice, sequence of int, or sequence of bool with one entry for each object
            The objects to select, as an index of an array: ``data.select(slice(100))`` are the first hundred, and
            ``data.select(data.labels == 3)`` the threes.

        Returns
        -------
        dataset : Dataset
            The chosen objects, with their rows and columns of ``counts``. If there is an ``outside``, the other objects
            become a part of it, and ``kept`` falls by their counts. Relations stay if both words do. The report does
            not change.

        Raises
        ------
        ValueError
            If an object doesn't exist, if none is chosen, or if the data set has a P: a part of a P isn't a
            distribution any more, and you must choose how to make it one.
        """
        if self.P is not None:
            raise ValueError(
                "select cannot cut P: the rows of a part of it no longer sum to 1; cut the counts or the "
                "vectors it was made from, as in dataclasses.replace(data, P=None).select(...), and make a P of "
                "these with notebook_sne.affinities"
            )
        n_objects = len(self)
        try:
            chosen = np.arange(n_objects)[indices if isinstance(indices, slice) else np.asarray(indices)]
        except IndexError as error:
            raise ValueError(
                f"indices must be a slice, whole numbers from {-n_objects} to {n_objects - 1}, or "
                f"{n_objects} truth values, one for each object; {error}"
            ) from None
        if chosen.ndim != 1 or len(chosen) == 0:
            raise ValueError(f"indices must choose a list of at least one object, got {show(indices)}")
        cut = {name: getattr(self, name)[chosen] for name in self._present() if name != "columns"}
        if self.columns is not None:
            cut["columns"] = self.columns.iloc[chosen].reset_index(drop=True)
        if "counts" in cut:
            cut["counts"] = cut["counts"][:, chosen]
            cut.update(self._left_behind(chosen))
        if self.maps is not None:
            cut["maps"] = self.maps[:, chosen]
        if self.triples is not None:
            cut["triples"] = self.triples.among(chosen)
        if self.relations is not None and self.names is not None:
            inside = self.relations[["word", "related"]].isin(cut["names"]).all(axis=1)
            cut["relations"] = self.relations[inside].reset_index(drop=True)
        return replace(self, **cut)

    def _left_behind(self, chosen: Any) -> dict[str, Any]:
        """Return kept, outside and its names, where there are such, for a data set of the chosen objects alone."""
        changed: dict[str, Any] = {}
        others = np.setdiff1d(np.arange(len(self)), chosen)
        rows = self.counts[chosen]
        if self.kept is not None:
            before = np.asarray(rows.sum(axis=1), dtype=float).ravel()
            lost = np.asarray(rows[:, others].sum(axis=1), dtype=float).ravel()
            # An object without any counts has nothing to lose.
            share = np.divide(lost, before, out=np.zeros_like(lost), where=before > 0)
            changed["kept"] = self.kept[chosen] * (1 - share)
        if self.outside is not None:
            from scipy import sparse

            parts = [self.outside[chosen], rows[:, others], self.counts[others][:, chosen].T]
            is_sparse = any(hasattr(part, "tocsr") for part in parts)
            changed["outside"] = sparse.hstack(parts, format="csr") if is_sparse else np.hstack(parts)
            if self.outside_names is not None:
                names = self.names if self.names is not None else np.arange(len(self)).astype(str)
                changed["outside_names"] = np.concatenate(
                    [self.outside_names, *([f"{way} {name}" for name in names[others]] for way in ("to", "from"))]
                )
        return changed

    def sample(self, per_label: int, labels: Any = None, random_state: int | np.random.Generator | None = 0) -> Dataset:
        """Draw the same number of objects of each class, without replacement.

        ``usps.sample(600, labels=range(5))`` draws 600 of each digit from 0 to 4, as in [Hinton2002, Fig. 1]. The
        objects keep the order of the data set. The draw of one class doesn't depend on which others are drawn, and
        a smaller draw with the same ``random_state`` is a part of a larger one.

        Parameters
        ----------
        per_label : int
            Number of objects of each class.
        labels : sequence, or one label, optional
            The classes to draw from; all of them when left out.
        random_state : int, numpy.random.Generator or None, default 0
            Seed of the draw; with None, each draw differs.

        Returns
        -------
        dataset : Dataset
            ``per_label`` objects of each class.

        Raises
        ------
        ValueError
            If the data set has no classes, or lacks one of the given classes, or a class has fewer objects.
        """
        if self.labels is None or self.labels.dtype.kind == "f":
            kind = "none" if self.labels is None else "a value to color by for each object"
            raise ValueError(
                f"sample needs labels that name classes, this data set has {kind}; choose objects by number with select"
            )
        if isinstance(per_label, bool) or not isinstance(per_label, (int, np.integer)) or per_label < 1:
            raise ValueError(f"per_label must be a whole number of at least 1, got {show(per_label)}")
        present, classes = sort_classes(self.labels)
        sizes = np.bincount(classes[classes != UNLABELED], minlength=len(present))
        if labels is None:
            wanted = present
        else:
            wanted = np.unique([labels] if np.isscalar(labels) else as_list("labels", labels))
        if not np.isin(wanted, present).all() or len(wanted) == 0:
            raise ValueError(f"labels must be among {_listed(present)}, got {_listed(wanted)}")
        short = np.isin(present, wanted) & (sizes < per_label)
        if short.any():
            available = ", ".join(f"{n} of {label}" for label, n in zip(present[short], sizes[short], strict=True))
            raise ValueError(
                f"per_label must not exceed the objects of a class, got {show(per_label)}, but there are only "
                f"{available}; draw fewer, or leave these out of labels"
            )
        generator = generator_of(random_state)
        # Every class is shuffled, drawn from or not, so that all draws with one seed agree.
        shuffled = {k: generator.permutation(np.flatnonzero(classes == k)) for k in np.argsort(present, kind="stable")}
        drawn = [shuffled[k][:per_label] for k in np.flatnonzero(np.isin(present, wanted))]
        return self.select(np.sort(np.concatenate(drawn)))


def _labels_in_words(labels):
    """Return in a few words what the labels are."""
    names, classes = sort_classes(labels)
    ends = [f"{name:.3g}" if names.dtype.kind == "f" else f"{name}" for name in names[[0, -1]]] if len(names) else []
    rest = int((classes == UNLABELED).sum())
    return f"{'..'.join(ends) or 'none'}" + (f" and {rest} unlabeled" if rest else "")


def _listed(labels: Any) -> str:
    """Return the first labels as text."""
    more = ", ..." if len(labels) > 8 else ""
    return ", ".join(str(label)[:40] for label in labels[:8]) + more or "none"
