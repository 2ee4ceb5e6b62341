// The filters as they are seen: a histogram whose range is dragged, or moved by two sliders, and kinds that are pressed. A pale
// bar is for all objects, a full one for those that the other filters leave.

import { attribute, button, draw, icon, listener, make, slider, wordButton, write } from "../../shared/elements.js";
import { UNLABELED } from "../../shared/marks.js";

/** @import { Facet } from "./facets.js" */
/** @import { Filters, Kept } from "./filters.js" */

const [ACROSS, DOWN] = [100, 40]; // units of the drawing of a histogram
const [FEW, MOST] = [8, 256]; // kinds that are listed at first, and at all

/** A count, with a comma between its thousands. @param {number} count */
export const counted = (count) => count.toLocaleString("en");

/** Bars as a path. @param {ArrayLike<number>} counts @param {number} most  the highest @param {number} steps */
function bars(counts, most, steps) {
  const wide = ACROSS / steps;
  let path = "";
  for (let k = 0; k < steps; k++) {
    if (!counts[k]) continue;
    // One object beside thousands is seen, too.
    const high = Math.max((counts[k] / most) * DOWN, 0.8);
    path += `M${(k * wide).toFixed(2)} ${DOWN}h${(wide * 0.9).toFixed(2)}v${(-high).toFixed(2)}h${(-wide * 0.9).toFixed(2)}z`;
  }
  return path;
}

/** What all filters of the list have: a title, what they keep, and a button to end them. */
class FacetView {
  /** @param {FilterList} list @param {Facet} facet */
  constructor(list, facet) {
    this.list = list;
    this.facet = facet;
    this.all = new Uint32Array(facet.count + 1); // objects of each step or kind, and of the missing
    for (const key of facet.keys) this.all[key === UNLABELED ? facet.count : key] += 1;
    this.said = make("span", { class: "nsne-facet-said" });
    this.end = button("clear-filter", "", `Take away the filter of ${facet.title}`, icon("close"));
    this.end.hidden = true;
    const title = make("span", { class: "nsne-facet-title" }, facet.title);
    this.head = make("div", { class: "nsne-facet-head" }, title, this.said, this.end);
    this.element = make("div", {
      class: "nsne-facet",
      "data-facet": facet.name,
      role: "group",
      "aria-label": facet.title,
    });
    list.on(this.end, "click", () => {
      list.choose(facet, null, true);
      this.first().focus({ preventScroll: true }); // the button is gone
    });
  }

  /** @returns {HTMLElement} what has the keyboard first */
  first() {
    return this.end;
  }

  /** @param {ArrayLike<number>} _counts @param {Kept|undefined} kept */
  update(_counts, kept) {
    this.end.hidden = !kept;
    attribute(this.element, "data-kept", Boolean(kept));
  }
}

