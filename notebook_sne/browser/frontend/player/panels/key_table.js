// Which key does what, and how it is written in the list of keys.

import { pan } from "../../shared/window.js";

/** @import { Cursor } from "../map/cursor.js" */
/** @import { Pointer } from "../map/pointer.js" */
/** @import { RunControls } from "./run_controls.js" */
/** @import { Switches } from "./switches.js" */

/**
 * @typedef {object} KeyRow
 * @property {string} written  as the list shows it; empty for a key that goes with the row before
 * @property {string} words
 * @property {string[]} keys  values of `event.key`
 * @property {(event: KeyboardEvent) => unknown} act
 *
 * @typedef {{title: string, rows: KeyRow[]}} KeyGroup
 */

/**
 * @param {Known} known @param {Pick<Panels, "axes"|"timeline"|"pins"|"springs"|"pairKey"|"drawer"|"search">} panels
 * @param {{run: RunControls, pointer: Pointer, cursor: Cursor, switches: Switches, help: () => void}} controls
 * @returns {KeyGroup[]}
 */
export function keyTable({ hub, stage }, panels, { run, pointer, cursor, switches, help }) {
  const { axes, timeline, pins, springs, pairKey, drawer, search } = panels;
  /** @param {string} written @param {string} words @param {string[]} keys @param {KeyRow["act"]} act @returns {KeyRow} */
  const row = (written, words, keys, act) => ({ written, words, keys, act });
  /** What is only told. @param {string} written @param {string} words */
  const hint = (written, words) => row(written, words, [], () => {});
  /** @param {number} x @param {number} y @returns {KeyRow["act"]} */
  const arrow = (x, y) => (event) => {
    if (event.shiftKey) return cursor.push(x, y);
    const [width, height] = stage.size;
    axes.byHand("The view was moved");
    pan(stage.window, -x * width * 0.1, y * height * 0.1, width);
    hub.paintSoon();
  };
  return [
    {
      title: "Run",
      rows: [
        row("Space", "play or pause", [" "], () => run.toggle()),
        row("s", "one step", ["s", "."], () => run.command("step")),
        row("r", "begin again at the start", ["r"], () => run.command("restart")),
        row("[  ]", "film: back, on", ["["], () => timeline.step(-1)),
        row("", "", ["]"], () => timeline.step(1)),
        row("Page ↑  ↓", "film: the mark before, the next one", ["PageUp"], () => timeline.chapter(-1)),
        row("", "", ["PageDown"], () => timeline.chapter(1)),
        row("Home  End", "film: first, last", ["Home"], () => timeline.first()),
        row("", "", ["End"], () => timeline.last()),
        row("g", "go on from the frame shown", ["g"], () => timeline.goOn()),
      ],
    },
    {
      title: "Map",
      rows: [
        row("+  −", "zoom", ["+", "="], () => axes.zoomBy(1.25)),
        row("", "", ["-"], () => axes.zoomBy(0.8)),
        hint("Ctrl+wheel", "zoom; after a click on the map, or Tab to it, the wheel alone does"),
        row("arrows", "move the view", ["ArrowLeft"], arrow(-1, 0)),
        row("", "", ["ArrowRight"], arrow(1, 0)),
        row("", "", ["ArrowUp"], arrow(0, 1)),
        row("", "", ["ArrowDown"], arrow(0, -1)),
        row("0", "whole map, and follow it", ["0"], () => axes.choose("follow")),
        row("c", "next coloring", ["c"], () => switches.nextColor()),
        row("h", "hide labels", ["h"], () => switches.toggleLabels()),
        row("w", "what is written on the map", ["w"], () => switches.nextNames()),
        row("l", "letters", ["l"], () => switches.toggleLetters()),
        row("i", "images", ["i"], () => switches.toggleImages()),
        row("j", "lines between regions", ["j"], () => pairKey.toggle()),
      ],
    },
    {
      title: "Objects",
      rows: [
        row("/", "search", ["/"], () => search.input.focus({ preventScroll: true })),
        row("d", "table, filters and regions", ["d"], () => drawer.toggle()),
        row("x", "lasso", ["x"], () => pointer.toggleLasso()),
        row("n  p", "next, previous object", ["n"], () => cursor.walk(1)),
        row("", "", ["p"], () => cursor.walk(-1)),
        row("Enter", "select it", ["Enter"], (event) => cursor.take(event)),
        hint("Shift, Alt", "with Enter, a click or the lasso: add, remove"),
        hint("Shift+arrows", "move the selected objects"),
        row("t", "hold the selected objects where they are, or let them go", ["t"], () => pins.toggle(cursor.at)),
        row("e", "springs of the selected object, or hide them", ["e"], () => springs.toggle(cursor.at)),
        hint("double click", "springs of an object; on empty ground: whole map"),
      ],
    },
    {
      title: "View",
      rows: [
        row("a", "all controls, or few", ["a"], () => switches.toggleMore()),
        row("k", "knobs", ["k"], () => switches.toggleKnobs()),
        row("m", "compact, for a slide", ["m"], () => switches.toggleCompact()),
        row("f", "full screen", ["f"], () => switches.toggleFullScreen()),
        row("?", "these keys", ["?"], help),
        hint("Esc", "switch the tool off, clear the selection, leave"),
      ],
    },
  ];
}
