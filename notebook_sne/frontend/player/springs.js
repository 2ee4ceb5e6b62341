// The springs of one object: what pulls it and what pushes it, drawn over the map, and in the panel p beside q of its
// nearest neighbors. A pull is a full blue line whose arrow points to the neighbor; a push is a dashed orange line
// whose arrow points at the object, away from the neighbor.

import { labelOf } from "../shared/colors.js";
import { attribute, folding, make, write } from "../shared/elements.js";
import { toPixel } from "../shared/window.js";
import { placeLabels, shorten } from "../shared/labels.js";

const WIDEST = 7; // pixels of the strongest spring
const NAMED_PULLS = 6; // springs whose neighbors are named in the map
const NAMED_PUSHES = 3;
const SPRING_FONT = "600 12px system-ui, sans-serif";
const LABEL_HEIGHT = 15;
export const SPRING_COLORS = { pull: ["#0062a3", "#63b8ff"], push: ["#b84a00", "#ff9d57"] }; // on light, on dark

/** A power of ten that makes numbers up to the given one readable, and how it is written. @returns {[number, string]} */
export function readable(largest) {
  const e = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
  if (e >= -2 && e < 4) return [1, ""];
  return [10 ** e, `10${[...String(e)].map((c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]).join("")}`];
}

/** A number in a few digits that matter, in units of its own. */
function inUnits(value, unit = "") {
  const [scale, power] = readable(value);
  return [Number((value / scale).toPrecision(3)), power && `× ${power}`, unit].filter((part) => part !== "").join(" ");
}

/**
 * The springs as lines in pixels, the weakest first; widths are as the roots of the strengths. Where a neighbor both
 * pulls and pushes, its two lines run side by side.
 * @param {any} news  the kernel's message @param {Float32Array} points @param {any} window @param {number[]} size
 */
export function springLines({ of, pull, push }, points, window, [width, height]) {
  const at = (i) => toPixel(window, points[2 * i], points[2 * i + 1], width, height);
  const most = Math.max(pull[0]?.[1] ?? 0, push[0]?.[1] ?? 0);
  const wide = (strength) => Math.max(WIDEST * Math.sqrt(strength / most), 0.7);
  const pulls = new Map(pull);
  const pushes = new Map(push);
  const lines = [];
  for (const [kind, springs, other] of [
    ["pull", pull, pushes],
    ["push", push, pulls],
  ]) {
    for (const [j, strength] of springs) {
      if (!(2 * j < points.length && strength > 0)) continue;
      let [from, to] = [at(of), at(j)];
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const aside = other.has(j)
        ? ((kind === "pull" ? 1 : -1) * (wide(strength) / 2 + 0.7)) / (Math.hypot(dx, dy) || 1)
        : 0;
      [from, to] = [from, to].map(([x, y]) => [x - dy * aside, y + dx * aside]);
      lines.push({ kind, j, strength, width: wide(strength), from, to });
    }
  }
  return lines.sort((a, b) => a.strength - b.strength);
}

/** Sum of the forces of these lines as [x, y] in nats per map unit, y up. */
export function netForce(lines) {
  const net = [0, 0];
  for (const { kind, strength, from, to } of lines) {
    const [dx, dy] = [to[0] - from[0], from[1] - to[1]];
    const share = ((kind === "pull" ? 1 : -1) * strength) / (Math.hypot(dx, dy) || 1);
    net[0] += dx * share;
    net[1] += dy * share;
  }
  return net;
}

