// The springs of one object: what pulls it and what pushes it, drawn over the map, and in the panel p beside q of its
// nearest neighbors. A pull is a full blue line whose arrow points to the neighbor; a push is a dashed orange line
// whose arrow points at the object, away from the neighbor.

import { attribute, folding, make, tableOf, wordButton, write, writeData } from "../../shared/elements.js";
import { shorten } from "../../shared/shorten.js";
import { Part } from "../part.js";
import { SpringPicture } from "./spring_picture.js";
import { inUnits, readable } from "../recording/units.js";

/** @import { SpringKind } from "./spring_lines.js" */

const COMPARED_BY_CONVENTION = {
  conditional: ["Chance that the object picks this neighbor, in the data (p) and in the map (q)", "p", "q", "j|i"],
  joint: ["Share of this pair among all pairs, in the data (p) and in the map (q)", "p", "q", "ij"],
  none: ["Distance to this object, in the data (δ) and in the map (d)", "δ", "d", "ij"],
};

export class SpringPanel extends Part {
  /** @param {Known} known @param {(i: number) => void} select */
  constructor(known, select) {
    super(known);
    this.select = select;
    this.picture = new SpringPicture(known);
    /** @type {SpringsMessage|null} whose numbers stand in the table */
    this.listed = null;
    this.named = false; // whether they stand there without labels
    /** @type {number|null} the object whose springs were shown at the last update, and the one selected then */
    this.shown = null;
    this.selected = this.only();
    const help = "The forces on the selected object, drawn over the map";
    this.toggler = wordButton("springs", "", { title: help });
    this.hint = make("div", { class: "nsne-quiet" });
    this.who = make("div", { class: "nsne-spring-who" });
    /** @param {SpringKind} kind @param {string} text */
    const sample = (kind, text) => {
      const line = make("span", { class: "nsne-spring-line", "aria-hidden": "true" });
      const words = make("span", {}, text);
      return { element: make("div", { class: "nsne-spring-sample", "data-kind": kind }, line, words), words };
    };
    this.pulls = sample("pull", "pull");
    this.pushes = sample("push", "push");
    this.scale = make("div", { class: "nsne-quiet" });
    this.p = make("span", {});
    this.q = make("span", {});
    this.body = make("tbody");
    /** @type {ReturnType<SpringPanel["addRow"]>[]} */
    this.rows = [];
    this.caption = make("caption", {});
    const heads = ["neighbor", this.p, this.q];
    this.table = tableOf({ class: "nsne-springs-table" }, heads, this.body, this.caption);
    this.inside = make(
      "div",
      { class: "nsne-springs", "data-part": "springs" },
      this.who,
      this.pulls.element,
      this.pushes.element,
      this.scale,
      this.table,
    );
    this.element = folding("springs", "Springs", false, this.toggler, this.hint, this.inside).element;
    this.on(this.toggler, "click", () => this.toggle());
  }

  /** The object whose springs are shown, or null. */
  of() {
    return this.hub.model.get("spring_of") ?? null;
  }

  /** The one selected object, or null. */
  only() {
    const selection = this.hub.model.get("selection") || [];
    return selection.length === 1 ? selection[0] : null;
  }

  /** Why this model never has any here; empty if it does. */
  get never() {
    return this.hub.model.get("springless") ?? "";
  }

  /** Why no springs can be shown; empty if they can. @param {number|null} wanted  the object meant */
  reason(wanted) {
    if (!this.hub.live) return "Springs are drawn in a live run only";
    if (this.never) return this.never;
    if (wanted === null) return "Select one object first: its springs are drawn then";
    return this.hub.able() ? "" : "No kernel answers: run the cell again to see springs";
  }

  /** Show the springs of the selected object, or else of one, or hide them. @param {number} at  the keyboard's object, or -1 */
  toggle(at = -1) {
    if (this.of() !== null) return this.hub.keep("spring_of", null);
    const wanted = this.only() ?? (at >= 0 ? at : null);
    const reason = this.reason(wanted);
    if (reason) return this.say(reason);
    this.hub.keep("spring_of", wanted);
  }

  /** Show on the map's button what it would do. @param {HTMLButtonElement} control */
  show(control) {
    control.hidden = !this.hub.live;
    const shown = this.of() !== null;
    control.disabled = this.never !== "";
    attribute(control, "aria-pressed", shown);
    const words = shown ? "Hide springs (e)" : "Springs: what pulls and pushes the selected object (e)";
    for (const name of ["title", "aria-label"]) attribute(control, name, this.never || words);
  }

  /** @param {number} i */
  inWords(i) {
    const { names } = this.objects;
    const label = this.objects.label(i);
    const name = names[i] ? shorten(names[i], 60) : `object ${i}`;
    return label === undefined ? name : `${name}, label ${shorten(label, 60)}`;
  }

  /** The kernel's news of the object that is looked at, or null. */
  news() {
    const { springs } = this.hub;
    return springs && springs.of === this.of() && this.hub.scrub === null ? springs : null;
  }

