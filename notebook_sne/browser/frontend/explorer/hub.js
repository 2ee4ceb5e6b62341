// The hub of an explorer: it follows a fit, which may go on without it, and has no film.

import { Hub } from "../shared/hub.js";

export class ExplorerHub extends Hub {
  /** @param {Model} model @param {Clock} [clock] */
  constructor(model, clock) {
    super(model, clock);
    this.begin();
  }

  /** Whether the fit can be stepped, begun anew, and its knobs turned. */
  get steers() {
    return this.model.get("live") && Array.isArray(this.model.get("knobs"));
  }

  /** @param {FrameMessage} facts @param {DataView} buffer */
  adopt(facts, buffer) {
    super.adopt(facts, buffer);
    if (typeof facts.iteration === "number") this.trace.record(facts.iteration, facts.cost ?? null);
  }
}
