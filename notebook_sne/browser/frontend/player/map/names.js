// Names on the map: as many as find room, none on another. A name that is there stays as long as it fits, while the map
// moves and while a reader zooms; others come in where there is room, a part of them at each painting.
// Names come from anybody's data: they are only ever drawn as text.
// Longer than 300 lines because names of objects and of classes contend for the same room, by one rule of who comes first.

import { isBusy } from "../../shared/commands.js";
import { GAP, ON, placeLabels } from "../../shared/labels.js";
import { shorten } from "../../shared/shorten.js";
import { LINE, Lettering } from "../../shared/text_halo.js";
import { Areas } from "./areas.js";
import { Closed, marksToSpare, uncovered } from "./closed.js";
import { Groups, keyOf } from "./groups.js";
import { TOLD } from "../../shared/marks.js";
import { FAINT, PLAIN } from "./colors.js";
import { Part } from "../part.js";

/** @import { Label } from "../../shared/labels.js" */
/** @import { Lettered } from "../../shared/text_halo.js" */

const ENTER_EVERY = 150; // ms between looks for room while the map moves
const TRIES = 400; // names that a painting tries to write anew
const COVER = 0.6; // share of its box by which a name may cover marks: as in views/names.py
const ROOM = 3; // pixels around a name that comes in while the map moves: it will stay a while
const USUAL = 900; // pixels: side of a stage on which letters are as large as chosen
const CLASS = 1.5; // size of the name of a class by that of an object
const AREA = 1.6; // of that of a region
const AREAS = -1_000_000; // key of the name of the first region: below those of all classes
const MOST_SELECTED = 400; // selected objects that come first
const MOST_PICTURED = 40; // selected objects that a picture names in any case
const NEAR = 8; // neighbors of the object looked at that come before others
/** Sizes of letters in pixels that a reader can choose. */
export const SIZES = [8, 10, 12, 14, 16, 20, 24, 32, 40];

export class Names extends Part {
  /** @param {Known} known */
  constructor(known) {
    super(known);
    this.groups = new Groups(known.objects);
    this.areas = new Areas(known.objects);
    /** @type {Ranks|null} */
    this.ranks = null;
    this.looked = -1; // the object under the pointer or the keyboard
    this.radius = 0; // of the marks
    /** @type {Name[]} what is written, the most important first */
    this.written = [];
    this.next = 0; // the place of the object to be tried next, in the order of importance
    this.tried = 0; // objects since something moved
    this.entered = -ENTER_EVERY;
    this.place = "";
    /** @type {Float32Array|undefined} */
    this.points = undefined;
    this.asked = "";
    this.closed = new Closed();
    /** What is drawn over the names. @type {() => Box[]} */
    this.over = () => [];
    this.letters = new Lettering(known.stage);
    /** How many classes in view are named, and how many there are. @type {[number, number]} */
    this.namedOf = [0, 0];
  }

  /** What can be written. @param {Pick<KnownObjects, "names"|"classes">} objects @returns {Written[]} */
  static choices({ names, classes }) {
    /** @type {Written[]} */
    const all = ["names", "classes", "none"];
    return all.filter((one) => ({ names: names.length > 0, classes: Boolean(classes), none: true })[one]);
  }

  /** What is to be written now. @returns {Written} */
  get mode() {
    const { model } = this.hub;
    const wanted = model.get("show_names") ?? "none";
    if (wanted === "classes" && this.objects.hidden) return "none";
    return Names.choices(this.objects).includes(wanted) ? wanted : "none";
  }

  /** Whether there are words over the map, so that marks had better be small. */
  get words() {
    return this.mode === "names" && !this.silent;
  }

  /** Whether names of regions stand over the map, so that dots and names of objects had better step back. */
  get regional() {
    return this.areas.known.length > 0;
  }

  /** Whether others write here: the springs name their ends, and images say what they are. */
  get silent() {
    const { model } = this.hub;
    return (model.get("spring_of") ?? null) !== null || Boolean(model.get("show_images"));
  }

  /** What a reader is told where not all names have found room. */
  get said() {
    if (!this.stage.ready) return "";
    if (this.mode === "classes") {
      const [named, all] = this.namedOf;
      return named < all ? `${named} of ${all} classes named` : "";
    }
    if (!this.words) return "";
    const written = this.written.filter(({ key }) => key >= 0).length;
    return written < this.stage.count ? `names of ${written} of ${this.stage.count} objects` : "";
  }

  /** Size of letters in pixels: as chosen, and larger on a stage that is seen from afar. */
  get size() {
    const [width, height] = this.stage.size;
    const afar = Math.min(Math.max(Math.sqrt(width * height) / USUAL, 1), 2);
    return Math.round(afar * (this.hub.model.get("name_size") || 12));
  }

