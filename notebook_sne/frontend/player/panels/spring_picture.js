// The springs of one object over the map. A pull is a full blue line whose arrow points to the neighbor; a push is a dashed
// orange line whose arrow points at the object, away from the neighbor. Short springs are shown in a loupe.

import { placeLabels } from "../../shared/labels.js";
import { clipped } from "../../shared/svg_pen.js";
import { cutOff, fewOf, isFarOut, loupeFor, marksIn, reachOf } from "./loupe.js";
import { drawArrow, netForce, springLines } from "./spring_lines.js";

/** @import { SpringsMessage } from "../../shared/messages.d.ts" */
/** @import { Box, Pair, Pen } from "../../shared/types.d.ts" */
/** @import { PlayerHub } from "../hub.js" */
/** @import { Coloring } from "../map/colors.js" */
/** @import { KnownObjects } from "../objects.js" */
/** @import { Stage } from "../stage.js" */
/** @import { Loupe } from "./loupe.js" */
/** @import { SpringKind, SpringLine } from "./spring_lines.js" */

const NAMED_PULLS = 6; // springs whose neighbors are named in the map
const NAMED_PUSHES = 3;
const SPRING_FONT = "600 12px system-ui, sans-serif";
const LOUPE_FONT = "11px system-ui, sans-serif";
const LABEL_HEIGHT = 15;
/** @type {Record<SpringKind, string[]>} */
export const SPRING_COLORS = { pull: ["#0062a3", "#63b8ff"], push: ["#b84a00", "#ff9d57"] }; // on light, on dark

export class SpringPicture {
  /** @param {{hub: PlayerHub, stage: Stage, objects: KnownObjects, coloring: Coloring}} own */
  constructor({ hub, stage, objects, coloring }) {
    this.hub = hub;
    this.stage = stage;
    this.objects = objects;
    this.coloring = coloring;
    this.corner = -1; // of the stage in which the loupe was last
  }

  /** @param {Pen} context @param {SpringsMessage|null} news @param {Box[]} taken  where others write */
  paint(context, news, taken) {
    const { stage } = this;
    if (!news || news.of >= stage.count) {
      this.corner = -1;
      return;
    }
    const few = isFarOut(reachOf(news, stage), stage) ? news : fewOf(news);
    const loupe = loupeFor(few, stage, this.corner);
    this.corner = loupe?.corner ?? -1;
    context.save();
    context.lineCap = "round";
    if (loupe) this.paintLoupe(context, loupe, news, few);
    else {
      const lines = springLines(few, stage.points, stage.window, stage.size);
      this.paintSprings(context, lines, few === news);
      this.paintNet(context, news, lines, stage.ground);
      this.paintNames(context, lines, [0, 0, ...stage.size], taken);
    }
    context.restore();
  }

  /** @param {Pen} context @param {SpringLine[]} lines @param {boolean} full  or as strong as their forces */
  paintSprings(context, lines, full) {
    const most = Math.max(...lines.map(({ strength }) => strength), Number.MIN_VALUE);
    for (const line of lines) this.paintSpring(context, line, full ? 1 : 0.3 + 0.7 * (line.strength / most));
  }

  /** @param {Pen} context @param {SpringLine} line @param {number} opacity */
  paintSpring(context, { kind, width, from, to }, opacity) {
    const { stage } = this;
    const [a, b] = kind === "pull" ? [from, to] : [to, from];
    const dash = kind === "push" ? [Math.max(1.5 * width, 5), Math.max(2 * width, 6)] : [];
    // Beneath, a line of the ground's color: a spring shows among the marks of thousands of objects.
    drawArrow(context, a, b, width + 2.5, stage.ground, [], 0.5);
    drawArrow(context, a, b, width, SPRING_COLORS[kind][stage.theme.dark ? 1 : 0], dash, opacity);
  }

