// The card: what is known of the object under the pointer, and its nearest neighbors in the data and in the map.

import { attribute, iconButton, make, write } from "../../shared/elements.js";
import { imageCanvas } from "../map/thumbnails.js";
import { isScored, scoreOf } from "../map/scores.js";
import { shorten } from "../../shared/shorten.js";
import { Part } from "../part.js";

/** @import { SpringPanel } from "./springs.js" */

const REST = 120; // ms that the pointer rests on an object before its neighbors are looked up
const CARD_LETTERS = 48; // letters of a name or a label
const NEAR = 8; // neighbors told
const NARROW = 640; // pixels: on a map less wide, an open card is a sheet at the border of the screen
const BORDER = 24; // pixels around the card that leave its object in sight
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

export class Card extends Part {
  /** @param {Known} known */
  constructor(known) {
    super(known);
    this.index = -1;
    this.rested = false;
    this.kept = false; // whether the object was chosen, and not only pointed at
    this.open = false; // whether the line was pulled open
    this.listed = ""; // the neighbors that are listed
    this.mappedAt = -MAP_EVERY;
    /** @type {number[]} */
    this.inMap = [];
    /** @type {number[]} */
    this.inData = [];
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
    this.brief = make("small", { class: "nsne-card-brief" }); // how true its place is, in the line
    this.dataList = make("div", {}, make("small", {}, "nearest in the data, ● kept"), this.data);
    this.lists = make(
      "div",
      { class: "nsne-card-near" },
      this.dataList,
      make("div", {}, make("small", {}, "nearest in the map"), this.map),
    );
    this.springer = iconButton("card-springs", "Springs", "What pulls and pushes it", "springs", {
      class: "nsne-card-springs",
    });
    /** @type {SpringPanel|null} whose springs are left uncovered */
    this.springs = null;
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
    const { on } = this;
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
    this.kept = this.open = false;
    if (this.element.hidden) return;
    this.lower();
    this.element.hidden = true;
  }

  /** Show it as a line in the lower left corner, or in the upper one where it would cover the object; or open. */
  rise() {
    const { element, stage, index, open } = this;
    const [width, height] = stage.size;
    attribute(this.opener, "aria-expanded", open);
    if (open && width < NARROW) {
      attribute(element, "data-sheet", "below");
      if (element.hasAttribute("popover")) return;
      attribute(element, "popover", "manual"); // above all else on the page, whatever scrolls beneath
      return element.showPopover?.();
    }
    const [x, y] = stage.place(index);
    const covers =
      x < element.offsetWidth + BORDER && y + BORDER > height - stage.covered.bottom - element.offsetHeight;
    attribute(element, "data-sheet", `${open ? "open" : "line"}${covers ? " above" : ""}`);
  }

  /** A line again. */
  lower() {
    this.element.removeAttribute("popover");
    this.element.removeAttribute("data-sheet");
  }

  /**
   * Show object `index`, always in one place: what it says covers nothing of what it is about. -1 hides the card.
   * @param {number} index @param {boolean} [kept]  whether it was chosen, and stays when the pointer goes
   */
  show(index, kept = false) {
    const { stage, element } = this;
    if (index < 0 || index >= stage.count) return this.hide();
    if (index !== this.index) this.begin(index);
    this.kept = kept;
    attribute(element, "data-kept", kept);
    const springs = this.springs?.news();
    this.springer.hidden = !this.hub.live;
    // The panel says whose springs are shown; on a narrow map there is room for them alone.
    if (springs && (index === springs.of || stage.size[0] < NARROW)) return this.hide();
    this.update();
    element.hidden = false;
    this.rise();
  }

  /** The objects to which lines lead: the nearest in the data of the one that was chosen. */
  get lines() {
    return this.kept && this.rested && !this.element.hidden ? this.inData : [];
  }

  /** @param {Pen} pen */
  paint(pen) {
    const { stage, lines } = this;
    if (!lines.length) return;
    pen.save();
    pen.strokeStyle = stage.theme.accent;
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (const i of lines) {
      pen.moveTo(...stage.place(this.index));
      pen.lineTo(...stage.place(i));
    }
    pen.stroke();
    pen.restore();
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
      hub.requests.neighbors(index);
      this.mappedAt = -MAP_EVERY;
      this.show(index, this.kept); // with its lists it may need another place
    }, REST);
  }

  /** Write what is known now. */
  update() {
    const { index, objects, hub } = this;
    if (index < 0) return;
    const name = objects.names[index] || undefined;
    this.fill(this.name, name);
    this.fill(this.label, objects.label(index));
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
    write(element, shorten(text ?? "", CARD_LETTERS));
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
    const inData = (hub.requests.neighbors(index) ?? []).slice(0, NEAR);
    this.inData = inData;
    const key = JSON.stringify([inData, this.inMap, this.objects.hidden]);
    if (key === this.listed) return;
    this.listed = key;
    if (this.kept) hub.paintSoon(); // its lines
    const common = new Set(inData.filter((i) => this.inMap.includes(i)));
    this.data.replaceChildren(...inData.map((i) => this.entry(i, common)));
    this.map.replaceChildren(...this.inMap.map((i) => this.entry(i, common)));
    this.dataList.hidden = !inData.length;
    write(this.brief, inData.length ? `Kept ${common.size} of its ${inData.length} neighbors` : "");
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
    const image = hub.requests.image(index);
    if (!image) return hub.requests.want([index], true);
    imageCanvas(image, this.thumbnail);
    this.thumbnail.hidden = false;
  }
}
