// The row above the word: where words are searched, and what is shown of them.

import { button, make, write } from "../shared/elements.js";
import { digits } from "../shared/window.js";
import { Search } from "./search.js";

export class Toolbar {
  /**
   * @param {ExplorerStage} stage @param {ExplorerActs} acts
   * @param {(i: number) => string} remark  a few words beside a completion
   */
  constructor(stage, acts, remark) {
    this.stage = stage;
    this.acts = acts;
    this.search = new Search(stage.index, acts, (i) => acts.select(i), remark);
    const putBeside = (/** @type {number} */ i) => acts.select(i, { beside: true });
    this.beside = new Search(stage.index, acts, putBeside, remark, "A word beside it", "search-beside");
    this.returner = button("back", "Back", "Back to the word before", "");
    this.words = button("words", "All words", "Show all words as a table", "");
    this.words.addEventListener("click", () => acts.showWords(this.words.getAttribute("aria-expanded") !== "true"));
    this.fit = make("select", { "data-control": "fit", "aria-label": "Fit whose maps are drawn" });
    this.fit.append(...stage.fits.map((_, fit) => make("option", { value: fit }, fitInWords(stage, fit))));
    this.fit.addEventListener("change", () => acts.showFit(Number(this.fit.value)));
    const chooser = make("label", { class: "nsne-e-threshold nsne-e-detail" }, "maps of", this.fit);
    this.threshold = slider("threshold", "maps above", "Show maps whose proportion is above", 0.99, (value) =>
      acts.setThreshold(value),
    );
    this.threshold.label.hidden = stage.senses !== null; // senses are groups of the norms, not maps
    chooser.hidden = stage.fits.length < 2;
    /** @param {"certainty"|"share"} what @param {string} help @param {number} most */
    const least = (what, help, most) => {
      const { label } = slider(`least-${what}`, `${what} from`, help, most, (value) => acts.atLeast(what, value));
      label.classList.add("nsne-e-detail");
      label.hidden = stage.senses === null;
      return label;
    };
    this.element = make(
      "div",
      { class: "nsne-e-tools" },
      this.search.element,
      this.beside.element,
      this.returner,
      this.words,
      least("certainty", "Show senses of at least this certainty", 1),
      least("share", "Show senses that have at least this share of the word", 0.5),
      chooser,
      this.threshold.label,
    );
  }

  /** Show words that were chosen, maybe elsewhere. */
  follow() {
    const { names, word, beside } = this.stage;
    this.beside.element.hidden = word < 0;
    this.search.set(names[word] ?? "");
    this.beside.set(names[beside] ?? "");
  }

  /** Show the present fit, and the word that Back leads to. @param {string|undefined} before */
  draw(before) {
    this.fit.value = String(this.stage.fit);
    this.returner.disabled = before === undefined;
    write(this.returner, before === undefined ? "← Back" : `← ${before}`);
    this.returner.setAttribute("aria-label", before === undefined ? "Back" : `Back to ${before}`);
  }

  /** @param {boolean} shown */
  tellWords(shown) {
    this.words.setAttribute("aria-expanded", String(shown));
  }
}

/**
 * A slider from 0 on, with its value beside it.
 * @param {string} control @param {string} words @param {string} help @param {number} most @param {(value: number) => void} act
 */
function slider(control, words, help, most, act) {
  const is = { type: "range", min: "0", max: String(most), step: "0.01", value: "0" };
  const input = make("input", { ...is, "data-control": control, "aria-label": help });
  const slid = make("output", { class: "nsne-e-figure" }, "0.00");
  /** @param {number} value */
  const show = (value) => {
    if (Number(input.value) !== value) input.value = String(value);
    write(slid, value.toFixed(2));
  };
  input.addEventListener("input", () => {
    show(Number(input.value));
    act(Number(input.value));
  });
  return { show, label: make("label", { class: "nsne-e-threshold" }, words, input, slid) };
}

/** @param {Pick<ExplorerStage, "fits"|"best">} stage @param {number} fit */
export function fitInWords({ fits, best }, fit) {
  const { cost } = fits[fit];
  const known = cost !== null && cost !== undefined;
  if (!known) return `fit ${fit}`;
  return fit === best ? `fit ${fit}, cost ${digits(cost)} (lowest)` : `fit ${fit}, cost ${digits(cost)}`;
}
