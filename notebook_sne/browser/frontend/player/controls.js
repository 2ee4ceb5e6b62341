// What hands and keys do in a view.

import { listener } from "../shared/elements.js";
import { Cursor } from "./map/cursor.js";
import { fileName, picturesOf, pngCanvas } from "./map/pictures.js";
import { Menu } from "./panels/menu.js";
import { keyTable } from "./panels/key_table.js";
import { Keys } from "./panels/keys.js";
import { Pointer } from "./map/pointer.js";
import { recordFilm } from "./recording/webm.js";
import { RunControls } from "./panels/run_controls.js";
import { SaveMenu } from "../shared/save_menu.js";
import { Switches } from "./panels/switches.js";

/** @import { Pictured } from "./map/pictures.js" */

/**
 * @param {Known} known @param {Panels} panels
 * @param {(i: number) => void} lookAt  show what is known of an object; -1 for that of the keyboard, or none
 * @param {() => Look} look  how the points look now
 */
export function makeControls(known, panels, lookAt, look) {
  const { hub, stage, selection, signal, say } = known;
  const { parts, axes, timeline, pins, pairs, springs, card, drawer } = panels;
  /** The present view, for a picture of it. @returns {Pictured} */
  const pictured = () => {
    const { canvases, names } = panels;
    const { scatter, paintPanels } = canvases;
    return { ...known, look: look(), radius: scatter.radius, paintPanels, names, pairs };
  };
  const { root } = parts;
  const pointer = new Pointer({
    ...known,
    axes,
    parts,
    lookAt,
    hovered: (at, kind) => pairs.look(at, kind),
    pressed: (at, kind) => {
      const pair = pairs.pick(at, kind);
      if (pair) say(pairs.sentence(pair));
      return pair !== null;
    },
    clicked: (i) => cursor.goTo(i),
    showSprings: (i) => springs.toggleOf(i),
    dropped: () => panels.hint.done(),
    toolChanged: (tool) => switches.showTool(tool),
  });
  const cursor = new Cursor(known, () => {
    if (cursor.at >= 0) pointer.over = null; // the pointer's object gives way
    lookAt(-1);
  });
  drawer.reveal = (i) => {
    pointer.over = null;
    cursor.goTo(i);
    if (i >= 0) axes.show(stage.placesOf([i]));
    parts.stage.scrollIntoView({ block: "nearest" });
  };
  const run = new RunControls({ hub, parts, timeline, signal, say });
  const files = {
    ...picturesOf(pictured),
    video: () => {
      say("The film plays once and is recorded");
      const picture = (/** @type {number} */ ratio) => pngCanvas(pictured(), ratio);
      const name = (/** @type {string} */ ending) => fileName(hub.shownFacts(), ending);
      return recordFilm({ timeline, picture, name, signal });
    },
  };
  const save = new SaveMenu({ parts: parts.saves, root, signal, say, files });
  const on = listener(signal);
  on(card.closer, "click", () => cursor.leave());
  on(parts.springs, "click", () => springs.toggle(cursor.at));
  on(card.springer, "click", () => springs.toggle(card.index));
  on(parts.pin, "click", () => pins.toggle(cursor.at));
  const help = () => keys.help();
  const menu = new Menu(known, parts, (name) => {
    if (name === "png" || name === "svg") save.save(name);
    else if (name === "step" || name === "restart") run.command(name);
    else if (name === "springs") springs.toggle(cursor.at);
    else if (name === "keys") help();
    else switches.toggleMore();
  });
  const switches = new Switches(known, panels, pointer, menu, help);
  /** What Escape ends, one thing at a time; false if there was nothing. @type {(() => boolean)[]} */
  const endings = [
    () => save.close() || menu.close(),
    () => pointer.stop(),
    () => pointer.putAway(),
    () => selection.clear(),
  ];
  /** @param {boolean} done  whether something is ended already */
  const putAway = (done) => {
    const ended = done || endings.some((end) => end());
    cursor.leave();
    return ended;
  };
  const table = keyTable(known, panels, { run, pointer, cursor, switches, help });
  const keys = new Keys({ root, speech: parts.speech, table, atObject: () => cursor.at >= 0, putAway, signal });
  panels.help.replaceWith(keys.element);
  return { pointer, cursor, run, save, switches, keys };
}