export class SpringPanel {
  /** @param {any} view */
  constructor(view) {
    this.view = view;
    this.hub = view.hub;
    this.shown = null; // the object whose springs were shown at the last update, and the one that was selected then
    this.selected = this.only();
    this.toggler = make("button", {
      type: "button",
      "data-control": "springs",
      title: "The forces on the selected object, drawn over the map",
    });
    this.hint = make("div", { class: "nsne-quiet" });
    this.who = make("div", { class: "nsne-spring-who" });
    const sample = (kind, text) =>
      make(
        "div",
        { class: "nsne-spring-sample", "data-kind": kind },
        make("span", { class: "nsne-spring-line", "aria-hidden": "true" }),
        make("span", {}, text),
      );
    this.pulls = sample("pull", "pull");
    this.pushes = sample("push", "push");
    this.scale = make("div", { class: "nsne-quiet" });
    this.p = make("span", {});
    this.q = make("span", {});
    this.rows = make("tbody");
    this.caption = make("caption", {});
    const head = (content, scope = "col") => make("th", { scope }, content);
    this.table = make(
      "table",
      { class: "nsne-springs-table" },
      this.caption,
      make("thead", {}, make("tr", {}, head("neighbor"), head(this.p), head(this.q))),
      this.rows,
    );
    this.inside = make(
      "div",
      { class: "nsne-springs", "data-part": "springs" },
      this.who,
      this.pulls,
      this.pushes,
      this.scale,
      this.table,
    );
    this.element = folding("springs", "Springs", false, this.toggler, this.hint, this.inside);
    this.toggler.addEventListener("click", () => this.toggle(), { signal: view.undo.signal });
  }

  /** The object whose springs are shown, or null. */
  of() {
    return this.view.model.get("spring_of") ?? null;
  }

  /** The one selected object, or null. */
  only() {
    const selection = this.view.model.get("selection") || [];
    return selection.length === 1 ? selection[0] : null;
  }

  toggle() {
    this.view.keep("spring_of", this.of() === null ? this.only() : null);
  }

  inWords(i) {
    const { objects, model } = this.view;
    const label = model.get("hide_labels") ? "" : shorten(labelOf(objects, i), 60);
    return `${shorten(objects.names[i] || `object ${i}`, 60)}${label && `, label ${label}`}`;
  }

  nameOf(i) {
    const { objects, model } = this.view;
    if (objects.names[i]) return shorten(objects.names[i], 16);
    const label = model.get("hide_labels") ? "" : shorten(labelOf(objects, i), 12);
    return label ? `${label} #${i}` : `#${i}`;
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
      return this.view.keep("spring_of", only);
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
    if (news && (news !== this.told || this.named !== this.view.model.get("hide_labels"))) this.tell(news);
  }

  /** Write what the kernel says into the panel. */
  tell(news) {
    this.told = news;
    this.named = this.view.model.get("hide_labels");
    const joint = news.convention === "joint";
    write(this.who, this.inWords(news.of));
    write(this.pulls.lastElementChild, `pull ${inUnits(news.pull_total)}`);
    write(this.pushes.lastElementChild, `push ${inUnits(news.push_total)}`);
    const most = Math.max(news.pull[0]?.[1] ?? 0, news.push[0]?.[1] ?? 0);
    write(
      this.scale,
      `Lengths of all forces added, in nats per map unit. Drawn: the strongest ${news.pull.length} and ${news.push.length}, as wide as the root of their strength, the widest ${inUnits(most)}; the arrow from the ring is the sum of ${news.net ? "all forces" : "those drawn"}.`,
    );
    write(
      this.caption,
      joint
        ? "Share of this pair among all pairs, in the data (p) and in the map (q)"
        : "Chance that the object picks this neighbor, in the data (p) and in the map (q)",
    );
    const largest = Math.max(...news.others.map(([, p, q]) => Math.max(p, q)), Number.MIN_VALUE);
    const [scale, power] = readable(largest);
    for (const [element, letter] of [
      [this.p, "p"],
      [this.q, "q"],
    ]) {
      element.replaceChildren(letter, make("sub", {}, joint ? "ij" : "j|i"), power && ` in ${power}`);
    }
    while (this.rows.children.length > news.others.length) this.rows.lastElementChild.remove();
    while (this.rows.children.length < news.others.length) this.rows.append(this.row());
    news.others.forEach(([j, p, q], k) => {
      const [name, first, second] = this.rows.children[k].children;
      const link = name.firstElementChild;
      attribute(link, "data-object", String(j));
      write(link, this.nameOf(j));
      for (const [cell, value] of [
        [first, p],
        [second, q],
      ]) {
        write(cell.firstElementChild, (value / scale).toFixed(2));
        cell.lastElementChild.style.setProperty("--nsne-share", (value / largest).toFixed(3));
      }
    });
  }

