// The springs of one object as they are drawn over the map: few where the map is at rest, graded by their force, with a
// loupe for the close surroundings; all that are known where the object was drawn away and they stand apart.

import { strokeLine } from "../../shared/elements.js";
import { GAP, placeLabels } from "../../shared/labels.js";
import { traceShape } from "../../shared/marks.js";
import { Part } from "../part.js";
import { bordering, enlargement, leastCovering, loupeSide, quantile } from "./loupe.js";
import { atRest, drawArrow, netForce, SPRING_COLORS, springLines, strongest } from "./spring_lines.js";

/** @import { Loupe } from "./loupe.js" */
/** @import { SpringKind, SpringLine } from "./spring_lines.js" */

const NAMED_PULLS = 6; // springs whose neighbors are named in the map
const NAMED_PUSHES = 3;
const NAMED_CLOSE = 12; // and in the loupe, where there is more room
const SPRING_FONT = "600 12px system-ui, sans-serif";
const LABEL_HEIGHT = 15;
const PLACE_EVERY = 400; // ms between looks for a better place of the loupe
const LEAST_NET = 14; // pixels of the arrow of all forces: a shorter one lies within the ring
const MARK = 3.5; // pixels: radius of a mark in the loupe

export class SpringPicture extends Part {
  /** @param {Known} known */
  constructor(known) {
    super(known);
    /** Where nothing else may lie. @type {(now: number) => Box[]} */
    this.closed = () => [];
    this.drawn = { pull: 0, push: 0 };
    /** @type {Loupe|null} */
    this.loupe = null;
    this.corner = -1; // which of the places the loupe has
    this.placedAt = -PLACE_EVERY;
    /** @type {Box[]} what the picture covers: the springs and the loupe */
    this.taken = [];
    /** @type {Box[]} where no other name is seen: the loupe and the names of springs */
    this.lettered = [];
  }

  /** @param {Pen} context @param {SpringsMessage|null} news */
  paint(context, news) {
    const { stage } = this;
    this.taken = [];
    this.lettered = [];
    this.loupe = null;
    if (!news || news.of >= stage.count) {
      this.corner = -1;
      return;
    }
    const shown = atRest(news, stage.points, stage.window, stage.size);
    this.drawn = { pull: shown.pull.length, push: shown.push.length };
    const lines = springLines(shown, stage.points, stage.window, stage.size, shown.widest);
    this.place(news.of, lines);
    context.save();
    context.lineCap = "round";
    this.paintLines(context, lines, shown.apart);
    this.paintNet(context, news, lines, stage.place(news.of));
    const { loupe } = this;
    const outside = loupe ? lines.filter(({ to }) => !this.within(to, loupe)) : lines;
    const named = [...strongest(outside, "pull", NAMED_PULLS), ...strongest(outside, "push", NAMED_PUSHES)];
    this.paintNames(
      context,
      named,
      { left: 0, top: 0, width: stage.size[0], height: stage.size[1] },
      this.taken.slice(1),
    );
    if (loupe) this.paintLoupe(context, news, shown, loupe);
    context.restore();
  }

  /** Whether a place of the map is shown in the loupe. @param {Pair} at @param {Loupe} loupe */
  within([x, y], { box, times, middle }) {
    return Math.max(Math.abs(x - middle[0]), Math.abs(y - middle[1])) < box.width / 2 / times;
  }