class RangeView extends FacetView {
  /** @param {FilterList} list @param {Facet} facet */
  constructor(list, facet) {
    super(list, facet);
    const { count, title } = facet;
    this.most = Math.max(...this.all.subarray(0, count), 1);
    this.pale = draw("path", { class: "nsne-bars-all", d: bars(this.all, this.most, count) });
    this.full = draw("path", { class: "nsne-bars-left" });
    this.veil = draw("path", { class: "nsne-bars-out" });
    this.picture = draw(
      "svg",
      { viewBox: `0 0 ${ACROSS} ${DOWN}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      ...[this.pale, this.full, this.veil],
    );
    this.low = slider("filter-low", `${title}, from`, count - 1, { value: 0 });
    this.high = slider("filter-high", `${title}, to`, count - 1, { value: count - 1 });
    const missing = this.all[count];
    const more = missing ? [make("small", {}, `${counted(missing)} missing`)] : [];
    const sliders = make("div", { class: "nsne-facet-range" }, this.low, this.high);
    this.element.append(this.head, make("div", { class: "nsne-facet-bars" }, this.picture), sliders, ...more);
    if (count < 2) sliders.hidden = true; // all alike
    for (const [input, other] of [
      [this.low, this.high],
      [this.high, this.low],
    ]) {
      const act = (/** @type {boolean} */ settled) => {
        // The ends may not pass one another.
        const over =
          input === this.low ? Number(input.value) > Number(other.value) : Number(input.value) < Number(other.value);
        if (over) input.value = other.value;
        this.choose(Number(this.low.value), Number(this.high.value), settled);
      };
      list.on(input, "input", () => act(false));
      list.on(input, "change", () => act(true));
    }
    this.from = -1; // the step where a hand began
    list.on(this.picture, "pointerdown", (event) => this.take(event));
    list.on(this.picture, "pointermove", (event) => this.from >= 0 && this.drag(event, false));
    list.on(this.picture, "pointerup", (event) => this.from >= 0 && this.drag(event, true));
    list.on(this.picture, "pointercancel", () => {
      this.from = -1;
    });
  }

  first() {
    return this.low;
  }

  /** The step under a pointer. @param {PointerEvent} event */
  stepAt({ clientX }) {
    const { left, width } = this.picture.getBoundingClientRect();
    const step = Math.floor(((clientX - left) / width) * this.facet.count);
    return Math.min(Math.max(step, 0), this.facet.count - 1);
  }

  /** @param {PointerEvent} event */
  take(event) {
    if (event.button > 0 || this.facet.count < 2) return;
    this.picture.setPointerCapture(event.pointerId);
    this.from = this.stepAt(event);
    this.drag(event, false);
  }

  /** @param {PointerEvent} event @param {boolean} settled */
  drag(event, settled) {
    const at = this.stepAt(event);
    const { from } = this;
    if (settled) this.from = -1;
    this.choose(Math.min(from, at), Math.max(from, at), settled);
  }

  /** @param {number} low @param {number} high @param {boolean} settled */
  choose(low, high, settled) {
    this.list.choose(this.facet, { low, high }, settled);
  }

  /** @param {ArrayLike<number>} counts @param {Kept|undefined} kept */
  update(counts, kept) {
    super.update(counts, kept);
    const { facet } = this;
    const last = facet.count - 1;
    const { low, high } = kept && !(kept instanceof Set) ? kept : { low: 0, high: last };
    attribute(this.full, "d", bars(counts, this.most, facet.count));
    const wide = ACROSS / facet.count;
    const [left, right] = [(low * wide).toFixed(2), ((high + 1) * wide).toFixed(2)];
    attribute(this.veil, "d", kept ? `M0 0H${left}V${DOWN}H0zM${right} 0H${ACROSS}V${DOWN}H${right}z` : "");
    write(this.said, facet.say(low, high));
    for (const [input, at] of /** @type {const} */ ([
      [this.low, low],
      [this.high, high],
    ])) {
      if (Number(input.value) !== at) input.value = String(at);
      attribute(input, "aria-valuetext", facet.say(at));
    }
  }
}

class KindsView extends FacetView {
  /** @param {FilterList} list @param {Facet} facet */
  constructor(list, facet) {
    super(list, facet);
    const { all } = this;
    const { count } = facet;
    /** The kinds, the most frequent first; then what is missing. */
    const kinds = Array.from({ length: count }, (_, k) => k).sort((a, b) => all[b] - all[a] || a - b);
    const missing = all[count] ? [UNLABELED] : [];
    this.total = kinds.length + missing.length;
    this.most = all.reduce((most, one) => Math.max(most, one), 1);
    this.rows = [...kinds.slice(0, MOST), ...missing].map((k) => this.row(k));
    const words = kinds.length > MOST ? `The first ${MOST} of ${counted(kinds.length)}` : `All ${this.total}`;
    this.more = button("more-kinds", "", `${words}: ${facet.title}`, words);
    this.more.hidden = this.rows.length <= FEW + 1;
    this.long = this.more.hidden;
    this.box = make("div", { class: "nsne-kinds" }, ...this.rows.map(({ element }) => element));
    this.element.append(this.head, this.box, this.more);
    list.on(this.more, "click", () => {
      this.long = true;
      this.more.hidden = true;
      this.fold();
      this.rows[FEW].element.focus({ preventScroll: true });
    });
    this.fold();
  }

  first() {
    return this.rows[0].element;
  }

  fold() {
    this.rows.forEach(({ element }, at) => {
      element.hidden = !this.long && at >= FEW;
    });
  }

  /** @param {number} k */
  row(k) {
    const [pale, full] = [make("span", { class: "nsne-kind-all" }), make("span", { class: "nsne-kind-left" })];
    const count = make("span", { class: "nsne-figures" });
    const name = make("span", { class: "nsne-kind-name" }, this.facet.say(k));
    const element = wordButton("filter-kind", "", { "aria-pressed": "false", title: this.facet.say(k) });
    element.append(name, count, pale, full);
    const all = this.all[k === UNLABELED ? this.facet.count : k];
    pale.style.setProperty("--nsne-share", String(all / this.most));
    this.list.on(element, "click", () => this.toggle(k));
    return { k, element, count, full };
  }

  /** @param {number} k */
  toggle(k) {
    const before = this.list.filters.kept.get(this.facet.name);
    const kept = new Set(before instanceof Set ? before : []);
    if (!kept.delete(k)) kept.add(k);
    this.list.choose(this.facet, kept, true);
  }

  /** @param {ArrayLike<number>} counts @param {Kept|undefined} kept */
  update(counts, kept) {
    super.update(counts, kept);
    const chosen = kept instanceof Set ? kept : new Set();
    write(this.said, chosen.size ? `${chosen.size} of ${counted(this.total)}` : "");
    for (const { k, element, count, full } of this.rows) {
      const n = counts[k === UNLABELED ? this.facet.count : k];
      write(count, counted(n));
      full.style.setProperty("--nsne-share", String(n / this.most));
      attribute(element, "aria-pressed", chosen.has(k));
      attribute(element, "data-out", chosen.size > 0 && !chosen.has(k));
    }
  }
}

export class FilterList {
  /**
   * @param {Filters} filters @param {(settled: boolean) => void} changed  after another choice; `settled` once a hand has let go
   * @param {AbortSignal} signal
   */
  constructor(filters, changed, signal) {
    this.filters = filters;
    this.changed = changed;
    this.on = listener(signal);
    this.views = filters.facets.map((facet) =>
      facet.kind === "range" ? new RangeView(this, facet) : new KindsView(this, facet),
    );
    const none = "There is nothing to filter by: give labels, values or columns, or search the table";
    const empty = this.views.length ? [] : [make("p", { class: "nsne-quiet" }, none)];
    this.element = make("div", { class: "nsne-facets" }, ...this.views.map(({ element }) => element), ...empty);
    this.update();
  }

  /** @param {Facet} facet @param {Kept|null} kept @param {boolean} settled */
  choose(facet, kept, settled) {
    this.filters.set(facet, kept);
    this.changed(settled);
  }

  /** Show what is in force. @param {boolean} [hidden]  whether labels are hidden */
  update(hidden = false) {
    for (const view of this.views) {
      view.element.hidden = view.facet.hideable && hidden;
      view.update(this.filters.counts(view.facet), this.filters.kept.get(view.facet.name));
    }
  }
}
