// The card: what is known of the object under the pointer, and its nearest neighbors in the data and in the map.

import { attribute, iconButton, listener, make, write } from "../../shared/elements.js";
import { imageCanvas } from "../map/thumbnails.js";
import { isScored, scoreOf } from "../map/scores.js";
import { shorten } from "../../shared/labels.js";
import { bordering, leastCovering } from "./loupe.js";

/** @import { KnownObjects } from "../objects.js" */
/** @import { PlayerHub } from "../hub.js" */
/** @import { SpringPanel } from "./springs.js" */
/** @import { Stage } from "../stage.js" */

const REST = 120; // ms that the pointer rests on an object before its neighbors are looked up
const CARD_LETTERS = 80; // letters of a name or a label
const NEAR = 8; // neighbors told
const NARROW = 640; // pixels: on a map less wide, the card of an object that was tapped is a line at its lower border
const PULL = 24; // pixels by which a finger pulls that line open
const MOST_COLUMNS = 8; // columns told: a card is read at a glance
const MAP_EVERY = 400; // ms between looks at the neighbors in a map that moves

/**
 * The objects nearest to one in the map, nearest first.
 * @param {Float32Array} points @param {number} index @param {number} count
 */
export function nearestInMap(points, index, count) {
  const [x, y] = [points[2 * index], points[2 * index + 1]];
  /** @type {number[]} */
  const near = [];
  /** @type {number[]} */
  const squares = [];
  for (let i = 0; i < points.length / 2; i++) {
    if (i === index) continue;
    const d = (points[2 * i] - x) ** 2 + (points[2 * i + 1] - y) ** 2;
    if (near.length === count && !(d < squares[count - 1])) continue;
    let at = near.length;
    while (at > 0 && squares[at - 1] > d) at -= 1;
    near.splice(at, 0, i);
    squares.splice(at, 0, d);
    near.length = squares.length = Math.min(near.length, count);
  }
  return near;
}

export class Card {
  /** @param {{hub: PlayerHub, stage: Stage, objects: KnownObjects, signal: AbortSignal}} own */
  constructor({ hub, stage, objects, signal }) {
    this.hub = hub;
    this.stage = stage;
    this.objects = objects;
    this.index = -1;
    this.rested = false;
    this.tapped = false; // whether a finger pointed at the object: a card that would lie under the hand is a line
    this.open = false; // whether that line was pulled open to a sheet
    this.listed = ""; // the neighbors that are listed
    this.mappedAt = -MAP_EVERY;
    /** @type {number[]} */
    this.inMap = [];
    /** @type {number|undefined} a timer */
    this.resting = undefined;
    this.thumbnail = make("canvas", { class: "nsne-thumbnail", hidden: "" });
    this.name = make("strong", {});
    this.label = make("span", {});
    this.value = make("span", {});
    this.score = make("span", {});
    this.number = make("small", {});
    this.columns = make("dl", { class: "nsne-card-columns" });
    this.data = make("ol");
    this.map = make("ol");
    this.shared = make("small", {});
    this.brief = make("small", { class: "nsne-card-brief" }); // how true its place is, in the line
    this.dataList = make("div", {}, make("small", {}, "nearest in the data"), this.data);
    this.lists = make(
      "div",
      { class: "nsne-card-near" },
      this.dataList,
      make("div", {}, make("small", {}, "nearest in the map"), this.map),
      this.shared,
    );
    this.springer = iconButton("card-springs", "Springs", "What pulls and pushes it", "springs", {
      class: "nsne-card-springs",
    });
    /** @type {SpringPanel|null} whose springs are left uncovered */
    this.springs = null;
    this.docked = -1; // at which border of the map, while springs are shown
    this.closer = iconButton("close-card", "", "Close", "close", { class: "nsne-card-close" });
    this.opener = iconButton("open-card", "", "What lies near it", "up", { class: "nsne-card-open" });
    this.element = make(
      "div",
      { class: "nsne-card", "data-part": "card", hidden: "" },
      this.opener,
      this.closer,
      make(
        "div",
        { class: "nsne-card-head" },
        this.thumbnail,
        make(
          "div",
          { class: "nsne-card-facts" },
          this.name,
          this.label,
          this.value,
          this.score,
          this.number,
          this.brief,
        ),
      ),
      this.columns,
      this.lists,
      this.springer,
    );
    const on = listener(signal);
    on(this.opener, "click", () => this.unfold(!this.open));
    let pulledAt = 0;
    on(this.element, "pointerdown", ({ clientY }) => (pulledAt = clientY));
    on(this.element, "pointermove", ({ clientY, buttons }) => {
      if (buttons && Math.abs(clientY - pulledAt) > PULL) this.unfold(clientY < pulledAt);
    });
    // Whoever scrolls goes on to something else; what scrolls within the sheet is read.
    const scrolled = (/** @type {Event} */ { target }) => {
      if (this.open && !this.element.contains(/** @type {Node} */ (target))) this.unfold(false);
    };
    on(document, "scroll", scrolled, { capture: true, passive: true });
  }