  /**
   * Choose what is written, and where; true while more may find room.
   * @param {number} now @param {Ranks|null} ranks @param {number} radius  of the marks
   */
  arrange(now, ranks, radius) {
    const { hub, stage, selection } = this;
    const { mode, size } = this;
    this.ranks = ranks;
    this.radius = radius;
    if (mode === "none" || !stage.ready) {
      this.written = [];
      this.asked = "";
      return false;
    }
    const { x, y, width } = stage.window;
    const place = [x, y, width, ...stage.size].join();
    const moved = place !== this.place || stage.points !== this.points;
    const near = this.near();
    const asked = [mode, size, selection.version, this.looked, near, this.silent, ranks?.order.length, radius].join();
    const news = asked !== this.asked || this.levels !== ranks?.levels;
    if (!moved && !news && this.tried >= stage.count && !this.areas.due) return false;
    const panned = place !== this.place && stage.points === this.points;
    this.levels = ranks?.levels;
    if (moved || news) this.tried = 0;
    [this.place, this.points, this.asked] = [place, stage.points, asked];
    const before = this.regional;
    const moving = moved && (isBusy(hub.facts.status) || hub.scrub !== null || stage.window.held);
    if ((moved || news) && !moving) this.next = 0; // at rest, the most important come first again
    const enters = news || now - this.entered >= ENTER_EVERY || !this.written.length;
    if (enters) this.entered = now;
    else this.paintAgain(ENTER_EVERY);
    const classes = mode === "classes" ? this.classLabels(enters || !moving, moving) : [];
    const areas = this.areaLabels(enters, panned, moving);
    const labels = [...this.firstLabels(near), ...classes, ...areas];
    if (mode === "names" && !this.silent) labels.push(...this.others(labels, enters, moving));
    else this.tried = stage.count;
    const closed = this.closed.boxes(now);
    // Names of regions lie on their dots, as those of countries on their towns; those of objects find room around them.
    const above = areas.length ? labels.indexOf(areas[0]) + areas.length : 0;
    const over = this.placed(labels.slice(0, above), marksToSpare(stage, selection, radius, false), closed);
    const under = [...closed, ...over.map(({ box }) => box)];
    this.written = [...over, ...this.placed(labels.slice(above), this.dots(), under)];
    if (mode === "classes") this.namedOf = this.groups.count(this.written, stage);
    return (enters && !moving && this.tried < stage.count) || this.areas.due || this.regional !== before;
  }

  /** Labels where they find room. @param {Labelled[]} labels @param {Dot[]} dots @param {Box[]} closed @returns {Name[]} */
  placed(labels, dots, closed) {
    /** @type {Set<string>} two objects of one name would be taken for one */
    const told = new Set();
    const apart = labels.filter(({ name: { key, text } }) => key < 0 || told.size < told.add(text).size);
    if (!apart.length) return [];
    const places = placeLabels(apart, ...this.stage.size, dots, COVER, closed);
    return apart.flatMap(({ name }, k) => {
      const box = places[k];
      return box ? [{ ...name, box, place: box.place }] : [];
    });
  }

  /** The neighbors of the object looked at, or of the one that is selected, nearest first. */
  near() {
    const { hub, selection, looked, objects } = this;
    const of = looked >= 0 ? looked : selection.only;
    if (of < 0 || !objects.names.length || this.mode !== "names") return [];
    return (hub.requests.neighbors(of) ?? []).slice(0, NEAR);
  }

  /** Labels of what comes first: selected objects, the one looked at, its neighbors. @param {number[]} near */
  firstLabels(near) {
    const { selection, looked, objects, silent } = this;
    if (silent || !objects.names.length) return [];
    const first = selection.size <= MOST_SELECTED ? selection.list : [];
    const all = new Set([...first, ...(looked >= 0 ? [looked] : []), ...near]);
    const stays = this.lasting();
    return [...all].flatMap((i) => this.label(i, stays.get(i))).map((label) => ({ ...label, first: true }));
  }

  /** The places of what is written. */
  lasting() {
    return new Map(this.written.map(({ key, place }) => [key, place]));
  }

  /** Labels of what is written, then of others, the most important first. @param {Labelled[]} first @param {boolean} enters @param {boolean} moving */
  others(first, enters, moving) {
    const { stage, written } = this;
    const done = new Set(first.map(({ name }) => name.key));
    /** @type {Labelled[]} */
    const labels = [];
    const rank = (/** @type {number} */ i) => this.objects.rank?.[i] ?? i;
    const kept = written.filter(({ key }) => key >= 0 && !done.has(key)).sort((a, b) => rank(a.key) - rank(b.key));
    for (const { key, place } of kept) {
      labels.push(...this.label(key, place));
      done.add(key);
    }
    if (!enters) return labels;
    let tries = 0;
    for (; tries < TRIES && this.tried < stage.count; this.tried++) {
      const i = this.objects.order ? this.objects.order[this.next] : this.next;
      this.next = (this.next + 1) % stage.count;
      if (done.has(i) || !this.objects.names[i]) continue;
      const [label] = this.label(i, undefined, moving ? ROOM : 0);
      if (!label) continue;
      labels.push(label);
      tries += 1;
    }
    if (moving) this.tried = 0;
    return labels;
  }