  /** Choose where the loupe lies, if there is one. @param {number} of @param {SpringLine[]} lines */
  place(of, lines) {
    const { stage, hub } = this;
    const middle = stage.place(of);
    const ends = [middle, ...lines.map(({ to }) => to)];
    const [left, top] = [Math.min(...ends.map(([x]) => x)) - 12, Math.min(...ends.map(([, y]) => y)) - 12];
    const [right, low] = [Math.max(...ends.map(([x]) => x)) + 12, Math.max(...ends.map(([, y]) => y)) + 12];
    const springs = { left, top, width: right - left, height: low - top };
    this.taken = [springs];
    const side = loupeSide(stage.size);
    const pulls = lines.filter(({ kind }) => kind === "pull");
    const lengths = (pulls.length ? pulls : lines).map(({ to }) => Math.hypot(to[0] - middle[0], to[1] - middle[1]));
    const times = enlargement(lengths, side);
    if (times === 1) {
      this.corner = -1;
      return;
    }
    const now = hub.clock.performance.now();
    const boxes = bordering([side, side], stage.size, stage.covered);
    if (this.corner < 0 || now - this.placedAt >= PLACE_EVERY) {
      this.placedAt = now;
      const reach = 2 * quantile(lengths, 0.75) + 24; // the far ends of a few may lie beneath it
      const close = { left: middle[0] - reach / 2, top: middle[1] - reach / 2, width: reach, height: reach };
      const closed = [close, close, ...this.closed(now)];
      this.corner = leastCovering(boxes, closed, stage.count, (i) => stage.place(i), this.corner, middle);
    }
    this.loupe = { box: boxes[this.corner], times, middle };
    this.taken.push(this.loupe.box);
    this.lettered.push(this.loupe.box);
  }

  /** @param {Pen} context @param {SpringLine[]} lines @param {number} apart  0 at rest, 1 where they stand apart */
  paintLines(context, lines, apart) {
    const { stage } = this;
    const dark = stage.theme.dark ? 1 : 0;
    const most = lines.length ? lines[lines.length - 1].strength : 1;
    for (const { kind, width, strength, from, to } of lines) {
      const [a, b] = kind === "pull" ? [from, to] : [to, from];
      const dash = kind === "push" ? [Math.max(1.5 * width, 5), Math.max(2 * width, 6)] : [];
      const opacity = apart + (1 - apart) * (0.45 + 0.55 * (strength / most));
      // Beneath, a line of the ground's color: a spring shows among the marks of thousands of objects.
      drawArrow(context, a, b, width + 2.5, stage.ground, [], 0.5);
      drawArrow(context, a, b, width, SPRING_COLORS[kind][dark], dash, opacity);
    }
  }

