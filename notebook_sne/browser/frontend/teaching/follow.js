// The lecturer's map on a phone: the same player as in a notebook, fed by the line instead of a kernel. It is for looking;
// who has the knob turns it, and everybody may go on alone in a page that computes.

import { PageModel, readPage } from "../page/page.js";
import { make } from "../shared/elements.js";

/** @import { Line } from "./websocket.js" */

const PLAYER = "./player.js"; // loaded with the first map, and its styles
const AROUND_MAP = 300; // pixels of a phone for all but the map itself
const ORDERS = ["set", "release", "play", "pause"]; // what the one with the knob may say

export class FollowModel extends PageModel {
  /** @param {Record<string, unknown>} traits @param {Line} line */
  constructor(traits, line) {
    super(traits);
    this.line = line;
  }

  /** @param {any} message */
  send(message) {
    if (message.kind === "ack") this.line.say({ kind: "ack", seq: message.seq });
    if (message.kind !== "command" || !ORDERS.includes(message.name)) return;
    this.line.say({ kind: "command", name: message.name, knobs: message.knobs });
    // Nobody confirms it to one page of many: the next picture shows what came of it.
    setTimeout(
      () => this.post({ kind: "heartbeat", seq: 0, moment: Number(this.get("moment")), heard: message.id }),
      0,
    );
  }

  /** @param {any} content @param {DataView[]} [buffers] */
  post(content, buffers = []) {
    for (const listener of [...(this.listeners.get("msg:custom") ?? [])]) listener(content, buffers);
  }

  /** What the server says of the map. @param {any} content @param {DataView[]} buffers */
  hear(content, buffers) {
    if (content.kind === "frame") this.post(content, buffers);
    if (content.kind === "alive") this.post({ kind: "heartbeat", seq: 0, moment: Number(this.get("moment")) });
    if (content.kind !== "traits") return;
    for (const [name, value] of Object.entries(content.traits)) this.set(name, value);
  }
}

export class FollowedMap {
  /** @param {Line} line @param {number} number  of the map @param {HTMLElement} place */
  constructor(line, number, place) {
    this.line = line;
    this.number = number;
    this.place = place;
    this.over = false;
    this.mine = false; // the knob
    /** @type {FollowModel|null} */
    this.model = null;
    this.remove = () => {};
  }

  /** Load what there is of it, and show it; an Error if it does not come. */
  async begin() {
    if (!document.querySelector('link[href="player.css"]'))
      document.head.prepend(make("link", { rel: "stylesheet", href: "player.css" })); // ours come after it
    const [{ default: player }, answer] = await Promise.all([import(PLAYER), fetch(`map/${this.number}`)]);
    if (!answer.ok) throw new Error(String(answer.status));
    const traits = await readPage(await answer.text());
    if (this.over) return;
    traits.height = Math.min(Math.max(innerHeight - AROUND_MAP, 200), 900);
    const model = new FollowModel({ ...traits, read_only: !this.mine }, this.line);
    this.model = model;
    const forget = player.initialize({ model });
    const remove = player.render({ model, el: this.place });
    this.remove = () => {
      remove();
      forget();
    };
    this.watch();
  }

  /** Ask for its pictures; a new line has forgotten it. */
  watch() {
    if (this.model) this.line.say({ kind: "watch", number: this.number });
  }

  /** @param {boolean} mine  whether this phone has the knob */
  give(mine) {
    this.mine = mine;
    this.model?.set("read_only", !mine);
  }

  /** @param {any} content @param {DataView[]} buffers */
  hear(content, buffers) {
    this.model?.hear(content, buffers);
  }

  end() {
    this.over = true;
    this.remove();
    this.line.say({ kind: "watch", number: -1 });
  }
}
