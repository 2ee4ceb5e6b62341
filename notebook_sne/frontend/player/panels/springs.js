// The springs of one object: what pulls it and what pushes it, drawn over the map, and in the panel p beside q of its
// nearest neighbors. A pull is a full blue line whose arrow points to the neighbor; a push is a dashed orange line
// whose arrow points at the object, away from the neighbor.

import { attribute, folding, make, write } from "../../shared/elements.js";
import { placeLabels, shorten } from "../../shared/labels.js";
import { drawArrow, netForce, springLines } from "./spring_lines.js";
import { inUnits, readable } from "../recording/units.js";

/** @import { SpringsMessage } from "../../shared/messages.d.ts" */
/** @import { Pair, Pen } from "../../shared/types.d.ts" */
/** @import { PlayerHub } from "../hub.js" */
/** @import { KnownObjects } from "../objects.js" */
/** @import { SpringKind, SpringLine } from "./spring_lines.js" */
/** @import { Stage } from "../stage.js" */

const NAMED_PULLS = 6; // springs whose neighbors are named in the map
const NAMED_PUSHES = 3;
const SPRING_FONT = "600 12px system-ui, sans-serif";
const LABEL_HEIGHT = 15;
/** @type {Record<SpringKind, string[]>} */
export const SPRING_COLORS = { pull: ["#0062a3", "#63b8ff"], push: ["#b84a00", "#ff9d57"] }; // on light, on dark
const COMPARED_BY_CONVENTION = {
  conditional: ["Chance that the object picks this neighbor, in the data (p) and in the map (q)", "p", "q", "j|i"],
  joint: ["Share of this pair among all pairs, in the data (p) and in the map (q)", "p", "q", "ij"],
  none: ["Distance to this object, in the data (δ) and in the map (d)", "δ", "d", "ij"],
};

