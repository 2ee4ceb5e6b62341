// The player: one view of a run or of its film. Its parts: panels.js, what hands do in controls.js, elements in layout.js.
// Names, labels and titles come from anybody's data: they are only ever set as text.

import { attribute, writeData } from "../shared/elements.js";
import { watchSight, watchSizes } from "../shared/sizes.js";
import { themeOf, watchPrint, watchTheme } from "../shared/theme.js";
import { widgetOf } from "../shared/widget.js";
import { Coloring, ranks } from "./map/colors.js";
import { makeControls } from "./controls.js";
import { PlayerHub } from "./hub.js";
import { KnownObjects } from "./objects.js";
import { makePanels } from "./panels.js";
import { chooseColors, measure, remarkNow } from "./map/scores.js";
import { placeRing } from "./panels/ring.js";
import { Selection } from "./map/selection.js";
import { Stage } from "./stage.js";
import { Wall } from "./wall.js";

const THEME_EVERY = 1000; // ms after which a change of theme that nobody told is noticed
const WRITE_EVERY = 120; // ms between new numbers of a run that goes on: nobody reads faster
const WRITE_LAST = 180; // ms after which the last numbers are written though no picture follows

class PlayerView {
  /** @param {PlayerHub} hub @param {HTMLElement} el */
  constructor(hub, el) {
    this.hub = hub;
    this.undo = new AbortController();
    this.stage = new Stage();
    this.stage.points = hub.shownPoints();
    this.objects = new KnownObjects(hub.model, this.stage.count);
    this.selection = new Selection(this.objects.count, (list) => {
      this.panels.hint.done();
      hub.keep("selection", list);
    });
    this.coloring = new Coloring(this.objects);
    this.themeAt = -THEME_EVERY;
    this.themeSaid = "";
    this.writtenAt = -WRITE_EVERY;
    this.unwritten = false;
    /** @type {ReturnType<typeof setTimeout>|null} the timer that writes if no picture comes */
    this.writing = null;
    /** @type {number|undefined} the run's moment, message and selection, as last written */
    this.moment = undefined;
    /** @type {string|undefined} */
    this.message = undefined;
    /** @type {number[]|undefined} */
    this.selected = undefined;
    /** @type {Ranks|null} */
    this.ranks = null;
    this.ranked = ""; // what they were made of
    this.legendRatio = 0;
    const { stage, objects, selection, coloring } = this;
    /** @type {Known} */
    const known = {
      ...{ hub, stage, objects, selection, coloring, signal: this.undo.signal },
      say: (words, shown = true) => this.panels.facts.tell(words, shown),
    };
    /** @type {Chooses} */
    const choose = (found, how) => this.choose(found, how);
    this.panels = makePanels(known, choose, () => this.root.focus({ preventScroll: true }));
    this.parts = this.panels.parts;
    this.root = this.parts.root;
    this.root.dataset.key = hub.model.get("key");
    const { panels } = this;
    const lookAt = (/** @type {number} */ i) => this.lookAt(i);
    this.controls = makeControls(known, panels, lookAt, () => this.look());
    el.append(this.root);
    this.wall = new Wall(known, { parts: this.parts, timeline: panels.timeline, resized: () => this.resize() });
    watchSizes([this.parts.stage, this.parts.curve, this.parts.foot], () => this.resize(), this.undo.signal);
    watchSight(this.root, (there) => hub.painter.sees(this, there), this.undo.signal);
    watchTheme(() => this.forgetTheme(), this.undo.signal);
    watchPrint(this.root, (_, begins) => panels.canvases.print(begins, () => this.resize()), this.undo.signal);
    hub.add(this);
    this.update();
    this.resize();
  }

  remove() {
    clearTimeout(this.writing ?? undefined);
    const { timeline, thumbnails, names, pairs, card, facts, drawer } = this.panels;
    const { cursor, pointer } = this.controls;
    for (const part of [timeline, thumbnails, names, pairs, card, facts, drawer, cursor, pointer, this.wall])
      part.stop();
    this.hub.look(-1);
    this.hub.remove(this);
    this.undo.abort();
    this.root.remove();
  }

  // ---- what hands do ----

  /** Change the selection, and bring what it is about into view. @param {number[]} objects @param {Manner} how */
  choose(objects, how) {
    this.selection.change(how, objects);
    this.panels.axes.show(this.stage.placesOf(objects));
  }

  /** Show the card and the ring of the object under the pointer, or else at which the keyboard is. @param {number} index */
  lookAt(index) {
    const { stage } = this;
    const { at } = this.controls.cursor;
    const i = index < 0 ? at : index;
    measure(this, i);
    this.panels.hint.looked(i);
    this.panels.card.show(i, i === at);
    this.hub.look(i);
    const marked = i < 0 ? this.hub.marked : i;
    if (this.panels.names.looked !== marked) {
      this.panels.names.looked = marked;
      if (this.objects.names.length) this.hub.paintSoon();
    }
    const { ring, stage: box } = this.parts;
    attribute(box, "data-over", index >= 0 ? "object" : "");
    placeRing(
      ring,
      stage,
      marked,
      this.panels.canvases.scatter.radius,
      i < 0 ? "other" : i === at ? "keys" : "pointer",
    );
  }

  // ---- what is written ----

  /** The image of an object has come. @param {number} index */
  image(index) {
    this.panels.card.image(index);
    if (this.hub.model.get("show_images")) this.hub.paintSoon();
  }

