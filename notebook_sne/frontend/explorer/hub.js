// The hub of an explorer: it follows a fit, which may go on without it, and has no film. Where the fit can be steered, as
// in a page that computes, it has the knobs as hands left them.

import { TurnedKnobs } from "../player/recording/turned_knobs.js";
import { Hub } from "../shared/hub.js";

/** @import { FrameMessage } from "../shared/messages.d.ts" */
/** @import { Clock, Model, RunFacts } from "../shared/types.d.ts" */

export class ExplorerHub extends Hub {
  /** @param {Model} model @param {Clock} [clock] */
  constructor(model, clock) {
    super(model, clock);
    this.knobs = new TurnedKnobs(this);
    this.begin();
  }

  stop() {
    super.stop();
    this.knobs.stop();
  }

  /** Whether the fit can be stepped, begun anew, and its knobs turned. */
  get steers() {
    return this.model.get("live") && Array.isArray(this.model.get("knobs"));
  }

  /** @param {RunFacts} news */
  learn(news) {
    super.learn(news);
    this.knobs.settle();
  }

  /** @param {FrameMessage} facts @param {DataView} buffer */
  adopt(facts, buffer) {
    super.adopt(facts, buffer);
    if (typeof facts.iteration === "number") this.trace.record(facts.iteration, facts.cost ?? null);
  }

  /** Turn a knob: shown at once. @param {string} name @param {number} value */
  turn(name, value) {
    if (this.able()) this.knobs.turn(name, value);
    this.updateViews(false);
  }

  /** Let knobs follow their schedules again. @param {string[]} names */
  release(names) {
    if (this.able()) this.knobs.release(names);
    this.updateViews(false);
  }

  /** Where a knob stands. @param {string} name */
  knob(name) {
    return this.knobs.shown(name);
  }

  shownFacts() {
    return this.facts;
  }
}