  /** The sum of the forces, and a ring around the object. @param {Pen} context @param {SpringsMessage} news @param {SpringLine[]} lines @param {Pair} at */
  paintNet(context, news, lines, [x, y]) {
    const { stage } = this;
    const { ground } = stage;
    const ink = stage.theme.dark ? "#f4f6f8" : "#14181d";
    const net = news.net ? this.hub.faced(news.net) : netForce(lines);
    const most = lines.length ? lines[lines.length - 1].strength : 0;
    const size = Math.hypot(net[0], net[1]);
    const length = most > 0 ? Math.min(58 * Math.sqrt(size / most), 90) : 0;
    if (length >= LEAST_NET) {
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

  /**
   * Names at the far ends of springs, within a box.
   * @param {Pen} context @param {SpringLine[]} lines  the most important first @param {Box} box
   * @param {Box[]} closed @param {string} [font]
   */
  paintNames(context, lines, box, closed = [], font = SPRING_FONT) {
    const { stage } = this;
    context.font = font;
    const seen = new Set();
    const items = lines
      .filter(({ j }) => !seen.has(j) && seen.add(j))
      .map((line) => {
        const text = this.objects.short(line.j, 16);
        const [x, y] = [line.to[0] - box.left, line.to[1] - box.top];
        return { text, line, x, y, radius: 5, width: context.measureText(text).width + 4, height: LABEL_HEIGHT };
      });
    if (!items.length) return;
    const [x, y] = [lines[0].from[0] - box.left, lines[0].from[1] - box.top];
    const shut = closed.map((one) => ({ ...one, left: one.left - box.left, top: one.top - box.top }));
    const places = placeLabels(items, box.width, box.height, [...items, { x, y, radius: 12 }], undefined, shut);
    context.textBaseline = "middle";
    context.lineJoin = "round";
    items.forEach(({ text, line }, k) => {
      const place = places[k];
      if (!place) return;
      this.lettered.push({ ...place, left: box.left + place.left, top: box.top + place.top });
      const [left, middle] = [box.left + place.left + 2, box.top + place.top + LABEL_HEIGHT / 2];
      context.lineWidth = 4;
      context.strokeStyle = stage.ground;
      context.strokeText(text, left, middle);
      context.fillStyle = SPRING_COLORS[line.kind][stage.theme.dark ? 1 : 0];
      context.fillText(text, left, middle);
    });
  }

  /** @param {Pen} context @param {SpringsMessage} news @param {ReturnType<typeof atRest>} shown @param {Loupe} loupe */
  paintLoupe(context, news, shown, loupe) {
    const { stage } = this;
    const { box, times, middle } = loupe;
    const half = box.width / 2;
    const [mx, my] = [box.left + half, box.top + half];
    const ink = stage.theme.text;
    // What is enlarged, and where it went.
    const near = half / times;
    const corner = [middle[0] < mx ? -1 : 1, middle[1] < my ? -1 : 1]; // of the loupe toward the object
    context.strokeStyle = ink;
    context.lineWidth = 1;
    context.globalAlpha = 0.55;
    context.strokeRect(middle[0] - near, middle[1] - near, 2 * near, 2 * near);
    const [x, y] = [middle[0] - corner[0] * near, middle[1] - corner[1] * near];
    strokeLine(context, x, y, mx + corner[0] * half, my + corner[1] * half);
    context.globalAlpha = 1;
    context.fillStyle = stage.ground;
    context.fillRect(box.left, box.top, box.width, box.height);
    this.paintMarks(context, loupe, mx, my);
    const window = { ...stage.window, width: stage.window.width / times };
    [window.x, window.y] = [stage.points[2 * news.of], stage.points[2 * news.of + 1]];
    const lines = springLines(shown, stage.points, window, stage.size, 1.5 * shown.widest).map((line) => {
      const moved = [line.from, line.to].map(([x, y]) => [mx + x - stage.size[0] / 2, my + y - stage.size[1] / 2]);
      const [from, end] = /** @type {Pair[]} */ (moved);
      const far = Math.max(Math.abs(end[0] - mx), Math.abs(end[1] - my));
      const part = Math.min(1, (half - 3) / far); // it is cut where the loupe ends
      /** @type {Pair} */
      const to = [from[0] + part * (end[0] - from[0]), from[1] + part * (end[1] - from[1])];
      return { ...line, from, to, whole: part === 1 };
    });
    this.paintLines(context, lines, shown.apart);
    this.paintNet(context, news, lines, [mx, my]);
    const words = `\u00d7 ${times < 10 ? times.toFixed(1) : Math.round(times)}`;
    context.font = SPRING_FONT;
    const wide = context.measureText(words).width;
    const caption = { left: box.left + 3, top: box.top + box.height - 17, width: wide + 8, height: 15 };
    const named = lines.filter(({ whole }) => whole);
    const order = [...strongest(named, "pull", NAMED_CLOSE), ...strongest(named, "push", NAMED_PUSHES)];
    this.paintNames(context, order, box, [caption]);
    context.fillStyle = ink;
    context.textBaseline = "middle";
    context.fillText(words, caption.left + 4, caption.top + 8);
    context.lineWidth = 1.5;
    context.strokeStyle = ink;
    context.strokeRect(box.left, box.top, box.width, box.height);
  }

  /** The objects that the loupe shows. @param {Pen} context @param {Loupe} loupe @param {number} mx @param {number} my  its middle */
  paintMarks(context, loupe, mx, my) {
    const { stage, coloring } = this;
    const { points, window, size } = stage;
    const { box, times, middle } = loupe;
    const scale = size[0] / window.width;
    const reach = (box.width / 2 - MARK - GAP) / times;
    const [ox, oy] = [size[0] / 2 - window.x * scale - middle[0], size[1] / 2 + window.y * scale - middle[1]];
    for (let i = 0; i < stage.count; i++) {
      const [x, y] = [ox + points[2 * i] * scale, oy - points[2 * i + 1] * scale];
      if (!(Math.abs(x) < reach && Math.abs(y) < reach)) continue;
      const key = coloring.keys ? coloring.keys[i] : 0;
      context.fillStyle = coloring.color(key, stage.theme.dark);
      traceShape(context, coloring.shape(key), MARK, mx + x * times, my + y * times);
      context.fill();
    }
  }
}
