"""The common part of all views of one map: the traits of the player, of the replay, and of a page.

A trait holds a value that must last: a new view, a reloaded page and a saved notebook begin with it. The docstring
under each trait gives its meaning, its shape, and its direction.

Longer than 300 lines because every trait has its meaning, shape and direction under it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from notebook_sne.browser.frontend.bundle import PLAYER_MODULES, PLAYER_STYLES
from notebook_sne.browser.widgets.fallback_image import caption_of, figure, legend, picture, scale_of
from notebook_sne.browser.widgets.region_table import region_table
from notebook_sne.browser.widgets.shared import View
from notebook_sne.browser.widgets.texts import as_sent
from notebook_sne.engine.checks.numbers import show
from notebook_sne.engine.objects.columns import as_given, frame_of
from notebook_sne.engine.objects.labels import UNLABELED, Labels, read_labels
from notebook_sne.engine.objects.queries import holds
from notebook_sne.engine.objects.rows import rows_meant
from notebook_sne.engine.objects.traits import first_names, unpack_classes
from notebook_sne.models import WITHOUT_UNIT
from notebook_sne.views.names import BESIDE_NAMES
from notebook_sne.views.palette import mark_size
from notebook_sne.views.raster import png
from notebook_sne.views.static import add_above

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MAIN_KNOBS", "MapView", "RefusedValue", "check_flag", "check_height"]

STILL_OBJECTS = 100_000  # most objects drawn in a still picture
STILL, STILL_BYTES = 480, 100_000  # side of the map in a still picture, in pixels, and most bytes of that
CHOSEN = (
    "compact", "hide_labels", "color", "show_names", "name_size", "show_images", "show_table", "selection", "controls",
    "main_knobs", "show_pairs", "focus",
)  # fmt: skip
COMPUTED = ["cost", "recall", "perturbation", "distance"]  # colors that a live view finds: `scores`
WRITTEN = ["names", "classes", "none"]
NAME_SIZES = 8, 40  # pixels
AXES = ["follow", "fit", "fixed"]
CONTROLS = ["few", "bare", "all"]
MAIN_KNOBS = ("perplexity",)


class RefusedValue(traitlets.TraitError, ValueError):
    """Raised by an invalid value of a trait: a TraitError that is also a ValueError, as everywhere else."""


def check_height(value):
    """Return a height in pixels as an int; its range is for the trait to check."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"height must be a whole number of pixels, got {show(value)}; 460 is usual")
    return int(value)


