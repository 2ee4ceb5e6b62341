"""Regions of a view's map as a table: how many objects, and what tells of each."""

import numpy as np

from notebook_sne.engine.checks.arguments import check_count
from notebook_sne.engine.objects.columns import Column
from notebook_sne.engine.objects.enrichment import number_features, telling_of, text_features
from notebook_sne.engine.objects.entries import read_entries
from notebook_sne.engine.objects.regions import divided, usual_count

__all__ = ["name_of", "region_table"]

MOST = 5  # things that are told of a region


def region_table(view, of, n_regions):
    """Return the DataFrame of `MapView.regions`; parameters and errors are the same."""
    import pandas as pd

    rows = view.objects()
    Y = view._places()
    if Y is None:
        raise ValueError("there must be a map to have regions, but none is made yet; play or step the run")
    Y = np.column_stack([Y[:, :2], np.zeros(len(Y))])[:, :2]
    if of is None:
        count = usual_count(len(Y)) if n_regions is None else check_count("n_regions", n_regions, 1)
        if count > len(Y):
            raise ValueError(f"n_regions must be at most the {len(Y)} objects, got {count}; ask for fewer")
        parts = divided(Y - Y.mean(axis=0), count)
        keys = list(range(int(parts.max()) + 1))
    else:
        if n_regions is not None:
            raise ValueError(
                f"n_regions must be left out where regions are given, got {n_regions}; give one of the two"
            )
        parts, keys = _given(of, len(Y))
    dates = {column.name for column in view._columns if column.kind == "date"}
    told = telling_of(_features(rows, view._columns), parts, len(keys), MOST)
    listed = []
    own = np.split(np.argsort(parts, kind="stable"), np.searchsorted(np.sort(parts), np.arange(len(keys))))[1:]
    for k, members in enumerate(own):
        middle = Y[members].mean(axis=0)
        listed.append({
            "name": name_of(told[k], dates) or _named(view.names, members, Y, middle) or f"region {keys[k]}",
            "n_objects": len(members),
            "x": middle[0],
            "y": middle[1],
            "telling": "; ".join(map(_said, told[k], [dates] * len(told[k]))),
            "objects": members,
        })  # fmt: skip
    columns = ["name", "n_objects", "x", "y", "telling", "objects"]
    return pd.DataFrame(listed, index=pd.Index(keys, name="region"), columns=columns)


def _given(of, n_objects):
    """Return the part of each object, the largest first and -1 for none, and what the parts are called."""
    entries, missing = read_entries("of", of, n_objects)
    listed = [None if gone else entry for entry, gone in zip(entries, missing, strict=True)]
    listed = [entry.item() if isinstance(entry, np.generic) else entry for entry in listed]
    sizes: dict = {}
    for entry in listed:
        if entry is not None and not (isinstance(entry, int | float) and entry == -1):
            sizes[entry] = sizes.get(entry, 0) + 1
    keys = sorted(sizes, key=lambda key: -sizes[key])
    place = {key: k for k, key in enumerate(keys)}
    return np.array([place.get(entry, -1) for entry in listed], dtype=np.int64), keys


def _features(rows, columns):
    given = [Column("label", "text", tuple(rows["label"]))] if "label" in rows else []
    if "name" in rows:
        given.append(Column("name", "text", tuple(rows["name"])))
    if "value" in rows:
        given.append(Column("value", "number", rows["value"].to_numpy()))
    found = []
    for column in [*given, *columns]:
        if column.name == "label":
            found.append(text_features("label", column.entries, whole=True))
        elif column.kind == "text":
            found.append(text_features(column.name, column.entries))
        else:
            found += number_features(column.name, column.entries)
    return found


def name_of(told, dates=()):
    """Return a region's name by the two things that tell of it most surely; an empty one if nothing does."""
    return " · ".join(dict.fromkeys(_short(one, dates) for one in told[:2]))


def _short(one, dates):
    if one.kind in ("low", "high"):
        return f"{one.source} {'≤' if one.kind == 'low' else '≥'} {_number(one.what, one.source in dates)}"
    return f"{one.source}: {one.what}" if one.what in ("yes", "no") else one.what


def _said(one, dates):
    source = "" if one.kind in ("low", "high") or one.what in ("yes", "no") else f" ({one.source})"
    return f"{_short(one, dates)}{source}: {_share(one.share)}, elsewhere {_share(one.elsewhere)}"


def _number(value, date):
    if date:
        return str(np.datetime64(int(value), "ms")).removesuffix("T00:00:00.000")
    return str(int(value)) if value == int(value) else f"{value:.4g}"


def _share(share):
    return f"{100 * share:.0f}%" if share >= 0.01 or share == 0 else "below 1%"


def _named(names, members, Y, middle):
    """Return two names from the middle of a region, where nothing tells of it."""
    near = members[np.argsort(np.square(Y[members] - middle).sum(axis=1), kind="stable")] if names else []
    return " · ".join(list(dict.fromkeys(names[i] for i in near if names[i]))[:2])