  stop() {
    this.hub.clock.clearTimeout(this.resting);
  }

  /** Pull the line open to a sheet at the border of the screen, or make it a line again. @param {boolean} open */
  unfold(open) {
    if (open === this.open || this.element.dataset.sheet === undefined) return;
    this.open = open;
    this.lower();
    this.rise();
    this.opener.focus({ preventScroll: true });
  }

  hide() {
    this.stop();
    this.index = -1;
    this.tapped = this.open = false;
    if (this.element.hidden) return;
    this.lower();
    this.element.hidden = true;
  }

  /**
   * Show it as a line at the lower border of the map, or at the upper one where it would cover the object; pulled open it is
   * a sheet at the border of the screen.
   */
  rise() {
    const { element, stage, index, open } = this;
    element.style.left = element.style.top = "";
    attribute(this.opener, "aria-expanded", open);
    if (element.dataset.sheet === undefined) attribute(element, "data-sheet", open ? "below" : "line");
    if (open && !element.hasAttribute("popover")) {
      attribute(element, "popover", "manual"); // above all else on the page, whatever scrolls beneath
      element.showPopover?.();
    }
    if (open) return;
    const low = stage.place(index)[1] + 12 > stage.size[1] - element.offsetHeight;
    attribute(element, "data-sheet", low ? "line above" : "line");
  }

  /** Show it at the border of the map where it covers least of the springs that are shown. */
  dock() {
    const { element, stage, springs } = this;
    this.lower();
    const boxes = bordering([element.offsetWidth, element.offsetHeight], stage.size, stage.covered);
    const taken = springs
      ? [...springs.picture.taken, ...springs.picture.closed(this.hub.clock.performance.now())]
      : [];
    this.docked = leastCovering(boxes, taken, 0, () => [0, 0], this.docked);
    element.style.left = `${Math.round(boxes[this.docked].left)}px`;
    element.style.top = `${Math.round(boxes[this.docked].top)}px`;
  }

  /** A card beside its point again. */
  lower() {
    this.element.removeAttribute("popover");
    this.element.removeAttribute("data-sheet");
  }

  /** Show object `index` beside its point; -1 hides the card. @param {number} index */
  show(index) {
    const { stage, element } = this;
    if (index < 0 || index >= stage.count) return this.hide();
    if (index !== this.index) this.begin(index);
    const [width, height] = stage.size;
    const springs = this.springs?.news();
    this.springer.hidden = !this.hub.live;
    // The panel says whose springs are shown; on a narrow map there is room for them alone.
    if (springs && (index === springs.of || width < NARROW)) return this.hide();
    this.update();
    element.hidden = false;
    if (springs) return this.dock();
    this.docked = -1;
    if (this.tapped && width < NARROW) return this.rise();
    this.lower();
    const [x, y] = stage.place(index);
    const [wide, tall] = [element.offsetWidth, element.offsetHeight];
    // To the right of the point, or to its left: never over it.
    const left = x + 14 + wide <= width - 4 ? x + 14 : x - 14 - wide;
    element.style.left = `${Math.round(Math.min(Math.max(left, 4), Math.max(width - wide - 4, 4)))}px`;
    element.style.top = `${Math.round(Math.min(Math.max(y + 14, 4), Math.max(height - tall - 4, 4)))}px`;
  }

