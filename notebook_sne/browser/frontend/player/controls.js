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

/** @import { Coloring } from "./map/colors.js" */
/** @import { PlayerHub } from "./hub.js" */
/** @import { KnownObjects } from "./objects.js" */
/** @import { Panels } from "./panels.js" */
/** @import { Pictured } from "./map/pictures.js" */
/** @import { Look } from "./map/scatter.js" */
/** @import { Selection } from "./map/selection.js" */
/** @import { Stage } from "./stage.js" */

/**
 * @param {object} own
 * @param {PlayerHub} own.hub
 * @param {Stage} own.stage
 * @param {KnownObjects} own.objects
 * @param {Selection} own.selection
 * @param {Coloring} own.coloring
 * @param {Panels} own.panels
 * @param {AbortSignal} own.signal
 * @param {(words: string, shown?: boolean) => void} own.say
 * @param {(i: number) => void} own.lookAt  show what is known of an object; -1 for that of the keyboard, or none
 * @param {() => Look} own.look  how the points look now
 */
export function makeControls({ hub, stage, objects, selection, coloring, panels, signal, say, lookAt, look }) {
  const { parts, axes, legend, timeline, pins, pairs } = panels;
  /** The present view, for a picture of it. @returns {Pictured} */
  const pictured = () => {
    const { canvases, names } = panels;
    const { scatter, paintPanels } = canvases;
    return { hub, stage, objects, selection, look: look(), radius: scatter.radius, paintPanels, names, pairs };
  };
  const { root } = parts;
  const pointer = new Pointer({
    hub,
    stage,
    objects,
    axes,
    selection,
    parts,
    signal,
    say,
    lookAt,
    hovered: (at, kind) => pairs.look(at, kind),
    pressed: (at, kind) => {
      const pair = pairs.pick(at, kind);
      if (pair) say(pairs.sentence(pair));
      return pair !== null;
    },
    clicked: (i) => cursor.goTo(i),
    showSprings: (i) => panels.springs.toggleOf(i),
    dropped: () => panels.hint.done(),
    toolChanged: (tool) => switches.showTool(tool),
  });
  const moved = () => {
    if (cursor.at >= 0) pointer.over = null; // the pointer's object gives way
    lookAt(-1);
  };
  const cursor = new Cursor({ hub, stage, objects, selection, say, moved });
  panels.drawer.reveal = (i) => {
    pointer.over = null;
    cursor.goTo(i);
    if (i >= 0) axes.show(stage.placesOf([i]));
    parts.stage.scrollIntoView({ block: "nearest" });
  };
  listener(signal)(panels.card.closer, "click", () => cursor.leave());
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
  const { springs, card } = panels;
  parts.springs.addEventListener("click", () => springs.toggle(cursor.at), { signal });
  card.springer.addEventListener("click", () => springs.toggle(card.index), { signal });
  parts.pin.addEventListener("click", () => pins.toggle(cursor.at), { signal });
  const help = () => keys.help();
  const menu = new Menu({
    hub,
    parts,
    signal,
    pressed: (name) => {
      if (name === "png" || name === "svg") save.save(name);
      else if (name === "step" || name === "restart") run.command(name);
      else if (name === "springs") springs.toggle(cursor.at);
      else if (name === "keys") help();
      else switches.toggleMore();
    },
  });
  const shown = { hub, parts, axes, coloring, legend, pointer, menu, knobs: panels.knobs.element };
  const { search } = panels;
  const switches = new Switches({ ...shown, search, labeled: objects.labeled, signal, say, help });
  /** What Escape ends, one thing at a time; false if there was nothing. @type {(() => boolean)[]} */
  const endings = [
    () => save.close() || menu.close(),
    () => pointer.stop(),
    () => pointer.putAway(),
    () => switches.closeTools(),
    () => selection.clear(),
  ];
  /** @param {boolean} done  whether something is ended already */
  const putAway = (done) => {
    const ended = done || endings.some((end) => end());
    cursor.leave();
    return ended;
  };
  const table = keyTable({
    hub,
    stage,
    axes,
    timeline,
    run,
    pointer,
    cursor,
    pins,
    springs,
    pairs: panels.pairKey,
    switches,
    drawer: panels.drawer,
    help,
  });
  const keys = new Keys({ root, speech: parts.speech, table, atObject: () => cursor.at >= 0, putAway, signal });
  panels.help.replaceWith(keys.element);
  return { pointer, cursor, run, save, switches, keys };
}