  /** The springs in a loupe, and on the map what it enlarges. @param {Pen} context @param {Loupe} loupe @param {SpringsMessage} news @param {SpringsMessage} few */
  paintLoupe(context, loupe, news, few) {
    const { stage, coloring } = this;
    const { left, top, side, reach, power, window } = loupe;
    const { dark, faint, soft, text } = stage.theme;
    const [x, y] = stage.place(news.of);
    context.lineWidth = 1;
    context.strokeStyle = faint;
    for (const [cx, cy] of nearCorners(loupe, x, y)) {
      const [dx, dy] = [cx - x, cy - y];
      const share = reach / (Math.hypot(dx, dy) || 1);
      context.beginPath();
      context.moveTo(x + dx * share, y + dy * share);
      context.lineTo(cx, cy);
      context.stroke();
    }
    context.strokeStyle = soft;
    context.beginPath();
    context.arc(x, y, reach, 0, 2 * Math.PI);
    context.stroke();
    context.fillStyle = stage.ground;
    context.fillRect(left, top, side, side);
    context.strokeRect(left, top, side, side);
    for (const mark of marksIn(loupe, stage, news.of)) {
      context.fillStyle = coloring.color(coloring.keys ? coloring.keys[mark.i] : 0, dark);
      context.beginPath();
      context.arc(mark.x, mark.y, 4, 0, 2 * Math.PI);
      context.fill();
    }
    const lines = springLines(few, stage.points, window, [side, side]).map((line) => {
      /** @type {Pair} */
      const from = [line.from[0] + left, line.from[1] + top];
      return { ...line, from, to: cutOff(loupe, from, [line.to[0] + left, line.to[1] + top]) };
    });
    this.paintSprings(context, lines, false);
    ringAt(context, [left + side / 2, top + side / 2], 8, stage.ground, text);
    this.paintNames(context, lines, [left, top, side, side - LABEL_HEIGHT]);
    context.font = LOUPE_FONT;
    context.textBaseline = "middle";
    context.fillStyle = soft;
    const said = `× ${power.toFixed(power < 3 ? 1 : 0)} · ${few.pull.length} of ${news.pull.length} pulls, ${few.push.length} of ${news.push.length} pushes`;
    context.fillText(clipped(context, said, side - 12), left + 6, top + side - LABEL_HEIGHT / 2);
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
    ringAt(context, [x, y], 8, ground, ink);
  }

  /** Names of the strongest ends, within a box: left, top, width and height. @param {Pen} context @param {SpringLine[]} lines @param {number[]} box @param {Box[]} [taken]  where others write */
  paintNames(context, lines, [left, top, width, height], taken = []) {
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
        x: line.to[0] - left,
        y: line.to[1] - top,
        radius: 5,
        width: context.measureText(text).width + 4,
        height: LABEL_HEIGHT,
      };
    });
    const [x, y] = lines.length ? lines[0].from : [0, 0];
    const places = placeLabels(
      items,
      width,
      height,
      [...items, { x: x - left, y: y - top, radius: 12 }],
      undefined,
      taken,
    );
    context.textBaseline = "middle";
    context.lineJoin = "round";
    items.forEach(({ text, line }, k) => {
      if (!places[k]) return;
      const [start, middle] = [left + places[k].left + 2, top + places[k].top + LABEL_HEIGHT / 2];
      context.lineWidth = 4;
      context.strokeStyle = stage.ground;
      context.strokeText(text, start, middle);
      context.fillStyle = SPRING_COLORS[line.kind][stage.theme.dark ? 1 : 0];
      context.fillText(text, start, middle);
    });
  }
}

/** A ring of ink on a ring of ground. @param {Pen} context @param {Pair} at @param {number} radius @param {string} ground @param {string} ink */
function ringAt(context, [x, y], radius, ground, ink) {
  for (const [color, width] of /** @type {[string, number][]} */ ([
    [ground, 5],
    [ink, 2.5],
  ])) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.lineWidth = width;
    context.strokeStyle = color;
    context.stroke();
  }
}

/** The two corners of a loupe between which it is seen from a place. @param {Loupe} loupe @param {number} x @param {number} y @returns {Pair[]} */
function nearCorners({ left, top, side }, x, y) {
  /** @type {Pair[]} */
  const corners = [
    [left, top],
    [left + side, top],
    [left + side, top + side],
    [left, top + side],
  ];
  const middle = Math.atan2(top + side / 2 - y, left + side / 2 - x);
  /** @param {Pair} corner  its angle from the loupe's middle */
  const aside = ([a, b]) => {
    const turn = Math.atan2(b - y, a - x) - middle;
    return Math.atan2(Math.sin(turn), Math.cos(turn));
  };
  const sorted = corners.toSorted((a, b) => aside(a) - aside(b));
  return [sorted[0], sorted[3]];
}
