// The lecturer's view of a class, in a notebook: how to join, who is there, what they follow.

import { attribute, listener, make, wordButton, write } from "../shared/elements.js";
import { hearKeys } from "../shared/keys.js";
import { wearTheme } from "../shared/theme.js";
import { hear, widgetOf } from "../shared/widget.js";
import { drawCode } from "./picture.js";

const NEWS = ["change:facts", "change:maps", "change:followed", "change:address"];

class DeskView {
  /** @param {any} model @param {HTMLElement} el */
  constructor(model, el) {
    this.model = model;
    this.undo = new AbortController();
    this.on = listener(this.undo.signal);
    this.picture = make("div", { class: "nsne-join" });
    this.here = make("p", { class: "nsne-here", role: "status", "data-part": "here" });
    this.screen = wordButton("screen", "Open the screen");
    this.empty = wordButton("empty", "Empty the room");
    /** @type {Window|null} a tab that waits for its address */
    this.tab = null;
    this.maps = make("select", { "data-control": "map", "aria-label": "Map that the class follows" });
    this.knob = wordButton("knob");
    this.end = wordButton("end", "End the class");
    this.note = make("p", { class: "nsne-soft", "data-part": "note" });
    const follow = make("label", { class: "nsne-group" }, "Let the class follow", this.maps);
    const acts = make("p", { class: "nsne-group" }, this.screen, this.knob, this.empty, this.end);
    this.root = make(
      "div",
      { class: "nsne-view nsne-desk", lang: "en", role: "group", "aria-label": "Class" },
      this.picture,
      make("div", {}, this.here, acts, follow, this.note),
    );
    attribute(this.root, "data-key", model.get("key")); // its still picture is hidden where this is on the page
    hearKeys(this.root, this.undo.signal);
    this.on(this.maps, "change", () => model.send({ kind: "class", do: "follow", map: this.maps.value }));
    this.on(this.knob, "click", () => model.send({ kind: "class", do: this.facts.holder === null ? "give" : "take" }));
    this.on(this.end, "click", () => this.stop());
    this.on(this.empty, "click", () => model.send({ kind: "class", do: "empty" }));
    this.on(this.screen, "click", () => {
      this.tab = open("about:blank", "_blank"); // at once, or the browser takes it for an advertisement
      model.send({ kind: "class", do: "screen" });
    });
    /** @param {any} content  its address holds the lecturer's key, so no notebook keeps it */
    const take = (content) => {
      if (content.kind !== "screen" || !this.tab) return;
      this.tab.opener = null;
      this.tab.location.replace(content.address);
      this.tab = null;
    };
    hear(model, ["msg:custom"], take, this.undo.signal);
    this.sure = false;
    this.drawn = ""; // the code for cameras
    hear(model, NEWS, () => this.show(), this.undo.signal);
    wearTheme(el, this.root, this.undo.signal);
    this.show();
  }

  remove() {
    this.undo.abort();
    this.root.remove();
  }

  /** @returns {ClassState} */
  get facts() {
    return this.model.get("facts") ?? {};
  }

  /** Two presses end it: the first asks. */
  stop() {
    if (this.sure) this.model.send({ kind: "class", do: "end" });
    this.sure = !this.sure;
    this.show();
  }

  show() {
    /** @type {Address} */
    const address = this.model.get("address");
    const { facts } = this;
    const { ended } = facts;
    attribute(this.root, "data-ended", Boolean(ended));
    if (this.drawn !== address.picture && address.picture) {
      this.drawn = address.picture;
      const room = address.short.lastIndexOf("/") + 1; // typed by hand, so its name is in one line
      const [host, name] = [address.short.slice(0, room), address.short.slice(room)];
      this.picture.replaceChildren(
        drawCode(address.picture, `A code for the camera: ${address.join}`),
        make("p", {}, host, make("wbr", {}), name),
      );
    }
    this.picture.hidden = Boolean(ended);
    write(this.here, ended ? "The class is over." : `${facts.present ?? 0} here`);
    const maps = /** @type {[key: string, words: string][]} */ (this.model.get("maps"));
    const options = [["", "no map"], ...maps];
    if (JSON.stringify(options) !== this.listed) {
      this.listed = JSON.stringify(options);
      this.maps.replaceChildren(...options.map(([value, words]) => make("option", { value }, words)));
    }
    this.maps.value = this.model.get("followed");
    this.knob.hidden = !facts.hands && (facts.holder ?? null) === null;
    write(
      this.knob,
      (facts.holder ?? null) === null
        ? `Give the knob: ${facts.hands} ask for it`
        : `Take the knob from number ${facts.holder}`,
    );
    write(this.end, this.sure ? "End it for everyone?" : "End the class");
    for (const part of [this.screen, this.maps, this.empty, this.end]) part.toggleAttribute("hidden", Boolean(ended));
    const where = address.lan ? "" : "Only this machine can open it. Start it with lan=True to let phones in.";
    const crowd = facts.crowd ? `Many phones came at once from ${facts.crowd}.` : where;
    write(this.note, facts.trouble ? `The file of the class cannot be written: ${facts.trouble}` : ended ? "" : crowd);
  }
}

export default widgetOf(
  (model) => ({ model, stop() {} }),
  ({ model }, el) => new DeskView(model, el),
);