  /** Everything but the pictures; of the frames of a run that goes on, only as often as numbers can be read. */
  update() {
    const { hub } = this;
    const { moment, status, message } = hub.facts;
    const same = hub.words() === this.panels.facts.status && message === this.message;
    const goesOn = moment !== this.moment && status === "running" && same;
    this.moment = moment;
    if (!goesOn) return this.writeAll();
    this.unwritten = true; // written with a picture: one layout for both
    this.writing ??= setTimeout(() => this.writeAll(), Math.max(this.writtenAt + WRITE_LAST - performance.now(), 0));
  }

  writeAll() {
    const { hub, root, coloring, panels } = this;
    const { model, facts } = hub;
    clearTimeout(this.writing ?? undefined);
    this.writing = null;
    this.unwritten = false;
    this.writtenAt = performance.now();
    this.message = facts.message;
    const selected = model.get("selection");
    if (selected !== this.selected && this.selection.read(selected)) {
      panels.facts.tell(this.selection.size ? `${this.selection.size} selected` : "nothing selected", false);
    }
    this.selected = selected; // a long list is compared only when it is another one
    panels.axes.obey(model.get("axes") || "follow");
    chooseColors(this);
    writeData(root, {
      status: facts.status,
      iteration: facts.iteration ?? "",
      connected: hub.connected,
      waiting: hub.unheard,
      pending: hub.pending?.name ?? "",
      live: hub.live,
      film: hub.film.length,
      scrub: hub.scrub === null ? "" : Math.round(hub.scrub),
      axes: panels.axes.rule,
      selected: this.selection.size,
      pinned: panels.pins.held.length,
      color: coloring.wanted,
      compact: Boolean(model.get("compact")),
      controls: model.get("controls") || "few",
    });
    panels.facts.update();
    panels.legend.update(coloring, remarkNow(this), hub.unitOf(hub.facts.model_name));
    const { run, switches } = this.controls;
    const { timeline, knobs, mainKnobs, method, springs, card, pairKey } = panels;
    const written = [timeline, knobs, mainKnobs, method, springs, card, pairKey, panels.drawer, this.wall];
    for (const part of [run, switches, ...written]) part.update();
    panels.pins.show(panels.parts.pin);
    springs.show(panels.parts.springs);
    if (timeline.playing) panels.hint.done();
  }

  // ---- what is painted ----

  resize() {
    const before = this.stage.size;
    this.panels.canvases.measure();
    this.panels.axes.resize(before, this.stage.size);
    this.themeAt = -THEME_EVERY;
    this.paint(); // at once: a canvas of a new size is blank
    this.hub.paintSoon();
  }

  forgetTheme() {
    this.themeAt = -THEME_EVERY;
    this.hub.paintSoon();
  }

  /** Read the colors of the page around, but seldom: it makes the browser work out all styles. True if they are new. @param {number} now */
  readTheme(now) {
    if (now - this.themeAt < THEME_EVERY) return false;
    this.themeAt = now;
    const theme = themeOf(this.root);
    if (JSON.stringify(theme) === this.themeSaid) return false;
    writeData(this.root, { theme: theme.dark ? "dark" : "light" });
    this.stage.theme = themeOf(this.root); // whose accents follow what is written
    this.themeSaid = JSON.stringify(this.stage.theme);
    return true;
  }

  /** How the points look now. @returns {Look} */
  look() {
    const { coloring, selection, objects, stage } = this;
    const { legend } = this.panels;
    const classes = coloring.channel === "label" ? coloring.source.classes : null;
    const signature = `${selection.version} ${legend.version} ${coloring.version}`;
    if (signature !== this.ranked) this.ranks = ranks(objects.count, classes, legend.dimmed, selection);
    this.ranked = signature;
    const fits = this.ranks?.levels.length === stage.count;
    const { dark, ground, text: ink } = stage.theme;
    const { letters } = this.controls.switches;
    const { words: small } = this.panels.names;
    return {
      coloring,
      ranks: fits ? this.ranks : null,
      chosen: selection.chosen,
      ...{ letters, dark, ground, ink, small, blur: objects.blur },
    };
  }

  /** Paint the pictures; true while the window still moves. */
  paint() {
    const { hub, stage } = this;
    const { legend, axes, canvases, facts, names } = this.panels;
    const { cursor, pointer } = this.controls;
    const now = performance.now();
    const [width, height] = stage.size;
    if (!width || !height) return false; // not laid out, or scrolled away by the host
    if (stage.ratio !== stage.sharp) this.resize();
    const themed = this.readTheme(now);
    if (this.unwritten && now - this.writtenAt >= WRITE_EVERY) this.writeAll();
    const turns = hub.views.values().next().value === this && axes.turn(now); // one angle for all views of a run
    stage.points = hub.shownPoints();
    stage.near.take(stage.points);
    // Under a hand that carries objects the window stands still, or they would slip away from it.
    const moving = !pointer.carries && axes.move(now, stage.points);
    const more = canvases.paint(this.look(), now);
    this.panels.timeline.curve.paint(stage.theme, stage.ratio);
    if (themed || legend.stale || this.legendRatio !== stage.ratio || legend.flat !== stage.flat) {
      legend.paint(stage.theme.dark, stage.ratio, stage.flat);
      this.legendRatio = stage.ratio;
    }
    if (pointer.over) pointer.again();
    else if (cursor.at >= 0 || hub.marked >= 0 || !this.parts.ring.hidden) this.lookAt(-1);
    const shown = hub.live && hub.scrub === null ? hub.at : hub.shownFacts().iteration;
    writeData(this.root, {
      held: stage.window.held,
      frames: hub.frames,
      shown: shown ?? "",
      written: names.written.length,
      lines: this.panels.pairs.seen.length,
    });
    facts.note(now);
    this.panels.drawer.paint();
    return moving || more || turns;
  }
}

export default widgetOf(
  (model) => new PlayerHub(model),
  (hub, el) => new PlayerView(hub, el),
);