  // ---- the panel ----

  update() {
    const { hub, element } = this;
    const of = this.of();
    const only = this.only();
    element.hidden = !hub.live;
    if (of !== null && this.shown === null && !element.open) element.open = true; // it was asked for in the map
    if (of !== null && only !== null && only !== of && this.selected !== only) {
      this.selected = only; // springs go with the selection
      return this.hub.keep("spring_of", only);
    }
    this.shown = of;
    this.selected = only;
    write(this.toggler, of === null ? "Show springs" : "Hide springs");
    this.toggler.disabled = of === null && (only === null || !hub.able() || this.never !== "");
    const news = this.news();
    const hint =
      this.never ||
      (of === null
        ? only === null
          ? "Select one object (a click or a tap), then press Show springs; or double-click it."
          : ""
        : hub.scrub !== null
          ? "Springs are those of the present moment: go back to now."
          : news
            ? ""
            : "waiting for the kernel…");
    write(this.hint, hint);
    this.hint.hidden = !hint;
    this.inside.hidden = !news;
    if (news && (news !== this.listed || this.named !== this.objects.hidden)) this.tell(news);
  }

  /** Write what the kernel says into the panel. @param {SpringsMessage} news */
  tell(news) {
    this.listed = news;
    this.named = this.objects.hidden;
    const [compared, inData, inMap, pair] = COMPARED_BY_CONVENTION[news.convention];
    write(this.who, this.inWords(news.of));
    write(this.pulls.words, `pull ${inUnits(news.pull_total)} in all`);
    write(this.pushes.words, `push ${inUnits(news.push_total)} in all`);
    this.tellDrawn(news);
    write(this.caption, compared);
    const largest = Math.max(...news.others.flatMap(([, p, q]) => [p, q]), Number.MIN_VALUE);
    const [scale, power] = readable(largest);
    this.p.replaceChildren(inData, make("sub", {}, pair), power && ` in ${power}`);
    this.q.replaceChildren(inMap, make("sub", {}, pair), power && ` in ${power}`);
    while (this.rows.length > news.others.length) this.rows.pop()?.element.remove();
    while (this.rows.length < news.others.length) this.addRow();
    news.others.forEach(([j, p, q], k) => {
      const { link, cells } = this.rows[k];
      attribute(link, "data-object", String(j));
      write(link, this.objects.short(j, 16));
      [p, q].forEach((value, c) => {
        write(cells[c].number, (value / scale).toFixed(2));
        cells[c].bar.style.setProperty("--nsne-share", (value / largest).toFixed(3));
      });
    });
  }

  /** Write how many of its springs are drawn, and how. @param {SpringsMessage} news */
  tellDrawn(news) {
    const most = Math.max(news.pull[0]?.[1] ?? 0, news.push[0]?.[1] ?? 0);
    const { drawn } = this.picture;
    const unit = this.hub.unitOf(this.hub.facts.model_name).trim() || "cost";
    const numbers = `${drawn.pull} strongest of ${news.pulls} pulls, ${drawn.push} of ${news.pushes} pushes`;
    const strength = `the wider and darker, the stronger: the widest is ${inUnits(most)} ${unit} per map unit`;
    const sum = news.net
      ? "The arrow from the ring is the sum of all forces."
      : "The arrow from the ring is the sum of those drawn.";
    write(this.scale, `Drawn: ${numbers}; ${strength}. ${sum}`);
  }

  /** A row of the table: a neighbor, and p and q of the pair. */
  addRow() {
    const cells = ["p", "q"].map((kind) => {
      const number = make("span", {});
      const bar = make("span", { class: "nsne-spring-bar", "aria-hidden": "true" });
      return { element: make("td", { "data-kind": kind }, number, bar), number, bar };
    });
    const link = make("button", { type: "button", class: "nsne-link", title: "Select it, and show its springs" });
    link.addEventListener("click", () => this.select(Number(link.dataset.object)), { signal: this.signal });
    const element = make("tr", {}, make("th", { scope: "row" }, link), ...cells.map((cell) => cell.element));
    const row = { element, link, cells };
    this.rows.push(row);
    this.body.append(element);
    return row;
  }

  /** Show the springs of an object, or none if they are shown. @param {number} i */
  toggleOf(i) {
    const reason = this.reason(i);
    if (reason && this.of() !== i) return this.say(reason);
    this.hub.keep("spring_of", this.of() === i ? null : i);
  }

  // ---- over the map ----

  /** @param {Pen} context */
  paint(context) {
    const news = this.news();
    this.picture.paint(context, news);
    const { loupe, drawn } = this.picture;
    writeData(this.inside, {
      drawn: news ? `${drawn.pull} ${drawn.push}` : "",
      loupe: loupe ? [loupe.box.left, loupe.box.top, loupe.box.width].map(Math.round).join(" ") : "",
    });
    if (news && news === this.listed) this.tellDrawn(news);
  }
}