def check_flag(name, value):
    """Return what is True or False as a bool."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {show(value)}; False is usual")
    return bool(value)


def _checked_knobs(names):
    if isinstance(names, str) or not isinstance(names, Iterable) or not all(isinstance(one, str) for one in names):
        raise TypeError(f"main_knobs must be a list of names of knobs, got {show(names)}; give ['perplexity']")
    return list(names)


class Indices(traitlets.List):
    """A list of indices that takes any collection of whole numbers, and keeps them sorted and each once."""

    def validate(self, obj, value):
        """Return `value` as a sorted list of int."""
        if not isinstance(value, Iterable):
            raise RefusedValue(f"{self.name} must be a collection of indices, got {show(value)}; give a list")
        value = list(value)
        wrong = [i for i in value if isinstance(i, bool | np.bool_) or not isinstance(i, int | np.integer)]
        if wrong:
            raise RefusedValue(
                f"{self.name} must hold whole numbers, got {show(wrong[0])}; for a mask, use select(mask)"
            )
        return super().validate(obj, sorted({int(i) for i in value}))


def _columns_as_sent(columns, _widget=None):
    texts = ("name", "texts", "classes")
    return [{key: value if key not in texts else _told(value) for key, value in column.items()} for column in columns]


def _told(value):
    return [None if text is None else as_sent(text) for text in value] if isinstance(value, list) else as_sent(value)


class MapView(View):
    """A view of a map of objects in the browser; not used by itself. Its subclasses say where the map comes from."""

    _modules, _styles = PLAYER_MODULES, PLAYER_STYLES
    _columns: tuple = ()

    # ---- the objects ----

    key = traitlets.Unicode().tag(sync=True)
    """Names this widget to its views in the browser. Python to browser, fixed."""

    n_objects = traitlets.Int(0).tag(sync=True)
    """Number of objects, N. Python to browser, fixed."""

    names = traitlets.List(traitlets.Unicode()).tag(sync=True, to_json=as_sent)
    """Name of each object, an empty text where it has none; empty without names. Python to browser, fixed."""

    importance = traitlets.Bytes(b"").tag(sync=True)
    """The objects in the order in which their names are written, little-endian uint32, shape (N,); empty for their own
    order. Python to browser, fixed."""

    classes = traitlets.Bytes(b"").tag(sync=True)
    """Class of each object, little-endian uint16, shape (N,), 65535 for one without; empty without classes. Python to
    browser, fixed."""

    class_names = traitlets.List(traitlets.Unicode()).tag(sync=True, to_json=as_sent)
    """What the classes are called. Python to browser, fixed."""

    class_colors = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The colors of the classes, each "#" and six digits, or an empty text for that of our palette; empty without any.
    Python to browser, fixed."""

    values = traitlets.Bytes(b"").tag(sync=True)
    """A value of each object, little-endian float32, shape (N,), NaN where it has none; empty without values. Python to
    browser, fixed."""

    value_range = traitlets.List(traitlets.Float()).tag(sync=True)
    """Lowest and highest value. Python to browser, fixed."""

    object_columns = traitlets.List(traitlets.Dict()).tag(sync=True, to_json=_columns_as_sent)
    """What else is known of the objects, one dict a column: name, kind (number, date, text); texts, None where missing,
    and classes where they are few; or at, its place in `object_numbers`, and rest, that of what doubles lack of whole
    numbers above 2**53, or nanoseconds of dates; colors, whether colors can mean it. Python to browser, fixed."""

    object_numbers = traitlets.Bytes(b"").tag(sync=True)
    """Numbers and dates, in milliseconds since 1970, little-endian float64, shape (K, N), NaN where missing. Python to
    browser, fixed."""

    region_pairs = traitlets.Bytes(b"").tag(sync=True)
    """In how many fits each pair of the R classes is joined, neighbors, apart, little-endian uint32, shape
    (R (R - 1) / 2, 3), first those of class 0; empty without a certainty. Python to browser, fixed."""

    blurs = traitlets.Bytes(b"").tag(sync=True)
    """How far out of focus each object is by the first fit, the first two and so on, uint8 from 0 to 5, shape
    (n_fits, N); empty without a certainty. Python to browser, fixed."""

    has_images = traitlets.Bool(False).tag(sync=True)
    """Whether there is an image of each object. Python to browser, fixed."""

    image_size = traitlets.List(traitlets.Int()).tag(sync=True)
    """Width and height of the images in `images`, and 3 if they are in color; empty where they are asked for by
    message. Python to browser."""

    images = traitlets.Bytes(b"").tag(sync=True)
    """The images, uint8, shape (N, height, width), black being 0, or (N, height, width, 3); empty where they are asked
    for by message, as in a live view. Python to browser, fixed."""

    neighbors = traitlets.Bytes(b"").tag(sync=True)
    """The nearest objects in the data, nearest first, little-endian uint32, shape (N, K); empty where they are asked
    for by message, or not known. Python to browser, fixed."""

    # ---- what the reader chooses ----

    selection = Indices(trait=traitlets.Int()).tag(sync=True)
    """The selected objects, indices from 0 to N - 1. Given in any order, kept sorted and each once. Both ways."""

    spring_of = traitlets.Int(None, allow_none=True).tag(sync=True)
    """The object whose forces are shown, from 0 to N - 1; None for none. A live view only. Both ways."""

    color = traitlets.Unicode().tag(sync=True)
    """What colors mean: label, value, none, a column, such as ``column:year``; or in a live view what is computed of
    each object: cost, its share of the cost; recall, the share of its 10 nearest neighbors in the data that are among
    its 10 nearest in the map; perturbation, how far its point goes as its object is moved in the data, by
    `quality.perturbation_scores`, found while the run rests; distance, how far it is in the data from the object that
    is pointed at, in the unit of the data. Both ways."""

    uncolored = traitlets.Dict().tag(sync=True)
    """Why some of these cannot be computed of a run, in a few words each; empty where they can. Python to browser."""

    axes = traitlets.Unicode("follow").tag(sync=True)
    """The view's window: follow (always the whole map), fit (the whole map as it was when this was chosen, then held)
    or fixed (held as it is). Both ways."""

    hide_labels = traitlets.Bool(False).tag(sync=True)
    """Whether all objects look alike and the legend is hidden. Both ways."""

    show_images = traitlets.Bool(False).tag(sync=True)
    """Whether images are drawn at map points, as many as find room. Both ways."""

    show_names = traitlets.Unicode().tag(sync=True)
    """What is written on the map, as much as finds room: names (of the objects), classes (their names, at the medians
    of those that are groups) or none. Both ways."""

    show_pairs = traitlets.Bool(True).tag(sync=True)
    """Whether lines are drawn between regions that are joined or neighbors, where `region_pairs` says so. Both ways."""

    focus = traitlets.Int(1).tag(sync=True)
    """Of how many fits the focus knows, from 1 to all: objects that these put in different regions are out of focus.
    Both ways."""

    name_size = traitlets.Float(12.0).tag(sync=True)
    """Size of these names in CSS pixels, from 8 to 40. Both ways."""

    show_table = traitlets.Bool(False).tag(sync=True)
    """Whether the table of the objects is open below the map, with filters and regions beside it. Both ways."""

    compact = traitlets.Bool(False).tag(sync=True)
    """Whether the view is made for a slide: no side panel, slim bars. Both ways."""

    controls = traitlets.Unicode("few").tag(sync=True)
    """What a reader finds around the map: few controls, and a button for all; all; or bare, as in the page of a
    lecture: Play, the film and the main knobs. Both ways."""

    main_knobs = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The knobs that stand beside Play, by their names. Python to browser, fixed."""

    from_start = traitlets.Bool(False).tag(sync=True)
    """Whether the view begins with the first moment of its film, as in the page of a lecture. Python to browser,
    fixed."""

    pace = traitlets.Float(None, allow_none=True).tag(sync=True)
    """Most iterations a second of the run, above 0; None for as many as the machine can. Both ways."""

    title = traitlets.Unicode("").tag(sync=True, to_json=as_sent)
    """Heading of the view. Python to browser, fixed."""

    height = traitlets.Int(460).tag(sync=True)
    """Height of the map in CSS pixels, from 160 to 2000; the reader drags it by a handle. Both ways."""

    # ---- the run ----

    reads_queries = traitlets.Bool(False).tag(sync=True)
    """Whether the search may ask for the objects that meet a condition: where there is Python. Python to browser,
    fixed."""

    live = traitlets.Bool(False).tag(sync=True)
    """Whether the view shows a run; otherwise there is a film only. Python to browser, fixed."""

    status = traitlets.Unicode("idle").tag(sync=True)
    """The run's status: idle, compiling, running, paused, finished, error or closed; recorded where there is none.
    Python to browser."""

    iteration = traitlets.Int(None, allow_none=True).tag(sync=True)
    """The run's iteration; None before its start. Python to browser, at most twice a second."""

    cost = traitlets.Float(None, allow_none=True).tag(sync=True)
    """Cost at that iteration, in nats where it is a KL divergence. Python to browser."""

    phase = traitlets.Unicode("").tag(sync=True)
    """The schedule's phase at that iteration. Python to browser."""

    message = traitlets.Unicode("").tag(sync=True, to_json=as_sent)
    """Why something failed, for the reader. Python to browser."""

    model_name = traitlets.Unicode("").tag(sync=True)
    """Class name of the model at work. Python to browser."""

    without_unit = traitlets.List(traitlets.Unicode(), default_value=list(WITHOUT_UNIT)).tag(sync=True)
    """Class names of the methods whose cost is no divergence, and so is not in nats. Python to browser."""

    moment = traitlets.Int(0).tag(sync=True)
    """Rises with every update: shows the browser whether a message or the traits are newer. Python to browser."""

    snapshot = traitlets.Bytes(b"").tag(sync=True)
    """The positions last shown, shape (N, 2), centered: little-endian int16, times `snapshot_step`, as in a frame; or
    float32. Python to browser; live frames travel as messages."""

    snapshot_step = traitlets.Float(None, allow_none=True).tag(sync=True)
    """What a step of `snapshot` is in map units; None where it holds numbers in single precision. Python to browser."""

    trace = traitlets.Bytes(b"").tag(sync=True)
    """Iterations and costs so far, little-endian float64, shape (K, 2): a cost may move by a ten-millionth of itself.
    Python to browser."""

    axes_note = traitlets.Unicode("").tag(sync=True)
    """Which coordinates are drawn, where that is not all of them. Python to browser."""

    knobs = traitlets.List(traitlets.Dict()).tag(sync=True)
    """The knobs of the present model, one dict each: name, label, unit, what, low, high, log, closed (whether low is
    allowed itself). Python to browser."""

    present = traitlets.Dict().tag(sync=True)
    """The value of each knob at that iteration. Python to browser."""

    turned = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The knobs that are turned by hand, and so do not follow the schedule. Python to browser."""

    pins = traitlets.List(traitlets.Int()).tag(sync=True)
    """The objects that are held where they are in the map that is drawn, in rising order. Python to browser; `Run.pin`
    and `Run.unpin` hold objects and let them go."""

    models = traitlets.List(traitlets.Dict()).tag(sync=True)
    """The models that the run may switch to, one dict each: id, label, group (go on, paper), what. Empty without a
    run. Python to browser."""

    marks = traitlets.List(traitlets.Dict()).tag(sync=True)
    """What happened in the run, one dict each: iteration, kind (phase, knob, model, moved, pinned, start), text. Python
    to browser."""

    recorded_to = traitlets.Int(None, allow_none=True).tag(sync=True)
    """The last iteration of the kernel's recording; None without one. Python to browser."""

    film = traitlets.Bytes(b"").tag(sync=True)
    """The recorded maps, packed. A live view asks for them by message; for a saved notebook it has a thinned film here
    while the run rests, of some hundred thousand bytes, unless the objects are too many. Python to browser."""

    def __init__(
        self, *, height=460, hide_labels=False, compact=False, controls="few", main_knobs=MAIN_KNOBS, **traits
    ):
        super().__init__(
            height=check_height(height),
            hide_labels=check_flag("hide_labels", hide_labels),
            compact=check_flag("compact", compact),
            controls=controls,
            main_knobs=_checked_knobs(main_knobs),
            **traits,
        )

    @traitlets.default("key")
    def _make_key(self):
        return uuid.uuid4().hex

    @traitlets.default("color")
    def _first_color(self):
        return self._usual_color()

    def _usual_color(self) -> str:
        return "label" if self.classes else "value" if self.values else "none"

    def _chosen(self) -> dict[str, object]:
        """Return the traits with which a page begins as this view is set, without a color that a kernel finds."""
        traits = {name: getattr(self, name) for name in (*CHOSEN, "class_colors")}
        if traits["color"] in COMPUTED:
            traits["color"] = self._usual_color()
        return traits

    @traitlets.default("show_names")
    def _first_names(self):
        return first_names(self.names, self.classes)

    @traitlets.validate("show_names")
    def _check_show_names(self, proposal):
        there = {"names": bool(self.names), "classes": bool(self.classes), "none": True}
        if not there.get(proposal["value"]):
            offered = [written for written in WRITTEN if there[written]]
            raise RefusedValue(f"show_names must be one of {offered} in this view, got {show(proposal['value'])}")
        return proposal["value"]

    @traitlets.validate("controls", "axes")
    def _check_choice(self, proposal):
        choices, usual = (CONTROLS, "few") if proposal["trait"].name == "controls" else (AXES, "follow")
        if proposal["value"] not in choices:
            name, got = proposal["trait"].name, show(proposal["value"])
            raise RefusedValue(f"{name} must be one of {choices}, got {got}; {usual} is usual")
        return proposal["value"]

    @traitlets.validate("focus")
    def _check_focus(self, proposal):
        fits = max(1, len(self.blurs) // max(1, self.n_objects))
        if not 1 <= proposal["value"] <= fits:
            got = show(proposal["value"])
            raise RefusedValue(f"focus must be from 1 to {fits}, the number of fits of the certainty, got {got}")
        return proposal["value"]

    @traitlets.validate("name_size", "height")
    def _check_pixels(self, proposal):
        name, pixels = proposal["trait"].name, proposal["value"]
        low, high, usual = (*NAME_SIZES, 12) if name == "name_size" else (160, 2000, 460)
        if not low <= pixels <= high:
            raise RefusedValue(f"{name} must be from {low} to {high} pixels, got {show(pixels)}; {usual} is usual")
        return pixels

    @traitlets.validate("selection")
    def _check_selection(self, proposal):
        for i in (proposal["value"][:1], proposal["value"][-1:]):
            self._check_index("selection", *i)
        return proposal["value"]

    @traitlets.validate("spring_of")
    def _check_spring_of(self, proposal):
        if proposal["value"] is not None:
            if not self.live:
                raise RefusedValue("spring_of must be None here: forces are known where a run is live")
            self._check_index("spring_of", proposal["value"])
        return proposal["value"]

    def _check_index(self, name, i=0):
        if not 0 <= i < max(self.n_objects, 1):
            raise RefusedValue(f"{name} must be from 0 to {self.n_objects - 1}, the last object, got {i}")

    @traitlets.validate("color")
    def _check_color(self, proposal):
        there = {"label": bool(self.classes), "value": bool(self.values), "none": True}
        there |= {color: self.live and not self.uncolored.get(color) for color in COMPUTED}
        there |= {f"column:{column['name']}": True for column in self.object_columns if column["colors"]}
        if not there.get(proposal["value"]):
            offered = [color for color in there if there[color]]
            got = show(proposal["value"])
            if self.live and (why := self.uncolored.get(proposal["value"])):
                got += f" ({why})"
            raise RefusedValue(f"color must be one of {offered} in this view, got {got}")
        return proposal["value"]

    @traitlets.validate("pace")
    def _check_pace(self, proposal):
        if proposal["value"] is not None and not 0 < proposal["value"] < float("inf"):
            raise RefusedValue(f"pace must be above 0 and finite, or None, got {proposal['value']}")
        return proposal["value"]

    # ---- rows of objects ----

    def _places(self):
        """Return the map that is drawn, shape (N, d), or None before there is one."""
        return None

    def _in_order(self, **given):
        """Return what is said of the objects, in their order where they have an index."""
        return list(given.values())

    def _wait_for_map(self):
        """Wait for a first map that is under way."""

    def objects(self) -> pd.DataFrame:
        """Return the facts about the objects: a row for each, in their order.

        Returns
        -------
        objects : pandas.DataFrame
            Its columns, if they exist, are ``name``; ``label``, None if an object has none; ``value``; ``x`` and ``y``,
            the current place in the map that is drawn; and the given columns.
        """
        self._wait_for_map()
        return self._rows()

    def _rows(self):
        import pandas as pd

        rows = pd.DataFrame(index=pd.RangeIndex(self.n_objects, name="object"))
        if self.names:
            rows["name"] = [name or None for name in self.names]
        if self.classes:
            said = [*self.class_names, None]
            rows["label"] = [said[k] for k in unpack_classes(self.classes)]
        if self.values:
            rows["value"] = np.frombuffer(self.values, "<f4").astype(float)
        places = self._places()
        if places is not None:
            for name, k in zip("xy", range(places.shape[1]), strict=False):
                rows[name] = places[:, k].astype(float)
        beside = frame_of(self._columns)
        return rows if beside.empty else rows.join(beside.set_index(rows.index))

    def selected(self) -> pd.DataFrame:
        """Return the rows of the selected objects, as of `objects`.

        While filters of the table are in force and nothing is selected by hand, these are all objects that they leave.
        """
        return self.objects().loc[self.selection]

    def select(self, which: str | ArrayLike | pd.DataFrame) -> pd.DataFrame:
        """Select objects, and return their rows.

        A reader can also type a condition into the search of the view; a page without Python can't read it.

        Parameters
        ----------
        which : str, array-like or DataFrame
            Rows of `objects` or `selected`, in any order, with their index; indices of objects, such as
            ``rows.index``; or a truth value for each object, as an array or as a Series in the order of the objects.
            A text is a name, which selects all objects that have it; or else a condition on the columns of `objects`,
            such as ``"year > 1995 and kind in ['a', 'b']"``. The syntax is that of pandas' queries, without calls or
            access to anything else. It has comparisons of columns, numbers, texts and dates
            (``when < "2021-05-06"``), ``in`` a list, ``"river" in name`` for a part of a text, ``is None`` for missing
            entries, ``and``, ``or``, ``not`` and parentheses. Put a column whose name isn't a word in backticks. A
            missing entry is neither above, below nor equal to anything. Whole numbers are compared exactly, and dates
            to the nanosecond. For other queries, use ``player.select(player.objects().query(...))``.

        Returns
        -------
        selected : pandas.DataFrame

        Raises
        ------
        TypeError
            If it is none of these.
        ValueError
            If a condition can't be read, or names a missing column; if there is no such object, if there isn't one
            truth value for each object, or if the index of a table or Series may mean other rows than those of
            `objects`.

        Examples
        --------
        >>> rows = player.selected()                                  # doctest: +SKIP
        >>> player.select(rows[rows["year"] > rows["year"].median()])  # doctest: +SKIP
        >>> player.select("bank")                                     # doctest: +SKIP
        >>> player.select("year > 1995 and not `at home`")            # doctest: +SKIP
        """
        rows = self.objects()
        if isinstance(which, str) and which and which in self.names:
            found = np.flatnonzero([name == which for name in self.names])
        elif isinstance(which, str):
            found = np.flatnonzero(holds(which, rows))
        else:
            own = getattr(getattr(which, "index", None), "name", None) == "object"  # as of `objects`
            found = rows_meant(which if own else self._in_order(which=which)[0], self.n_objects)
        self.selection = found.tolist()
        return rows.loc[self.selection]

    def regions(self, of: ArrayLike | None = None, *, n_regions: int | None = None) -> pd.DataFrame:
        """Name regions of the map by their own words and columns.

        Parameters
        ----------
        of : array-like, shape (N,), optional
            The region of each object, such as the clusters of a method of yours; an object without one (None, NaN) is
            left out, and so is -1 among whole numbers. By default, the map is divided into areas, as in the table of
            the view: by k-means, whatever lies between them, so that a region is an area and no cluster.
        n_regions : int, optional
            Number of areas; by default the root of N / 10, from 2 to 16.

        Returns
        -------
        regions : pandas.DataFrame
            A row for each region, the largest first, indexed by its value in `of`, or by its number. Its columns are
            ``name``, the two things that tell of it most surely, or else two names from its middle; ``n_objects``;
            ``x`` and ``y``, the mean place; ``telling``, up to five things that are more frequent in the region than
            elsewhere, with the shares of objects that have them; and ``objects``, the indices of its objects, for
            `select`.

        Raises
        ------
        ValueError
            If there is no map yet, `of` isn't one for each object, or `n_regions` isn't from 1 to N.

        Notes
        -----
        Labels, names, values and columns tell of a region: kinds, words of texts, and the lowest and highest quarters
        of numbers and dates. Of N objects b have such a feature, and so do a of the n objects of the region; twice the
        log likelihood ratio of this table of two by two is the measure (Dunning, Computational Linguistics 19, 1993,
        pages 61 to 74), and what chance alone would exceed more than once in 1,000 is left out. Thousands of words are
        tried, so a few of those listed last may be chance.

        Examples
        --------
        >>> regions = player.regions()                                # doctest: +SKIP
        >>> player.select(regions["objects"][0])                      # doctest: +SKIP
        """
        return region_table(self, self._in_order(of=of)[0], n_regions)

    def _found(self, page, query):
        """Return the message and the buffer that tell a page which objects meet a condition, or why none can."""
        answer = {"kind": "found", "page": page, "query": query}
        rows = self._rows()
        if self.hide_labels:  # whoever is to guess them first is not told by a condition
            rows = rows.drop(columns=["label", "value"], errors="ignore")
        try:
            found = np.flatnonzero(holds(query, rows))
        except (TypeError, ValueError) as error:
            return {**answer, "error": as_sent(str(error))}, [b""]
        return answer, [found.astype("<u4").tobytes()]

    # ---- the still picture ----

    def _still_map(self):
        """Return the map that the view shows, shape (N, 2), or None before there is one."""
        kind, step = ("<f4", 1.0) if self.snapshot_step is None else ("<i2", self.snapshot_step)
        return step * np.frombuffer(self.snapshot, kind).reshape(-1, 2) if self.snapshot else None

    def _still_facts(self):
        shown = self._still_color(), self.show_names == "names", self._still_pairs() is not None, self.focus
        return self.snapshot, self.trace, self.model_name, *shown

    def _still_color(self):
        """Return what the colors of the still mean; costs are known in a live view alone."""
        return "none" if self.hide_labels or self.color == "cost" else self.color

    def _still_pairs(self):
        """Return the Labels whose classes are regions, and the counts of their pairs; None where no line is drawn."""
        if not self.region_pairs or not self.show_pairs or self.hide_labels:
            return None
        labels = Labels(unpack_classes(self.classes), tuple(self.class_names))
        return labels, np.frombuffer(self.region_pairs, "<u4").reshape(-1, 3)

    def _still_labels(self):
        """Return the Labels that the colors of the still mean, and the ends of their scale in words."""
        channel = self._still_color()
        if channel == "label":
            return Labels(unpack_classes(self.classes), tuple(self.class_names)), ()
        if channel == "value":
            return scale_of(np.frombuffer(self.values, "<f4").astype(float))
        column = next((one for one in self._columns if f"column:{one.name}" == channel), None)
        if column is None:
            return Labels(), ()
        if column.kind == "text":
            return read_labels(as_given(column), None), ()
        return scale_of(column.entries, dates=column.kind == "date")

    def _still_caption(self):
        # What was kept with the map, and not a later iteration of a run that goes on.
        kept = np.frombuffer(self.trace, "<f8").reshape(-1, 2)[-1].tolist() if self.trace else None
        iteration, cost = (int(kept[0]), kept[1]) if kept else (None, None)
        unshown = "no map yet" if iteration is None else ""
        return caption_of(
            self.model_name, iteration, cost, f"{self.n_objects:,} objects", self.axes_note, unshown
        )  # fmt: skip

    def _still_text(self):
        return f"{type(self).__name__} of {self._still_caption()}"

    def _still_html(self, size=STILL, most_bytes=STILL_BYTES):
        Y, words, (labels, ends) = self._still_map(), self._still_caption(), self._still_labels()
        if Y is None or not np.isfinite(Y).all():
            return figure([], self.title, words)
        limits: dict[str, Any] = {"size": size, "most_bytes": most_bytes}
        drawn_rows: np.ndarray | slice = slice(None)
        if len(Y) > STILL_OBJECTS:  # a picture of all would take seconds from the run's own processor
            drawn_rows = np.sort(np.random.default_rng(0).choice(len(Y), STILL_OBJECTS, replace=False))
            words += f", {STILL_OBJECTS:,} of them drawn"
        Y = Y[drawn_rows]
        if self.focus > 1 and not self.hide_labels:
            blurs = np.frombuffer(self.blurs, np.uint8).reshape(-1, self.n_objects)
            limits["blur"] = blurs[self.focus - 1][drawn_rows]
        above: dict[str, Any] = {}
        if self.show_names == "names":
            called, order = np.array(self.names, dtype=object)[drawn_rows], np.arange(len(Y))
            if self.importance:
                order = np.argsort(np.argsort(np.frombuffer(self.importance, "<u4"))[drawn_rows])
            limits["mark"] = min(mark_size(len(Y), size), BESIDE_NAMES)
            above |= {"names": called, "order": order, "mark": limits["mark"]}
        if (pairs := self._still_pairs()) is not None:
            above["pairs"] = pairs[0]._replace(classes=pairs[0].classes[drawn_rows]), pairs[1]
        if above:
            limits["most_bytes"] = most_bytes // 2
        groups, of = labels.groups(), self._still_color().partition("column:")[2]
        if of:
            groups = [g._replace(name="missing") if g.k == UNLABELED else g for g in groups]
        if labels.classes is not None:
            colors = self.class_colors if self._still_color() == "label" else ()
            drawn = png(Y, labels.classes[drawn_rows], colors=colors, **limits)
            key = legend(groups, title=of, colors=colors)
        elif labels.values is not None:
            low, high = np.nanmin(labels.values), np.nanmax(labels.values)
            shares = (labels.values - low) / (high - low) if high > low else 0.5 + 0 * labels.values
            drawn, key = png(Y, values=shares.clip(0, 1)[drawn_rows], **limits), legend(groups, ends, title=of)
        else:
            drawn, key = png(Y, **limits), ""
        kind = "png"
        if above:
            whole, said = add_above(drawn, Y, size=size, **above)
            drawn, kind, words = whole.encode(), "svg+xml", f"{words}; {said}" if said else words
        return figure([picture(drawn, kind, size, size, f"Map: {words}")], self.title, words, key)
