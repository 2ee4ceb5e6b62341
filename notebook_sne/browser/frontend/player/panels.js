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

/** @import { Manner, Pen } from "../shared/types.d.ts" */
/** @import { Coloring } from "./map/colors.js" */
/** @import { PlayerHub } from "./hub.js" */
/** @import { KnownObjects } from "./objects.js" */
/** @import { Selection } from "./map/selection.js" */
/** @import { Stage } from "./stage.js" */

/** @typedef {ReturnType<typeof makePanels>} Panels */

/**
 * @param {object} own
 * @param {PlayerHub} own.hub
 * @param {Stage} own.stage
 * @param {KnownObjects} own.objects
 * @param {Selection} own.selection
 * @param {Coloring} own.coloring
 * @param {AbortSignal} own.signal  aborted when the view is removed
 * @param {(words: string, shown?: boolean) => void} own.say
 * @param {(objects: number[], how: Manner) => void} own.choose  change the selection, and bring it into view
 * @param {() => void} own.leaveSearch
 */
export function makePanels({ hub, stage, objects, selection, coloring, signal, say, choose, leaveSearch }) {
  const timeline = new Timeline({ hub, signal, calm: stage.calm, say });
  const knobs = new KnobPanel({ hub, signal });
  const mainKnobs = new KnobPanel({ hub, signal, only: hub.model.get("main_knobs") ?? ["perplexity"] });
  const method = new MethodMenu({ hub, signal });
  const springs = new SpringPanel({ hub, stage, objects, coloring, signal, select: (i) => choose([i], "set"), say });
  const names = new Names({ hub, stage, objects, selection });
  const thumbnails = new Thumbnails({ hub, stage, coloring });
  const pins = new Pins({ hub, stage, objects, selection, say });
  /** @param {string} words */
  const tell = (words) => facts.toast.show(words);
  const pairs = new RegionPairs({ hub, stage, objects, names, tell });
  const pairKey = new PairKey({ hub, pairs, fits: objects.fits, signal, say });
  const card = new Card({ hub, stage, objects, signal });
  const axes = new Axes({ hub, stage, say, filmPlays: () => timeline.playing });
  const search = new SearchBox({
    objects,
    say: (words) => say(words, false),
    choose,
    leave: leaveSearch,
    meeting: (query, then) => hub.meeting(query, then),
    forget: () => hub.forgetQuery(),
  });
  const drawer = new Drawer({ hub, stage, objects, selection, signal, say, choose });
  const legendActs = {
    changed: () => hub.paintSoon(),
    /** @param {number} k @param {MouseEvent} event */
    pick: (k, event) => selection.change(manner(event), coloring.membersOf(k)),
  };
  const legend = new Legend(objects, legendActs, signal);
  const { model } = hub;
  const hint = new FirstHint({
    live: hub.live,
    plays: hub.film.length > 1,
    compact: Boolean(model.get("compact")),
    signal,
  });
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
  const help = document.createElement("div"); // where the list of keys will be
  const parts = buildLayout(shows, {
    over: [hint.element, card.element],
    legend: legend.element,
    pairs: pairKey.element,
    search: search.element,
    drawer: drawer.element,
    table: drawer.toggler,
    timeline: timeline.element,
    help,
    panels: [method.element, knobs.element, springs.element],
    mainKnobs: mainKnobs.list,
  });
  const hand = /** @type {HTMLElement} */ (parts.zoomIn.parentElement);
  names.closed.elements = [parts.note, parts.brief, hand, hint.element];
  springs.picture.closed = (now) => names.closed.boxes(now);
  thumbnails.names = () => names.written.map(({ box }) => box);
  names.over = () => springs.picture.lettered;
  card.springs = springs;
  const facts = new Facts({ hub, stage, parts, axes, selection });
  /** What panels draw over the map. @param {Pen} pen */
  const paintPanels = (pen) => {
    pairs.paint(pen);
    card.paint(pen);
    thumbnails.paint(pen);
    springs.paint(pen);
    pins.paint(pen);
  };
  const canvases = new Canvases({
    hub,
    stage,
    parts,
    paintPanels,
    pairs,
    card,
    names,
    said: () => [thumbnails.said, names.said],
  });
  return {
    timeline,
    knobs,
    mainKnobs,
    method,
    springs,
    thumbnails,
    names,
    card,
    drawer,
    hint,
    axes,
    search,
    legend,
    facts,
    canvases,
    pins,
    pairs,
    pairKey,
    parts,
    help,
  };
}