export class SpringPanel {
  /**
   * @param {object} own
   * @param {PlayerHub} own.hub
   * @param {Stage} own.stage
   * @param {KnownObjects} own.objects
   * @param {AbortSignal} own.signal
   * @param {(i: number) => void} own.select
   * @param {(words: string) => void} own.say
   */
  constructor({ hub, stage, objects, signal, select, say }) {
    this.hub = hub;
    this.stage = stage;
    this.objects = objects;
    this.signal = signal;
    this.select = select;
    this.say = say;
    /** @type {SpringsMessage|null} whose numbers stand in the table */
    this.listed = null;
    this.named = false; // whether they stand there without labels
    /** @type {number|null} the object whose springs were shown at the last update, and the one selected then */
    this.shown = null;
    this.selected = this.only();
    this.toggler = make("button", {
      type: "button",
      "data-control": "springs",
      title: "The forces on the selected object, drawn over the map",
    });
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
    /** @param {Node|string} content */
    const head = (content, scope = "col") => make("th", { scope }, content);
    this.table = make(
      "table",
      { class: "nsne-springs-table" },
      this.caption,
      make("thead", {}, make("tr", {}, head("neighbor"), head(this.p), head(this.q))),
      this.body,
    );
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
    this.toggler.addEventListener("click", () => this.toggle(), { signal });
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

  toggle() {
    this.hub.keep("spring_of", this.of() === null ? this.only() : null);
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
    this.toggler.disabled = of === null && (only === null || !hub.able());
    const news = this.news();
    const hint =
      of === null
        ? only === null
          ? "Select one object, or double-click it in the map."
          : ""
        : hub.scrub !== null
          ? "Springs are those of the present moment: go back to now."
          : news
            ? ""
            : "waiting for the kernel…";
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
    write(this.pulls.words, `pull ${inUnits(news.pull_total)}`);
    write(this.pushes.words, `push ${inUnits(news.push_total)}`);
    const most = Math.max(news.pull[0]?.[1] ?? 0, news.push[0]?.[1] ?? 0);
    write(
      this.scale,
      `Lengths of all forces added, in ${this.hub.unitOf(this.hub.facts.model_name).trim() || "cost"} per map unit. Drawn: the strongest ${news.pull.length} and ${news.push.length}, as wide as the root of their strength, the widest ${inUnits(most)}; the arrow from the ring is the sum of ${news.net ? "all forces" : "those drawn"}.`,
    );
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
    if (!this.hub.live) return this.say("Springs are drawn in a live run only");
    this.hub.keep("spring_of", this.of() === i ? null : i);
  }

  // ---- over the map ----

  /** @param {Pen} context */
  paint(context) {
    const news = this.news();
    const { stage } = this;
    if (!news || news.of >= stage.count) return;
    const lines = springLines(news, stage.points, stage.window, stage.size);
    const dark = stage.theme.dark ? 1 : 0;
    const { ground } = stage;
    context.save();
    context.lineCap = "round";
    for (const { kind, width, from, to } of lines) {
      const [a, b] = kind === "pull" ? [from, to] : [to, from];
      const dash = kind === "push" ? [Math.max(1.5 * width, 5), Math.max(2 * width, 6)] : [];
      // Beneath, a line of the ground's color: a spring shows among the marks of thousands of objects.
      drawArrow(context, a, b, width + 2.5, ground, [], 0.5);
      drawArrow(context, a, b, width, SPRING_COLORS[kind][dark], dash, 1);
    }
    this.paintNet(context, news, lines, ground);
    this.paintNames(context, lines, ground);
    context.restore();
  }

  /** @param {Pen} context @param {SpringsMessage} news @param {SpringLine[]} lines @param {string} ground */
  paintNet(context, news, lines, ground) {
    const { stage } = this;
    const ink = stage.theme.dark ? "#f4f6f8" : "#14181d";
    const net = news.net ? this.hub.faced(news.net) : netForce(lines);
    const most = lines.length ? lines[lines.length - 1].strength : 0;
    const size = Math.hypot(net[0], net[1]);
    const [x, y] = stage.place(news.of);
    if (size > 0 && most > 0) {
      const length = Math.min(18 + 40 * Math.sqrt(size / most), 90);
      /** @type {Pair} */
      const end = [x + (net[0] / size) * length, y - (net[1] / size) * length];
      drawArrow(context, [x, y], end, 6, ground, [], 0.9, 1);
      drawArrow(context, [x, y], end, 3, ink, [], 1, 1);
    }
    context.beginPath();
    context.arc(x, y, 8, 0, 2 * Math.PI);
    context.lineWidth = 5;
    context.strokeStyle = ground;
    context.stroke();
    context.lineWidth = 2.5;
    context.strokeStyle = ink;
    context.stroke();
  }

  /** @param {Pen} context @param {SpringLine[]} lines @param {string} ground */
  paintNames(context, lines, ground) {
    const { stage } = this;
    context.font = SPRING_FONT;
    /** @param {SpringKind} kind @param {number} n */
    const strongest = (kind, n) =>
      lines
        .filter((line) => line.kind === kind)
        .slice(-n)
        .reverse();
    const seen = new Set();
    const named = [...strongest("pull", NAMED_PULLS), ...strongest("push", NAMED_PUSHES)].filter(
      ({ j }) => !seen.has(j) && seen.add(j),
    );
    const items = named.map((line) => {
      const text = this.objects.short(line.j, 16);
      return {
        text,
        line,
        x: line.to[0],
        y: line.to[1],
        radius: 5,
        width: context.measureText(text).width + 4,
        height: LABEL_HEIGHT,
      };
    });
    const [x, y] = lines.length ? lines[0].from : [0, 0];
    const places = placeLabels(items, ...stage.size, [...items, { x, y, radius: 12 }]);
    context.textBaseline = "middle";
    context.lineJoin = "round";
    items.forEach(({ text, line }, k) => {
      if (!places[k]) return;
      const [left, middle] = [places[k].left + 2, places[k].top + LABEL_HEIGHT / 2];
      context.lineWidth = 4;
      context.strokeStyle = ground;
      context.strokeText(text, left, middle);
      context.fillStyle = SPRING_COLORS[line.kind][stage.theme.dark ? 1 : 0];
      context.fillText(text, left, middle);
    });
  }
}
