// The method: go on from the same positions under another model, or begin anew with a paper's recipe.

import { button, folding, make, write } from "../../shared/elements.js";
import { Part } from "../part.js";

/** @type {[group: string, command: OrderName, control: string, title: string, aside: string][]} */
const GROUPS = [
  ["go on", "switch", "method-", "Go on as", "the same objects, from where they stand"],
  ["paper", "preset", "method-paper-", "Begin with the paper’s recipe", "from a new start"],
];

export class MethodMenu extends Part {
  /** @param {Known} known */
  constructor(known) {
    super(known);
    this.key = "";
    /** @type {{item: HTMLButtonElement, id: string, command: OrderName, cannot: boolean}[]} */
    this.items = [];
    this.list = make("div", { class: "nsne-methods", "data-part": "methods" });
    const { element, heading } = folding("method", "Method", false, this.list);
    this.element = element;
    this.named = make("span", { class: "nsne-quiet" });
    heading.setAttribute("data-control", "method");
    heading.append(this.named);
  }

  /** Make the buttons; which models there are may change with the run. @param {ModelChoice[]} models */
  build(models) {
    const { signal } = this;
    this.items = [];
    this.list.replaceChildren();
    for (const [group, command, control, title, aside] of GROUPS) {
      const those = models.filter((model) => model.group === group);
      if (!those.length) continue;
      const head = make("div", { class: "nsne-methods-head" }, make("span", {}, title), make("small", {}, aside));
      const box = make("div", { class: "nsne-methods-group", role: "group", "aria-label": title }, head);
      for (const { id, label, what: about, cannot } of those) {
        const what = cannot ?? about ?? "";
        const item = button(control + id, "", `${title}: ${label}${what ? ` (${what})` : ""}`, make("span", {}, label));
        item.append(make("small", {}, what));
        item.toggleAttribute("data-cannot", Boolean(cannot));
        item.addEventListener("click", () => this.hub.command(command, { model: id }), { signal });
        this.items.push({ item, id, command, cannot: Boolean(cannot) });
        box.append(item);
      }
      this.list.append(box);
    }
  }

  update() {
    const { hub } = this;
    const models = hub.model.get("models") || [];
    const key = JSON.stringify(models);
    if (key !== this.key) {
      this.key = key;
      this.build(models);
    }
    this.element.hidden = !models.length;
    const present = hub.facts.model_name;
    write(this.named, models.find(({ id, group }) => id === present && group === "go on")?.label ?? present ?? "");
    for (const { item, id, command, cannot } of this.items) {
      const here = command === "switch" && id === present;
      if (here) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
      const off = cannot || !hub.able();
      if (item.disabled !== off) item.disabled = off;
    }
  }
}
