// The panels of a view and the page elements around them: each is given what it needs and no more.

import { Axes } from "./map/axes.js";
import { Canvases } from "./map/canvases.js";
import { Card } from "./panels/card.js";
import { Drawer } from "./table/drawer.js";
import { FirstHint } from "./panels/first_hint.js";
import { Facts } from "./panels/facts.js";
import { KnobPanel } from "../shared/knobs.js";
import { buildLayout } from "./layout.js";
import { Legend } from "./map/legend.js";
import { MethodMenu } from "./panels/method.js";
import { PairKey } from "./panels/pair_key.js";
import { Pins } from "./map/pins.js";
import { RegionPairs } from "./map/region_pairs.js";
import { SearchBox } from "./panels/search.js";
import { Names } from "./map/names.js";
import { manner } from "./map/selection.js";
import { SpringPanel } from "./panels/springs.js";
import { Thumbnails } from "./map/thumbnails.js";
import { Timeline } from "./recording/timeline.js";

/** @typedef {ReturnType<typeof makePanels>} Panels */

/** @param {Known} known @param {Chooses} choose @param {() => void} leaveSearch */
export function makePanels(known, choose, leaveSearch) {
  const { hub, stage, objects, selection, coloring, signal } = known;
  const { model } = hub;
  const timeline = new Timeline({ ...known, calm: stage.calm });
  const names = new Names(known);
  const pairs = new RegionPairs(known, names, (words) => facts.toast.show(words));
  const card = new Card(known);
  const drawer = new Drawer(known, choose);
  const legendActs = {
    changed: () => hub.paintSoon(),
    /** @param {number} k @param {MouseEvent} event */
    pick: (k, event) => selection.change(manner(event), coloring.membersOf(k)),
  };
  const compact = Boolean(model.get("compact"));
  const p = {
    ...{ timeline, names, pairs, card, drawer },
    knobs: new KnobPanel({ hub, signal }),
    mainKnobs: new KnobPanel({ hub, signal, only: model.get("main_knobs") ?? ["perplexity"] }),
    method: new MethodMenu(known),
    springs: new SpringPanel(known, (i) => choose([i], "set")),
    thumbnails: new Thumbnails(known),
    pins: new Pins(known),
    pairKey: new PairKey(known, pairs),
    axes: new Axes(known, () => timeline.playing),
    search: new SearchBox(known, choose, leaveSearch),
    legend: new Legend(objects, legendActs, signal),
    hint: new FirstHint({ live: hub.live, plays: hub.film.length > 1, compact, signal }),
    help: document.createElement("div"), // where the list of keys will be
  };
  const shows = {
    live: hub.live,
    title: model.get("title") || "",
    count: objects.count,
    labeled: objects.labeled,
    lettered: objects.classNames.length > 0 && objects.classNames.every((name) => [...name].length <= 2),
    images: model.get("has_images"),
    channels: coloring.channels(true), // those that a film lacks are gray
    writes: Names.choices(objects),
  };
  const parts = buildLayout(shows, {
    over: [p.hint.element, card.element],
    legend: p.legend.element,
    pairs: p.pairKey.element,
    search: p.search.element,
    drawer: drawer.element,
    table: drawer.toggler,
    timeline: timeline.element,
    help: p.help,
    panels: [p.method.element, p.knobs.element, p.springs.element],
    mainKnobs: p.mainKnobs.list,
  });
  names.closed.elements = [parts.note, parts.brief, parts.hand, p.hint.element];
  p.springs.picture.closed = (now) => names.closed.boxes(now);
  p.thumbnails.names = () => names.written.map(({ box }) => box);
  names.over = () => p.springs.picture.lettered;
  card.springs = p.springs;
  const facts = new Facts(known, parts, p.axes);
  /** What panels draw over the map. @param {Pen} pen */
  const paintPanels = (pen) => {
    for (const one of [pairs, card, p.thumbnails, p.springs, p.pins]) one.paint(pen);
  };
  const said = () => [p.thumbnails.said, names.said];
  const canvases = new Canvases(known, { parts, paintPanels, pairs, card, names, said });
  return { ...p, parts, facts, canvases };
}
