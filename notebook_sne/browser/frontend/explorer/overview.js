// All maps, small: each titled by its strongest words, with the word looked at lit where it belongs. Titles cost sums
// over pairs, so they are made in idle slices, one map after the other.

import { attribute, make, write } from "../shared/elements.js";
import { fitting } from "../shared/window.js";
import { placesOf, proportion, wordsOf } from "./mixture.js";
import { Picture, RANKS, shownIn } from "./picture.js";

const SLICE = 10; // ms of work before the page gets its turn
const EVERY = 1000; // ms between thumbnails of a fit that goes on
const SMALL = 3.6; // pixels: the radius of a circle whose proportion is 1

/** Do something when there is time; what it returns cancels it. @type {(f: () => void) => () => void} */
const later =
  "requestIdleCallback" in globalThis
    ? (f) => {
        const id = requestIdleCallback(f, { timeout: 300 });
        return () => cancelIdleCallback(id);
      }
    : (f) => {
        const id = setTimeout(f, 16);
        return () => clearTimeout(id);
      };

export class Overview {
  /**
   * @param {ExplorerStage} stage @param {Pick<ExplorerActs, "openMap">} acts
   * @param {() => void} ready  called when all thumbnails are made
   * @param {HTMLDetailsElement} folder  in which they are: while it is closed, none is made
   */
  constructor(stage, acts, ready, folder) {
    this.stage = stage;
    this.acts = acts;
    this.ready = ready;
    this.folder = folder;
    folder.addEventListener("toggle", () => this.work());
    /** @type {ReturnType<Overview["makeTile"]>[]} */
    this.tiles = [];
    /** @type {Set<number>} maps whose thumbnails are to be made anew */
    this.stale = new Set();
    /** @type {(() => void)|null} */
    this.cancel = null;
    this.next = 0;
    this.refreshedAt = -EVERY;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.waiting = undefined;
    /** @type {Float32Array|null} what the thumbnails were made of */
    this.made = null;
    this.element = make("div", { class: "nsne-e-tiles", "data-part": "maps", role: "list" });
  }

  stop() {
    clearTimeout(this.waiting);
    this.cancel?.();
    this.cancel = null;
  }

  /** Make thumbnails of new maps, when there is time. @param {boolean} goesOn  whether more will come */
  follow(goesOn) {
    const { stage } = this;
    if (!stage.mixture || this.made === stage.data) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(
      () => {
        this.refreshedAt = performance.now();
        this.made = stage.data;
        this.refresh();
      },
      goesOn ? Math.max(this.refreshedAt + EVERY - performance.now(), 0) : 0,
    );
  }

  /** Make all thumbnails anew, soon. */
  refresh() {
    const M = this.stage.mixture?.M ?? 0;
    while (this.tiles.length < M) {
      const tile = this.makeTile(this.tiles.length);
      this.tiles.push(tile);
      this.element.append(tile.item);
    }
    while (this.tiles.length > M) this.tiles.pop()?.item.remove();
    for (let m = 0; m < M; m++) this.stale.add(m);
    this.work();
  }

  work() {
    if (!this.folder.open) return this.ready();
    if (this.cancel || !this.stale.size) return;
    this.cancel = later(() => {
      this.cancel = null;
      if (!this.stage.mixture || !this.element.clientWidth) return; // scrolled away by the host, or closed
      const end = performance.now() + SLICE;
      const { M } = this.stage.mixture;
      // On from where the last slice ended, so that no map starves while a running fit sends new ones.
      for (let tried = 0; tried < M && performance.now() < end; tried++) {
        const m = this.next++ % M;
        if (this.stale.delete(m)) this.draw(m);
      }
      if (!this.stale.size) this.ready();
      this.work();
    });
  }

  /** @param {number} m */
  makeTile(m) {
    const picture = new Picture(this.stage, SMALL);
    attribute(picture.element, "aria-hidden", true);
    const name = make("span", { class: "nsne-e-tile-name" });
    const number = make("span", { class: "nsne-e-number" }, String(m));
    const share = make("span", { class: "nsne-e-tile-share" });
    const is = { type: "button", class: "nsne-e-tile", "data-control": "map", "data-map": m };
    const button = make("button", is, number, share, picture.element, name);
    button.addEventListener("click", () => this.acts.openMap(m, button));
    const words = /** @type {number[]|undefined} */ (undefined);
    return { picture, name, share, button, words, item: make("div", { role: "listitem" }, button) };
  }

  /** @param {number} m */
  draw(m) {
    const tile = this.tiles[m];
    if (!tile || !this.stage.mixture) return;
    write(tile.name, this.stage.titleOf(m));
    tile.words = wordsOf(this.stage.mixture, m);
    this.paint(m);
  }

  /** Paint a thumbnail. @param {number} m */
  paint(m) {
    const { mixture: x, word, beside, lit, names } = this.stage;
    const tile = this.tiles[m];
    if (!tile?.words || !x) return;
    const held = this.stage.holds(m, word);
    const part = held ? proportion(x, m, word).toFixed(2) : "";
    tile.button.classList.toggle("nsne-e-held", held);
    tile.button.setAttribute("data-held", String(held));
    write(tile.share, part);
    tile.button.title = `Map ${m}: ${tile.name.textContent}`;
    tile.button.setAttribute("aria-label", held ? `${tile.button.title}. ${names[word]} ${part}` : tile.button.title);
    const { room } = tile.picture;
    if (!room[0] || !room[1]) return;
    const own = [word, beside].filter((i) => this.stage.holds(m, i));
    const rest = held ? RANKS.strong : RANKS.other;
    const rankOf = (/** @type {number} */ i) => (own.includes(i) ? RANKS.word : rest);
    const window = fitting(placesOf(x, m, tile.words), ...room);
    tile.picture.draw(shownIn(x, names, m, new Set([...own, ...tile.words]), rankOf, window, room), ...room, 0);
    this.light(lit, [m]);
  }

  /** Light a word where it belongs. @param {number} word @param {Iterable<number>} [maps] */
  light(word, maps = this.tiles.keys()) {
    for (const m of maps) this.tiles[m].picture.light(this.stage.holds(m, word) ? word : -1);
  }

  /** Paint all anew: nothing is summed. */
  relight() {
    for (const m of this.tiles.keys()) this.paint(m);
  }
}