  /** Another object: its neighbors are looked up when the pointer has rested on it. @param {number} index */
  begin(index) {
    const { hub } = this;
    this.index = index;
    this.rested = false;
    this.listed = "";
    this.lists.hidden = true;
    this.thumbnail.hidden = true;
    this.image(index);
    const columns = this.objects.columns.of(index).slice(0, MOST_COLUMNS);
    this.columns.replaceChildren(
      ...columns.flatMap(([name, words]) => [
        make("dt", {}, shorten(name, CARD_LETTERS)),
        make("dd", {}, shorten(words, CARD_LETTERS)),
      ]),
    );
    this.columns.hidden = !columns.length;
    hub.clock.clearTimeout(this.resting);
    this.resting = hub.clock.setTimeout(() => {
      this.rested = true;
      hub.neighborsOf(index);
      this.mappedAt = -MAP_EVERY;
      this.show(index); // with its lists it may need another place
    }, REST);
  }

  /** Write what is known now. */
  update() {
    const { index, objects, hub } = this;
    if (index < 0) return;
    const name = objects.names[index] || undefined;
    const label = objects.label(index);
    this.fill(this.name, name === undefined ? undefined : shorten(name, CARD_LETTERS));
    this.fill(this.label, label === undefined ? undefined : shorten(label, CARD_LETTERS));
    this.fill(this.value, objects.value(index));
    const color = hub.model.get("color");
    const unit = hub.unitOf(hub.facts.model_name);
    this.fill(this.score, isScored(color) ? scoreOf(color, hub.shownScores(color), index, unit) : undefined);
    const held = hub.shownFacts().pins?.includes(index) ? ", held in place" : "";
    this.fill(this.number, (name === undefined ? `object ${index}` : `#${index}`) + held);
    if (this.rested) this.listNeighbors();
  }

  /** @param {HTMLElement} element @param {string|undefined} text */
  fill(element, text) {
    write(element, text ?? "");
    element.hidden = text === undefined;
  }

  /** */
  listNeighbors() {
    const { hub, stage, index } = this;
    const now = hub.clock.performance.now();
    if (now - this.mappedAt >= MAP_EVERY) {
      this.mappedAt = now;
      this.inMap = nearestInMap(stage.points, index, NEAR);
    }
    const inData = (hub.neighborsOf(index) ?? []).slice(0, NEAR);
    const key = JSON.stringify([inData, this.inMap, this.objects.hidden]);
    if (key === this.listed) return;
    this.listed = key;
    const common = new Set(inData.filter((i) => this.inMap.includes(i)));
    this.data.replaceChildren(...inData.map((i) => this.entry(i, common)));
    this.map.replaceChildren(...this.inMap.map((i) => this.entry(i, common)));
    this.dataList.hidden = !inData.length;
    write(this.brief, inData.length ? `Kept ${common.size} of its ${inData.length} neighbors` : "");
    write(this.shared, inData.length ? `● ${common.size} of ${inData.length} in both` : "");
    this.lists.hidden = !this.inMap.length;
  }

  /** @param {number} i @param {Set<number>} common */
  entry(i, common) {
    // Marked by a dot and by its weight.
    return make("li", { class: common.has(i) ? "nsne-common" : undefined }, this.objects.short(i, 18));
  }

  /**
   * Draw the image of an object, if it is the one shown; ask the kernel for it if it is not here yet.
   * @param {number} index
   */
  image(index) {
    const { hub } = this;
    if (index !== this.index || !hub.model.get("has_images")) return;
    const image = hub.imageOf(index);
    if (!image) return hub.requestImages([index], true);
    imageCanvas(image, this.thumbnail);
    this.thumbnail.hidden = false;
  }
}
