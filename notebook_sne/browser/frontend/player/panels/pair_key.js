// What several fits say, below the map: of how many the focus knows, what the lines between regions mean, a switch for
// these, and all pairs as a table, which says the same to readers who do not see the map.

import { attribute, draw, make, slider, tableOf, wordButton, write } from "../../shared/elements.js";
import { LOOKS } from "../map/region_pairs.js";
import { Part } from "../part.js";

const MOST_ROWS = 500; // pairs in the table

export class PairKey extends Part {
  /** @param {Known} known @param {RegionPairs} pairs */
  constructor(known, pairs) {
    super(known);
    const { fits } = known.objects; // of how many it is known how sure each object is
    this.fits = fits;
    const title = "Of how many fits the focus knows: what these put in different regions is out of focus";
    this.slider = slider("focus", "Fits that the focus knows", fits, { min: 1, class: "nsne-slider", title });
    this.told = make("span", { "data-part": "focus" });
    this.focus = make("div", { class: "nsne-focus" }, this.slider, this.told);
    this.pairs = pairs;
    const help = "Lines between regions that are joined or neighbors (j)";
    this.switch = wordButton("pairs", "Lines", { "aria-pressed": "true", title: help });
    this.words = make("div", { class: "nsne-pair-key" }, ...this.samples());
    this.table = make("div", { class: "nsne-pair-rows" });
    this.fold = make("details", { "data-part": "pairs-table" }, make("summary", {}, "All pairs"), this.table);
    this.element = make(
      "div",
      { class: "nsne-pairs", "data-part": "pairs", role: "group", "aria-label": "Pairs of regions", hidden: "" },
      ...[...(fits > 1 ? [this.focus] : []), this.switch, this.words, this.fold],
    );
    const { hub, on } = this;
    on(this.slider, "input", () => hub.keep("focus", Number(this.slider.value)));
    on(this.switch, "click", () => this.toggle());
    on(this.fold, "toggle", () => this.fill());
  }

  /** A piece of each kind of line, with what it means. */
  samples() {
    const { key, fits } = this.pairs;
    if (!key.length) return [`no line: all regions are apart in most of ${fits} fits`];
    return key.map(({ kind, words }) => {
      const { width, dash } = LOOKS[kind];
      const look = { d: "M3 5H39", class: kind, "stroke-width": width, "stroke-dasharray": dash.join(" ") };
      const piece = draw("svg", { viewBox: "0 0 42 10", "aria-hidden": "true" }, draw("path", look));
      return make("span", {}, piece, words);
    });
  }

  toggle() {
    const { hub, pairs } = this;
    if (!pairs.there) return;
    hub.keep("show_pairs", !pairs.shown);
    this.say(pairs.shown ? "Lines between regions are shown" : "Lines between regions are hidden", false);
  }

  /** Show what is in force. */
  update() {
    const { pairs, element, fits, slider } = this;
    const known = this.hub.model.get("focus") || 1;
    const words = known > 1 ? "Sharp: in one region each time." : "One map looks sure of everything.";
    write(this.told, `${known} of ${fits} fits. ${words}`);
    if (slider.value !== String(known)) slider.value = String(known);
    attribute(slider, "aria-valuetext", this.told.textContent);
    slider.style.setProperty("--nsne-done", String((known - 1) / Math.max(fits - 1, 1)));
    element.hidden = !pairs.all.length;
    element.inert = !pairs.there; // hidden labels are not told, and its room stays
    attribute(this.switch, "aria-pressed", pairs.shown);
    attribute(this.words, "data-off", !pairs.shown);
  }

  /** Write the table, once a reader wants it: the least sure pairs first. */
  fill() {
    const { table, pairs, fold } = this;
    if (!fold.open || table.firstChild) return;
    const rows = pairs.all.slice(0, MOST_ROWS).map((pair) => {
      const numbers = [pair.joined, pair.neighbors, pair.apart, pair.fits];
      const cells = numbers.map((number) => make("td", {}, String(number)));
      return make("tr", {}, make("th", { scope: "row" }, pairs.called(pair)), ...cells);
    });
    const caption = make("caption", {});
    const [some, all] = [rows.length, pairs.all.length];
    write(caption, some < all ? `the ${some} least sure of ${all} pairs` : `${all} pairs, the least sure first`);
    table.append(
      tableOf({}, ["regions", "joined", "neighbors", "apart", "of fits"], make("tbody", {}, ...rows), caption),
    );
    table.tabIndex = 0; // it scrolls
    attribute(table, "role", "region");
    attribute(table, "aria-label", "Pairs of regions");
  }
}