  /**
   * The label of an object; none if it is out of view, without a name or faint.
   * @param {number} i @param {number} [last]  the place that it has @param {number} [room] @param {string} [name]
   * @returns {Labelled[]}
   */
  label(i, last, room = 0, name = this.objects.names[i] && this.objects.short(i, 22)) {
    const { stage, selection, size } = this;
    const level = this.ranks ? this.ranks.levels[i] : PLAIN;
    if (!name || level === FAINT) return [];
    const [x, y] = stage.place(i);
    if (!(x >= 0 && y >= 0 && x <= stage.size[0] && y <= stage.size[1])) return [];
    const bold = selection.has(i) || i === this.looked;
    const text = shorten(name);
    const ringed = bold ? 4 : 0; // the ring around a mark
    return [
      {
        ...{ x, y, radius: this.radius + ringed, last, room },
        width: this.letters.width(text, size, bold),
        height: LINE * size,
        name: { key: i, text, size, bold, soft: this.regional && !bold },
      },
    ];
  }

  /**
   * Labels of the classes that are groups, the largest first.
   * @param {boolean} look  whether to look anew where they are @param {boolean} moving
   * @returns {Labelled[]}
   */
  classLabels(look, moving) {
    const { stage } = this;
    const stays = this.lasting();
    const many = this.many;
    return this.groups.find(stage.points, look).map(({ k, c, x, y, text, rank }) => {
      const size = Math.round((rank < TOLD ? CLASS : 1) * this.size);
      const [left, top] = stage.placeOf(x, y);
      const key = keyOf(k, c);
      const last = stays.get(key);
      return {
        // Once the map rests, a name that was led away comes back to its place if that is free.
        ...{
          x: left,
          y: top,
          radius: 0,
          centered: true,
          near: many,
          last: moving || (last ?? 0) < ON ? last : undefined,
        },
        width: this.letters.width(text, size, true),
        height: LINE * size,
        name: { key, text, size, bold: true, soft: false, spot: [left, top] },
      };
    });
  }

  /**
   * Labels of the regions of a map of many names.
   * @param {boolean} look  whether to look anew where they are @param {boolean} panned  whether the view alone has moved:
   *   regions are then found when it rests
   * @param {boolean} moving
   * @returns {Labelled[]}
   */
  areaLabels(look, panned, moving) {
    const { stage, areas } = this;
    if (this.mode !== "names" || this.silent) {
      areas.known = [];
      areas.due = false;
      return [];
    }
    if (panned && areas.known.length) areas.due = true;
    else if (look) areas.look(stage);
    const size = Math.round(AREA * this.size);
    const stays = this.lasting();
    return areas.known.map((area) => {
      const [x, y] = stage.placeOf(...Areas.place(area, stage.points));
      const key = AREAS - area.c;
      const last = stays.get(key);
      return {
        ...{ x, y, radius: 0, centered: true, last: moving || (last ?? 0) < ON ? last : undefined },
        width: this.letters.width(area.text, size, true),
        height: LINE * size,
        name: { key, text: area.text, size, bold: true, soft: false, spot: [x, y] },
      };
    });
  }

  /** Whether there are more classes than a legend names: the largest have large names, and no lines lead to names. */
  get many() {
    return this.objects.classNames.length > TOLD;
  }

  /** Marks that names leave uncovered. */
  dots() {
    const many = this.mode === "classes" && this.many;
    return marksToSpare(this.stage, this.selection, this.radius, this.words || many, many);
  }

  /** What a picture says: what is written here, and which the few selected objects are in any case. */
  inPicture() {
    const { selection, stage, objects, written } = this;
    const named = new Set(written.map(({ key }) => key));
    const selected = selection.size <= MOST_PICTURED ? selection.list : [];
    if (selected.every((i) => named.has(i))) return written;
    const stays = this.lasting();
    const labels = selected.flatMap((i) => this.label(i, stays.get(i), 0, objects.name(i)));
    const first = new Set(selected);
    for (const { box, place: _, ...name } of written) {
      if (first.has(name.key)) continue;
      const { left, top, width, height } = box;
      labels.push({ ...{ x: left - GAP, y: top + height / 2, radius: 0, width, height, last: 0 }, name });
    }
    const places = placeLabels(labels, ...stage.size, this.dots(), COVER);
    return labels.flatMap(({ name }, k) => {
      const box = places[k];
      const stays = first.has(name.key) || box?.place === 0; // what was written elsewhere gives way
      return box && stays ? [{ ...name, box, place: box.place }] : [];
    });
  }

  /** Draw what is written on the screen. @param {Pen} pen */
  paint(pen) {
    const names = uncovered(this.written, this.over());
    this.letters.lead(pen, names);
    this.letters.stampAll(pen, names);
  }

  /** Write what a picture says. @param {Pen} pen */
  picture(pen) {
    const names = uncovered(this.inPicture(), this.over());
    this.letters.lead(pen, names);
    for (const name of names) this.letters.write(pen, name);
  }
}

/**
 * @typedef {Lettered & {key: number, place: number}} Name  of an object, or with a key below 0 of a class at one of its spots,
 *   and at which of the places around its point
 *
 * @typedef {Label & {name: Omit<Name, "box"|"place">}} Labelled
 */