  row() {
    const bar = (kind) =>
      make(
        "td",
        { "data-kind": kind },
        make("span", {}),
        make("span", { class: "nsne-spring-bar", "aria-hidden": "true" }),
      );
    const link = make("button", { type: "button", class: "nsne-link", title: "Select it, and show its springs" });
    link.addEventListener("click", () => this.view.select(Number(link.dataset.object)), {
      signal: this.view.undo.signal,
    });
    return make("tr", {}, make("th", { scope: "row" }, link), bar("p"), bar("q"));
  }

  // ---- over the map ----

  paint(context) {
    const news = this.news();
    const { view } = this;
    if (!news || 2 * news.of >= view.points.length) return;
    const lines = springLines(news, view.points, view.window, view.size);
    const dark = view.theme.dark ? 1 : 0;
    const ground = `rgb(${view.theme.ground.join(",")})`;
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

  paintNet(context, news, lines, ground) {
    const { view } = this;
    const net = news.net ?? netForce(lines);
    const most = lines.length ? lines[lines.length - 1].strength : 0;
    const size = Math.hypot(...net);
    const [x, y] = toPixel(view.window, view.points[2 * news.of], view.points[2 * news.of + 1], ...view.size);
    if (size > 0 && most > 0) {
      const length = Math.min(18 + 40 * Math.sqrt(size / most), 90);
      const end = [x + (net[0] / size) * length, y - (net[1] / size) * length];
      drawArrow(context, [x, y], end, 6, ground, [], 0.9, 1);
      drawArrow(context, [x, y], end, 3, inkOf(view), [], 1, 1);
    }
    context.beginPath();
    context.arc(x, y, 8, 0, 2 * Math.PI);
    context.lineWidth = 5;
    context.strokeStyle = ground;
    context.stroke();
    context.lineWidth = 2.5;
    context.strokeStyle = inkOf(view);
    context.stroke();
  }

  paintNames(context, lines, ground) {
    const { view } = this;
    context.font = SPRING_FONT;
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
      const text = this.nameOf(line.j);
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
    const places = placeLabels(items, ...view.size, [...items, { x, y, radius: 12 }]);
    context.textBaseline = "middle";
    context.lineJoin = "round";
    items.forEach(({ text, line }, k) => {
      if (!places[k]) return;
      const [left, middle] = [places[k].left + 2, places[k].top + LABEL_HEIGHT / 2];
      context.lineWidth = 4;
      context.strokeStyle = ground;
      context.strokeText(text, left, middle);
      context.fillStyle = SPRING_COLORS[line.kind][view.theme.dark ? 1 : 0];
      context.fillText(text, left, middle);
    });
  }
}

function inkOf(view) {
  return view.theme.dark ? "#f4f6f8" : "#14181d";
}

/** A line from a to b with an arrow's head at `head` of its way. */
function drawArrow(context, a, b, width, color, dash, opacity, head = 0.6) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  if (length < 2) return;
  context.globalAlpha = opacity;
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(...a);
  context.lineTo(...b);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
  const size = Math.min(4 + 1.6 * width, length / 2);
  const [ux, uy] = [dx / length, dy / length];
  const [x, y] = [a[0] + dx * head + (ux * size) / 2, a[1] + dy * head + (uy * size) / 2];
  context.globalAlpha = opacity;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - ux * size - uy * size * 0.6, y - uy * size + ux * size * 0.6);
  context.lineTo(x - ux * size + uy * size * 0.6, y - uy * size - ux * size * 0.6);
  context.closePath();
  context.fill();
  context.globalAlpha = 1;
}
