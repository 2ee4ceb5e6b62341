// What a class says to a question, in the notebook of the lecturer: below the question itself, while a class is there.

import { attribute, make, wordButton } from "../shared/elements.js";
import { drawVotes } from "./bars.js";

/** What may be done next, by the stage of the vote. @type {Record<string, [action: string, words: string][]>} */
const ACTS = {
  ready: [["ask", "Ask the class"]],
  open: [["show", "Show the votes"]],
  shown: [["again", "Vote again"]],
  found: [["again", "Vote again"]],
};

export class PollPanel {
  /** @param {Model} model  of the question */
  constructor(model) {
    this.model = model;
    this.shown = "";
    this.element = make("div", { class: "nsne-poll", "data-part": "poll", lang: "en", hidden: "" });
  }

  update() {
    const poll = this.model.get("poll") ?? {};
    const said = JSON.stringify(poll);
    if (said === this.shown) return;
    this.shown = said;
    this.element.hidden = !poll.stage;
    if (!poll.stage) return;
    attribute(this.element, "data-stage", poll.stage);
    const buttons = ACTS[poll.stage].map(([action, words]) => {
      const button = wordButton(action, words);
      button.addEventListener("click", () => this.model.send({ kind: "class", do: action }));
      return button;
    });
    const { answered = 0, present = 0, stage } = poll;
    const counted = stage === "ready" ? `${present} here` : `${answered} of ${present} have answered`;
    const votes = stage === "shown" || stage === "found" ? [drawVotes(/** @type {PollFacts} */ (poll))] : [];
    const acts = make("div", { class: "nsne-group" }, ...buttons, make("span", { role: "status" }, counted));
    const held = this.element.contains(document.activeElement);
    this.element.replaceChildren(acts, ...votes);
    if (held) buttons[0]?.focus();
  }
}
